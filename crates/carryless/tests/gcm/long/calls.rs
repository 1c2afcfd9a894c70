//! The calls on long messages that a fault may sit in.

use core::fmt;

use carryless::error::InputError;
use carryless::{Aes128, Aes128Gcm, Engine, Partial, Segments};

use crate::harness::reference::{Block, Gcm};

pub(super) const NONCE: [u8; 12] = *b"long message";

pub(super) fn key() -> Vec<u8> {
    crate::harness::key(16)
}

/// A way in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Sealer,
    Opener,
    SealedSegments,
    OpenedSegments,
}

/// One key and nonce. Texts are sealed and opened where they stand.
pub(super) trait Calls: fmt::Display {
    /// Under the nonce of 12 bytes, or one that is hashed to the same pre-counter block.
    fn seal(&self, hashed: bool, aad: &[u8], text: &mut [u8]) -> Block;
    fn open(&self, hashed: bool, aad: &[u8], text: &mut [u8], tag: &Block) -> bool;
    fn begin(&self, way: Way) -> Box<dyn Pieces + '_>;
}

/// A message in pieces.
pub(super) trait Pieces {
    fn aad(&mut self, aad: &[u8]);
    fn text(&mut self, text: &mut [u8]) -> Result<(), InputError>;
    /// Whether this is its tag; `aad`: all of it.
    fn ends_with(self: Box<Self>, aad: &[u8], tag: &Block) -> bool;
}

/// The library, on one engine.
pub(super) struct Library {
    gcm: Aes128Gcm,
    hashed: Block,
}

impl Library {
    pub(super) fn new(engine: Engine) -> Self {
        let reference = Gcm::new(&key());
        Self {
            gcm: Aes128Gcm::with_engine(&key(), engine).unwrap(),
            hashed: reference.nonce_for(&reference.j0(&NONCE)),
        }
    }

    fn nonce(&self, hashed: bool) -> &[u8] {
        if hashed { &self.hashed } else { &NONCE }
    }
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.gcm.engine().fmt(f)
    }
}

impl Calls for Library {
    fn seal(&self, hashed: bool, aad: &[u8], text: &mut [u8]) -> Block {
        self.gcm
            .seal_in_place(self.nonce(hashed), aad, text)
            .unwrap()
    }

    fn open(&self, hashed: bool, aad: &[u8], text: &mut [u8], tag: &Block) -> bool {
        let nonce = self.nonce(hashed);
        self.gcm.open_in_place(nonce, aad, text, tag).is_ok()
    }

    fn begin(&self, way: Way) -> Box<dyn Pieces + '_> {
        match way {
            Way::Sealer => Box::new(self.gcm.sealer(&NONCE).unwrap()),
            Way::Opener => Box::new(self.gcm.opener(&NONCE).unwrap()),
            Way::SealedSegments | Way::OpenedSegments => Box::new(Segmented {
                message: self.gcm.segments(&NONCE),
                opens: way == Way::OpenedSegments,
                at: 0,
                parts: Vec::new(),
            }),
        }
    }
}

impl Pieces for carryless::Sealer<'_, Aes128> {
    fn aad(&mut self, aad: &[u8]) {
        self.aad(aad).unwrap();
    }

    fn text(&mut self, text: &mut [u8]) -> Result<(), InputError> {
        self.seal_in_place(text)
    }

    fn ends_with(self: Box<Self>, _: &[u8], tag: &Block) -> bool {
        self.finish() == *tag
    }
}

impl Pieces for carryless::hazmat::Opener<'_, Aes128> {
    fn aad(&mut self, aad: &[u8]) {
        self.aad(aad).unwrap();
    }

    fn text(&mut self, text: &mut [u8]) -> Result<(), InputError> {
        self.open_in_place(text)
    }

    fn ends_with(self: Box<Self>, _: &[u8], tag: &Block) -> bool {
        self.finish(tag).is_ok()
    }
}

/// Segments, one after the other.
struct Segmented<'k> {
    message: Segments<'k, Aes128>,
    opens: bool,
    at: u64,
    /// Opened, they are merged as they come.
    parts: Vec<Partial>,
}

impl Pieces for Segmented<'_> {
    fn aad(&mut self, _: &[u8]) {}

    fn text(&mut self, text: &mut [u8]) -> Result<(), InputError> {
        let mut part = if self.opens {
            self.message.open_unverified(self.at, text)?
        } else {
            self.message.seal_in_place(self.at, text)?
        };
        self.at += text.len() as u64;
        if self.opens
            && let Some(before) = self.parts.pop()
        {
            part = self.message.merge(&before, &part)?;
        }
        self.parts.push(part);
        Ok(())
    }

    fn ends_with(self: Box<Self>, aad: &[u8], tag: &Block) -> bool {
        self.message.finish(aad, &self.parts) == Ok(*tag)
    }
}
