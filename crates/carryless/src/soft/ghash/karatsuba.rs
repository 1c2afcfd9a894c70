//! From blocks to the words that are multiplied, and from the products back (Karatsuba): the low half,
//! the high half and the sum of both, at each level again.
#![forbid(unsafe_code)]

use core::ops::BitXorAssign;

/// The low half of `$Whole`, the high one, both added.
macro_rules! thirds {
    ($name:ident $Whole:ident $Half:ident) => {
        #[inline(always)]
        pub(super) fn $name(whole: $Whole) -> [$Half; 3] {
            #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
            let (low, high) = (whole as $Half, (whole >> $Half::BITS) as $Half);
            [low, high, low ^ high]
        }
    };
}

thirds!(of_block u128 u64);

/// The product of blocks that those of [`of_block`] make: four words, lowest first.
#[inline(always)]
pub(super) fn join_block([low, high, both]: [u128; 3]) -> [u64; 4] {
    let ([a, b, _], [c, d, _]) = (of_block(low), of_block(high));
    let [middle_low, middle_high, _] = of_block(low ^ high ^ both);
    [a, b ^ middle_low, c ^ middle_high, d]
}

/// What a multiplier takes.
pub trait Factor: Copy {
    /// What it gives.
    type Product: Copy + BitXorAssign;
    /// A factor without bits.
    const ZERO: Self;
    /// A product without bits.
    const NOTHING: Self::Product;

    /// The product of integers.
    fn times(self, other: Self) -> Self::Product;
}

/// For each product of factors that one of blocks takes a row, for each block or power a column.
pub(super) type Rows<F, const POWERS: usize, const PRODUCTS: usize> = [[F; POWERS]; PRODUCTS];

/// The factors of a batch of blocks, and the sums of their products.
#[derive(Clone, Copy)]
pub struct Scratch<F: Factor, const POWERS: usize, const PRODUCTS: usize> {
    pub(super) factors: Rows<F, POWERS, PRODUCTS>,
    pub(super) sums: [F::Product; PRODUCTS],
}

/// `each_block!(n in N => expression)`: for `n` from 0 to `N - 1`, `N <= 4`.
///
/// Unrolled: under `opt-level = "s"` loops over the blocks take seven times as long.
macro_rules! each_block {
    ($n:ident in $N:ident => $body:expr) => {
        each_block!($n in $N => $body; 0 1 2 3)
    };
    ($n:ident in $N:ident => $body:expr; $($number:literal)*) => {$(
        if const { $number < $N } {
            let $n = $number;
            $body;
        }
    )*};
}
pub(super) use each_block;

impl<F: Factor, const POWERS: usize, const PRODUCTS: usize> Scratch<F, POWERS, PRODUCTS> {
    pub(super) const NEW: Self = Self {
        factors: [[F::ZERO; POWERS]; PRODUCTS],
        sums: [F::NOTHING; PRODUCTS],
    };

    /// Multiplies the factors of `N` blocks with those of the last `N` powers, and adds up each row.
    #[inline(always)]
    pub(super) fn multiply<const N: usize>(&mut self, powers: &Rows<F, POWERS, PRODUCTS>) {
        for ((sum, blocks), powers) in self.sums.iter_mut().zip(&self.factors).zip(powers) {
            // In a variable: memory would be written for each product.
            let mut raw = F::NOTHING;
            each_block!(n in N => raw ^= blocks[n].times(powers[POWERS - N + n]));
            *sum = raw;
        }
    }
}
