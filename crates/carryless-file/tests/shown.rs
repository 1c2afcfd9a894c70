//! What values show of themselves: their type and what is public, and nothing of keys and texts.

use std::io::{BufRead, Cursor, Write};

use carryless_file::cobblestone::{Cipher, Key, OpenReader, SealWriter, SeekReader};
use carryless_file::container::{self, Credential, Lock, Passphrase};
use carryless_file::recipient::{Identity, Kem};
use carryless_file::{cobblestone, gcm, key_file};

/// Shown in full, it begins as wanted and holds none of the secret's bytes as digits.
fn assert_shown(shown: &str, wanted: &str) {
    assert!(shown.starts_with(wanted), "{shown}");
    for secret in ["5a5a", "90, 90", "0x5a", "ZZ", "secret"] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

fn key() -> Key {
    Key::from_slice(&[0x5a; 16]).expect("a key length")
}

#[test]
fn streams_and_their_keys_show_their_types() {
    let key = key();
    assert_shown(&format!("{key:?}"), "Key { cipher: Cobblestone128");
    assert_eq!(Cipher::Cobblestone128.to_string(), "Cobblestone-128");
    assert_eq!(
        format!("{:>16}", Cipher::Cobblestone256),
        " Cobblestone-256"
    );
    let mut writer = SealWriter::new(&key, b"", Vec::new()).expect("random bytes");
    writer.write_all(b"a secret text").expect("a vector");
    assert_shown(&format!("{writer:?}"), "SealWriter {");
    let sealed = writer.finish().expect("a vector");
    let header = sealed.first_chunk().expect("a header");
    let sealer = cobblestone::Sealer::new(&key, b"").expect("random bytes");
    assert_shown(&format!("{sealer:?}"), "Sealer {");
    let opener = cobblestone::Opener::new(&key, b"", header).expect("its header");
    assert_shown(&format!("{opener:?}"), "Opener {");
    let mut reader = OpenReader::new(&key, b"", &sealed[..]).expect("its header");
    assert_eq!(reader.fill_buf().expect("authentic"), b"a secret text");
    assert_shown(&format!("{reader:?}"), "OpenReader {");
    let mut text = Vec::new();
    let len = reader.read_until(b' ', &mut text).expect("authentic");
    assert_eq!((len, &text[..]), (2, &b"a "[..]));
    let reader = SeekReader::new(&key, b"", Cursor::new(sealed)).expect("authentic");
    assert_shown(&format!("{reader:?}"), "SeekReader {");
}

#[test]
fn messages_and_their_keys_show_their_types() {
    for (len, cipher) in [(16, "AES-128-GCM"), (32, "AES-256-GCM")] {
        let key = gcm::Key::from_slice(&[0x5a; 32][..len]).expect("a key length");
        assert_shown(&format!("{key:?}"), "Key {");
        let text = key_file::format_gcm(&key);
        assert!(text.contains(cipher), "what the file says of its key");
        let sealer = gcm::Sealer::new(&key).expect("random bytes");
        assert_shown(&format!("{sealer:?}"), "Sealer {");
        let opener = gcm::Opener::new(&key, sealer.nonce());
        assert_shown(&format!("{opener:?}"), "Opener {");
        let tag = sealer.finish(&[]).expect("no segments");
        let verified = opener.verify(&[], &tag).expect("authentic");
        assert_shown(&format!("{verified:?}"), "Verified");
        let writer = gcm::SealWriter::new(&key, Vec::new()).expect("random bytes");
        assert_shown(&format!("{writer:?}"), "SealWriter {");
    }
    for (len, cipher) in [(16, "Cobblestone-128"), (32, "Cobblestone-256")] {
        let key = Key::from_slice(&[0x5a; 32][..len]).expect("a key length");
        assert!(key_file::format(&key).contains(cipher));
    }
}

#[test]
fn containers_show_their_slots() {
    let (key, word) = (
        key(),
        Passphrase::new(b"secret".to_vec()).expect("a length"),
    );
    assert_shown(&format!("{word:?}"), "Passphrase {");
    let locks = [Lock::Key(&key)];
    let (header, _) = container::create(Cipher::Cobblestone128, &locks).expect("a header");
    let unlocked = header.unlock(&Credential::Key(&key)).expect("its key");
    assert_shown(&format!("{unlocked:?}"), "Unlocked {");
    assert_shown(&format!("{:?}", Lock::Key(&key)), "Key(Key {");
    let id = container::KeyId::of(&key);
    assert_eq!(format!("{id:?}"), format!("KeyId({id})"));
    assert_eq!(id.to_string().len(), 16);
}

#[test]
fn identities_show_their_kind_and_recipients_their_text() {
    for kem in Kem::ALL {
        let identity = Identity::from_bytes(kem, &[0x5a; 32]);
        assert_shown(&format!("{identity:?}"), "Identity { kem: ");
        let credential = Credential::Identity(&identity);
        assert_shown(&format!("{credential:?}"), "Identity(Identity {");
        let recipient = identity.recipient();
        let shown = format!("Recipient({recipient})");
        assert_eq!(format!("{recipient:?}"), shown);
        assert!(key_file::format_identity(&identity).contains(&recipient.to_string()));
    }
}
