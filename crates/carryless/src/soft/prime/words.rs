//! Products by words of a CPU.
#![forbid(unsafe_code)]

use core::hint::black_box;
use core::ops::Mul;

use super::C;

/// -1/p modulo 2^64, thus modulo shorter words as well.
const QUOTIENT: u64 = 0xdebb_a2d1_c25b_fcf5;
const _: () = assert!(QUOTIENT.wrapping_mul(C as u64) == u64::MAX);

/// The product of numbers below 2^31, modulo 2^32, in the same time for all of them.
///
/// The top bit of both makes them look long to a multiplier that stops early (`ghash::by16`). Each then adds the other's lowest bit
/// to the top one of the product, which is undone.
#[inline(always)]
pub(super) fn short_product(a: u32, b: u32) -> u32 {
    // The compiler must not see that the result does not depend on it.
    let top = black_box(1 << 31);
    (a | top).wrapping_mul(b | top) ^ (a ^ b) << 31
}

/// A word: what it makes of numbers of 128 bits.
///
/// # Constant time
/// Secret: all of them.
pub(super) trait Word {
    /// The product, its low and its high half.
    fn product(a: u128, b: u128) -> (u128, u128);

    /// `c x`, the low 128 bits and what is above.
    fn times_c(x: u128) -> (u128, u32);

    /// `m` and `k` with `x + m p = (m + k) 2^128`: the `m` of Montgomery's reduction, word by word.
    fn quotient(x: u128) -> (u128, u32);
}

/// `words! { Word, Double, words in 128 bits, the product of words, whether to inline; .. }`
macro_rules! words {
    ($($Word:ident, $Double:ident, $N:literal, $product:path, $inline:ident;)+) => {$(
        #[expect(clippy::cast_possible_truncation, reason = "numbers are cut into words")]
        impl Word for $Word {
            #[inline($inline)]
            fn product(a: u128, b: u128) -> (u128, u128) {
                let (a, b) = ($Word::split(a), $Word::split(b));
                let mut words = [0; 2 * $N];
                for (i, a) in a.into_iter().enumerate() {
                    let mut carry = 0;
                    for (word, b) in words[i..].iter_mut().zip(b) {
                        // At most (2^w - 1)^2 + 2 (2^w - 1), which is 2^2w - 1.
                        let sum = $product($Double::from(a), $Double::from(b)) + $Double::from(*word) + carry;
                        *word = sum as $Word;
                        carry = sum >> $Word::BITS;
                    }
                    words[i + $N] = carry as $Word;
                }
                let (low, high) = words.split_at($N);
                ($Word::join(low), $Word::join(high))
            }

            #[inline($inline)]
            fn times_c(x: u128) -> (u128, u32) {
                let (mut words, mut carry) = ($Word::split(x), 0);
                for word in &mut words {
                    let sum = $product($Double::from(*word), $Double::from(C)) + carry;
                    *word = sum as $Word;
                    carry = sum >> $Word::BITS;
                }
                ($Word::join(&words), carry as u32)
            }

            #[inline($inline)]
            fn quotient(x: u128) -> (u128, u32) {
                let (mut words, mut carry) = ($Word::split(x), 0);
                for word in &mut words {
                    let sum = $Double::from(*word) + carry;
                    *word = $product($Double::from(sum as $Word), $Double::from(QUOTIENT as $Word)) as $Word;
                    // The low word is zero.
                    carry = (sum + $product($Double::from(*word), $Double::from(C))) >> $Word::BITS;
                }
                ($Word::join(&words), carry as u32)
            }
        }

        impl Words<$N> for $Word {
            #[inline(always)]
            #[expect(clippy::cast_possible_truncation, reason = "numbers are cut into words")]
            fn split(x: u128) -> [Self; $N] {
                core::array::from_fn(|i| (x >> (i as u32 * $Word::BITS)) as $Word)
            }

            #[inline(always)]
            fn join(words: &[Self]) -> u128 {
                words.iter().rev().fold(0, |x, word| x << $Word::BITS | u128::from(*word))
            }
        }
    )+};
}

/// A word of which `N` make 128 bits, the lowest first.
trait Words<const N: usize>: Sized {
    fn split(x: u128) -> [Self; N];
    fn join(words: &[Self]) -> u128;
}

// Those of 16 bits are functions, by whose names `cargo xtask assure` finds their multiplications.
words! {
    u64, u128, 2, Mul::mul, always;
    u32, u64, 4, Mul::mul, always;
    u16, u32, 8, short_product, never;
}
