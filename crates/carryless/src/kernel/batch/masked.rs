//! Four short messages where loads and stores take a mask: each text in vectors of its own, what else there is of the
//! four lane by lane in one.
//!
//! A text is as many lanes as it has blocks, and meets the powers of H of so many: the four need not be equally long. The
//! lanes of its products are added, and go to the lane of the message, where one reduction is for all four. So does one
//! vector of AES for the masks of their tags.

use super::{MESSAGES, Quad};
use crate::kernel::Refused;
use crate::kernel::aes::{Schedule, rounds, spare_rounds};
use crate::kernel::counters::FROM_J0;
use crate::kernel::message::{Direction, Message};
use crate::kernel::product::{HashKey, PAD, Span, Sum};
use crate::secret::forget_origin;
use crate::simd::{InOut, Simd};

/// Seals or opens four messages whose texts take `COUNT` vectors, none less and none more; their full tags, a lane each.
///
/// # Constant time
/// As [`super::run`].
#[inline(always)]
pub(in crate::kernel) fn messages<
    S: Simd,
    R: Schedule,
    H: HashKey,
    D: Direction,
    const COUNT: usize,
>(
    s: S,
    enc: R,
    hash: &H,
    four: &mut Quad<'_, '_>,
) -> Result<S::V, Refused> {
    const { assert!(!S::MASKS || (S::LANES == MESSAGES && S::LANES <= PAD)) };
    let n = s.narrow();
    let [a, b, c, d] = four;
    let four = [
        &mut a.message,
        &mut b.message,
        &mut c.message,
        &mut d.message,
    ];
    // The rounds begin first: they take longest, and the rest fills their time.
    let enc = enc.hidden();
    let mut states = States::<S, COUNT>::new(s, enc, &four);
    spare_rounds!(key of enc: R, behind 0, s: S => { states.round(s, key); });
    states.round(s, enc.key(s, 1));
    states.order_memory(s);

    // Each from the power of the block of its AAD on.
    let rows = 1 + COUNT * S::LANES;
    let span = |message: &Message<'_>| {
        // The remainder tells the compiler what is so: then it has nothing to check.
        let blocks = 1 + (message.text.len().wrapping_sub(1) / 16) % (COUNT * S::LANES);
        Span::new(hash, blocks + 2, rows).ok_or(Refused)
    };
    let mut spans = [span(four[0])?; MESSAGES];
    let (mut aad, mut lengths) = (s.zero(), s.zero());
    up_to_four!(m in MESSAGES => {
        let message = &four[m];
        aad = s.insert(aad, m, s.load_block(message.aad));
        spans[m] = span(message)?;
        let (text_len, aad_len) = (message.text.len() as u64, message.aad.len() as u64);
        lengths = s.insert(lengths, m, n.splat_words([8 * text_len, 8 * aad_len]));
    });
    let mut sum = Sum::zero(s);
    sum.add_first_of_each(s, s.reverse(aad), &spans);
    sum.add_splat(s, lengths, hash, 1);
    sum.order_memory(s);

    // By value: what is stored to them could otherwise change where they are. And before the rounds, as all that branches.
    let [a, b, c, d] = four;
    let mut texts: [Text<'_, COUNT>; MESSAGES] = [
        Text::of(s, a.text.reborrow())?,
        Text::of(s, b.text.reborrow())?,
        Text::of(s, c.text.reborrow())?,
        Text::of(s, d.text.reborrow())?,
    ];
    let mut sums = [Sum::zero(s); MESSAGES];
    rounds!(r in R::COMMON => {
        if decided!(r > 1) {
            states.round(s, enc.hidden().key(s, r));
        }
        if decided!((D::SEAL || r > MESSAGES) && r.is_multiple_of(2)) {
            // Otherwise keys are loaded ahead, and spilled.
            s.order_memory(&mut states.masks, &mut states.streams[0][0]);
        }
        if decided!(!D::SEAL && r <= MESSAGES) {
            let m = r - 1;
            let text = texts[m].load(s);
            up_to_four!(i in COUNT => { sums[m].add_span(s, s.reverse(text[i]), spans[m], 1 + i * S::LANES); });
            if COUNT > 1 {
                // Texts are loaded twice, as there are not registers for all.
                sums[m].order_memory(s);
            }
        }
    });
    let [before, key] = enc.hidden().last(s);
    let masks = s.aes_last(states.masks, before, key);
    let mut made = states.streams;
    up_to_four!(m in MESSAGES => {
        let text = texts[m].load(s);
        up_to_four!(i in COUNT => { made[m][i] = s.aes_last(made[m][i], before, s.xor(text[i], key)); });
    });
    up_to_four!(m in MESSAGES => { texts[m].store(s, made[m]); });
    if D::SEAL {
        up_to_four!(m in MESSAGES => {
            up_to_four!(i in COUNT => {
                let mut x = made[m][i];
                if i + 1 == COUNT {
                    x = s.keep_first(x, texts[m].last.len());
                }
                sums[m].add_span(s, s.reverse(x), spans[m], 1 + i * S::LANES);
            });
        });
    }
    sum.add_folded(s, sums);
    Ok(s.xor(s.reverse(sum.reduce(s)), masks))
}

/// What goes through the rounds of AES.
struct States<S: Simd, const COUNT: usize> {
    /// The pre-counter blocks: the masks of the tags.
    masks: S::V,
    /// The counter blocks of each message: its key stream.
    streams: [[S::V; COUNT]; MESSAGES],
}

impl<S: Simd, const COUNT: usize> States<S, COUNT> {
    /// Before the first round.
    #[inline(always)]
    fn new<R: Schedule>(s: S, enc: R, four: &[&mut Message<'_>; MESSAGES]) -> Self {
        let n = s.narrow();
        let mut j0 = s.zero();
        up_to_four!(m in MESSAGES => {
            let message = &four[m];
            // One word after the other: as a vector it would wait for both to be stored.
            let ([low, _], [_, high]) = (message.j0.words(), forget_origin(&**message).j0.words());
            j0 = s.insert(j0, m, n.splat_words([low, high]));
        });
        let masks = s.xor(j0, enc.start(s));
        let mut streams = [[masks; COUNT]; MESSAGES];
        up_to_four!(m in MESSAGES => {
            let start = s.spread(s.lane(masks, m));
            up_to_four!(i in COUNT => { streams[m][i] = s.xor(start, s.rows(&FROM_J0, i * S::LANES)); });
        });
        Self { masks, streams }
    }

    /// One round.
    #[inline(always)]
    fn round(&mut self, s: S, key: S::V) {
        self.masks = s.aes_round(self.masks, key);
        up_to_four!(m in MESSAGES => {
            let streams = &mut self.streams[m];
            part!(these of streams[0..COUNT] => { s.aes_rounds(these, key); });
        });
    }

    /// Has them begun before what is read or fenced later; see [`Simd::order_memory`].
    #[inline(always)]
    fn order_memory(&mut self, s: S) {
        let [a, b, c, d] = &mut self.streams;
        s.order_memory(&mut a[0], &mut b[0]);
        s.order_memory(&mut c[0], &mut d[0]);
        s.order_memory(&mut a[COUNT - 1], &mut self.masks);
    }
}

/// A text of `COUNT` vectors.
struct Text<'a, const COUNT: usize> {
    /// All but the last.
    whole: InOut<'a>,
    last: InOut<'a>,
}

impl<'a, const COUNT: usize> Text<'a, COUNT> {
    /// Refused if it is shorter.
    #[inline(always)]
    fn of<S: Simd>(_: S, mut last: InOut<'a>) -> Result<Self, Refused> {
        let whole = last.split_to(S::BYTES * (COUNT - 1)).ok_or(Refused)?;
        Ok(Self { whole, last })
    }

    /// Its vectors, zeros where it ends.
    #[inline(always)]
    fn load<S: Simd>(&self, s: S) -> [S::V; COUNT] {
        let mut vectors = [s.zero(); COUNT];
        up_to_four!(i in COUNT - 1 => { vectors[i] = self.whole.load(s, i * S::BYTES); });
        vectors[COUNT - 1] = s.load_first(self.last.source());
        vectors
    }

    /// Writes them, as far as it goes.
    #[inline(always)]
    fn store<S: Simd>(&mut self, s: S, vectors: [S::V; COUNT]) {
        up_to_four!(i in COUNT - 1 => { self.whole.store(s, i * S::BYTES, vectors[i]); });
        s.store_first(self.last.reborrow(), vectors[COUNT - 1]);
    }
}
