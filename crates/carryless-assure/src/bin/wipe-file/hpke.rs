//! Everything secret that follows from an identity and what was encapsulated for it (RFC 9180, with X25519), computed
//! apart from the crate that the library uses.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use sha2::block_api::compress256;
use x25519_dalek::{X25519_BASEPOINT_BYTES, x25519};

use crate::secrets::Secrets;

/// DHKEM(X25519, HKDF-SHA256), and with HKDF-SHA256 and no AEAD.
const KEM: &[u8] = b"KEM\0\x20";
const SUITE: &[u8] = b"HPKE\0\x20\0\x01\xff\xff";

const INITIAL: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// An identity: itself, as a scalar, as the digits by which that is multiplied, and as text.
pub(crate) fn add_identity(secrets: &mut Secrets, identity: &[u8; 32]) {
    let mut scalar = *identity;
    scalar[0] &= 248;
    scalar[31] = scalar[31] & 127 | 64;
    secrets.add("identity", identity);
    secrets.add("scalar of an identity", &scalar);
    secrets.add("digits of a scalar", &radix_16(&scalar));
    let digits: String = identity.iter().map(|byte| format!("{byte:02x}")).collect();
    secrets.add("digits of an identity", digits.as_bytes());
}

/// Digits from -8 to 7, the lowest first.
fn radix_16(scalar: &[u8; 32]) -> Vec<u8> {
    let mut carry = 0;
    let digits = scalar.iter().flat_map(|byte| [byte & 15, byte >> 4]);
    let recentered = digits.map(|digit| {
        let digit = digit + carry;
        carry = (digit + 8) >> 4;
        digit.wrapping_sub(carry << 4)
    });
    recentered.collect()
}

/// The slot key that is encapsulated; what leads there are secrets.
pub(crate) fn slot_key(
    secrets: &mut Secrets,
    identity: &[u8; 32],
    encapsulated: &[u8; 32],
    info: &[u8],
) -> [u8; 32] {
    add_identity(secrets, identity);
    let public = x25519(*identity, X25519_BASEPOINT_BYTES);
    let shared = x25519(*identity, *encapsulated);
    add_bytes(secrets, "shared point", &shared);
    let extracted = extract(KEM, &[], b"eae_prk", &shared);
    let context = [&encapsulated[..], &public].concat();
    let shared = expand(KEM, &extracted, b"shared_secret", &context);
    let (id, info) = (
        extract(SUITE, &[], b"psk_id_hash", &[]),
        extract(SUITE, &[], b"info_hash", info),
    );
    let secret = extract(SUITE, &shared, b"secret", &[]);
    let context = [&[0][..], &id, &info].concat();
    let exporter = expand(SUITE, &secret, b"exp", &context);
    for (what, key) in [
        ("key of the shared point", &extracted),
        ("shared secret of HPKE", &shared),
        ("secret of HPKE", &secret),
        ("exporter of HPKE", &exporter),
    ] {
        add_hmac_key(secrets, what, key);
    }
    expand(SUITE, &exporter, b"sec", b"slot key")
}

fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("any length");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

fn extract(suite: &[u8], salt: &[u8], label: &[u8], secret: &[u8]) -> [u8; 32] {
    hmac(salt, &[b"HPKE-v1", suite, label, secret])
}

fn expand(suite: &[u8], key: &[u8], label: &[u8], info: &[u8]) -> [u8; 32] {
    hmac(key, &[&[0, 32], b"HPKE-v1", suite, label, info, &[1]])
}

/// Bytes, and the words that SHA-256 makes of a block of them.
fn add_bytes(secrets: &mut Secrets, what: &'static str, bytes: &[u8]) {
    secrets.add(what, bytes);
    let words = bytes.as_chunks::<4>().0.iter();
    let words: Vec<u8> = words.flat_map(|word| word.iter().rev()).copied().collect();
    secrets.add(what, &words);
}

/// A key of HMAC-SHA-256: itself, its blocks, and the two states from which every hash under it starts, whose words may
/// lie in any order.
fn add_hmac_key(secrets: &mut Secrets, what: &'static str, key: &[u8; 32]) {
    add_bytes(secrets, what, key);
    for pad in [0x36, 0x5c] {
        let mut block = [pad; 64];
        block
            .iter_mut()
            .zip(key)
            .for_each(|(byte, key)| *byte ^= key);
        add_bytes(secrets, what, &block);
        let mut state = INITIAL;
        compress256(&mut state, &[block]);
        for one in state {
            for two in state.into_iter().filter(|two| *two != one) {
                let native = [one.to_ne_bytes(), two.to_ne_bytes()];
                let big = [one.to_be_bytes(), two.to_be_bytes()];
                secrets.add("state of HMAC", native.as_flattened());
                secrets.add("state of HMAC", big.as_flattened());
            }
        }
    }
}
