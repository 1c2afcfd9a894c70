//! Four short messages one after the other, on one lane: between the AES rounds of each stand the products of what is hashed,
//! its own when opening, those of the one before when sealing.
//!
//! A CPU begins a product every other cycle (Zen, Haswell), so those of a message take as long as its rounds, or longer: one under the
//! other, not one behind the other. There are registers for one message of each.

use super::{Item, MESSAGES, Quad, lanes};
use crate::block::Lane;
use crate::kernel::Refused;
use crate::kernel::aes::{Schedule, rounds, spare_rounds};
use crate::kernel::counters::FROM_J0;
use crate::kernel::message::{Direction, Message};
use crate::kernel::product::{HashKey, Products};
use crate::secret::forget_origin;
use crate::simd::Simd;

/// Seals or opens four messages of `COUNT` blocks; the full tags that belong to the ciphertexts are added to `tags`.
///
/// # Constant time
/// As [`super::run`].
#[inline(always)]
pub(in crate::kernel) fn messages<
    S: Simd<Narrow = S>,
    R: Schedule,
    H: HashKey,
    D: Direction,
    const COUNT: usize,
>(
    s: S,
    enc: R,
    hash: &H,
    four: &mut Quad<'_, '_>,
    tags: &mut [Lane; MESSAGES],
) -> Result<(), Refused> {
    // Counts beyond are type-checked, but never compiled.
    const { assert!(COUNT > lanes::BLOCKS || 2 * (COUNT + 2).div_ceil(2) <= R::COMMON) };
    const { assert!(COUNT > lanes::BLOCKS || COUNT + 2 <= H::POWERS) };
    let mut items = four.iter_mut();
    let mut sealed: Option<Hashed<'_, S, COUNT>> = None;
    up_to_four!(m in MESSAGES => {
        let (enc, hash) = (enc.hidden(), forget_origin(hash));
        let Item { message: Message { j0, aad, text }, .. } = &mut **items.next().ok_or(Refused)?;
        let lengths = s.splat_words([8 * text.len() as u64, 8 * aad.len() as u64]);
        let mut last = text.reborrow();
        let mut whole = last.split_to(16 * (COUNT - 1)).ok_or(Refused)?;
        // What branches on lengths comes before the rounds: between them the compiler would load round keys ahead, and spill them.
        let head = s.reverse(s.load_partial(aad));
        let tail = s.load_partial(last.source());
        let hashed = if D::SEAL {
            sealed.take()
        } else {
            Some(Hashed { head, whole: whole.source(), tail, lengths })
        };

        let mut mask = s.xor(s.splat_words(j0.words()), enc.start(s));
        let mut states = [mask; COUNT];
        up_to_four!(i in COUNT => { states[i] = s.xor(mask, s.rows(&FROM_J0, i)); });
        let mut sum = Products::zero(s);
        spare_rounds!(key of enc: R, behind 0, s: S => {
            mask = s.aes_round(mask, key);
            part!(these of states[0..COUNT] => { s.aes_rounds(these, key); });
        });
        rounds!(r in R::COMMON => {
            let key = enc.key(s, r);
            mask = s.aes_round(mask, key);
            part!(these of states[0..COUNT] => { s.aes_rounds(these, key); });
            if decided!(r.is_multiple_of(2)) && let Some(hashed) = &hashed {
                hashed.add_two(s, &mut sum, hash, r - 2);
                sum.order(s, &mut mask);
            }
        });
        if hashed.is_some() {
            let mut y = s.reverse(sum.reduce(s));
            // The compiler would make the products where the tag is stored, and keep what they are made of on the stack.
            s.order_memory(&mut y, &mut mask);
            add_to(s, tags, if D::SEAL { m - 1 } else { m }, y);
        }
        let [before, key] = enc.hidden().last(s);
        add_to(s, tags, m, s.aes_last(mask, before, key));
        up_to_four!(i in COUNT => {
            let text = if i + 1 < COUNT { whole.load(s, 16 * i) } else { tail };
            states[i] = s.aes_last(states[i], before, s.xor(text, key));
        });
        up_to_four!(i in COUNT - 1 => { whole.store(s, 16 * i, states[i]); });
        let (tail, len) = (states[COUNT - 1], last.len());
        s.store_partial(last, tail);
        if D::SEAL {
            let tail = s.keep_first(tail, len);
            sealed = Some(Hashed { head, whole: whole.into_written(), tail, lengths });
        }
    });
    if let Some(sealed) = sealed {
        let mut sum = Products::zero(s);
        each!(i in Hashed::<S, COUNT>::PRODUCTS.div_ceil(2) => { sealed.add_two(s, &mut sum, hash, 2 * i); });
        add_to(s, tags, MESSAGES - 1, s.reverse(sum.reduce(s)));
    }
    Ok(())
}

/// Adds `v` to the tag `m`.
#[inline(always)]
fn add_to<S: Simd<Narrow = S>>(s: S, tags: &mut [Lane; MESSAGES], m: usize, v: S::V) {
    let sum = s.xor(s.rows(tags, m), v);
    s.set_rows(tags, m, sum);
}

/// What is hashed of a message: the block of its AAD, its ciphertext, the block of lengths.
struct Hashed<'a, S: Simd, const COUNT: usize> {
    /// Reversed.
    head: S::V,
    /// All blocks of the ciphertext but the last.
    whole: &'a [u8],
    /// The last, zeros behind its bytes.
    tail: S::V,
    lengths: S::V,
}

impl<S: Simd<Narrow = S>, const COUNT: usize> Hashed<'_, S, COUNT> {
    const PRODUCTS: usize = COUNT + 2;

    /// Adds the products of blocks `j` and `j + 1`, as far as they are there.
    #[inline(always)]
    fn add_two<H: HashKey>(&self, s: S, sum: &mut Products<S, true>, hash: &H, j: usize) {
        if j + 1 < Self::PRODUCTS {
            let two = [self.block(s, j), self.block(s, j + 1)];
            sum.add_two(s, two, hash, Self::PRODUCTS - j);
        } else if j < Self::PRODUCTS {
            sum.add(s, self.block(s, j), hash, 1);
        }
    }

    /// Block `j`.
    #[inline(always)]
    fn block(&self, s: S, j: usize) -> S::V {
        if j == 0 {
            self.head
        } else if j < COUNT {
            s.reverse(s.load(self.whole, 16 * (j - 1)))
        } else if j == COUNT {
            s.reverse(self.tail)
        } else {
            self.lengths
        }
    }
}
