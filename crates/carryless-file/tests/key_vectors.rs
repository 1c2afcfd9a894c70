//! `vectors/keys.txt`: streams, key files, recipients, bytes of keys, and slots of type 0, as the independent reader has them.

#[path = "key_vectors/lines.rs"]
mod lines;

use std::io::Read;

use carryless_file::cobblestone::{Key, OpenReader};
use carryless_file::container::{Credential, Error, Header, Passphrase, Slot, reader};
use carryless_file::key_file::{
    KeyFileError, check_raw, is_protected, parse, parse_gcm, parse_identity, unprotect,
};
use carryless_file::recipient::{Recipient, RecipientError};

use lines::lines;

fn bytes(written: &str) -> Vec<u8> {
    hex::decode(written.trim_matches('-')).expect("hexadecimal")
}

fn text(len: &str) -> Vec<u8> {
    let len: usize = len.parse().expect("a number");
    (0..len)
        .map(|i| (7 * i + i / 251).to_le_bytes()[0])
        .collect()
}

/// The word of `vectors/keys.py` for a refusal of a key file.
fn word(error: KeyFileError) -> &'static str {
    match error {
        KeyFileError::Length { .. } | KeyFileError::RawLength { .. } => "length",
        KeyFileError::Raw => "raw",
        KeyFileError::BareHex => "hex",
        KeyFileError::Printable => "text",
        KeyFileError::Equal => "equal",
        KeyFileError::Line { .. } => "line",
        KeyFileError::Name { .. } => "name",
        KeyFileError::Missing { .. } => "missing",
        KeyFileError::Version => "version",
        KeyFileError::Kind { .. } => "kind",
        KeyFileError::Key => "key",
        KeyFileError::Checksum => "checksum",
        other => panic!("an error without a word: {other}"),
    }
}

/// What a key file of a kind is: a word, and the key in hexadecimal.
fn read(content: &[u8], kind: &str) -> (&'static str, String) {
    let key = match kind {
        "file" => parse(content).map(|key| hex::encode(key.as_bytes())),
        "gcm" => parse_gcm(content).map(|key| hex::encode(key.as_bytes())),
        _ => parse_identity(content).map(|identity| {
            assert_eq!(identity.kem().name(), kind);
            hex::encode(identity.as_bytes())
        }),
    };
    key.map_or_else(|error| (word(error), "-".into()), |key| ("ok", key))
}

#[test]
fn streams_open() {
    for fields in lines("stream", 4) {
        let [name, result, key, context, text_len, stream] = &fields[..] else {
            panic!("{fields:?}");
        };
        let key = Key::from_slice(&bytes(key)).expect("a key length");
        let (context, stream) = (bytes(context), bytes(stream));
        let mut opened = Vec::new();
        let mut reader = OpenReader::new(&key, &context, &stream[..]).expect("its header");
        reader.read_to_end(&mut opened).expect("authentic");
        assert!(opened == text(text_len) && result == "ok", "{name}");
    }
}

#[test]
fn text_key_files_have_their_result() {
    for fields in lines("text", 31) {
        let [name, result, key, kind, file] = &fields[..] else {
            panic!("{fields:?}");
        };
        let found = read(&bytes(file), kind);
        assert_eq!(found, (result.as_str(), key.clone()), "{name}");
    }
}

#[test]
fn key_files_under_a_passphrase_have_their_result() {
    for fields in lines("protected", 9) {
        let [name, result, key, kind, passphrase, file] = &fields[..] else {
            panic!("{fields:?}");
        };
        let passphrase = Passphrase::new(bytes(passphrase)).expect("a length");
        let file = bytes(file);
        assert!(is_protected(&file), "{name}");
        let found = match unprotect(&file, &passphrase) {
            Ok(text) => read(&text, kind),
            Err(Error::Passphrase) => ("slot", "-".into()),
            Err(Error::NoPassphrase) => ("no-slot", "-".into()),
            Err(Error::Mac) => ("mac", "-".into()),
            Err(Error::Stream(_)) => ("chunk", "-".into()),
            Err(other) => panic!("{name}: {other}"),
        };
        assert_eq!(found, (result.as_str(), key.clone()), "{name}");
    }
}

#[test]
fn bytes_of_keys_are_told_from_what_was_typed() {
    for fields in lines("raw", 14) {
        let [name, result, file] = &fields[..] else {
            panic!("{fields:?}");
        };
        let found = check_raw(&bytes(file)).map_or_else(word, |()| "ok");
        assert_eq!(found, result, "{name}");
    }
}

#[test]
fn recipients_as_text_have_their_result() {
    for fields in lines("recipient", 29) {
        let [name, result, kind, key, text] = &fields[..] else {
            panic!("{fields:?}");
        };
        let nothing = |word: &str| [word, "-", "-"].map(String::from);
        let found = match text.parse::<Recipient>() {
            Ok(recipient) => {
                let kind = recipient.kem().name().into();
                ["ok".into(), kind, hex::encode(recipient.as_bytes())]
            }
            Err(RecipientError::Text) => nothing("text"),
            Err(RecipientError::Checksum) => nothing("checksum"),
            Err(RecipientError::Length { .. }) => nothing("length"),
            Err(RecipientError::Key) => nothing("key"),
            Err(error) => panic!("an error without a word: {error}"),
        };
        let expected = [result, kind, key].map(String::clone);
        assert_eq!(found, expected, "{name}");
    }
}

/// It is one of those that nobody knows.
#[test]
fn slots_of_type_0_are_skipped() {
    let mut count = 0;
    for fields in lines("several", 10) {
        let [name, result, holder, text_len, file] = &fields[..] else {
            panic!("{fields:?}");
        };
        if !name.starts_with("type-0") {
            continue;
        }
        let file = bytes(file);
        let header = Header::parse(&file).expect("a header");
        let zero = Slot::Unknown { number: 0 };
        assert!(header.slots().any(|slot| slot == zero), "{name}");
        let (kind, secret) = holder.split_once(':').expect("a kind");
        let (key, passphrase);
        let credential = if kind == "key" {
            key = Key::from_slice(&bytes(secret)).expect("a key length");
            Credential::Key(&key)
        } else {
            passphrase = Passphrase::new(bytes(secret)).expect("a length");
            Credential::Passphrase(&passphrase)
        };
        let mut opened = Vec::new();
        match reader(&credential, &file[..]) {
            Ok(mut reader) => drop(reader.read_to_end(&mut opened).expect("authentic")),
            Err(error) => assert!(matches!(error, Error::NoSlot { .. }), "{name}: {error}"),
        }
        let opens = result == "ok";
        assert_eq!(
            (opened, opens),
            (text(text_len), name != "type-0-alone"),
            "{name}"
        );
        count += 1;
    }
    assert_eq!(count, 3);
}
