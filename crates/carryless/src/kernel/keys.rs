//! All that a key of GCM needs, in one pass: round keys, H under the latency of their chain, its powers.

use super::aes::RoundKeys;
use super::product::Powers;
use super::schedule::{self, Sink};
use crate::simd::Simd;

/// The round keys, stored, and the zero block on its way through them.
struct Stored<'a, S: Simd, const K: usize> {
    keys: &'a mut RoundKeys,
    block: S::V,
    /// The key before.
    before: S::V,
}

impl<S: Simd, const K: usize> Sink<S> for Stored<'_, S, K> {
    #[inline(always)]
    fn key(&mut self, s: S, round: usize, key: &mut S::V) {
        self.keys.set::<_, K>(s, round, *key);
        self.block = schedule::further::<_, K>(s, self.block, round, [self.before, *key]);
        self.before = *key;
    }
}

/// Expands `key` of `L = 4 * (K - 7)` bytes into `enc`, and the powers of H, the encrypted zero block, into
/// `hash`, as far as `most` ([`Powers::set_up_to`]).
///
/// # Constant time
/// Secret: `key`. Public: `most`.
#[inline(always)]
pub fn set<
    S: Simd,
    const K: usize,
    const L: usize,
    const N: usize,
    const T: usize,
    const R: usize,
>(
    s: S,
    key: &[u8; L],
    enc: &mut RoundKeys,
    hash: &mut Powers<N, T, R>,
    most: usize,
) {
    let n = s.narrow();
    let mut stored = Stored::<_, K> {
        keys: enc,
        block: n.zero(),
        before: n.zero(),
    };
    schedule::keys::<_, K, L, _>(n, key, &mut stored);
    let h = stored.block;
    hash.set_up_to(s, n.words(n.reverse(h)), most);
}
