//! The hash of SGCM: polynomials modulo the prime p = 2^128 + 12451, by products of integers (`docs/math.md` 10).
//!
//! * An [`Element`] has 129 bits, and so have powers of the hash key: few keys have one in [2^128, p), but they can be found.
//! * A product is made of [`words`] of 64, 32 or 16 bits: of those that the CPU multiplies in constant time.
//! * A sum of products is [`reduced`](reduction) in one of two forms, which give the same hash.
//!
//! Blocks and hash value are added as integers. The paper that proposes SGCM on Arm (Seo 2017) says XOR, with which a forgery
//! succeeds once in 34 tries.
#![forbid(unsafe_code)]

#[cfg(carryless_a32)]
mod limbs;
mod reduction;
mod sums;
mod words;

use core::hint::black_box;
use core::ops::{Add, Mul};

use zeroize::{Zeroize, ZeroizeOnDrop};

#[cfg(carryless_a32)]
pub use self::limbs::{BATCH, Limbs};
use self::reduction::{Fold, Montgomery, Reduction};
pub use self::sums::add;
use self::sums::sub;
use self::words::{Word, short_product};
use crate::block::Block;
use crate::secret::wipe;

/// c of p = 2^128 + c.
const C: u32 = 12451;

/// Powers of the hash key that are kept, thus blocks of a batch at most.
const POWERS: usize = 8;

/// An integer modulo p = 2^128 + 12451, the field of SGCM.
///
/// A hash is as secret as its key, and nobody wipes it but the caller.
///
/// # Constant time
/// Secret: all of it, in every operation.
#[derive(Clone, Copy, Default)]
pub struct Element {
    low: u128,
    /// What is above it: 1 only if `low` is below c, or below 2^31 between batches of [`Fold`].
    top: u32,
}

impl Zeroize for Element {
    fn zeroize(&mut self) {
        self.low.zeroize();
        self.top.zeroize();
    }
}

/// All ones if `bit` is 1, zero if it is 0.
#[inline(always)]
fn mask(bit: u32) -> u128 {
    // Where the compiler sees that it is a carry, it makes a branch of it.
    0u128.wrapping_sub(black_box(bit).into())
}

impl Element {
    /// 2^128.
    const R: Self = Self { low: 0, top: 1 };

    /// Its low 128 bits: what a tag and a counter block are made of.
    #[must_use]
    pub fn to_block(self) -> Block {
        self.low.to_be_bytes()
    }

    /// The block as an integer: it is below p.
    fn of_block(block: &Block) -> Self {
        let low = u128::from_be_bytes(*block);
        Self { low, top: 0 }
    }

    /// `low + top 2^128`, less p if it is not below p.
    #[inline(always)]
    fn canonical(self) -> Self {
        let (less, borrow) = sub(self.low, C.into());
        let top = self.top & borrow;
        let taken = mask(self.top ^ top);
        Self {
            low: self.low ^ (self.low ^ less) & taken,
            top,
        }
    }

    /// `low - c top`, which is `low + top 2^128`, where `c top` is below 2^32.
    #[inline(always)]
    fn settled(low: u128, top: u32) -> Self {
        let (low, borrow) = sub(low, short_product(C, top).into());
        // Below zero by less than p: that much less than 2^128 + c.
        let (low, top) = add(low, u128::from(C) & mask(borrow));
        Self { low, top }
    }

    /// The product, by words `W`.
    fn times<W: Word>(self, other: Self) -> Self {
        let mut sum = Wide::default();
        sum.add_product::<W>(self.low, other.low, mask(other.top));
        sum.add_above(self.top, other.low, other.top);
        Fold::reduce::<W>(sum).canonical()
    }
}

/// For `hazmat` and tests.
#[cfg(any(feature = "hazmat", test))]
impl Element {
    /// The integer that these bytes are, big-endian; `None` if it is not below p, which is not secret.
    ///
    /// # Examples
    /// ```
    /// use carryless::hazmat::sgcm::Element;
    ///
    /// let mut bytes = [0; 17];
    /// bytes[0] = 1;
    /// let r = Element::from_be_bytes(&bytes).expect("2^128 is below p");
    /// // 2^128 is -12451: twice of it, and its square.
    /// assert_eq!((r + r).to_be_bytes()[15..], 0xcf5d_u16.to_be_bytes());
    /// assert_eq!((r * r).to_be_bytes()[13..], (12451_u32 * 12451).to_be_bytes());
    /// assert!(Element::from_be_bytes(&[1; 17]).is_none());
    /// ```
    #[must_use]
    pub fn from_be_bytes(bytes: &[u8; 17]) -> Option<Self> {
        let (top, low) = bytes.split_first()?;
        let low = u128::from_be_bytes(low.try_into().ok()?);
        let top = u32::from(*top);
        (top == 0 || top == 1 && low < C.into()).then_some(Self { low, top })
    }

    /// Its bytes, big-endian; the first is 0 or 1.
    #[must_use]
    pub fn to_be_bytes(self) -> [u8; 17] {
        let mut bytes = [0; 17];
        let (top, low) = bytes.split_at_mut(1);
        top.copy_from_slice(&self.top.to_be_bytes()[3..]);
        low.copy_from_slice(&self.low.to_be_bytes());
        bytes
    }
}

impl Add for Element {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let (low, carry) = add(self.low, other.low);
        Self::settled(low, self.top + other.top + carry)
    }
}

impl Mul for Element {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        match Form::NATIVE {
            Form::Fold64 => self.times::<u64>(other),
            Form::Fold16 => self.times::<u16>(other),
            _ => self.times::<u32>(other),
        }
    }
}

/// A sum of products: `low + (middle + high) 2^128 + top 2^256`. What the halves carry is only counted: so no sum waits for another.
#[derive(Clone, Copy, Default)]
struct Wide {
    low: u128,
    middle: u32,
    high: u128,
    top: u32,
}

impl Wide {
    /// Adds `x` times the element of `power` and, as a mask, `power_top`.
    #[inline(always)]
    fn add_product<W: Word>(&mut self, x: u128, power: u128, power_top: u128) {
        let (low, high) = W::product(x, power);
        let (low, carry) = add(self.low, low);
        self.low = low;
        self.middle += carry;
        self.add_high(high);
        self.add_high(x & power_top);
    }

    /// Adds `bit` times 2^128 times the element.
    #[inline(always)]
    fn add_above(&mut self, bit: u32, power: u128, power_top: u32) {
        self.add_high(power & mask(bit));
        self.top += bit & power_top;
    }

    #[inline(always)]
    fn add_high(&mut self, high: u128) {
        let (high, carry) = add(self.high, high);
        self.high = high;
        self.top += carry;
    }

    /// Its low half, its high half, and what is above.
    #[inline(always)]
    fn parts(mut self) -> (u128, u128, u32) {
        self.add_high(self.middle.into());
        (self.low, self.high, self.top)
    }
}

/// How sums of products are reduced, and of which words they are made. An engine names its best.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// By 2^128 = -c, eight blocks at a time.
    Fold64,
    /// The same by words of 32 bits.
    Fold32,
    /// The same by words of 16 bits, for CPUs whose longer product takes a varying time.
    Fold16,
    /// The hybrid of Seo 2017, a block at a time: the hash key is in the Montgomery domain, the hash is not. What no
    /// engine does best: the check of the other form.
    Montgomery64,
    /// The same by words of 32 bits.
    Montgomery32,
}

impl Form {
    /// That of the words which the target's CPUs multiply best.
    pub const NATIVE: Self = if cfg!(carryless_narrow) {
        Self::Fold16
    } else if cfg!(any(
        target_pointer_width = "64",
        target_arch = "x86_64",
        target_arch = "aarch64",
    )) {
        Self::Fold64
    } else {
        Self::Fold32
    };
}

/// The powers of a hash key. Number `n` is that of exponent `P - n` in a form that keeps `P`; the rest is zero.
#[derive(Clone, Default)]
pub struct Key {
    low: [u128; POWERS],
    /// Their 129th bits, as masks.
    top: [u64; POWERS],
}

impl Drop for Key {
    fn drop(&mut self) {
        wipe(&mut self.low);
        wipe(&mut self.top);
    }
}

impl ZeroizeOnDrop for Key {}

impl Key {
    /// Prepares the hash key `h`.
    ///
    /// # Constant time
    /// Secret: `h`.
    #[inline(always)]
    pub fn new(form: Form, h: &Block) -> Self {
        match form {
            Form::Fold64 => Self::of::<Fold, u64>(h),
            Form::Fold32 => Self::of::<Fold, u32>(h),
            Form::Fold16 => Self::of::<Fold, u16>(h),
            Form::Montgomery64 => Self::of::<Montgomery, u64>(h),
            Form::Montgomery32 => Self::of::<Montgomery, u32>(h),
        }
    }

    /// Hashes whole blocks into `acc`.
    ///
    /// * `form`: that with which the key was made.
    ///
    /// # Constant time
    /// Secret: `self`, `acc`, `blocks`. Public: the number of blocks.
    #[inline(always)]
    pub fn update(&self, form: Form, acc: &mut Element, blocks: &[u8]) {
        match form {
            Form::Fold64 => self.hash::<Fold, u64>(acc, blocks),
            Form::Fold32 => self.hash::<Fold, u32>(acc, blocks),
            Form::Fold16 => self.hash::<Fold, u16>(acc, blocks),
            Form::Montgomery64 => self.hash::<Montgomery, u64>(acc, blocks),
            Form::Montgomery32 => self.hash::<Montgomery, u32>(acc, blocks),
        }
    }

    fn of<R: Reduction, W: Word>(h: &Block) -> Self {
        let mut key = Self::default();
        let h = Element::of_block(h);
        let mut power = R::stored::<W>(h);
        let places = key.low[..R::POWERS]
            .iter_mut()
            .zip(&mut key.top[..R::POWERS]);
        for (low, top) in places.rev() {
            *low = power.low;
            *top = 0u64.wrapping_sub(power.top.into());
            power = power.times::<W>(h);
        }
        key
    }

    fn hash<R: Reduction, W: Word>(&self, acc: &mut Element, blocks: &[u8]) {
        let mut y = *acc;
        for batch in blocks.as_chunks().0.chunks(R::POWERS) {
            let first = R::POWERS - batch.len();
            let (powers, tops) = (&self.low[first..], &self.top[first..]);
            let mut sum = Wide::default();
            // The hash so far is added to the first block; what is beyond 128 bits then, 0 to 2, is multiplied apart.
            let (mut added, mut carry) = (y.low, 0);
            for ((block, power), top) in batch.iter().zip(powers).zip(tops) {
                let (x, over) = add(u128::from_be_bytes(*block), added);
                let half = u128::from(*top);
                sum.add_product::<W>(x, *power, half << 64 | half);
                (added, carry) = (0, carry | over);
            }
            #[expect(clippy::cast_possible_truncation, reason = "ones or zeros")]
            let (power, power_top) = (powers[0], tops[0] as u32);
            sum.add_above(y.top, power, power_top);
            sum.add_above(carry, power, power_top);
            y = R::reduce::<W>(sum);
        }
        *acc = y.canonical();
    }
}

#[cfg(test)]
mod tests;
