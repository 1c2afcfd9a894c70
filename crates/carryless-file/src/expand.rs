//! HKDF-Expand, from which every key of a file comes.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha512;
use zeroize::Zeroizing;

use crate::secret::burning;

/// The output of SHA-512.
const HASH_LEN: usize = 64;

/// Boxed: it stays where it is until it is wiped.
pub(crate) type Expanded = Zeroizing<Box<[u8]>>;

/// HKDF-Expand-SHA-512 (RFC 5869 section 2.3) of `len` bytes. `key` is used as it is, however short: the
/// crate `hkdf` would refuse one of fewer than 64 bytes, as the RFC asks of keys that come from its
/// first step.
pub(crate) fn expand(key: &[u8], info: &[&[u8]], len: usize) -> Expanded {
    assert!(len <= 255 * HASH_LEN, "HKDF ends there");
    let mut output = Expanded::new(vec![0; len].into());
    burning(|| {
        let keyed = Hmac::<Sha512>::new_from_slice(key).expect("HMAC takes keys of any length");
        for (n, at) in (1..=u8::MAX).zip((0..len).step_by(HASH_LEN)) {
            let (made, rest) = output.split_at_mut(at);
            let previous = &made[at.saturating_sub(HASH_LEN)..];
            turn(keyed.clone(), previous, info, n, rest);
        }
    });
    output
}

/// T(n) = HMAC(key, T(n - 1) || info || n), or as much of it as there is room for.
fn turn(mut mac: Hmac<Sha512>, previous: &[u8], info: &[&[u8]], n: u8, output: &mut [u8]) {
    mac.update(previous);
    for part in info {
        mac.update(part);
    }
    mac.update(&[n]);
    let hash = Zeroizing::new(<[u8; HASH_LEN]>::from(mac.finalize().into_bytes()));
    let len = output.len().min(HASH_LEN);
    output[..len].copy_from_slice(&hash[..len]);
}
