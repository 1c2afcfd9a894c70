//! Elements as limbs of 26 bits, of which products are added up in words of 64 bits without a carry: what vectors of AArch32 take.
#![forbid(unsafe_code)]

use zeroize::ZeroizeOnDrop;

use super::{Element, POWERS};
use crate::block::Block;
use crate::secret::wipe;

/// Bits of a limb.
const BITS: usize = 26;

/// Limbs of an element, the lowest first.
const LIMBS: usize = 5;

/// Bytes of blocks whose products are added up.
pub const BATCH: usize = 16 * POWERS;

impl Element {
    /// Its limbs.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "numbers are cut into limbs"
    )]
    #[inline]
    pub fn to_limbs(self) -> [u32; LIMBS] {
        const ONES: u32 = (1 << BITS) - 1;
        let mut limbs = core::array::from_fn(|i| (self.low >> (BITS * i)) as u32 & ONES);
        limbs[LIMBS - 1] |= self.top << (128 - BITS * (LIMBS - 1));
        limbs
    }

    /// That of limbs of which only the highest, below 2^28, may have more bits than it should.
    #[inline]
    pub fn of_limbs(limbs: [u32; LIMBS]) -> Self {
        let [rest @ .., highest] = limbs;
        let low = rest.iter().rev().fold(u128::from(highest), |low, limb| {
            low << BITS | u128::from(*limb)
        });
        Self::settled(low, highest >> (128 - BITS * (LIMBS - 1)))
    }
}

/// The powers of a hash key, a limb of one beside that of the next: of exponents 8 and 7 first, of 2 and 1 last.
#[derive(Clone, Default)]
pub struct Limbs(pub(super) [[[u32; 2]; LIMBS]; POWERS / 2]);

impl Drop for Limbs {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

impl ZeroizeOnDrop for Limbs {}

impl Limbs {
    /// Prepares the hash key `h`.
    ///
    /// # Constant time
    /// Secret: `h`.
    pub fn new(h: &Block) -> Self {
        let mut key = Self::default();
        let h = Element::of_block(h);
        let mut power = h;
        for i in (0..POWERS).rev() {
            key.set(i, power);
            power = power * h;
        }
        key
    }

    /// Puts a power into its place.
    fn set(&mut self, i: usize, power: Element) {
        for (place, limb) in self.0[i / 2].iter_mut().zip(power.to_limbs()) {
            place[i % 2] = limb;
        }
    }

    /// Where its words lie.
    pub const fn as_ptr(&self) -> *const u32 {
        self.0.as_ptr().cast()
    }
}
