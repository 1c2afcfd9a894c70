//! Messages, and which way they go.

use super::Refused;
use crate::block::{Block, Counter, Tag};
use crate::secret::{self, Choice};
use crate::simd::{InOut, Simd};

/// One message: the lengths were checked by the mode.
pub struct Message<'a> {
    /// The pre-counter block of a 12-byte nonce: it counts 1, the text starts at 2. For other nonces
    /// the mode goes through segments, as kernels count on the alignment.
    pub j0: Counter,
    /// Additional authenticated data.
    pub aad: &'a [u8],
    /// The text.
    pub text: InOut<'a>,
}

/// What a message has besides its nonce and its text.
#[derive(Clone, Copy)]
pub struct Header<'a> {
    /// The hash of the AAD before `aad`, whole blocks.
    pub acc: u128,
    /// The AAD that is not hashed yet.
    pub aad: &'a [u8],
    /// Bytes of the whole AAD.
    pub aad_len: usize,
    /// Bytes of text that are done, whole turns; `acc` has them.
    pub done: usize,
}

impl<'a> Header<'a> {
    /// Of an AAD that is not hashed yet: the kernel does it, block by block under the latency of the AES.
    #[inline(always)]
    pub fn whole(aad: &'a [u8]) -> Self {
        Self {
            acc: 0,
            aad,
            aad_len: aad.len(),
            done: 0,
        }
    }

    /// The counter block before the text that is not done.
    #[inline(always)]
    pub(super) fn counter(&self, j0: Counter) -> Counter {
        j0.add((self.done / 16) as u32)
    }
}

/// Sealing or opening; the two share the source.
pub trait Direction: Copy + 'static {
    /// Whether the output (true) or the input (false) is hashed.
    const SEAL: bool;
    /// What there is for the tag of a message: a place, or the tag that it came with.
    type Given<'a>;
    /// What is told of it.
    type Answer;

    /// Puts the tag that belongs to the ciphertext into its place, or compares it.
    fn answer(made: &Block, given: Self::Given<'_>) -> Self::Answer;

    /// The same for a tag that is made in memory. The right one leaves no trace when opening: it would be a forgery.
    fn judge(
        given: Self::Given<'_>,
        make: impl FnOnce(&mut Block) -> Result<(), Refused>,
    ) -> Result<Self::Answer, Refused>;
}

/// Plaintext in, ciphertext out.
#[derive(Clone, Copy)]
pub enum Seal {}
/// Ciphertext in, plaintext out.
#[derive(Clone, Copy)]
pub enum Open {}

impl Direction for Seal {
    const SEAL: bool = true;
    /// The place for the full tag.
    type Given<'a> = &'a mut Block;
    type Answer = ();

    #[inline(always)]
    fn answer(made: &Block, given: &mut Block) {
        *given = *made;
    }
    #[inline(always)]
    fn judge(
        given: &mut Block,
        make: impl FnOnce(&mut Block) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        make(given)
    }
}
impl Direction for Open {
    const SEAL: bool = false;
    /// It is public; whether it is right is for the caller to publish.
    type Given<'a> = &'a Tag;
    /// Whether it is the right one, which does not leave the registers.
    type Answer = Choice;

    #[inline(always)]
    fn answer(made: &Block, given: &Tag) -> Choice {
        secret::equal(made, &given.bytes, given.len)
    }
    #[inline(always)]
    fn judge(
        given: &Tag,
        make: impl FnOnce(&mut Block) -> Result<(), Refused>,
    ) -> Result<Choice, Refused> {
        let mut made = [0; 16];
        make(&mut made)?;
        let answer = Self::answer(&made, given);
        secret::erase(&mut made, &[0; 16]);
        Ok(answer)
    }
}

/// The bytes of a vector of one lane.
#[inline(always)]
pub(super) fn block<N: Simd>(n: N, v: N::V) -> Block {
    let [lo, hi] = n.words(v);
    (u128::from(lo) | u128::from(hi) << 64).to_le_bytes()
}
