//! LEA (KS X 3246, ISO/IEC 29192-2): rounds that XOR, add and rotate the four little-endian words of a block.
//!
//! One source for one block in plain integers and for as many as vectors hold. Texts are whole batches here, of
//! [`batch_len`] bytes.

pub mod schedule;

use crate::block::{Block, Counter};
use crate::secret::forget_origin;
use crate::simd::InOut;
use crate::simd::words::Words;

/// What a round takes of the key.
pub type RoundKey = [u32; 6];

/// Groups of blocks, each transposed.
type State<W, const G: usize> = [[<W as Words>::V; 4]; G];

/// Bytes of a batch.
const fn batch_len<W: Words, const G: usize>() -> usize {
    assert!(
        G == W::GROUPS && G <= 4,
        "as many groups as go side by side"
    );
    16 * G * W::BLOCKS
}

/// Encrypts whole batches.
///
/// # Constant time
/// Secret: `keys`, `text`. Public: how many of each.
#[inline(always)]
pub fn encrypt<W: Words, const G: usize>(w: W, keys: &[RoundKey], mut text: InOut<'_>) {
    while let Some(batch) = text.split_to(const { batch_len::<W, G>() }) {
        let x = load::<W, G>(w, batch.source());
        store(w, batch.into_written(), encrypted(w, keys, x));
    }
}

/// Decrypts whole batches.
///
/// # Constant time
/// As for [`encrypt`].
#[inline(always)]
pub fn decrypt<W: Words, const G: usize>(w: W, keys: &[RoundKey], mut text: InOut<'_>) {
    while let Some(batch) = text.split_to(const { batch_len::<W, G>() }) {
        let x = load::<W, G>(w, batch.source());
        store(w, batch.into_written(), decrypted(w, keys, x));
    }
}

/// XORs the key stream from the block `counter` on into whole batches; `counter` is then that of the block behind them.
///
/// # Constant time
/// Secret: `keys`, `text`, `counter` (it may come from a hashed nonce). Public: how many of each.
#[inline(always)]
pub fn ctr<W: Words, const G: usize>(
    w: W,
    keys: &[RoundKey],
    counter: &mut Counter,
    mut text: InOut<'_>,
) {
    let blocks = text.len() / 16;
    let [lo, hi] = counter.words();
    let nonce = [
        w.splat(lo as u32),
        w.splat((lo >> 32) as u32),
        w.splat(hi as u32),
    ];
    let mut count = w.add(w.splat(counter.count()), w.numbers());
    while let Some(mut batch) = text.split_to(const { batch_len::<W, G>() }) {
        let mut x = [[nonce[0], nonce[1], nonce[2], count]; G];
        up_to_four!(g in G => {
            x[g][3] = w.swap_bytes(count);
            count = w.add(count, w.splat(W::BLOCKS as u32));
        });
        x = encrypted(w, keys, x);
        up_to_four!(g in G => {
            let stream = w.transpose(x[g]);
            up_to_four!(i in 4 => {
                let at = (4 * g + i) * W::BYTES;
                let v = w.xor(w.load(batch.source(), at), stream[i]);
                w.store(batch.reborrow().into_written(), at, v);
            });
        });
    }
    *counter = counter.add(blocks as u32);
}

/// Decrypts whole batches of a chain (CBC, SP 800-38A section 6.2); `chain` is the block before them, and then the last.
///
/// # Constant time
/// Secret: `keys`, and what comes of the text. Public: how many of each.
#[inline(always)]
pub fn decrypt_cbc<W: Words, const G: usize>(
    w: W,
    keys: &[RoundKey],
    chain: &mut Block,
    mut text: InOut<'_>,
) {
    let len = const { batch_len::<W, G>() };
    while let Some(mut batch) = text.split_to(len) {
        let mut x = decrypted(w, keys, load::<W, G>(w, batch.source()));
        // What is before the first block and those that share a vector with it.
        let mut first = [0; 64];
        let beside = const {
            if batch_len::<W, G>() > 64 {
                48
            } else {
                batch_len::<W, G>() - 16
            }
        };
        first[..16].copy_from_slice(chain);
        first[16..][..beside].copy_from_slice(&batch.source()[..beside]);
        *chain = batch.get(len - 16);
        // From the last vector back: what is decrypted takes the place of what those behind it are added to.
        up_to_four!(back in G => {
            let g = G - 1 - back;
            x[g] = w.transpose(x[g]);
            up_to_four!(back in 4 => {
                let i = 3 - back;
                let at = (4 * g + i) * W::BYTES;
                let before = if at < 16 {
                    w.load(&first, at)
                } else {
                    w.load(batch.source(), at - 16)
                };
                w.store(batch.reborrow().into_written(), at, w.xor(x[g][i], before));
            });
        });
    }
}

/// The words of a batch.
#[inline(always)]
fn load<W: Words, const G: usize>(w: W, bytes: &[u8]) -> State<W, G> {
    let mut x = [[w.splat(0); 4]; G];
    up_to_four!(g in G => {
        up_to_four!(i in 4 => { x[g][i] = w.load(bytes, (4 * g + i) * W::BYTES); });
        x[g] = w.transpose(x[g]);
    });
    x
}

/// The inverse of [`load`].
#[inline(always)]
fn store<W: Words, const G: usize>(w: W, bytes: &mut [u8], x: State<W, G>) {
    up_to_four!(g in G => {
        let group = w.transpose(x[g]);
        up_to_four!(i in 4 => { w.store(bytes, (4 * g + i) * W::BYTES, group[i]); });
    });
}

/// All rounds, four in a turn: then words come back to their places.
#[inline(always)]
fn encrypted<W: Words, const G: usize>(w: W, keys: &[RoundKey], mut x: State<W, G>) -> State<W, G> {
    for four in keys.as_chunks::<4>().0 {
        let four = forget_origin(four);
        up_to_four!(r in 4 => {
            let key = spread(w, &four[r]);
            up_to_four!(g in G => { x[g] = round(w, &key, x[g]); });
        });
    }
    x
}

/// Their inverses.
#[inline(always)]
fn decrypted<W: Words, const G: usize>(w: W, keys: &[RoundKey], mut x: State<W, G>) -> State<W, G> {
    for four in keys.as_chunks::<4>().0.iter().rev() {
        let four = forget_origin(four);
        up_to_four!(r in 4 => {
            let key = spread(w, &four[3 - r]);
            up_to_four!(g in G => { x[g] = inverse_round(w, &key, x[g]); });
        });
    }
    x
}

/// A round key for every block.
#[inline(always)]
fn spread<W: Words>(w: W, key: &RoundKey) -> [W::V; 6] {
    let [a, b, c, d, e, f] = *key;
    [
        w.splat(a),
        w.splat(b),
        w.splat(c),
        w.splat(d),
        w.splat(e),
        w.splat(f),
    ]
}

#[inline(always)]
fn round<W: Words>(w: W, k: &[W::V; 6], x: [W::V; 4]) -> [W::V; 4] {
    [
        w.rotate::<9, 23>(w.add(w.xor(x[0], k[0]), w.xor(x[1], k[1]))),
        w.rotate::<27, 5>(w.add(w.xor(x[1], k[2]), w.xor(x[2], k[3]))),
        w.rotate::<29, 3>(w.add(w.xor(x[2], k[4]), w.xor(x[3], k[5]))),
        x[0],
    ]
}

#[inline(always)]
fn inverse_round<W: Words>(w: W, k: &[W::V; 6], x: [W::V; 4]) -> [W::V; 4] {
    let a = x[3];
    let b = w.xor(w.sub(w.rotate::<23, 9>(x[0]), w.xor(a, k[0])), k[1]);
    let c = w.xor(w.sub(w.rotate::<5, 27>(x[1]), w.xor(b, k[2])), k[3]);
    let d = w.xor(w.sub(w.rotate::<3, 29>(x[2]), w.xor(c, k[4])), k[5]);
    [a, b, c, d]
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]
mod tests;
