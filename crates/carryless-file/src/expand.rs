//! HKDF-Expand, from which every key of a file comes.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha512;
use zeroize::Zeroizing;

use crate::secret::burning;

/// The output of SHA-512.
const HASH_LEN: usize = 64;
/// Bytes that [`expand`] makes.
const EXPANDED_LEN: usize = 2 * HASH_LEN;

/// Boxed: it stays where it is until it is wiped.
pub(crate) type Expanded = Box<Zeroizing<[u8; EXPANDED_LEN]>>;

/// HKDF-Expand-SHA-512 (RFC 5869 section 2.3), two turns. `key` is used as it is, however short: the
/// crate `hkdf` would refuse one of fewer than 64 bytes, as the RFC asks of keys that come from its
/// first step. A shorter output is the beginning of this one.
pub(crate) fn expand(key: &[u8], info: &[&[u8]]) -> Expanded {
    let mut output = Expanded::new(Zeroizing::new([0; EXPANDED_LEN]));
    let (first, second) = output.split_at_mut(HASH_LEN);
    burning(|| {
        let keyed = Hmac::<Sha512>::new_from_slice(key).expect("HMAC takes keys of any length");
        turn(keyed.clone(), &[], info, 1, first);
        turn(keyed, first, info, 2, second);
    });
    output
}

/// T(n) = HMAC(key, T(n - 1) || info || n).
fn turn(mut mac: Hmac<Sha512>, previous: &[u8], info: &[&[u8]], n: u8, output: &mut [u8]) {
    mac.update(previous);
    for part in info {
        mac.update(part);
    }
    mac.update(&[n]);
    let hash = Zeroizing::new(<[u8; HASH_LEN]>::from(mac.finalize().into_bytes()));
    output.copy_from_slice(hash.as_slice());
}
