//! AES on several vectors at once (FIPS 197 section 5.1).

use core::marker::PhantomData;

use zeroize::ZeroizeOnDrop;

use crate::block::Lane;
use crate::secret;
use crate::simd::{InOut, Simd};

/// The rounds that a kernel is compiled for.
pub trait Rounds: Copy + 'static {
    /// Rounds between the first key and the last that the key has at least.
    const COMMON: usize;
    /// How many more it may have: none, two or four.
    const SPARE: usize;
}

macro_rules! rounds_of {
    ($($(#[$doc:meta])* $Rounds:ident $common:literal $spare:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub enum $Rounds {}

        impl Rounds for $Rounds {
            const COMMON: usize = $common;
            const SPARE: usize = $spare;
        }
    )*};
}

rounds_of! {
    /// Those of AES-128: ten with the last.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "rounds at run time"))]
    Ten 9 0;
    /// Those of AES-192 and AES-256: twelve or fourteen.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "rounds at run time"))]
    Twelve 11 2;
    /// Those of each key size.
    Any 9 4;
}

/// Round keys of AES-256.
const ROWS: usize = 15;

/// The round keys of a key of any size: the first in front, the others filled from the end, so that the same rows are the last
/// rounds. Each once, though a load into every lane costs Zen 4 a shuffle (m29). Where a round adds its key first, the first one stands before
/// the second, so that no round asks which it is.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct RoundKeys {
    /// The row before that of the second key: the size of the key, which is public.
    first: usize,
    /// No gap, neither here nor behind the rows: an empty value is not made elsewhere and copied to its place then.
    rest: u64,
    rows: [Lane; ROWS],
}

impl Default for RoundKeys {
    /// All zero.
    #[inline(always)]
    fn default() -> Self {
        Self {
            first: 0,
            rest: 0,
            rows: [Lane([0; 16]); ROWS],
        }
    }
}

impl Drop for RoundKeys {
    fn drop(&mut self) {
        secret::wipe(&mut self.rows);
    }
}

impl ZeroizeOnDrop for RoundKeys {}

impl RoundKeys {
    /// The row of the first key.
    #[inline(always)]
    fn first_row<S: Simd>(&self) -> usize {
        // The minimum is the proof that there is the row.
        if S::KEY_FIRST { self.first.min(4) } else { 0 }
    }

    /// The rows that the key has, in order.
    #[cfg(test)]
    pub(super) fn rows<S: Simd>(&self) -> impl Iterator<Item = &Lane> {
        let first = &self.rows[self.first_row::<S>()];
        [first].into_iter().chain(&self.rows[self.first + 1..])
    }

    /// Takes key `round` of `K`.
    #[inline(always)]
    pub(super) fn set<S: Simd, const K: usize>(&mut self, s: S, round: usize, key: S::V) {
        self.first = ROWS - K;
        let row = if round == 0 {
            self.first_row::<S>()
        } else {
            ROWS - K + round
        };
        s.set_rows(&mut self.rows, row, key);
    }

    /// Puts the keys from the last to the first into `to`, `f` of those between.
    #[inline(always)]
    pub(super) fn reverse<S: Simd<Narrow = S>>(
        &self,
        s: S,
        to: &mut Self,
        f: impl Fn(S::V) -> S::V,
    ) {
        let (first, first_row) = (self.first, self.first_row::<S>());
        to.first = first;
        s.set_rows(&mut to.rows, first_row, s.splat(&self.rows[ROWS - 1]));
        s.set_rows(&mut to.rows, ROWS - 1, s.splat(&self.rows[first_row]));
        let (inner, to_inner) = (&self.rows[1..ROWS - 1], &mut to.rows[1..ROWS - 1]);
        // Rows that the key does not have come first.
        for (row, key) in to_inner.iter_mut().skip(first).zip(inner.iter().rev()) {
            s.set_rows(core::slice::from_mut(row), 0, f(s.splat(key)));
        }
    }

    /// For a kernel that is compiled for the rounds `R`.
    #[inline(always)]
    pub(super) fn of<R: Rounds>(&self) -> Keyed<'_, R> {
        Keyed {
            keys: self,
            rounds: PhantomData,
        }
    }
}

/// What a kernel knows of a key of AES.
pub trait Schedule: Copy {
    /// See [`Rounds`].
    const COMMON: usize;
    /// See [`Rounds`].
    const SPARE: usize;

    /// The same keys, which are not to be loaded early; see [`secret::forget_origin`].
    fn hidden(self) -> Self;
    /// The key before the first round, in each lane.
    fn first<S: Simd>(self, s: S) -> S::V;
    /// The key behind it, in each lane.
    fn second<S: Simd>(self, s: S) -> S::V;
    /// The key that round `i` of those that a key of the most rounds has adds ([`Simd::aes_key`]), in each lane: see
    /// `spare_rounds!`.
    fn spare_key<S: Simd>(self, s: S, i: usize) -> S::V;
    /// How many of the spare rounds the key has.
    fn spare(self) -> usize;
    /// The key that the common round `r`, from 1 to `COMMON`, adds, in each lane.
    fn key<S: Simd>(self, s: S, r: usize) -> S::V;
    /// The keys before and behind the last round, in each lane.
    fn last<S: Simd>(self, s: S) -> [S::V; 2];

    /// What is added to a block before the first round.
    #[inline(always)]
    fn start<S: Simd>(self, s: S) -> S::V {
        s.aes_key(s.zero(), self.first(s))
    }
}

/// Round keys for a kernel.
pub(super) struct Keyed<'a, R> {
    keys: &'a RoundKeys,
    rounds: PhantomData<R>,
}

impl<R> Clone for Keyed<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Keyed<'_, R> {}

impl<R: Rounds> Keyed<'_, R> {
    /// The row before that of the second key, if the key has all rounds.
    const FIRST: usize = ROWS - 2 - R::COMMON - R::SPARE;

    #[inline(always)]
    fn row<S: Simd>(self, s: S, i: usize) -> S::V {
        s.splat(&self.keys.rows[i])
    }

    /// The key that the round before row `i` adds: that row, or the key before the round.
    #[inline(always)]
    fn added<S: Simd>(self, s: S, i: usize) -> S::V {
        self.row(s, if S::KEY_FIRST { i - 1 } else { i })
    }
}

impl<R: Rounds> Schedule for Keyed<'_, R> {
    const COMMON: usize = R::COMMON;
    const SPARE: usize = R::SPARE;

    #[inline(always)]
    fn hidden(self) -> Self {
        secret::forget_origin(self.keys).of()
    }
    #[inline(always)]
    fn first<S: Simd>(self, s: S) -> S::V {
        self.row(s, self.keys.first_row::<S>())
    }
    #[inline(always)]
    fn second<S: Simd>(self, s: S) -> S::V {
        // The minimum is the proof that there is the row.
        self.row(s, self.keys.first.min(4) + 1)
    }
    #[inline(always)]
    fn spare_key<S: Simd>(self, s: S, i: usize) -> S::V {
        self.added(s, Self::FIRST + i)
    }
    #[inline(always)]
    fn spare(self) -> usize {
        (Self::FIRST + R::SPARE).wrapping_sub(self.keys.first)
    }
    #[inline(always)]
    fn key<S: Simd>(self, s: S, r: usize) -> S::V {
        self.added(s, Self::FIRST + R::SPARE + r)
    }
    #[inline(always)]
    fn last<S: Simd>(self, s: S) -> [S::V; 2] {
        [self.row(s, ROWS - 2), self.row(s, ROWS - 1)]
    }
}

/// `rounds!(r in COMMON => { .. })`: the block for each common round, `r` from 1 to `COMMON`, unrolled. `r` is a constant, for
/// `decided!`: nothing in the block has another `r`.
#[cfg(not(carryless_rolled))]
macro_rules! rounds {
    ($r:ident in $common:expr => $body:block) => {
        rounds!(@ $r, $common, $body, 1 2 3 4 5 6 7 8 9 10 11 12 13)
    };
    (@ $r:ident, $common:expr, $body:block, $($n:literal)*) => {
        $(if const { $n <= $common } {
            #[allow(non_upper_case_globals, reason = "a variable where loops stay loops")]
            const $r: usize = $n;
            $body
        })*
    };
}
#[cfg(carryless_rolled)]
macro_rules! rounds {
    ($r:ident in $common:expr => $body:block) => {
        for $r in 1..=const { $common } $body
    };
}
pub(super) use rounds;

/// `spare_rounds!(key of enc: R, behind N, s: S => { .. })`: the block with the key of each round that this key has more than `R`
/// has in common, where `N` rounds are done before. They come first, two at a time.
///
/// A key of 128 bits meets one branch where a round adds its key first: chains of blocks wait for each on small cores (m67).
/// Elsewhere it meets two, which take fewer bytes.
macro_rules! spare_rounds {
    ($key:ident of $enc:ident: $R:ty, behind $n:expr, $s:ident: $S:ty => $body:block) => {
        if const { <$R as Schedule>::SPARE >= 2 } && !(<$S>::KEY_FIRST && $enc.spare() == 0) {
            if const { <$R as Schedule>::SPARE == 4 } && $enc.spare() == 4 {
                let $key = $enc.spare_key($s, $n + 1);
                $body
                let $key = $enc.spare_key($s, $n + 2);
                $body
            }
            if <$S>::KEY_FIRST || $enc.spare() >= 2 {
                let $key =
                    $enc.spare_key($s, $n + const { <$R as Schedule>::SPARE.saturating_sub(1) });
                $body
                let $key = $enc.spare_key($s, $n + const { <$R as Schedule>::SPARE });
                $body
            }
        }
    };
}
pub(super) use spare_rounds;

/// Encrypts `N` vectors of blocks.
///
/// # Constant time
/// Secret: all.
#[inline(always)]
pub(super) fn encrypt<S: Simd, R: Schedule, const N: usize>(
    s: S,
    enc: R,
    mut states: [S::V; N],
) -> [S::V; N] {
    let start = enc.start(s);
    each!(i in N => { states[i] = s.xor(states[i], start); });
    states = before_last(s, enc, states);
    let [before, last] = enc.last(s);
    each!(i in N => { states[i] = s.aes_last(states[i], before, last); });
    states
}

/// All rounds of `N` vectors of states but the last.
///
/// # Constant time
/// Secret: all.
#[inline(always)]
pub(super) fn before_last<S: Simd, R: Schedule, const N: usize>(
    s: S,
    enc: R,
    mut states: [S::V; N],
) -> [S::V; N] {
    spare_rounds!(key of enc: R, behind 0, s: S => { s.aes_rounds(&mut states, key); });
    rounds!(r in R::COMMON => { s.aes_rounds(&mut states, enc.key(s, r)); });
    states
}

/// Decrypts `N` vectors of blocks, under the keys of [`super::inverse`].
///
/// # Constant time
/// Secret: all.
#[inline(always)]
pub(super) fn decrypt<S: Simd, R: Schedule, const N: usize>(
    s: S,
    dec: R,
    mut states: [S::V; N],
) -> [S::V; N] {
    let start = dec.start(s);
    each!(i in N => { states[i] = s.xor(states[i], start); });
    spare_rounds!(key of dec: R, behind 0, s: S => { s.aes_inverse_rounds(&mut states, key); });
    rounds!(r in R::COMMON => { s.aes_inverse_rounds(&mut states, dec.key(s, r)); });
    let [before, last] = dec.last(s);
    each!(i in N => { states[i] = s.aes_inverse_last(states[i], before, last); });
    states
}

/// Encrypts whole blocks (SP 800-38A section 6.1), eight vectors at a time.
///
/// # Constant time
/// Secret: `enc`, `text`. Public: its length.
#[inline(always)]
pub fn blocks<S: Simd>(s: S, enc: &RoundKeys, text: InOut<'_>) {
    whole_blocks(s, enc.of::<Any>(), text);
}

/// The same in the rounds `R`.
#[inline(always)]
pub(super) fn whole_blocks<S: Simd, R: Schedule>(s: S, enc: R, mut text: InOut<'_>) {
    const N: usize = 8;
    while let Some(mut chunk) = text.split_to(N * S::BYTES) {
        let mut states = [s.zero(); N];
        each!(i in N => { states[i] = chunk.load(s, i * S::BYTES); });
        states = encrypt(s, enc.hidden(), states);
        each!(i in N => { chunk.store(s, i * S::BYTES, states[i]); });
    }
    let s = s.narrow();
    while let Some(mut block) = text.split_to(16) {
        let [state] = encrypt(s, enc.hidden(), [block.load(s, 0)]);
        block.store(s, 0, state);
    }
}
