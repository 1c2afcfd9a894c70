//! Everything secret that follows from a key or passphrase and a file, computed apart from the library.

use argon2::{Algorithm, Argon2, Block, Params, Version};
use carryless::{Aes128Gcm, Aes256Gcm, Engine, Slot};
use carryless_file::cobblestone::{self, Opener};
use carryless_file::recipient::Kem;
use hmac::{Hmac, KeyInit, Mac};
use sha2::block_api::compress512;
use sha2::{Digest, Sha512};

use crate::hpke;
use crate::reference::Gcm;
use crate::secrets::Secrets;
use crate::stack::Pages;

/// Bytes of the place of an AEAD key.
const KEY_PLACE: usize = 16 * 1024;
/// Of a container's header: prefix, and prefix with the length of the slots.
const PREFIX_LEN: usize = 26;
const FIXED_LEN: usize = 28;
const MAC_LEN: usize = 32;
/// Of a stream.
const COMMITMENT_LEN: usize = 32;
/// Of a slot: type and length, parameters of Argon2id, salt of it, a wrapped key.
const HEAD_LEN: usize = 3;
const COST_LEN: usize = 9;
const ARGON2_SALT_LEN: usize = 16;
/// Blocks of Argon2id's memory that are searched for: the last ones, of which the key is made.
const LAST_BLOCKS: usize = 64;
const WRAPPED_LEN: usize = 56 + 32 + 16;

const INITIAL: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];
/// The round constants of the words of a block.
const ROUNDS: [u64; 16] = [
    0x428a_2f98_d728_ae22,
    0x7137_4491_23ef_65cd,
    0xb5c0_fbcf_ec4d_3b2f,
    0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538,
    0x59f1_11f1_b605_d019,
    0x923f_82a4_af19_4f9b,
    0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242,
    0x1283_5b01_4570_6fbe,
    0x2431_85be_4ee4_b28c,
    0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f,
    0x80de_b1fe_3b16_96b1,
    0x9bdc_06a7_25c7_1235,
    0xc19b_f174_cf69_2694,
];

fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 64] {
    let mut mac = Hmac::<Sha512>::new_from_slice(key).expect("any length");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

/// The first turn of HKDF-Expand.
fn expand(key: &[u8], info: &[&[u8]]) -> [u8; 64] {
    hmac(key, &[info, &[&[1]]].concat())
}

/// Its first two turns.
fn expand_twice(key: &[u8], info: &[&[u8]]) -> Vec<u8> {
    let first = expand(key, info);
    let second = hmac(key, &[&[&first[..]], info, &[&[2]]].concat());
    [first, second].concat()
}

/// A key of HMAC-SHA-512: itself, as its blocks, as the words of these and what the first rounds add to them, and
/// the two states from which every hash under it starts.
fn add_hmac_key(secrets: &mut Secrets, what: &'static str, key: &[u8]) {
    secrets.add(what, key);
    for pad in [0x36, 0x5c] {
        let mut block = [pad; 128];
        block
            .iter_mut()
            .zip(key)
            .for_each(|(byte, key)| *byte ^= key);
        secrets.add(what, &block);
        for (word, round) in block.as_chunks::<8>().0.iter().zip(ROUNDS) {
            let word = u64::from_be_bytes(*word);
            if word != u64::from_ne_bytes([pad; 8]) {
                secrets.add(what, &word.to_ne_bytes());
                secrets.add(what, &word.wrapping_add(round).to_ne_bytes());
            }
        }
        let mut state = INITIAL;
        compress512(&mut state, &[block]);
        for word in state {
            secrets.add("state of HMAC", &word.to_ne_bytes());
            secrets.add("state of HMAC", &word.to_be_bytes());
        }
    }
}

/// The bytes of a prepared key.
macro_rules! prepared {
    ($Key:ident, $key:expr, $engine:expr, $pages:expr) => {{
        let slot = $pages.place().write(Slot::<$Key>::new());
        assert!(slot.fill(|| $Key::with_engine($key, $engine)).is_ok());
        $pages.bytes()
    }};
}

fn prepared(key: &[u8], engine: Engine, pages: &mut Pages) -> Vec<u8> {
    if key.len() == 16 {
        prepared!(Aes128Gcm, key, engine, pages)
    } else {
        prepared!(Aes256Gcm, key, engine, pages)
    }
}

/// A key of AES-GCM: itself, expanded, powers of H, and as the selected engine keeps it.
pub(crate) fn add_aead_key(secrets: &mut Secrets, key: &[u8]) {
    secrets.add("raw key of the AEAD", key);
    let gcm = Gcm::new(key);
    for key in &gcm.aes.round_keys {
        secrets.add_block("round key", *key);
    }
    for n in 1..=16 {
        secrets.add_block("power of H", gcm.h.power(n).to_block());
    }
    let engine = Engine::selected();
    // All three are there at once, so that their addresses differ; that of the raw key does not.
    let mut places = [(); 3].map(|()| Pages::new(KEY_PLACE));
    let mut raw = key.to_vec();
    let [one, two] = [0, 1].map(|i| prepared(&raw, engine, &mut places[i]));
    raw.fill(0x99);
    let other = prepared(&raw, engine, &mut places[2]);
    secrets.add_common("prepared key", [&one, &two], &other);
}

/// What a stream has of its own, whether or not its header is right: its key, and the right commitment, if `failed`
/// must not give it away.
pub(crate) fn add_stream(
    secrets: &mut Secrets,
    key: &[u8],
    context: &[u8],
    salt: &[u8],
    failed: bool,
) {
    let name: &[u8] = match key.len() {
        16 => b"AEAD_AES_128_GCM",
        _ => b"AEAD_AES_256_GCM",
    };
    let label = b"c2sp.org/chunked-encryption@v1+";
    let derived = expand_twice(key, &[label, name, &[0], salt, context]);
    let (aead, rest) = derived.split_at(key.len());
    add_hmac_key(secrets, "key of a stream", key);
    add_aead_key(secrets, aead);
    if failed {
        // Not with what follows: a right one is in the file, and any byte may lie behind a copy of it.
        secrets.add("right commitment", &rest[12..][..COMMITMENT_LEN]);
    }
}

/// A key of a user, in every form that it has in a key file.
pub(crate) fn add_user_key(secrets: &mut Secrets, key: &[u8]) {
    add_hmac_key(secrets, "key", key);
    let digits: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    secrets.add("digits of a key", digits.as_bytes());
}

/// What opens a container.
#[derive(Clone, Copy)]
pub(crate) enum With<'a> {
    Key(&'a [u8]),
    Passphrase(&'a [u8]),
    Identity(Kem, &'a [u8; 32]),
}

/// What Argon2id makes of a passphrase; its memory and the key are secrets.
fn argon2(secrets: &mut Secrets, passphrase: &[u8], parameters: &[u8]) -> [u8; 32] {
    let number = |at: usize| u32::from_be_bytes(*parameters[at..].first_chunk().expect("longer"));
    let (memory, passes, lanes) = (number(0), number(4), u32::from(parameters[8]));
    let salt = &parameters[COST_LEN..][..ARGON2_SALT_LEN];
    let params = Params::new(memory, passes, lanes, Some(32)).expect("within the limits");
    let mut blocks = vec![Block::new(); params.block_count()];
    let mut key = [0; 32];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into_with_memory(passphrase, salt, &mut key, &mut blocks)
        .expect("within the limits");
    secrets.add("passphrase", passphrase);
    for block in &blocks[blocks.len().saturating_sub(LAST_BLOCKS)..] {
        for word in block.as_ref() {
            secrets.add("memory of Argon2id", &word.to_ne_bytes());
        }
    }
    key
}

/// What a container's header and its opening with a credential have of secrets. The slot that it opens is that of
/// the number `slot`, or the credential is wrong and is tried there in vain.
pub(crate) struct Container<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) with: With<'a>,
    pub(crate) slot: usize,
    /// The opening fails somewhere, and what would have been right is secret.
    pub(crate) failed: bool,
}

impl Container<'_> {
    /// Length of the header.
    pub(crate) fn header_len(bytes: &[u8]) -> usize {
        let len = u16::from_be_bytes([bytes[PREFIX_LEN], bytes[PREFIX_LEN + 1]]);
        FIXED_LEN + usize::from(len) + MAC_LEN
    }

    /// Where a slot lies.
    pub(crate) fn slot(bytes: &[u8], number: usize) -> core::ops::Range<usize> {
        let mut at = FIXED_LEN;
        for n in 0.. {
            let len = HEAD_LEN + usize::from(u16::from_be_bytes([bytes[at + 1], bytes[at + 2]]));
            if n == number {
                return at..at + len;
            }
            at += len;
        }
        unreachable!()
    }

    /// Adds them.
    pub(crate) fn add(&self, secrets: &mut Secrets) {
        let slot = &self.bytes[Self::slot(self.bytes, self.slot)];
        let (parameters, wrapped) = slot.split_at(slot.len() - WRAPPED_LEN);
        let prefix = &self.bytes[..PREFIX_LEN];
        let keys = match self.with {
            With::Key(key) => {
                add_user_key(secrets, key);
                vec![key.to_vec()]
            }
            With::Passphrase(passphrase) => {
                vec![argon2(secrets, passphrase, &parameters[HEAD_LEN..]).to_vec()]
            }
            With::Identity(kem, identity) => {
                let encapsulated = &parameters[HEAD_LEN..];
                let info = [b"carryless container v1 recipient", prefix].concat();
                let keys = hpke::slot_keys(secrets, (kem, identity), encapsulated, &info);
                keys.iter().map(|key| key.to_vec()).collect()
            }
        };
        let context = [b"carryless container v1 slot", prefix, parameters].concat();
        let mut opened = false;
        for key in keys {
            add_stream(secrets, &key, &context, &wrapped[..24], self.failed);
            if let Some(file_key) = unwrapped(&key, &context, wrapped) {
                self.add_file_key(secrets, &file_key);
                opened = true;
            }
        }
        assert!(self.failed || opened, "it is the key of the slot");
    }

    fn add_file_key(&self, secrets: &mut Secrets, file_key: &[u8]) {
        let (prefix, len) = (&self.bytes[..PREFIX_LEN], Self::header_len(self.bytes));
        add_hmac_key(secrets, "file key", file_key);
        let mac_key = expand(file_key, &[b"carryless container v1 mac", prefix]);
        add_hmac_key(secrets, "key of the MAC", &mac_key);
        if self.failed {
            let right = hmac(&mac_key, &[&self.bytes[..len - MAC_LEN]]);
            secrets.add("right MAC", &right[..MAC_LEN]);
        }
        let payload = expand(file_key, &[b"carryless container v1 payload", prefix]);
        let key = &payload[..16 * usize::from(self.bytes[9])];
        if let Some(salt) = self.bytes.get(len..len + 24) {
            add_stream(secrets, key, &Sha512::digest(prefix), salt, self.failed);
        }
    }
}

/// The file key, if `key` is that of the slot.
fn unwrapped(key: &[u8], context: &[u8], wrapped: &[u8]) -> Option<[u8; 32]> {
    let mut file_key = [0; 32];
    let key = cobblestone::Key::from_slice(key).ok()?;
    let opener = Opener::new(&key, context, wrapped.first_chunk()?).ok()?;
    let opened = opener.open_chunks(0, &wrapped[56..], true, &mut file_key);
    opened.is_ok().then_some(file_key)
}
