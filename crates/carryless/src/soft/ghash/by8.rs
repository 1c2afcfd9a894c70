//! Carry-less products of bytes, eight an instruction: 18 instructions for a block, as Karatsuba goes down to limbs of
//! 32 bits, and no further (`docs/math.md` 9).
//!
//! Blocks stay as they lie in memory, whose bytes are reflected polynomials. What is summed over a batch are the products
//! as they come, lanes of 16 bits; they are put in their places once.
#![forbid(unsafe_code)]

use super::Multiplier;
use crate::block::{Block, Lane};
use crate::simd::aarch64::bytes::{self as v, V};

/// Products of bytes.
#[derive(Clone, Copy)]
pub struct By8;

const POWERS: usize = 16;

/// Vectors of a power, each with four rows of limbs; row `k` of the limb `b` has the bytes `b[0 ^ k] .. b[3 ^ k]`, so that
/// what a row times a limb gives is put in its place by reversals.
const ROWS: usize = 9;

/// A power: with `S = b0 + b1`, `U = b2 + b3`, `V = b0 + b2`, `W = b1 + b3` and `T = S + U` for the limbs `b0` to `b3`
///
/// * 0 to 3: row `k` of `b0`, `b1`, `b2`, `b3`;
/// * 4, 5: two rows of `S`, two of `U`;
/// * 6, 7: a row of `V` and of `W`, the next of both;
/// * 8: the rows of `T`.
type Power = [Lane; ROWS];

impl Multiplier for By8 {
    const POWERS: usize = POWERS;
    type Batch = [Block; POWERS];
    const NO_BLOCKS: Self::Batch = [[0; 16]; POWERS];
    type Powers = [Power; POWERS];
    const NO_POWERS: Self::Powers = [[Lane([0; 16]); ROWS]; POWERS];
    type Scratch = ();
    const NO_SCRATCH: Self::Scratch = ();
    const COPIES: bool = true;

    #[inline(always)]
    fn set(powers: &mut Self::Powers, n: usize, power: u128) {
        let b = v::load(&power.to_be_bytes());
        // Row `k` of each limb.
        let rows = |x: V| {
            let one = v::swap_bytes(x);
            [x, one, v::swap_pairs(x), v::swap_pairs(one)]
        };
        let Factors { limbs, x1, x2, t } = Factors::of(b);
        let [r0, r1, r2, r3] = rows(limbs);
        let [s0, s1, s2, s3] = rows(x1);
        let [v0, v1, v2, v3] = rows(x2);
        let [t0, t1, t2, t3] = rows(t);
        let made = [
            r0,
            r1,
            r2,
            r3,
            v::every_other_word(s0, s1),
            v::every_other_word(s2, s3),
            v::low_halves(v0, v1),
            v::low_halves(v2, v3),
            v::low_halves(v::every_other_word(t0, t1), v::every_other_word(t2, t3)),
        ];
        for (lane, v) in powers[n].iter_mut().zip(made) {
            v::store(&mut lane.0, v);
        }
    }

    #[inline(always)]
    fn sum_of_products(
        powers: &Self::Powers,
        acc: u128,
        blocks: &[Block],
        (): &mut (),
    ) -> [u64; 4] {
        let mut sums = Sums::default();
        let mut carry = v::load(&acc.to_be_bytes());
        for (block, power) in blocks.iter().zip(&powers[POWERS - blocks.len()..]) {
            sums.add(v::xor(v::load(block), carry), power);
            carry = v::splat(0);
        }
        sums.product()
    }
}

/// What is multiplied of a block with the limbs `b0` to `b3`.
struct Factors {
    limbs: V,
    /// `S S U U`
    x1: V,
    /// `V W V W`
    x2: V,
    /// `T T T T`
    t: V,
}

impl Factors {
    #[inline(always)]
    fn of(limbs: V) -> Self {
        let x1 = v::xor(limbs, v::swap_words(limbs));
        let x2 = v::xor(limbs, v::across(limbs, limbs));
        let t = v::xor(x2, v::swap_words(x2));
        Self { limbs, x1, x2, t }
    }
}

/// Products of bytes, summed over a batch: of each vector of a power its low and its high half.
struct Sums([[V; 2]; ROWS]);

impl Default for Sums {
    #[inline(always)]
    fn default() -> Self {
        Self([[v::splat(0); 2]; ROWS])
    }
}

impl Sums {
    #[inline(always)]
    fn add(&mut self, block: V, power: &Power) {
        let Factors { limbs, x1, x2, t } = Factors::of(block);
        let factors = [limbs, limbs, limbs, limbs, x1, x1, x2, x2, t];
        macro_rules! each {
            ($($i:literal)*) => {$(
                let row = v::load(&power[$i].0);
                let [low, high] = &mut self.0[$i];
                *low = v::xor(*low, v::low_products(factors[$i], row));
                *high = v::xor(*high, v::high_products(factors[$i], row));
            )*};
        }
        each!(0 1 2 3 4 5 6 7 8);
    }

    /// The product: four words, lowest first.
    #[inline(always)]
    fn product(&self) -> [u64; 4] {
        let Self([r0, r1, r2, r3, s01, s23, v01, v23, t]) = self;
        let l01 = limbs([r0[0], r1[0], r2[0], r3[0]]);
        let l23 = limbs([r0[1], r1[1], r2[1], r3[1]]);
        let su = limbs([
            v::low_halves(s01[0], s01[1]),
            v::high_halves(s01[0], s01[1]),
            v::low_halves(s23[0], s23[1]),
            v::high_halves(s23[0], s23[1]),
        ]);
        let vw = limbs([v01[0], v01[1], v23[0], v23[1]]);
        let swapped = |x| v::across(x, x);
        let t = limbs([t[0], swapped(t[0]), t[1], swapped(t[1])]);
        // The coefficients of 2^0 to 2^192 in steps of 32 bits: these are 1 and 5, 2 and 4, 3 twice, 0 and 6.
        let (l02, l13) = (v::low_halves(l01, l23), v::high_halves(l01, l23));
        let k15 = v::xor(su, v::xor(l02, l13));
        let k24 = v::xor(v::xor(l01, l23), v::xor(vw, v::across(l01, l23)));
        let sum = v::xor(vw, k15);
        let k3 = v::xor(v::low_halves(t, t), v::xor(sum, swapped(sum)));
        let k06 = v::of_words([v::words(l01)[0], v::words(l23)[1]]);
        // Words begin every 64 bits: the others lie in two of them.
        let inner = v::of_words([u64::MAX << 32, u64::MAX >> 32]);
        let outer = v::of_words([u64::MAX >> 32, u64::MAX << 32]);
        let (k15, k3) = (v::swap_words(k15), v::swap_words(k3));
        let middle = v::xor(k24, v::xor(v::and(k15, inner), v::and(k3, outer)));
        let ends = v::xor(k06, v::and(k15, outer));
        let ([w1, w2], [w0, w3]) = (v::words(middle), v::words(ends));
        [w3, w2, w1, w0]
    }
}

/// The products of two limbs, 64 bits each, from those of their rows: the bytes `i` and `j` give what begins at byte `i + j`.
#[inline(always)]
fn limbs([r0, r1, r2, r3]: [V; 4]) -> V {
    // At the bytes 0, 2, 4, 6.
    let f = v::xor(r2, v::swap_words(r2));
    let middle = v::of_words([0x0000_ffff_ffff_0000; 2]);
    let even = v::xor(r0, v::and(v::up_a_pair(f), middle));
    // At 1, 3, 5.
    let g = v::xor(r1, v::swap_pairs(r1));
    let h = v::xor(r3, v::swap_words(r3));
    let h = v::xor(h, v::swap_pairs(h));
    let odd = v::select(v::of_words([0x0000_0000_ffff_0000; 2]), h, g);
    let odd = v::up_a_byte(v::down_a_pair(v::reverse_pairs(odd)));
    v::xor(v::reverse_pairs(even), odd)
}
