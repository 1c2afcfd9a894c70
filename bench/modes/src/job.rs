//! What is measured: a mode, and a library's way to run it.

/// A block of the cipher, a tag.
pub type Block = [u8; 16];

/// The IV, the tweak and the first counter block; what a mode has of nonces is the beginning of two of them.
pub const IV: Block = [9; 16];
/// A nonce of XAES-256-GCM; the others are its beginning.
pub const NONCE: [u8; 24] = [9; 24];
/// What is authenticated beside the text.
pub const AAD: &[u8; 13] = b"thirteen byte";
/// Messages in one call.
pub const EACH: usize = 8;

/// A mode, in the order of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Ctr,
    Xts,
    Cbc,
    /// CBC encryption of [`EACH`] messages in one call.
    CbcEach,
    Cmac,
    /// CMAC of as many.
    CmacEach,
    Ccm,
    GcmSiv,
    Xaes,
    Lea,
    Sghash,
}

impl Mode {
    pub const ALL: [Self; 11] = [
        Self::Ctr,
        Self::Xts,
        Self::Cbc,
        Self::CbcEach,
        Self::Cmac,
        Self::CmacEach,
        Self::Ccm,
        Self::GcmSiv,
        Self::Xaes,
        Self::Lea,
        Self::Sghash,
    ];

    /// What it is called, there and back.
    pub const fn names(self) -> [&'static str; 2] {
        match self {
            Self::Ctr => ["CTR", ""],
            Self::Xts => ["XTS encryption", "XTS decryption"],
            Self::Cbc => ["CBC encryption", "CBC decryption"],
            Self::CbcEach => ["CBC encryption, 8 messages a call", ""],
            Self::Cmac => ["CMAC", ""],
            Self::CmacEach => ["CMAC, 8 messages a call", ""],
            Self::Ccm => ["CCM sealing", "CCM opening"],
            Self::GcmSiv => ["GCM-SIV sealing", "GCM-SIV opening"],
            Self::Xaes => ["XAES-256-GCM sealing", "XAES-256-GCM opening"],
            Self::Lea => ["LEA-CTR", ""],
            Self::Sghash => ["Hash of SGCM", ""],
        }
    }

    /// Messages that a call takes.
    pub const fn messages(self) -> usize {
        match self {
            Self::CbcEach | Self::CmacEach => EACH,
            _ => 1,
        }
    }

    /// Whether there is such a key: 128 or 256 bits.
    pub fn takes(self, bits: usize) -> bool {
        match self {
            Self::Xaes => bits == 256,
            // The hash has one.
            Self::Sghash => bits == 128,
            _ => true,
        }
    }

    /// Whether a message may have so many bytes.
    pub const fn fits(self, len: usize) -> bool {
        match self {
            Self::Cbc | Self::CbcEach => len.is_multiple_of(16),
            Self::Xts => len >= 16,
            _ => true,
        }
    }

    /// Bytes of the key: XTS has two.
    pub fn key_len(self, bits: usize) -> usize {
        bits / 8 * if self == Self::Xts { 2 } else { 1 }
    }
}

type There = Box<dyn FnMut(&mut [u8]) -> Block>;
type Back = Box<dyn FnMut(&mut [u8], &Block) -> bool>;

/// A mode under a key.
pub struct Job {
    /// Encrypts the text where it stands; the tag, zeros if there is none.
    pub there: There,
    /// The inverse, where it is other code; whether the tag is right.
    pub back: Option<Back>,
}

/// Where the text becomes something else, and back.
pub fn both(
    there: impl FnMut(&mut [u8]) -> Block + 'static,
    back: impl FnMut(&mut [u8], &Block) -> bool + 'static,
) -> Option<Job> {
    Some(Job {
        there: Box::new(there),
        back: Some(Box::new(back)),
    })
}

/// Where there is one direction.
pub fn one(there: impl FnMut(&mut [u8]) -> Block + 'static) -> Option<Job> {
    Some(Job {
        there: Box::new(there),
        back: None,
    })
}

/// What has no tag.
pub const NO_TAG: Block = [0; 16];
