//! AES on several vectors at once (FIPS 197 section 5.1).

use zeroize::ZeroizeOnDrop;

use crate::block::Lane;
use crate::secret;
use crate::simd::{InOut, Simd};

/// What a key of AES was expanded to.
pub trait Schedule {
    /// Round keys: 11, 13 or 15 for AES-128, -192 or -256.
    const K: usize;

    /// Round key `r`, in each lane.
    fn key<S: Simd>(&self, s: S, r: usize) -> S::V;

    /// The key that is added before the first round, in each lane.
    #[inline(always)]
    fn first<S: Simd>(&self, s: S) -> S::V {
        self.key(s, 0)
    }

    /// The key of the last round, in each lane.
    #[inline(always)]
    fn last<S: Simd>(&self, s: S) -> S::V {
        self.key(s, Self::K - 1)
    }
}

/// `K` round keys, each `W` times: a load into every lane of a wide vector costs Zen 4 a shuffle, which the AES rounds
/// have to wait for; a load of so many lanes is free, and in a line of the cache.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct RoundKeys<const K: usize, const W: usize>(pub(super) [[Lane; W]; K]);

impl<const K: usize, const W: usize> Default for RoundKeys<K, W> {
    /// All zero.
    #[inline(always)]
    fn default() -> Self {
        Self([[Lane([0; 16]); W]; K])
    }
}

impl<const K: usize, const W: usize> Drop for RoundKeys<K, W> {
    fn drop(&mut self) {
        secret::wipe(self.0.as_flattened_mut());
    }
}

impl<const K: usize, const W: usize> ZeroizeOnDrop for RoundKeys<K, W> {}

impl<const K: usize, const W: usize> Schedule for RoundKeys<K, W> {
    const K: usize = K;

    #[inline(always)]
    fn key<S: Simd>(&self, s: S, r: usize) -> S::V {
        if S::LANES <= W {
            s.rows(&self.0[r], 0)
        } else {
            s.splat(&self.0[r][0])
        }
    }
}

/// `rounds!(r in K => { .. })`: the block for each round between the first key and the last round,
/// `r` from 1 to `K - 2`, unrolled.
#[cfg(not(carryless_rolled))]
macro_rules! rounds {
    ($r:ident in $k:expr => $body:block) => {
        rounds!(@ $r, $k, $body, 1 2 3 4 5 6 7 8 9 10 11 12 13)
    };
    (@ $r:ident, $k:expr, $body:block, $($n:literal)*) => {
        $(if const { $n < $k - 1 } {
            let $r: usize = $n;
            $body
        })*
    };
}
#[cfg(carryless_rolled)]
macro_rules! rounds {
    ($r:ident in $k:expr => $body:block) => {
        for $r in 1..const { $k - 1 } $body
    };
}
pub(super) use rounds;

/// Round `r` on `N` vectors.
#[inline(always)]
pub(super) fn round<S: Simd, R: Schedule, const N: usize>(
    s: S,
    keys: &R,
    r: usize,
    states: &mut [S::V; N],
) {
    let key = keys.key(s, r);
    each!(i in N => { states[i] = s.aes_round(states[i], key); });
}

/// Encrypts `N` vectors of blocks.
///
/// # Constant time
/// Secret: all.
#[inline(always)]
pub(super) fn encrypt<S: Simd, R: Schedule, const N: usize>(
    s: S,
    keys: &R,
    mut states: [S::V; N],
) -> [S::V; N] {
    let first = keys.first(s);
    each!(i in N => { states[i] = s.xor(states[i], first); });
    rounds!(r in R::K => { round(s, keys, r, &mut states); });
    let last = keys.last(s);
    each!(i in N => { states[i] = s.aes_last(states[i], last); });
    states
}

/// Encrypts whole blocks (SP 800-38A section 6.1), eight vectors at a time.
///
/// # Constant time
/// Secret: `keys`, `text`. Public: its length.
#[inline(always)]
pub fn blocks<S: Simd, R: Schedule>(s: S, keys: &R, mut text: InOut<'_>) {
    const N: usize = 8;
    while let Some(mut chunk) = text.split_to(N * S::BYTES) {
        let mut states = [s.zero(); N];
        each!(i in N => { states[i] = chunk.load(s, i * S::BYTES); });
        states = encrypt(s, secret::hide(keys), states);
        each!(i in N => { chunk.store(s, i * S::BYTES, states[i]); });
    }
    let s = s.narrow();
    while let Some(mut block) = text.split_to(16) {
        let [state] = encrypt(s, secret::hide(keys), [block.load(s, 0)]);
        block.store(s, 0, state);
    }
}
