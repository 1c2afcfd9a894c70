//! Assembly for AArch32, whose vector intrinsics Rust has not: each file is the body of one function, and only here
//! can it be called.
//!
//! The functions run in Arm and in Thumb state, on both endiannesses. They keep what the procedure call standard asks them
//! to keep (AAPCS32: d8 to d15 too), and leave zeros in all other vector registers and in their frames, but for the registers saved there.

mod armce32;
#[cfg(feature = "lea")]
mod lea;
mod neon32;
#[cfg(feature = "sgcm")]
mod prime;
#[cfg(test)]
mod tests;

pub use armce32::Armce32;
pub use neon32::Neon32;

use crate::block::{Block, Counter, Tag};
use crate::kernel::batch::{Quad, Way};
use crate::kernel::message::Message;
use crate::secret::Choice;
use crate::simd::{Features, InOut, Missing};

/// What assembly does for an engine. A value is proof that this CPU has the instructions, those of NEON among them.
pub trait Assembly: Copy + Into<Neon32> + Send + Sync + 'static {
    /// The name of the engine.
    const NAME: &'static str;
    /// The features that the CPU must have.
    const FEATURES: Features;
    /// A round key, with nothing in it yet.
    type RoundKey: Copy + Send + Sync + 'static;
    /// None yet.
    const NO_KEY: Self::RoundKey;
    /// What is kept of the hash key.
    type Powers: Copy + Send + Sync + 'static;
    /// None yet.
    const NO_POWERS: Self::Powers;

    /// A proof, if this CPU has the features.
    ///
    /// # Errors
    /// The features that are missing.
    fn detect() -> Result<Self, Missing>;

    /// Calls `work`, and overwrites the stack that it used: frames of what is written in Rust, and below them the registers that
    /// functions save, in which that may have a secret.
    fn then_overwrite_stack<T>(work: impl FnOnce() -> T) -> T;

    /// Expands a key of 16, 24 or 32 bytes to 11, 13 or 15 round keys.
    ///
    /// # Constant time
    /// Secret: `key`. Public: its length.
    fn expand(self, key: &[u8], round_keys: &mut [Self::RoundKey]);

    /// Prepares the hash key.
    ///
    /// # Constant time
    /// Secret: `h`.
    fn powers(self, h: &Block, powers: &mut Self::Powers);

    /// Encrypts whole blocks; bytes beyond the last whole block stay as they are.
    ///
    /// # Constant time
    /// Secret: `round_keys`, `blocks`. Public: how many of both.
    fn encrypt(self, round_keys: &[Self::RoundKey], blocks: InOut<'_>);

    /// Encrypts a chain of whole blocks (CBC, SP 800-38A section 6.2); `last` is the block before the first, and then the last. `None`,
    /// and nothing is written, if there is no function for that.
    ///
    /// # Constant time
    /// Secret: `round_keys`, `last`, `text`. Public: the length.
    fn encrypt_cbc(
        self,
        _round_keys: &[Self::RoundKey],
        _last: &mut Block,
        _text: InOut<'_>,
    ) -> Option<()> {
        None
    }

    /// The same, of which only the last block stays.
    ///
    /// # Constant time
    /// As that.
    fn mac_cbc(
        self,
        _round_keys: &[Self::RoundKey],
        _last: &mut Block,
        _data: &[u8],
    ) -> Option<()> {
        None
    }

    /// Decrypts a chain; otherwise as [`encrypt_cbc`](Self::encrypt_cbc), under keys of [`expand_inverse`](Self::expand_inverse).
    ///
    /// # Constant time
    /// As that.
    fn decrypt_cbc(
        self,
        _round_keys: &[Self::RoundKey],
        _last: &mut Block,
        _text: InOut<'_>,
    ) -> Option<()> {
        None
    }

    /// Encrypts whole blocks under tweaks (XTS, IEEE 1619 section 5.3); `tweak` is that of the first, and then that of the block behind
    /// the last. `None`, and nothing is written, if there is no function for that.
    ///
    /// # Constant time
    /// Secret: `round_keys`, `tweak`, `text`. Public: the length.
    fn encrypt_xts(
        self,
        _round_keys: &[Self::RoundKey],
        _tweak: &mut Block,
        _text: InOut<'_>,
    ) -> Option<()> {
        None
    }

    /// Decrypts them, under keys of [`expand_inverse`](Self::expand_inverse).
    ///
    /// # Constant time
    /// As that.
    fn decrypt_xts(
        self,
        _round_keys: &[Self::RoundKey],
        _tweak: &mut Block,
        _text: InOut<'_>,
    ) -> Option<()> {
        None
    }

    /// As [`expand`](Self::expand), to the round keys of decryption.
    ///
    /// # Constant time
    /// As that.
    fn expand_inverse(self, key: &[u8], round_keys: &mut [Self::RoundKey]);

    /// Decrypts whole blocks; bytes beyond the last whole block stay as they are.
    ///
    /// # Constant time
    /// Secret: `round_keys`, `blocks`. Public: how many of both.
    fn decrypt(self, round_keys: &[Self::RoundKey], blocks: InOut<'_>);

    /// XORs the key stream from `counter` on into a text of any length; its first block goes to `mask` in place of
    /// that, if there is one.
    ///
    /// # Constant time
    /// Secret: `round_keys`, `text`, `counter` (it may come from a hashed nonce) but for whether it counts 1 where there is a `mask`.
    /// Public: lengths.
    fn ctr(
        self,
        round_keys: &[Self::RoundKey],
        counter: Counter,
        text: InOut<'_>,
        mask: Option<&mut Block>,
    );

    /// The same where `counter` is public, and what is done may depend on it.
    ///
    /// # Constant time
    /// Secret: `round_keys`, `text`. Public: `counter`, the length.
    fn public_ctr(self, round_keys: &[Self::RoundKey], counter: Counter, text: InOut<'_>) {
        self.ctr(round_keys, counter, text, None);
    }

    /// XORs the key stream of AES-GCM-SIV (RFC 8452 section 4) from the block `counter` on, afterwards the next, into whole blocks. `None`, and
    /// nothing is written, if there is no function for that.
    ///
    /// # Constant time
    /// Secret: `round_keys`, `text`. Public: `counter`, which begins with a tag, and the length.
    fn ctr_little(
        self,
        _round_keys: &[Self::RoundKey],
        _counter: &mut Block,
        _text: InOut<'_>,
    ) -> Option<()> {
        None
    }

    /// Whether there is a function for [`polyval`](Self::polyval).
    const POLYVAL: bool = false;

    /// As [`hash`](Self::hash) the blocks reversed, byte by byte: POLYVAL by GHASH (RFC 8452 appendix A).
    ///
    /// # Constant time
    /// As that.
    fn polyval(self, _powers: &Self::Powers, _acc: &mut Block, _blocks: &[u8]) {
        unreachable!("no function for POLYVAL");
    }

    /// Hashes `data`, filled up with zeros to whole blocks.
    ///
    /// # Constant time
    /// Secret: `powers`, `acc`, `data`. Public: the length.
    fn hash(self, powers: &Self::Powers, acc: &mut Block, data: &[u8]);

    /// Encrypts or decrypts a text as [`ctr`](Self::ctr) does, and hashes the ciphertext as [`hash`](Self::hash).
    ///
    /// # Constant time
    /// As these two; public: `seal`.
    fn text(
        self,
        keys: (&[Self::RoundKey], &Self::Powers),
        counter: Counter,
        text: InOut<'_>,
        seal: bool,
        acc: &mut Block,
    );

    /// Seals a message, puts its full tag into its place, and leaves nothing secret on the stack.
    ///
    /// # Constant time
    /// As [`text`](Self::text); secret: `message.aad`.
    fn seal(self, keys: (&[Self::RoundKey], &Self::Powers), message: Message<'_>, tag: &mut Block);

    /// Opens a message, says whether `tag` is its tag, and leaves nothing secret on the stack, nor the right tag.
    ///
    /// # Constant time
    /// As [`seal`](Self::seal); public: `tag`.
    fn open(
        self,
        keys: (&[Self::RoundKey], &Self::Powers),
        message: Message<'_>,
        tag: &Tag,
    ) -> Choice;

    /// Seals or opens four messages at a time, as [`Aead::seal_four`](crate::engine::Aead::seal_four) does. `None`, and nothing is
    /// written, if that is not done, or not with these.
    ///
    /// # Constant time
    /// As [`seal`](Self::seal); public: the tags that they came with.
    fn four<D: Way>(
        self,
        _keys: (&[Self::RoundKey], &Self::Powers),
        _four: Quad<'_, '_>,
    ) -> Option<D::Answers> {
        None
    }
}

/// How many rounds there are with so many keys.
///
/// # Panics
/// If no AES has so many.
fn rounds_of<K>(round_keys: &[K]) -> usize {
    assert!(
        matches!(round_keys.len(), 11 | 13 | 15),
        "{} round keys",
        round_keys.len()
    );
    round_keys.len() - 1
}

/// Functions of a module of LLVM share one assembler: macros are forgotten at their ends, and the instructions that the last of
/// them asked for are known to what assembly of others follows.
///
/// `body! { /// doc
/// fn name(arguments), "file.s", .. }`: the function whose body the files are, one behind the other.
macro_rules! body {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? $(, $file:literal)+) => {
        $(#[$doc])*
        #[unsafe(naked)]
        unsafe extern "C" fn $name($($arg: $type),*) $(-> $out)? {
            core::arch::naked_asm!($(include_str!($file),)+ options(raw))
        }
    };
}
use body;
