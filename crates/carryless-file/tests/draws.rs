//! U7: everything that the formats draw is random in each of its bits, and every draw there is has its test.

#[path = "../../carryless/tests/harness/draws.rs"]
mod draws;
#[path = "draws/known.rs"]
mod known;
#[path = "draws/sources.rs"]
mod sources;
#[cfg(target_os = "linux")]
#[path = "draws/system.rs"]
mod system;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "shared with other crates")]
#[path = "../../carryless/tests/harness/traced.rs"]
mod traced;

use std::collections::{BTreeMap, BTreeSet};

use carryless_file::cobblestone::{Cipher, Key, Sealer};
use carryless_file::container::{
    Argon2id, Credential, FILE_ID_LEN, Header, Lock, PREFIX_LEN, Passphrase, create,
};
use carryless_file::gcm;
use carryless_file::recipient::{Identity, Kem, Recipient};

use draws::{DRAWS, drawn, look_drawn, never_twice};

/// Prints what was drawn; fails if it does not look so.
fn expect(what: &str, result: Result<usize, String>) {
    let count = result.unwrap_or_else(|error| panic!("{what}: {error}"));
    println!("U7 {what}: {count} values");
}

fn key(cipher: Cipher) -> Vec<u8> {
    let key = Key::generate(cipher).expect("random bytes");
    key.as_bytes().to_vec()
}

fn gcm_key(len: usize) -> Vec<u8> {
    let key = gcm::Key::generate(len).expect("random bytes");
    key.as_bytes().to_vec()
}

#[test]
fn u7_every_bit_of_a_key_is_drawn() {
    for cipher in [Cipher::Cobblestone128, Cipher::Cobblestone256] {
        let key = || key(cipher);
        expect(&format!("keys of {}", cipher.name()), drawn(key));
        expect(
            &format!("keys of {}, many", cipher.name()),
            never_twice(key),
        );
    }
    for len in [16, 32] {
        let key = || gcm_key(len);
        expect(&format!("gcm keys of {len} bytes"), drawn(key));
        expect(&format!("gcm keys of {len} bytes, many"), never_twice(key));
    }
}

/// Keys of all kinds and salts, each behind each other kind: no 8 bytes of one are in another.
#[test]
fn u7_keys_of_all_kinds_have_nothing_in_common() {
    let draw = |kind| match kind {
        0 => key(Cipher::Cobblestone128),
        1 => key(Cipher::Cobblestone256),
        2 => gcm_key(16),
        3 => gcm_key(32),
        _ => {
            let key = Key::from_slice(&[5; 16]).expect("a key length");
            let sealer = Sealer::new(&key, b"").expect("random bytes");
            sealer.header()[..24].to_vec()
        }
    };
    let mut parts = BTreeSet::new();
    for first in 0..5 {
        for second in 0..5 {
            for kind in [first, second, first, second] {
                for part in draw(kind).chunks_exact(8) {
                    assert!(
                        parts.insert(part.to_vec()),
                        "kind {kind}, {first} and {second} in turns"
                    );
                }
            }
        }
    }
    println!("U7 keys and salts in turns: {} parts", parts.len());
}

#[test]
fn u7_every_bit_of_a_salt_is_drawn_and_all_of_the_stream_follows_it() {
    for (cipher, key) in [
        (Cipher::Cobblestone128, &[5; 16][..]),
        (Cipher::Cobblestone256, &[5; 32]),
    ] {
        let key = Key::from_slice(key).expect("a key length");
        let stream = || {
            let sealer = Sealer::new(&key, b"context").expect("random bytes");
            let mut sealed = vec![0; 40 + 16];
            sealer
                .seal_chunks(0, &[7; 40], true, &mut sealed)
                .expect("one chunk");
            [&sealer.header()[..], &sealed].concat()
        };
        // Salt, commitment, ciphertext and tag of one text under one key.
        let streams = Vec::from_iter((0..DRAWS).map(|_| stream()));
        for (what, at) in [
            ("salts", 0..24),
            ("commitments", 24..56),
            ("texts", 56..96),
            ("tags", 96..112),
        ] {
            let parts = Vec::from_iter(streams.iter().map(|stream| stream[at.clone()].to_vec()));
            expect(&format!("{what} of {}", cipher.name()), look_drawn(&parts));
        }
    }
}

#[test]
fn u7_every_bit_of_a_gcm_nonce_is_drawn() {
    for len in [16, 32] {
        let key = gcm::Key::from_slice(&[5; 32][..len]).expect("a key length");
        let mut texts = Vec::new();
        expect(
            &format!("gcm nonces, many, keys of {len} bytes"),
            never_twice(|| {
                let sealer = gcm::Sealer::new(&key).expect("random bytes");
                sealer.nonce().to_vec()
            }),
        );
        expect(
            &format!("gcm nonces, keys of {len} bytes"),
            drawn(|| {
                let sealer = gcm::Sealer::new(&key).expect("random bytes");
                let mut text = vec![7; 32];
                sealer.seal(0, &mut text).expect("within the limits");
                texts.push(text);
                sealer.nonce().to_vec()
            }),
        );
        expect(
            &format!("texts under gcm nonces, keys of {len} bytes"),
            look_drawn(&texts),
        );
    }
}

/// What is drawn for a header, by what it is; those of slots are where docs/format.md says.
fn drawn_in(header: &Header, into: &mut BTreeMap<String, Vec<Vec<u8>>>) {
    let bytes = header.as_bytes();
    let mut all = Vec::new();
    let mut add = |names: &[String], at: usize, len: usize| {
        let value = &bytes[at..at + len];
        all.extend(value);
        for name in names {
            into.entry(name.clone()).or_default().push(value.to_vec());
        }
    };
    add(&["file ids".into()], PREFIX_LEN - FILE_ID_LEN, FILE_ID_LEN);
    let mut at = PREFIX_LEN + 2;
    for slot in 0..header.slots().len() {
        let (kind, body) = (bytes[at], at + 3);
        let of_each = |what: &str| {
            [
                format!("{what} of slot {slot}"),
                format!("{what} of all slots"),
            ]
        };
        // Type 1: key id, then the wrapped file key; type 2: cost and salt before it.
        let wrapped = body + if kind == 1 { 8 } else { 9 + 16 };
        if kind == 2 {
            add(&of_each("Argon2id salts"), body + 9, 16);
        }
        add(&of_each("stream salts"), wrapped, 24);
        add(&of_each("wrapped file keys"), wrapped + 56, 48);
        at = wrapped + 104;
    }
    // Nothing drawn is a part of something else.
    into.entry("all of a header together".into())
        .or_default()
        .push(all);
}

/// Two keys and two passphrases.
struct Secrets {
    one: Key,
    two: Key,
    first: Passphrase,
    second: Passphrase,
}

impl Secrets {
    fn some() -> Self {
        let key = |byte: u8, len| Key::from_slice(&vec![byte; len]).expect("a key length");
        let word = |word: &[u8]| Passphrase::new(word.to_vec()).expect("a length");
        Self {
            one: key(1, 16),
            two: key(2, 32),
            first: word(b"first"),
            second: word(b"second"),
        }
    }

    fn locks(&self) -> [Lock<'_>; 4] {
        let cost = Argon2id::new(8, 1, 1).expect("within the limits");
        [
            Lock::Key(&self.one),
            Lock::Passphrase(&self.first, cost),
            Lock::Key(&self.two),
            Lock::Passphrase(&self.second, cost),
        ]
    }
}

#[test]
fn u7_every_bit_of_ids_and_salts_of_a_container_is_drawn_for_each_slot() {
    let secrets = Secrets::some();
    let locks = secrets.locks();
    let mut values = BTreeMap::new();
    let mut rekeyed = BTreeMap::new();
    for _ in 0..DRAWS {
        let (header, sealer) = create(Cipher::Cobblestone128, &locks).expect("a header");
        drawn_in(&header, &mut values);
        let salt = sealer.header()[..24].to_vec();
        values.entry("payload salts".into()).or_default().push(salt);
        // The file, and so its id, stays what it is.
        let unlocked = header
            .unlock(&Credential::Key(&secrets.one))
            .expect("its key");
        let new = unlocked.rekey(&locks[2..]).expect("a header");
        assert_eq!(new.file_id(), header.file_id());
        drawn_in(&new, &mut rekeyed);
    }
    for (values, when) in [(values, "a new file"), (rekeyed, "rekeying")] {
        for (what, values) in values {
            expect(&format!("{what}, {when}"), look_drawn(&values));
        }
    }
}

#[test]
fn u7_every_bit_of_an_identity_is_drawn() {
    for kem in Kem::ALL {
        let identity = || {
            let identity = Identity::generate(kem).expect("random bytes");
            identity.as_bytes().to_vec()
        };
        expect(&format!("identities of {kem}"), drawn(identity));
        expect(&format!("identities of {kem}, many"), never_twice(identity));
    }
}

#[test]
fn u7_every_bit_of_what_is_sent_to_a_recipient_is_drawn() {
    for kem in Kem::ALL {
        let recipient = Identity::from_bytes(kem, &[5; 32]).recipient();
        let slot = |recipient: &Recipient| {
            let locks = [Lock::Recipient(recipient)];
            let (header, _) = create(Cipher::Cobblestone128, &locks).expect("a header");
            header.as_bytes()[PREFIX_LEN + 2..header.as_bytes().len() - 32].to_vec()
        };
        let slots = Vec::from_iter((0..DRAWS).map(|_| slot(&recipient)));
        let wrapped = slots[0].len() - 104;
        for (what, at) in [
            // The last byte of a coordinate has a bit that is always zero.
            ("encapsulated keys", wrapped - 32..wrapped - 1),
            ("stream salts", wrapped..wrapped + 24),
            ("wrapped file keys", wrapped + 56..wrapped + 104),
        ] {
            let parts = Vec::from_iter(slots.iter().map(|slot| slot[at.clone()].to_vec()));
            expect(&format!("{what} for {kem}"), look_drawn(&parts));
        }
    }
}
