//! From blocks to the words that are multiplied, and from the products back (Karatsuba): the low half,
//! the high half and the sum of both, at each level again.
#![forbid(unsafe_code)]

use core::ops::BitXorAssign;

/// The low half of `$Whole`, the high one, both added.
macro_rules! thirds {
    ($name:ident $ZeroedOnDrop:ident $Half:ident) => {
        #[inline(always)]
        pub(super) fn $name(whole: $ZeroedOnDrop) -> [$Half; 3] {
            #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
            let (low, high) = (whole as $Half, (whole >> $Half::BITS) as $Half);
            [low, high, low ^ high]
        }
    };
}

thirds!(of_block u128 u64);
thirds!(of_word u64 u32);
thirds!(of_half u32 u16);

/// The nine 32-bit words whose products make that of blocks.
#[inline(always)]
pub(super) fn nine(block: u128) -> [u32; 9] {
    let [a, b, c] = of_block(block).map(of_word);
    [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]]
}

/// The product of blocks that those of [`of_block`] make: four words, lowest first.
#[inline(always)]
pub(super) fn join_block([low, high, both]: [u128; 3]) -> [u64; 4] {
    let ([a, b, _], [c, d, _]) = (of_block(low), of_block(high));
    let [middle_low, middle_high, _] = of_block(low ^ high ^ both);
    [a, b ^ middle_low, c ^ middle_high, d]
}

/// The inverse of `thirds!`, for products.
macro_rules! join {
    ($name:ident $Half:ident $ZeroedOnDrop:ident) => {
        #[inline(always)]
        pub(super) fn $name([low, high, both]: [$Half; 3]) -> $ZeroedOnDrop {
            let middle = $ZeroedOnDrop::from(low ^ high ^ both) << ($Half::BITS / 2);
            ($ZeroedOnDrop::from(low) | $ZeroedOnDrop::from(high) << $Half::BITS) ^ middle
        }
    };
}

join!(join_word u64 u128);
join!(join_half u32 u64);

/// The product of blocks that those of [`nine`] make.
#[inline(always)]
pub(super) fn join_nine(p: &[u64; 9]) -> [u64; 4] {
    join_block([
        join_word([p[0], p[1], p[2]]),
        join_word([p[3], p[4], p[5]]),
        join_word([p[6], p[7], p[8]]),
    ])
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
