//! Answers, and the kinds of errors.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use carryless::Engine;
use carryless::error::{InputError, KeyError, OpenError, PaddingError};

/// Kinds of errors, in the order in which they win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    BadRequest,
    Unsupported,
    EngineUnavailable,
    KeyLength,
    IvLength,
    TagLength,
    DataLength,
    WeakKey,
    Range,
    Padding,
    Auth,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::BadRequest => "bad-request",
            Self::Unsupported => "unsupported",
            Self::EngineUnavailable => "engine-unavailable",
            Self::KeyLength => "key-length",
            Self::IvLength => "iv-length",
            Self::TagLength => "tag-length",
            Self::DataLength => "data-length",
            Self::WeakKey => "weak-key",
            Self::Range => "range",
            Self::Padding => "padding",
            Self::Auth => "auth",
        }
    }
}

/// Why a request has no result. Nothing of its key or data is in it.
#[derive(Debug)]
pub struct Error {
    pub kind: Kind,
    message: Option<String>,
    /// What the output of a failed opening holds.
    out: Option<&'static str>,
}

impl Error {
    pub const fn of(kind: Kind) -> Self {
        Self {
            kind,
            message: None,
            out: None,
        }
    }

    pub fn bad(message: impl Into<String>) -> Self {
        Self {
            message: Some(message.into()),
            ..Self::of(Kind::BadRequest)
        }
    }

    pub fn with_out(self, out: &'static str) -> Self {
        Self {
            out: Some(out),
            ..self
        }
    }
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Self {
        Self::of(match error {
            InputError::Key { .. } => Kind::KeyLength,
            InputError::EmptyNonce
            | InputError::NonceTooLong { .. }
            | InputError::Nonce { .. }
            | InputError::CcmNonce { .. } => Kind::IvLength,
            InputError::Tag { .. } => Kind::TagLength,
            InputError::EqualHalves => Kind::WeakKey,
            _ => Kind::DataLength,
        })
    }
}

impl From<KeyError> for Error {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Input(error) => error.into(),
            _ => Self::of(Kind::EngineUnavailable),
        }
    }
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Input(error) => error.into(),
            _ => Self::of(Kind::Auth),
        }
    }
}

impl From<PaddingError> for Error {
    fn from(error: PaddingError) -> Self {
        match error {
            PaddingError::Input(error) => error.into(),
            _ => Self::of(Kind::Padding),
        }
    }
}

/// An answer: its fields, in order.
#[derive(Debug)]
pub struct Answer(Vec<(&'static str, Value)>);

impl Answer {
    /// Success on this engine.
    pub fn success(engine: Engine) -> Self {
        Self(vec![
            ("id", Value::Null),
            ("ok", true.into()),
            ("engine", engine.name().into()),
        ])
    }

    pub fn failure(id: Value, error: Error) -> Self {
        let mut answer = Self(vec![
            ("id", id),
            ("ok", false.into()),
            ("error", error.kind.name().into()),
        ]);
        if let Some(message) = error.message {
            answer = answer.with("message", message);
        }
        if error.kind == Kind::EngineUnavailable {
            answer = answer.with(
                "available",
                Engine::available().map(Engine::name).collect::<Vec<_>>(),
            );
        }
        if let Some(out) = error.out {
            answer = answer.with("out", out);
        }
        answer
    }

    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.0.push((name, value.into()));
        self
    }

    pub fn with_hex(self, name: &'static str, bytes: &[u8]) -> Self {
        self.with(name, hex::encode(bytes))
    }

    pub fn with_id(mut self, id: Value) -> Self {
        self.0[0].1 = id;
        self
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
