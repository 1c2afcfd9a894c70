//! GCM in one pass: counter mode and GHASH interleaved (SP 800-38D algorithms 4 and 5).
//!
//! A message is turns of eight vectors while there are that many, and one last pass, straight-line code
//! for each count of blocks, or of vectors. A short message is the last pass alone.

use super::aes::{self, Any, RoundKeys, Rounds, Schedule, rounds, spare_rounds};
pub use super::counters::FirstRounds;
use super::counters::{Cached, Counters, Starts, Steps};
use super::form::{HashKey, Karatsuba};
use super::ghash;
use super::tail::{self, Before};
use super::{Refused, TURN};
use crate::block::{Block, Counter, Tag};
use crate::secret::{self, Choice, hide};
use crate::simd::{InOut, Simd};

/// One message: the lengths were checked by the mode.
pub struct Message<'a> {
    /// The pre-counter block of a 12-byte nonce: it counts 1, the text starts at 2. For other nonces
    /// the mode goes through segments, as kernels count on the alignment.
    pub j0: Counter,
    /// Additional authenticated data.
    pub aad: &'a [u8],
    /// The text.
    pub text: InOut<'a>,
}

/// What a message has besides its nonce and its text.
#[derive(Clone, Copy)]
pub struct Header<'a> {
    /// The hash of the AAD before `aad`, whole blocks.
    pub acc: u128,
    /// The AAD that is not hashed yet.
    pub aad: &'a [u8],
    /// Bytes of the whole AAD.
    pub aad_len: usize,
    /// Bytes of text that are done, whole turns; `acc` has them.
    pub done: usize,
}

impl<'a> Header<'a> {
    /// Of an AAD that is not hashed yet: the kernel does it, block by block under the latency of the AES.
    #[inline(always)]
    pub fn whole(aad: &'a [u8]) -> Self {
        Self {
            acc: 0,
            aad,
            aad_len: aad.len(),
            done: 0,
        }
    }

    /// The counter block before the text that is not done.
    #[inline(always)]
    fn counter(&self, j0: Counter) -> Counter {
        j0.add((self.done / 16) as u32)
    }
}

/// Sealing or opening; the two share the source.
pub trait Direction: Copy + 'static {
    /// Whether the output (true) or the input (false) is hashed.
    const SEAL: bool;
    /// What there is for the tag of a message: a place, or the tag that it came with.
    type Given<'a>;
    /// What is told of it.
    type Answer;

    /// Puts the tag that belongs to the ciphertext into its place, or compares it.
    fn answer(made: &Block, given: Self::Given<'_>) -> Self::Answer;

    /// The same for a tag that is made in memory. The right one leaves no trace when opening: it would be a forgery.
    fn judge(
        given: Self::Given<'_>,
        make: impl FnOnce(&mut Block) -> Result<(), Refused>,
    ) -> Result<Self::Answer, Refused>;
}

/// Plaintext in, ciphertext out.
#[derive(Clone, Copy)]
pub enum Seal {}
/// Ciphertext in, plaintext out.
#[derive(Clone, Copy)]
pub enum Open {}

impl Direction for Seal {
    const SEAL: bool = true;
    /// The place for the full tag.
    type Given<'a> = &'a mut Block;
    type Answer = ();

    #[inline(always)]
    fn answer(made: &Block, given: &mut Block) {
        *given = *made;
    }
    #[inline(always)]
    fn judge(
        given: &mut Block,
        make: impl FnOnce(&mut Block) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        make(given)
    }
}
impl Direction for Open {
    const SEAL: bool = false;
    /// It is public; whether it is right is for the caller to publish.
    type Given<'a> = &'a Tag;
    /// Whether it is the right one, which does not leave the registers.
    type Answer = Choice;

    #[inline(always)]
    fn answer(made: &Block, given: &Tag) -> Choice {
        secret::equal(made, &given.bytes, given.len)
    }
    #[inline(always)]
    fn judge(
        given: &Tag,
        make: impl FnOnce(&mut Block) -> Result<(), Refused>,
    ) -> Result<Choice, Refused> {
        let mut made = [0; 16];
        make(&mut made)?;
        let answer = Self::answer(&made, given);
        secret::erase(&mut made, &[0; 16]);
        Ok(answer)
    }
}

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// Blocks of a turn.
const fn turn<S: Simd>() -> usize {
    TURN * S::LANES
}

/// Seals or opens a message with text.
///
/// * `j0`: the pre-counter block of a 12-byte nonce, which counts 1; the text starts at the next. By value,
///   in registers: a vector load of it would wait for the stores of its words.
/// * `text`: by reference, as a copy loads its three words in other pieces than they were stored in, and waits.
///
/// # Constant time
/// Secret: `enc`, `hash`, `header.acc`, the text and the AAD. Public: all lengths.
#[inline(always)]
pub fn message<S: Simd, R: Rounds, H: HashKey, D: Direction, const W: usize>(
    s: S,
    enc: &RoundKeys<W>,
    hash: &H,
    j0: Counter,
    header: &Header<'_>,
    text: &mut InOut<'_>,
    given: D::Given<'_>,
) -> Result<D::Answer, Refused> {
    let enc = enc.of::<R>();
    let tag = tag_of::<S, _, H, D>(s, enc, hash, j0, header, text.reborrow())?;
    Ok(D::answer(&block(s.narrow(), tag), given))
}

/// The same; its full tag.
#[inline(always)]
fn tag_of<S: Simd, R: Schedule, H: HashKey, D: Direction>(
    s: S,
    enc: R,
    hash: &H,
    j0: Counter,
    header: &Header<'_>,
    mut text: InOut<'_>,
) -> Result<Narrow<S>, Refused> {
    let n = s.narrow();
    let mut before = begin(s, hash, j0, header, text.len());
    // A last turn that is full belongs to the last pass, under whose latency the tag's mask is made.
    let bytes = 16 * const { turn::<S>() };
    let whole = text.len().saturating_sub(1) / bytes * bytes;
    let (mut bases, mut turn) = (None, None);
    if let Some(text) = text.split_to(whole)
        && whole > 0
    {
        if !header.aad.is_empty() {
            before.y = ghash::multiply(n, hash, before.head);
            before.head = n.zero();
        }
        let counter = header.counter(j0);
        let counters = Counters::<S, true>::new(s, counter);
        let behind = counter.add((whole / 16) as u32);
        (before.y, turn) = turns::<S, _, H, D, _>(s, enc, hash, counters, before.y, text);
        if const { !S::MASKS } {
            before.y = drain::<S, H>(s, hash, before.y, turn.take());
        }
        bases = Some(Steps::bases(s, behind, enc.first(s)));
    }
    tail::pass::<_, _, H, D, TURN>(s, enc, hash, before, bases, turn, text)
}

/// Seals or opens a message of at most [`longest_short`] bytes of text; its AAD is not hashed yet.
///
/// It is the last pass alone, of as many vectors as there are registers for: hardly anything of it leaves the registers, so
/// that little stack has to be overwritten behind it, which would take a quarter of the time.
///
/// # Constant time
/// As [`message`].
#[inline(always)]
pub fn short<S: Simd, R: Rounds, H: HashKey, D: Direction, const W: usize>(
    s: S,
    enc: &RoundKeys<W>,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    text: &mut InOut<'_>,
    given: D::Given<'_>,
) -> Result<D::Answer, Refused> {
    let enc = enc.of::<R>();
    let tag = short_tag::<S, _, H, D>(s, enc, hash, j0, aad, text.reborrow())?;
    Ok(D::answer(&block(s.narrow(), tag), given))
}

/// The same; its full tag.
#[inline(always)]
fn short_tag<S: Simd, R: Schedule, H: HashKey, D: Direction>(
    s: S,
    enc: R,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    text: InOut<'_>,
) -> Result<Narrow<S>, Refused> {
    let n = s.narrow();
    let before = begin(s, hash, j0, &Header::whole(aad), text.len());
    if text.is_empty() {
        Ok(tail::tag_alone(n, enc, hash, before))
    } else if const { !S::MASKS } {
        tail::pass::<_, _, H, D, { tail::SHORT }>(s, enc, hash, before, None, None, text)
    } else if text.len() <= S::Short::BYTES {
        tail::pass::<_, _, H, D, 1>(s.short(), enc, hash, before, None, None, text)
    } else {
        tail::pass::<_, _, H, D, TURN>(s, enc, hash, before, None, None, text)
    }
}

/// Seals or opens the beginning of a long text, whole turns. [`message`] does the rest.
///
/// The turns begin behind the first round of AES, which the last byte of a counter block goes through beforehand, once for
/// each value.
///
/// * `header`: becomes that of the rest.
/// * `first`: a place for those rounds.
///
/// # Constant time
/// As [`message`].
#[inline(always)]
pub fn bulk<S: Simd, H: HashKey, D: Direction, const W: usize>(
    s: S,
    enc: &RoundKeys<W>,
    hash: &H,
    j0: Counter,
    header: &mut Header<'_>,
    first: &mut FirstRounds,
    text: InOut<'_>,
) {
    let (n, enc) = (s.narrow(), enc.of::<Any>());
    let len = text.len();
    debug_assert!(
        len.is_multiple_of(16 * const { turn::<S>() }),
        "whole turns"
    );
    first.set(s, enc);
    let Before { head, mut y, .. } = begin(s, hash, j0, header, len);
    if !header.aad.is_empty() {
        y = ghash::multiply(n, hash, head);
    }
    let counters = Cached::new(s, enc, first, header.counter(j0));
    let turn;
    (y, turn) = turns::<S, _, H, D, _>(s, enc, hash, counters, y, text);
    // To its place, not into registers that callers save.
    header.acc = ghash::store_acc(n, drain::<S, H>(s, hash, y, turn));
    header.aad = &[];
    header.done += len;
}

/// How much of a long text [`bulk`] does: more than a turn is left.
pub const fn bulk_len<S: Simd>(len: usize) -> usize {
    let turn = TURN * S::BYTES;
    (len - 1) / turn * turn - turn
}

/// The state before the text.
#[inline(always)]
pub(super) fn begin<S: Simd, H: HashKey>(
    s: S,
    hash: &H,
    j0: Counter,
    header: &Header<'_>,
    len: usize,
) -> Before<S::Narrow> {
    let n = s.narrow();
    Before {
        j0: n.splat_words(j0.words()),
        head: ghash::pending(s, hash, header.aad),
        y: ghash::load_acc(n, header.acc),
        lengths: n.splat_words([8 * (header.done + len) as u64, 8 * header.aad_len as u64]),
    }
}

/// Bytes of the longest text that counts as short.
pub const fn longest_short<S: Simd>() -> usize {
    if S::MASKS {
        TURN * S::BYTES
    } else {
        tail::SHORT * S::BYTES
    }
}

/// The tag of a message that is AAD alone (GMAC, SP 800-38D section 3); one block goes faster through [`tiny`](super::tiny).
///
/// # Constant time
/// Secret: `enc`, `hash`, `aad`. Public: its length, `j0`.
#[inline(always)]
pub fn gmac<S: Simd, H: HashKey, const W: usize>(
    s: S,
    enc: &RoundKeys<W>,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    tag: &mut Block,
) -> Result<(), Refused> {
    let (n, enc) = (s.narrow(), enc.of::<Any>());
    let j0 = n.splat_words(j0.words());
    // The mask takes longer than the hash of a few vectors; behind many no register is wanted for it, and the CPU makes it meanwhile.
    // On narrower ones the hash would stand in each entry twice for next to nothing.
    let few = S::MASKS && aad.len() <= TURN * S::BYTES;
    let mut mask = n.zero();
    if few {
        [mask] = aes::encrypt(n, enc.hidden(), [j0]);
    }
    let lengths = [0, 8 * aad.len() as u64];
    let y = ghash::absorb_and::<S, H, true>(s, hash, n.zero(), aad, lengths)?;
    if !few {
        [mask] = aes::encrypt(n, enc.hidden(), [j0]);
    }
    *tag = block(n, n.xor(n.reverse(y), mask));
    Ok(())
}

/// The bytes of a vector of one lane.
#[inline(always)]
pub(super) fn block<N: Simd>(n: N, v: N::V) -> Block {
    let [lo, hi] = n.words(v);
    (u128::from(lo) | u128::from(hi) << 64).to_le_bytes()
}

/// Seals or opens whole blocks in the middle of a message; the hash with them.
///
/// # Constant time
/// As [`message`].
#[inline(always)]
pub fn segment<S: Simd, H: HashKey, D: Direction, const W: usize>(
    s: S,
    enc: &RoundKeys<W>,
    hash: &H,
    counter: Counter,
    acc: u128,
    mut text: InOut<'_>,
) -> Result<u128, Refused> {
    let (n, enc) = (s.narrow(), enc.of::<Any>());
    let mut y = ghash::load_acc(n, acc);
    let mut counter = counter;
    let whole = text.len() / (16 * const { turn::<S>() }) * (16 * const { turn::<S>() });
    if let Some(text) = text.split_to(whole)
        && whole > 0
    {
        let counters = Counters::<S, false>::new(s, counter);
        counter = counter.add((whole / 16) as u32);
        let turn;
        (y, turn) = turns::<S, _, H, D, _>(s, enc, hash, counters, y, text);
        y = drain::<S, H>(s, hash, y, turn);
    }
    while text.len() >= 16 * 8 {
        (counter, y) = few::<_, _, H, D, 8>(n, enc, hash, counter, y, &mut text)?;
    }
    (counter, y) = few::<_, _, H, D, 4>(n, enc, hash, counter, y, &mut text)?;
    (counter, y) = few::<_, _, H, D, 2>(n, enc, hash, counter, y, &mut text)?;
    (_, y) = few::<_, _, H, D, 1>(n, enc, hash, counter, y, &mut text)?;
    Ok(ghash::store_acc(n, y))
}

/// The next `COUNT` blocks of a segment, if there are so many.
#[inline(always)]
fn few<S: Simd<Narrow = S>, R: Schedule, H: HashKey, D: Direction, const COUNT: usize>(
    s: S,
    enc: R,
    hash: &H,
    counter: Counter,
    mut y: S::V,
    text: &mut InOut<'_>,
) -> Result<(Counter, S::V), Refused> {
    let Some(mut blocks) = text.split_to(16 * COUNT) else {
        return Ok((counter, y));
    };
    let (enc, hash) = (enc.hidden(), hide(hash));
    if !D::SEAL {
        y = ghash::absorb_few::<_, H, COUNT>(s, hash, y, blocks.source())?;
    }
    let base = s.counters(counter);
    let mut states = [s.zero(); COUNT];
    each!(i in COUNT => { states[i] = s.reverse(s.add(base, s.count(i as u32))); });
    states = aes::encrypt(s, enc, states);
    each!(i in COUNT => {
        let v = s.xor(states[i], blocks.load(s, 16 * i));
        blocks.store(s, 16 * i, v);
    });
    if D::SEAL {
        y = ghash::absorb_few::<_, H, COUNT>(s, hash, y, blocks.written())?;
    }
    Ok((counter.add(COUNT as u32), y))
}

/// Whole turns: the AES rounds of one beside the hash of one, so that both units stay busy.
///
/// Sealing hashes the turn before, as ciphertext must exist to be hashed; opening hashes its own.
/// One reduction a turn (aggregation, `techniques` 1.5).
///
/// * `counters`: those of the text.
/// * `text`: so many turns.
///
/// Gives the hash behind them; when sealing that before the last, which comes too.
#[inline(always)]
fn turns<'t, S: Simd, R: Schedule, H: HashKey, D: Direction, C: Starts<S>>(
    s: S,
    enc: R,
    hash: &H,
    mut counters: C,
    mut y: Narrow<S>,
    mut text: InOut<'t>,
) -> (Narrow<S>, Option<InOut<'t>>) {
    let mut previous = None;
    while let Some(mut turn) = text.split_to(TURN * S::BYTES) {
        let (enc, hash) = (enc.hidden(), hide(hash));
        let mut states = counters.next(s, enc);
        spare_rounds!(key of enc: R, behind C::ROUND, s => { aes::round(s, key, &mut states); });
        let mut sum = Karatsuba::zero(s);
        let hashed = if D::SEAL {
            previous.as_ref()
        } else {
            Some(&turn)
        };
        if let Some(hashed) = hashed {
            let carry = s.widen(y);
            rounds!(r in R::COMMON => {
                if r > C::ROUND {
                    aes::round(s, enc.key(s, r), &mut states);
                }
                if r >= S::FIRST_PAIR && r < S::FIRST_PAIR + TURN && (r - S::FIRST_PAIR).is_multiple_of(2) {
                    add_pair::<S, H, D>(s, &mut sum, hash, hashed, carry, r - S::FIRST_PAIR);
                    sum.tie(s, &mut states[TURN - 1]);
                }
            });
            y = s.fold(sum.reduce(s));
        } else {
            rounds!(r in R::COMMON => {
                if r > C::ROUND {
                    aes::round(s, enc.key(s, r), &mut states);
                }
            });
        }
        let last = enc.last(s);
        each!(i in TURN => {
            states[i] = s.aes_last(states[i], s.xor(turn.load(s, i * S::BYTES), last));
        });
        each!(i in TURN => { turn.store(s, i * S::BYTES, states[i]); });
        previous = Some(turn);
    }
    (y, if D::SEAL { previous } else { None })
}

/// Hashes the last turn that was sealed.
#[inline(always)]
fn drain<S: Simd, H: HashKey>(s: S, hash: &H, y: Narrow<S>, turn: Option<InOut<'_>>) -> Narrow<S> {
    match turn {
        Some(turn) => ghash::absorb_turn::<S, H>(s, hash, y, turn.written()),
        None => y,
    }
}

/// The last turn that was sealed, if there is one, whose products are made under the rounds of the pass behind it.
pub(super) struct Drain<'t, S: Simd> {
    turn: Option<InOut<'t>>,
    y: Narrow<S>,
    sum: Karatsuba<S>,
}

impl<'t, S: Simd> Drain<'t, S> {
    /// * `y`: the hash before the turn; without one, what the end gives.
    #[inline(always)]
    pub(super) fn new(s: S, turn: Option<InOut<'t>>, y: Narrow<S>) -> Self {
        if let Some(turn) = &turn {
            debug_assert!(turn.len() == TURN * S::BYTES, "a turn of these vectors");
        }
        let sum = Karatsuba::zero(s);
        Self { turn, y, sum }
    }

    /// Adds the products of a pair of vectors behind each even round `r`, the last pair first; the next round of `state` comes
    /// later.
    #[inline(always)]
    pub(super) fn behind<H: HashKey>(&mut self, s: S, hash: &H, r: usize, state: &mut S::V) {
        if r.is_multiple_of(2)
            && r <= TURN
            && let Some(turn) = &self.turn
        {
            add_pair::<S, H, Seal>(s, &mut self.sum, hash, turn, s.widen(self.y), TURN - r);
            self.sum.tie(s, state);
        }
    }

    /// The hash behind the turn.
    #[inline(always)]
    pub(super) fn end(self, s: S) -> Narrow<S> {
        if self.turn.is_some() {
            s.fold(self.sum.reduce(s))
        } else {
            self.y
        }
    }
}

/// Adds the products of the vectors `i` and `i + 1` of a turn, the first with the hash `carry` before it.
#[inline(always)]
pub(super) fn add_pair<S: Simd, H: HashKey, D: Direction>(
    s: S,
    sum: &mut Karatsuba<S>,
    hash: &H,
    turn: &InOut<'_>,
    carry: S::V,
    i: usize,
) {
    let mut a = hash_input::<S, D>(s, turn, i);
    let b = hash_input::<S, D>(s, turn, i + 1);
    if i == 0 {
        a = s.xor(a, carry);
    }
    sum.add_pair(s, a, b, hash, (TURN - i) * S::LANES);
}

/// The ciphertext of vector `i` of a turn, as it is multiplied.
#[inline(always)]
fn hash_input<S: Simd, D: Direction>(s: S, turn: &InOut<'_>, i: usize) -> S::V {
    let at = i * S::BYTES;
    s.reverse(if D::SEAL {
        turn.load_written(s, at)
    } else {
        turn.load(s, at)
    })
}
