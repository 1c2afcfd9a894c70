//! What the lengths of a message are declared for: what CCM allows, and the blocks that it begins with.

use crate::engine::padded;
use crate::error::InputError;

/// Lengths that CCM allows.
#[derive(Clone, Copy)]
pub(super) struct Lengths {
    nonce: usize,
    pub(super) aad: u64,
    pub(super) text: u64,
    tag: usize,
}

impl Lengths {
    /// Of a message without text; fails for a nonce that has not 7 to 13 bytes.
    pub(super) fn new<const TAG: usize>(nonce: &[u8], aad: u64) -> Result<Self, InputError> {
        if !(7..=13).contains(&nonce.len()) {
            return Err(InputError::CcmNonce { got: nonce.len() });
        }
        Ok(Self {
            nonce: nonce.len(),
            aad,
            text: 0,
            tag: TAG,
        })
    }

    /// With so much text; fails if it is too long for the nonce.
    pub(super) fn with_text(self, text: u64) -> Result<Self, InputError> {
        let most = u64::MAX >> (8 * (self.nonce - 7));
        if text > most {
            return Err(InputError::CcmText { got: text, most });
        }
        Ok(Self { text, ..self })
    }

    /// The first block (SP 800-38C appendix A.2.1), and the counter block of the tag (appendix A.3).
    pub(super) fn blocks(self, nonce: &[u8]) -> [u128; 2] {
        let nonce = u128::from_be_bytes(padded(nonce)) >> 8;
        let counter = (14 - self.nonce as u128) << 120 | nonce;
        let flags = u128::from(self.aad > 0) << 6 | ((self.tag as u128 - 2) / 2) << 3;
        [flags << 120 | counter | u128::from(self.text), counter]
    }
}
