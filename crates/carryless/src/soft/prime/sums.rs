//! Sums and differences of 128 bits, with what they carry.
#![forbid(unsafe_code)]

/// Whether CPUs of the target have a carry flag, and bring it into a register without a branch. For others compilers compare the
/// sum with a term, word by word, and branch on the highest.
const HAS_CARRY: bool = cfg!(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    all(target_arch = "arm", not(carryless_narrow)),
));

/// The sum modulo 2^128, and its carry.
///
/// # Constant time
/// Secret: all of it, here and in [`sub`].
#[inline(always)]
pub fn add(a: u128, b: u128) -> (u128, u32) {
    if HAS_CARRY {
        let (sum, carry) = a.overflowing_add(b);
        (sum, carry.into())
    } else {
        by_words(a, b, 0)
    }
}

/// The difference modulo 2^128, and its borrow.
#[inline(always)]
pub(super) fn sub(a: u128, b: u128) -> (u128, u32) {
    if HAS_CARRY {
        let (difference, borrow) = a.overflowing_sub(b);
        (difference, borrow.into())
    } else {
        // The complement is -b - 1.
        let (difference, carry) = by_words(a, !b, 1);
        (difference, carry ^ 1)
    }
}

/// `a + b + carry`, word by word.
#[expect(
    clippy::cast_possible_truncation,
    reason = "numbers are cut into words"
)]
#[inline(always)]
fn by_words(a: u128, b: u128, mut carry: u64) -> (u128, u32) {
    let mut sum = 0;
    for at in [0, 32, 64, 96] {
        let word = |x: u128| u64::from((x >> at) as u32);
        let words = word(a) + word(b) + carry;
        sum |= u128::from(words as u32) << at;
        carry = words >> 32;
    }
    (sum, carry as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_by_words_are_those_of_the_cpu() {
        let edges = [0, 1, 1 << 32, 1 << 64, 1 << 127].map(|x: u128| [x, x.wrapping_neg(), !x]);
        for a in edges.into_iter().flatten() {
            for b in edges.into_iter().flatten() {
                let (sum, carry) = a.overflowing_add(b);
                assert_eq!(by_words(a, b, 0), (sum, carry.into()), "{a} + {b}");
                assert_eq!(add(a, b), (sum, carry.into()), "{a} + {b}");
                let (difference, borrow) = a.overflowing_sub(b);
                let not_less = u32::from(!borrow);
                assert_eq!(by_words(a, !b, 1), (difference, not_less), "{a} - {b}");
                assert_eq!(sub(a, b), (difference, borrow.into()), "{a} - {b}");
            }
        }
    }
}
