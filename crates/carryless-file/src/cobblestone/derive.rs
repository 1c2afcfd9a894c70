//! From the input key to a stream's key, base nonce and commitment.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha512;
use zeroize::Zeroizing;

use super::{COMMITMENT_LEN, Key, SALT_LEN};

const LABEL: &[u8] = b"c2sp.org/chunked-encryption@v1+";
const NONCE_LEN: usize = 12;
/// The output of SHA-512.
const HASH_LEN: usize = 64;

/// What belongs to one stream.
pub(super) struct Derived {
    /// Key, base nonce, commitment; zeros behind.
    bytes: Zeroizing<[u8; 2 * HASH_LEN]>,
    key_len: usize,
}

impl Derived {
    pub(super) fn new(key: &Key, salt: &[u8; SALT_LEN], context: &[u8]) -> Self {
        let info = [LABEL, key.cipher().aead_name(), &[0], salt, context];
        Self {
            bytes: expand(key.as_bytes(), &info),
            key_len: key.cipher().key_len(),
        }
    }

    pub(super) fn key(&self) -> &[u8] {
        &self.bytes[..self.key_len]
    }

    pub(super) fn nonce(&self) -> [u8; NONCE_LEN] {
        self.part(self.key_len)
    }

    pub(super) fn commitment(&self) -> [u8; COMMITMENT_LEN] {
        self.part(self.key_len + NONCE_LEN)
    }

    fn part<const N: usize>(&self, at: usize) -> [u8; N] {
        *self.bytes[at..]
            .first_chunk()
            .expect("all three parts are shorter than two hashes")
    }
}

/// HKDF-Expand (RFC 5869 section 2.3), two turns. `key` is used as it is, however short: the crate
/// `hkdf` would refuse one of fewer than 64 bytes, as the RFC asks of keys that come from its
/// first step. An output of one turn is the beginning of the output of two.
fn expand(key: &[u8], info: &[&[u8]]) -> Zeroizing<[u8; 2 * HASH_LEN]> {
    let keyed = Hmac::<Sha512>::new_from_slice(key).expect("HMAC takes keys of any length");
    let mut output = Zeroizing::new([0; 2 * HASH_LEN]);
    let (first, second) = output.split_at_mut(HASH_LEN);
    turn(keyed.clone(), &[], info, 1, first);
    turn(keyed, first, info, 2, second);
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
