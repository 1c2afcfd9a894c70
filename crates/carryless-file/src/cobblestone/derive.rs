//! From the input key to a stream's key, base nonce and commitment.

use super::{COMMITMENT_LEN, Key, SALT_LEN};
use crate::expand::{Expanded, expand};
use crate::secret::publish;

const LABEL: &[u8] = b"c2sp.org/chunked-encryption@v1+";
const NONCE_LEN: usize = 12;

/// What belongs to one stream.
pub(super) struct Derived {
    /// Key, base nonce, commitment.
    bytes: Expanded,
    key_len: usize,
}

impl Derived {
    pub(super) fn new(key: &Key, salt: &[u8; SALT_LEN], context: &[u8]) -> Self {
        let info = [LABEL, key.cipher().aead_name(), &[0], salt, context];
        let key_len = key.cipher().key_len();
        Self {
            bytes: expand(key.as_bytes(), &info, key_len + NONCE_LEN + COMMITMENT_LEN),
            key_len,
        }
    }

    pub(super) fn key(&self) -> &[u8] {
        &self.bytes[..self.key_len]
    }

    /// Nonces of GCM need not be secret, and its kernels take them for public.
    pub(super) fn nonce(&self) -> [u8; NONCE_LEN] {
        publish(self.part(self.key_len))
    }

    pub(super) fn commitment(&self) -> [u8; COMMITMENT_LEN] {
        self.part(self.key_len + NONCE_LEN)
    }

    fn part<const N: usize>(&self, at: usize) -> [u8; N] {
        *self.bytes[at..]
            .first_chunk()
            .expect("all three parts were made")
    }
}
