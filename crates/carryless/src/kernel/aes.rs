//! AES on several vectors at once (FIPS 197 section 5.1).

use zeroize::ZeroizeOnDrop;

use crate::block::Lane;
use crate::secret;
use crate::simd::{InOut, Simd};

/// `K` round keys: 11, 13 or 15 for AES-128, -192 or -256.
#[derive(Clone)]
pub struct RoundKeys<const K: usize>(pub(super) [Lane; K]);

impl<const K: usize> Default for RoundKeys<K> {
    /// All zero.
    #[inline(always)]
    fn default() -> Self {
        Self([Lane([0; 16]); K])
    }
}

impl<const K: usize> Drop for RoundKeys<K> {
    fn drop(&mut self) {
        secret::wipe(&mut self.0);
    }
}

impl<const K: usize> ZeroizeOnDrop for RoundKeys<K> {}

impl<const K: usize> RoundKeys<K> {
    /// The key that is added before the first round, in each lane.
    #[inline(always)]
    pub(super) fn first<S: Simd>(&self, s: S) -> S::V {
        s.splat(&self.0[0])
    }

    /// The key of the last round, in each lane.
    #[inline(always)]
    pub(super) fn last<S: Simd>(&self, s: S) -> S::V {
        s.splat(&self.0[K - 1])
    }
}

/// `rounds!(r in K => { .. })`: the block for each round between the first key and the last round,
/// `r` from 1 to `K - 2`, unrolled.
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
pub(super) use rounds;

/// Round `r` on `N` vectors.
#[inline(always)]
pub(super) fn round<S: Simd, const K: usize, const N: usize>(
    s: S,
    keys: &RoundKeys<K>,
    r: usize,
    states: &mut [S::V; N],
) {
    let key = s.splat(&keys.0[r]);
    each!(i in N => { states[i] = s.aes_round(states[i], key); });
}

/// Round `r` on the vectors `from..to`.
#[inline(always)]
pub(super) fn round_of<S: Simd, const K: usize, const N: usize>(
    s: S,
    keys: &RoundKeys<K>,
    r: usize,
    states: &mut [S::V; N],
    from: usize,
    to: usize,
) {
    let key = s.splat(&keys.0[r]);
    each!(i in N => { if i >= from && i < to { states[i] = s.aes_round(states[i], key); } });
}

/// Encrypts `N` vectors of blocks.
///
/// # Constant time
/// Secret: all.
#[inline(always)]
pub(super) fn encrypt<S: Simd, const K: usize, const N: usize>(
    s: S,
    keys: &RoundKeys<K>,
    mut states: [S::V; N],
) -> [S::V; N] {
    let first = keys.first(s);
    each!(i in N => { states[i] = s.xor(states[i], first); });
    rounds!(r in K => { round(s, keys, r, &mut states); });
    let last = keys.last(s);
    each!(i in N => { states[i] = s.aes_last(states[i], last); });
    states
}

/// Encrypts whole blocks (SP 800-38A section 6.1), eight vectors at a time.
///
/// # Constant time
/// Secret: `keys`, `text`. Public: its length.
#[inline(always)]
pub fn blocks<S: Simd, const K: usize>(s: S, keys: &RoundKeys<K>, mut text: InOut<'_>) {
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
