//! Everything secret that follows from an identity and what was encapsulated for it (RFC 9180, with X25519 or X-Wing),
//! computed apart from the crate that the library uses.

use carryless_file::recipient::{Identity, Kem};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use sha2::block_api::compress256;
use x25519_dalek::x25519;

use crate::hybrid;
use crate::secrets::Secrets;

/// DHKEM(X25519, HKDF-SHA256); what follows the number of a mechanism: HKDF-SHA256 and no AEAD.
const KEM: &[u8] = b"KEM\0\x20";
const NO_AEAD: &[u8] = b"\0\x01\xff\xff";

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

/// An identity: itself, as text, and what it makes.
pub(crate) fn add_identity(secrets: &mut Secrets, kem: Kem, identity: &[u8; 32]) {
    secrets.add("identity", identity);
    let digits: String = identity.iter().map(|byte| format!("{byte:02x}")).collect();
    secrets.add("digits of an identity", digits.as_bytes());
    match kem {
        Kem::XWing => hybrid::add_identity(secrets, identity),
        _ => add_scalar(secrets, identity),
    }
}

/// A scalar of X25519: itself, as it is multiplied, as the digits by which that is done.
pub(crate) fn add_scalar(secrets: &mut Secrets, scalar: &[u8; 32]) {
    let mut clamped = *scalar;
    clamped[0] &= 248;
    clamped[31] = clamped[31] & 127 | 64;
    secrets.add("scalar of an identity", scalar);
    secrets.add("scalar of an identity", &clamped);
    secrets.add("digits of a scalar", &radix_16(&clamped));
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

/// The slot keys that `encapsulated` may give; what leads there are secrets.
pub(crate) fn slot_keys(
    secrets: &mut Secrets,
    (kem, identity): (Kem, &[u8; 32]),
    encapsulated: &[u8],
    info: &[u8],
) -> Vec<[u8; 32]> {
    add_identity(secrets, kem, identity);
    let (number, shared) = match kem {
        Kem::XWing => {
            let shared = hybrid::shared(secrets, identity, encapsulated);
            (b"\x64\x7a", shared.to_vec())
        }
        _ => (b"\x00\x20", vec![shared(secrets, identity, encapsulated)]),
    };
    let suite = [b"HPKE", &number[..], NO_AEAD].concat();
    let slot_key = |shared: &[u8; 32]| exported(secrets, &suite, shared, info);
    shared.iter().map(slot_key).collect()
}

/// The shared secret of DHKEM.
fn shared(secrets: &mut Secrets, identity: &[u8; 32], encapsulated: &[u8]) -> [u8; 32] {
    let public = Identity::from_bytes(Kem::X25519, identity).recipient();
    let point = *encapsulated.first_chunk().expect("a point");
    let shared = x25519(*identity, point);
    add_bytes(secrets, "shared point", &shared);
    let extracted = extract(KEM, &[], b"eae_prk", &shared);
    add_hmac_key(secrets, "key of the shared point", &extracted);
    let context = [encapsulated, public.as_bytes()].concat();
    expand(KEM, &extracted, b"shared_secret", &context)
}

/// What HPKE's exporter makes of a shared secret.
fn exported(secrets: &mut Secrets, suite: &[u8], shared: &[u8; 32], info: &[u8]) -> [u8; 32] {
    let (id, info) = (
        extract(suite, &[], b"psk_id_hash", &[]),
        extract(suite, &[], b"info_hash", info),
    );
    let secret = extract(suite, shared, b"secret", &[]);
    let context = [&[0][..], &id, &info].concat();
    let exporter = expand(suite, &secret, b"exp", &context);
    for (what, key) in [
        ("shared secret of HPKE", shared),
        ("secret of HPKE", &secret),
        ("exporter of HPKE", &exporter),
    ] {
        add_hmac_key(secrets, what, key);
    }
    expand(suite, &exporter, b"sec", b"slot key")
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
