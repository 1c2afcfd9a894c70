//! What AES-GCM-SIV asks of an engine beside the modes of the cipher and POLYVAL.
#![forbid(unsafe_code)]

use super::{Block, BlockCipher, Hash, InOut, LittleCounter, Modes, Polyval};

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
    /// Seals a short message, or else opens it, under keys that `keys` makes: AES-128 or AES-256, as RFC 8452 has no other. `tag` is the
    /// one that it came with, and then the right one, which the caller compares and wipes; what was opened is not verified.
    /// `None`, and nothing is written, if the message is long, or the engine has no such call.
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

    /// Decrypts a text from `counter` on, and hashes the plaintext, the last block filled up with zeros, into `acc`.
    ///
    /// # Constant time
    /// Secret: all but the length.
    #[inline(always)]
    fn decrypt_and_hash(
        self,
        keys: &Self::Enc,
        hash: &<Self as Hash<Polyval>>::Key,
        counter: LittleCounter,
        acc: &mut u128,
        mut text: InOut<'_>,
    ) {
        self.ctr_little(keys, counter, text.reborrow());
        self.absorb(hash, acc, text.written());
    }
}
