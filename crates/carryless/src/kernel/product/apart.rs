//! Pairs of blocks that loads take apart, by Karatsuba's three multiplications (`docs/math.md` 3).

use super::karatsuba::Karatsuba;
use super::table::HashKey;
use crate::simd::{Simd, halves};

/// Two blocks beside their powers of H: of both the low halves, the high ones, and the sums of these.
///
/// Halves meet powers as these lie in memory, so that nothing is shuffled: of a row, of the next, and of the two halves where
/// they meet.
pub struct Apart<S: Simd>([[S::V; 3]; 3]);

impl<S: Simd> Apart<S> {
    /// The two blocks of `data[at..]` beside `H^power` and the power below, `carry` added to the first.
    ///
    /// # Constant time
    /// Secret: `data`, `carry`, `powers`. Public: `at`, `power`.
    #[inline(always)]
    pub fn load<H: HashKey>(
        s: S,
        data: &[u8],
        at: usize,
        carry: Option<S::V>,
        powers: &H,
        power: usize,
    ) -> Self {
        let [low, high] = match carry {
            None if H::BIG => s.load_apart(data, at),
            carry => {
                let mut a = H::integers(s, s.load(data, at));
                let b = H::integers(s, s.load(data, at + S::BYTES));
                if let Some(carry) = carry {
                    a = s.xor(a, carry);
                }
                [s.low_halves(a, b), s.high_halves(a, b)]
            }
        };
        let (h, first) = (halves(powers.h()), 2 * (H::POWERS - power));
        let [row, across, next] = [0, 1, 2].map(|i| s.halves(h, first + i));
        let sums = s.halves(powers.sums(), powers.sums().len() - power);
        let both = s.xor(low, high);
        Self([[low, row, across], [high, across, next], [both, sums, sums]])
    }

    /// Adds all products.
    #[inline(always)]
    pub fn add_to(&self, s: S, sum: &mut Karatsuba<S>) {
        each!(i in 3 => {
            let [x, low, high] = self.0[i];
            sum.add_part(s, i, [s.clmul_lo_lo(x, low), s.clmul_hi_hi(x, high)]);
        });
    }

    /// The same beside an AES round on the first six states.
    #[inline(always)]
    pub fn add_beside<const N: usize>(
        &self,
        s: S,
        sum: &mut Karatsuba<S>,
        key: S::V,
        states: &mut [S::V; N],
    ) {
        each!(i in 3 => {
            let two = [states[2 * i], states[2 * i + 1]];
            let (two, products) = s.aes_rounds_and_products(two, key, self.0[i]);
            [states[2 * i], states[2 * i + 1]] = two;
            sum.add_part(s, i, products);
        });
    }
}
