//! Requests: fields with their types.

use carryless::Engine;
use serde_json::{Map, Value};

use super::answer::{Error, Kind};
use super::buffer::Buffer;

/// A request whose fields are looked at when they are needed: others are ignored.
pub struct Request(Map<String, Value>);

/// What every request may have.
pub struct Common<'a> {
    pub alg: &'a str,
    pub op: &'a str,
    /// The name that was asked for.
    engine: &'a str,
    pub path: &'a str,
    pub split: Vec<u64>,
    pub aad_split: Vec<u64>,
    /// By how many bytes buffers miss an alignment of 64.
    pub offset: usize,
}

impl Request {
    pub const fn new(fields: Map<String, Value>) -> Self {
        Self(fields)
    }

    /// To be echoed; null if it is neither number nor string.
    pub fn id(&self) -> Value {
        self.0
            .get("id")
            .filter(|id| id.is_number() || id.is_string())
            .cloned()
            .unwrap_or(Value::Null)
    }

    pub fn check_id(&self) -> Result<(), Error> {
        match self.0.get("id") {
            None | Some(Value::Number(_) | Value::String(_) | Value::Null) => Ok(()),
            Some(_) => Err(Error::bad("id is neither number nor string")),
        }
    }

    pub fn common(&self) -> Result<Common<'_>, Error> {
        let common = Common {
            alg: self.text("alg", "")?,
            op: self.text("op", "")?,
            engine: self.text("engine", "auto")?,
            path: self.text("path", "into")?,
            split: self.lengths("split")?,
            aad_split: self.lengths("aad_split")?,
            offset: usize::try_from(self.number("offset", 0)?).unwrap_or(usize::MAX),
        };
        if common.op.is_empty() || common.alg.is_empty() && common.op != "info" {
            return Err(Error::bad("alg or op is missing"));
        }
        if common.offset > 63 {
            return Err(Error::bad("offset is not 0..63"));
        }
        Ok(common)
    }

    pub fn text<'a>(&'a self, name: &str, default: &'a str) -> Result<&'a str, Error> {
        match self.0.get(name) {
            None => Ok(default),
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(Error::bad(format!("{name} is no string"))),
        }
    }

    /// An integer of 0 or more; one beyond 64 bits becomes the largest.
    pub fn number(&self, name: &str, default: u64) -> Result<u64, Error> {
        self.0
            .get(name)
            .map_or(Ok(default), |value| integer(name, value))
    }

    fn lengths(&self, name: &str) -> Result<Vec<u64>, Error> {
        match self.0.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(list)) => list.iter().map(|value| integer(name, value)).collect(),
            Some(_) => Err(Error::bad(format!("{name} is no list"))),
        }
    }

    /// Bytes in hexadecimal; nothing if the field is missing.
    pub fn hex(&self, name: &str, offset: usize) -> Result<Buffer, Error> {
        let digits = self.text(name, "")?;
        let bytes = hex::decode(digits)
            .map_err(|_| Error::bad(format!("{name} is no hexadecimal string")))?;
        Ok(Buffer::new(&bytes, offset))
    }

    /// Bytes in hexadecimal, in a field that must be there.
    pub fn required_hex(&self, name: &str, offset: usize) -> Result<Buffer, Error> {
        if self.0.contains_key(name) {
            self.hex(name, offset)
        } else {
            Err(Error::bad(format!("{name} is missing")))
        }
    }
}

fn integer(name: &str, value: &Value) -> Result<u64, Error> {
    let digits = match value {
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Error::bad(format!("{name} is no integer of 0 or more")));
    }
    Ok(digits.parse().unwrap_or(u64::MAX))
}

impl Common<'_> {
    /// The engine that was asked for, or the one that `auto` means; never another.
    pub fn engine(&self) -> Result<Engine, Error> {
        match self.engine {
            "auto" => Ok(Engine::selected()),
            name => Engine::from_name(name).map_err(|_| Error::of(Kind::EngineUnavailable)),
        }
    }

    /// Fails if more is to be cut than there is, whether the path cuts or not.
    pub fn check_splits(&self, text_len: usize, aad_len: usize) -> Result<(), Error> {
        let too_long = |split: &[u64], len: usize| {
            split.iter().map(|len| u128::from(*len)).sum::<u128>() > len as u128
        };
        if too_long(&self.split, text_len) {
            return Err(Error::bad("split is longer than the text"));
        }
        if too_long(&self.aad_split, aad_len) {
            return Err(Error::bad("aad_split is longer than the aad"));
        }
        Ok(())
    }
}

/// These lengths, which were checked to fit, with each cut at the multiple of 16 before it, where segments can begin.
pub fn whole_blocks(lengths: &[u64]) -> Vec<u64> {
    let (mut end, mut cut) = (0, 0);
    let blocks = lengths.iter().map(|len| {
        end += len;
        let start = core::mem::replace(&mut cut, end / 16 * 16);
        cut - start
    });
    blocks.collect()
}

/// Cuts `whole` into pieces of these lengths and the rest, which were checked to fit.
pub fn pieces<'a>(mut whole: &'a [u8], lengths: &[u64]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    for len in lengths {
        let (piece, rest) =
            whole.split_at(usize::try_from(*len).unwrap_or(usize::MAX).min(whole.len()));
        pieces.push(piece);
        whole = rest;
    }
    pieces.push(whole);
    pieces
}
