//! What AES-GCM-SIV asks of an engine beside the modes of the cipher and POLYVAL.
#![forbid(unsafe_code)]

use super::{Block, BlockCipher, Hash, InOut, Modes, Polyval};

/// A message of AES-GCM-SIV that is sealed or opened: the mode checked its lengths.
pub struct SivMessage<'a> {
    /// The nonce.
    pub nonce: &'a [u8; 12],
    /// Additional authenticated data.
    pub aad: &'a [u8],
    /// The text.
    pub text: InOut<'a>,
}

/// A CPU that runs AES-GCM-SIV (RFC 8452).
pub trait Siv<C: BlockCipher>: Modes<C> + Hash<Polyval> {
    /// Seals a message, or else opens it, under keys that `keys` makes: AES-128 or AES-256, as RFC 8452 has no other. `tag` is the
    /// one that it came with, and then the right one, which the caller compares and wipes; what was opened is not verified.
    /// `None`, and nothing is written, if the message is longer than it takes in one call, or the engine has no such call.
    ///
    /// # Constant time
    /// Secret: `keys`, AAD, text, `tag`. Public: the nonce, all lengths, `seal`.
    #[inline(always)]
    fn siv(
        self,
        _keys: &Self::Enc,
        _message: &mut SivMessage<'_>,
        _tag: &mut Block,
        _seal: bool,
    ) -> Option<()> {
        None
    }
}
