//! What the bytes of a file are, by `docs/format.md`, without the readers of the library.

use argon2::{Algorithm, Argon2, Params, Version};
use carryless::{Aes128Gcm, Aes256Gcm};
use carryless_file::cobblestone::{self, CHUNK_LEN, Cipher, SEALED_CHUNK_LEN};
use carryless_file::container::{Header, KeyId, Slot, is_container};
use carryless_file::gcm;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha512};

use crate::case::{Case, Format};
use crate::secret::Secret;

const MAGIC: &[u8] = b"\x93CLESS\r\n";
const WRAPPED: usize = 104;

fn hmac(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = Hmac::<Sha512>::new_from_slice(key).expect("a key of any length");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().to_vec()
}

/// HKDF-Expand, two turns.
fn expand(key: &[u8], info: &[u8]) -> Vec<u8> {
    let first = hmac(key, &[info, &[1]]);
    let second = hmac(key, &[&first, info, &[2]]);
    [first, second].concat()
}

/// Opens one piece of AES-GCM, with its tag behind it.
fn gcm_open(key: &[u8], nonce: &[u8], sealed: &[u8]) -> Vec<u8> {
    let (ciphertext, tag) = sealed.split_at(sealed.len() - 16);
    let mut text = vec![0; ciphertext.len()];
    let opened = if key.len() == 16 {
        let key = Aes128Gcm::from_slice(key).expect("its length");
        key.open_into(nonce, b"", ciphertext, &mut text, tag)
    } else {
        let key = Aes256Gcm::from_slice(key).expect("its length");
        key.open_into(nonce, b"", ciphertext, &mut text, tag)
    };
    opened.expect("authentic");
    text
}

/// Opens a stream of chunked encryption.
fn stream_open(key: &[u8], context: &[u8], stream: &[u8]) -> Vec<u8> {
    let (header, body) = stream.split_at(56);
    let aead: &[u8] = if key.len() == 16 {
        b"AEAD_AES_128_GCM"
    } else {
        b"AEAD_AES_256_GCM"
    };
    let label = b"c2sp.org/chunked-encryption@v1+";
    let derived = expand(key, &[label, aead, &[0], &header[..24], context].concat());
    let (chunk_key, rest) = derived.split_at(key.len());
    assert_eq!(header[24..], rest[12..44], "the commitment");
    let open = |(index, chunk): (usize, &[u8])| {
        let mut nonce = rest[..12].to_vec();
        for (byte, count) in nonce[4..].iter_mut().zip((index as u64).to_be_bytes()) {
            *byte ^= count;
        }
        gcm_open(chunk_key, &nonce, chunk)
    };
    let chunks = body.chunks(SEALED_CHUNK_LEN).enumerate();
    chunks.map(open).collect::<Vec<_>>().concat()
}

/// What is sealed is what the format says, and holds the text.
pub(crate) fn check(case: &Case, sealed: &[u8]) {
    let text_len = case.text.len() as u64;
    assert_eq!(sealed.len(), case.sealed_len(case.text.len()), "the length");
    assert_eq!(is_container(sealed), case.format == Format::Container);
    let text = match case.format {
        Format::Message => {
            assert_eq!(gcm::text_len(sealed.len() as u64).ok(), Some(text_len));
            gcm_open(case.secrets[0].bytes(), &sealed[..12], &sealed[12..])
        }
        Format::Stream => {
            assert_eq!(cobblestone::sealed_len(text_len), Some(sealed.len() as u64));
            assert_eq!(
                cobblestone::plaintext_len(sealed.len() as u64),
                Ok(text_len)
            );
            stream_open(case.secrets[0].bytes(), &case.context, sealed)
        }
        Format::Container => container_open(case, sealed),
    };
    assert!(text == case.text, "another text");
}

/// Every slot holds the same file key, and that opens the payload.
fn container_open(case: &Case, sealed: &[u8]) -> Vec<u8> {
    let (header, payload) = sealed.split_at(case.header_len());
    let (covered, mac) = header.split_at(header.len() - 32);
    let (prefix, slots) = covered.split_at(26);
    let cipher = if case.cipher == Cipher::Cobblestone128 {
        1
    } else {
        2
    };
    assert_eq!(prefix[..10], [MAGIC, &[1, cipher]].concat(), "the prefix");
    assert_eq!(
        usize::from(u16::from_be_bytes([slots[0], slots[1]])),
        slots.len() - 2
    );
    let file_key = file_key(case, sealed);
    assert_eq!(mac_of(&file_key, covered), mac, "the MAC");
    header_says(case, sealed, header);
    let label = b"carryless container v1 payload";
    let key = expand(&file_key, &[label, prefix].concat());
    stream_open(
        &key[..case.cipher.key_len()],
        &Sha512::digest(prefix),
        payload,
    )
}

/// The slots of a container that has those of the case and no others.
pub(crate) fn slots<'a>(case: &Case, sealed: &'a [u8]) -> Vec<&'a [u8]> {
    let mut rest = &sealed[28..case.header_len() - 32];
    let mut slots = Vec::new();
    for secret in &case.secrets {
        let (slot, more) = rest.split_at(secret.slot_len());
        slots.push(slot);
        rest = more;
    }
    assert!(rest.is_empty(), "more slots");
    slots
}

/// What all slots hold.
pub(crate) fn file_key(case: &Case, sealed: &[u8]) -> Vec<u8> {
    let slots = case.secrets.iter().zip(slots(case, sealed));
    let mut keys: Vec<_> = slots
        .map(|(secret, slot)| unwrap(secret, &sealed[..26], slot))
        .collect();
    keys.dedup();
    assert_eq!(keys.len(), 1, "file keys");
    keys.remove(0)
}

/// Of all of a header but its end.
pub(crate) fn mac_of(file_key: &[u8], covered: &[u8]) -> Vec<u8> {
    let key = expand(
        file_key,
        &[b"carryless container v1 mac", &covered[..26]].concat(),
    );
    hmac(&key[..64], &[covered])[..32].to_vec()
}

/// The file key in a slot.
fn unwrap(secret: &Secret, prefix: &[u8], slot: &[u8]) -> Vec<u8> {
    let (head, wrapped) = slot.split_at(slot.len() - WRAPPED);
    let context = [b"carryless container v1 slot", prefix, head].concat();
    let key = match secret {
        Secret::Key(key) => {
            let len = u8::try_from(key.as_bytes().len()).expect("short");
            let id = expand(
                key.as_bytes(),
                &[&b"carryless key id v1"[..], &[len]].concat(),
            );
            assert_eq!(*head, [&[1, 0, 112], &id[..8]].concat(), "a slot for a key");
            key.as_bytes().to_vec()
        }
        Secret::Words(_, cost, words) => {
            let (memory, passes) = (cost.memory_kib(), cost.passes());
            let parameters = [memory.to_be_bytes(), passes.to_be_bytes()].concat();
            let expected = [&[2, 0, 129], &parameters[..], &[cost.lanes()]].concat();
            assert_eq!(head[..12], expected, "a slot for a passphrase");
            let params = Params::new(memory, passes, cost.lanes().into(), Some(32));
            let params = params.expect("within the limits");
            let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
            let mut key = vec![0; 32];
            let hashed = argon2.hash_password_into(words, &head[12..], &mut key);
            hashed.expect("within the limits");
            key
        }
    };
    stream_open(&key, &context, wrapped)
}

/// What can be seen without a key.
fn header_says(case: &Case, sealed: &[u8], bytes: &[u8]) {
    let mut rest = sealed;
    let read = Header::read(&mut rest).expect("a header");
    assert_eq!(rest.len(), sealed.len() - bytes.len(), "not a byte more");
    let slot = |secret: &Secret| match secret {
        Secret::Key(key) => Slot::Key { id: KeyId::of(key) },
        Secret::Words(_, cost, _) => Slot::Passphrase { cost: *cost },
    };
    for header in [read, Header::parse(sealed).expect("a header")] {
        assert_eq!(header.as_bytes(), bytes);
        assert_eq!(header.cipher(), case.cipher);
        assert_eq!(header.file_id(), bytes[10..26]);
        assert!(
            header.slots().eq(case.secrets.iter().map(slot)),
            "{header:?}"
        );
    }
}

/// What was drawn for the slots of a container.
pub(crate) fn salts<'a>(case: &Case, sealed: &'a [u8]) -> Vec<&'a [u8]> {
    let mut salts = Vec::new();
    for (secret, slot) in case.secrets.iter().zip(slots(case, sealed)) {
        let (head, wrapped) = slot.split_at(slot.len() - WRAPPED);
        salts.push(&wrapped[..24]);
        if !secret.is_key() {
            salts.push(&head[12..]);
        }
    }
    salts
}

/// Of two files all that is drawn differs.
pub(crate) fn have_nothing_in_common(case: &Case, files: [&[u8]; 2]) {
    let mut drawn = Vec::new();
    for file in files {
        let first = case.header_len();
        drawn.push(
            &file[first
                ..first
                    + if case.format == Format::Message {
                        12
                    } else {
                        24
                    }],
        );
        if case.format == Format::Container {
            drawn.push(&file[10..26]);
            drawn.extend(salts(case, file));
        }
    }
    all_differ(drawn);
    if case.text.len() >= CHUNK_LEN {
        let [one, two] = files.map(|file| &file[case.body_at()..][..16]);
        assert!(one != two, "two texts begin alike");
    }
}

pub(crate) fn all_differ(mut values: Vec<&[u8]>) {
    let count = values.len();
    values.sort_unstable();
    values.dedup();
    assert_eq!(values.len(), count, "a value was drawn twice");
}
