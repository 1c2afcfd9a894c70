//! Vectors that the independent reader made, and streams from before there was a container.

use carryless_file::cobblestone::{self, Key, OpenReader, Tampering};
use carryless_file::container::{Credential, Error, Malformed, Passphrase};
use carryless_file::recipient::{Identity, Kem, Recipient};
use std::io::Read;

use super::{open, text};

/// The word of `vectors/container.py` for an error.
pub(crate) fn word(error: &Error) -> &'static str {
    match error {
        Error::Malformed(reason) => match reason {
            Malformed::Magic => "magic",
            Malformed::TooShort { .. } => "short",
            Malformed::Version { .. } => "version",
            Malformed::Cipher { .. } => "cipher",
            Malformed::SlotsTooLong { .. } | Malformed::SlotLength { .. } => "length",
            Malformed::SlotCount => "count",
            Malformed::Passphrases | Malformed::Argon2id { .. } | Malformed::Argon2idSum => {
                "argon2id"
            }
            other => panic!("a reason without a word: {other}"),
        },
        Error::NoSlot { .. } | Error::NoPassphrase | Error::NoRecipient { .. } => "no-slot",
        Error::Passphrase | Error::Identity | Error::Slot { .. } => "slot",
        Error::Mac => "mac",
        Error::Payload => "payload",
        Error::BareStream
        | Error::Stream(cobblestone::Error::Tampering(
            Tampering::Header | Tampering::TooShort { .. },
        )) => "stream",
        Error::Stream(cobblestone::Error::Tampering(_)) => "chunk",
        other => panic!("an error without a word: {other}"),
    }
}

/// What `vectors/container.py` calls a credential.
pub(crate) enum Holder {
    Key(Key),
    Passphrase(Passphrase),
    Identity(Identity, Recipient),
}

impl Holder {
    pub(crate) fn new(written: &str) -> Self {
        let (kind, secret) = written.split_once(':').expect("a kind");
        let secret = bytes(secret);
        match kind {
            "key" => Self::Key(Key::from_slice(&secret).expect("a key length")),
            "passphrase" => Self::Passphrase(Passphrase::new(secret).expect("a length")),
            name => {
                let kem = Kem::ALL.into_iter().find(|kem| kem.name() == name);
                let secret = secret.first_chunk().expect("a length");
                let identity = Identity::from_bytes(kem.expect("a kind"), secret);
                let recipient = identity.recipient();
                Self::Identity(identity, recipient)
            }
        }
    }

    pub(crate) fn credential(&self) -> Credential<'_> {
        match self {
            Self::Key(key) => Credential::Key(key),
            Self::Passphrase(passphrase) => Credential::Passphrase(passphrase),
            Self::Identity(identity, _) => Credential::Identity(identity),
        }
    }
}

pub(crate) fn bytes(written: &str) -> Vec<u8> {
    hex::decode(written.trim_matches('-')).expect("hexadecimal")
}

/// The lines of a file of vectors, in fields.
fn lines(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the vectors");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| line.split(' ').map(String::from).collect())
        .collect()
}

#[test]
fn every_vector_of_the_independent_reader_has_its_result() {
    let vectors = lines("container.txt");
    assert_eq!(vectors.len(), 131);
    for vector in vectors {
        let [name, result, holder, text_len, file] = &vector[..] else {
            panic!("fields of {vector:?}");
        };
        let (opened, found) = open(&Holder::new(holder).credential(), &bytes(file)[..]);
        let found = found.as_ref().map_or_else(word, |()| "ok");
        assert_eq!(found, result, "{name}");
        assert!(
            opened == text(text_len.parse().expect("a number")),
            "{name}"
        );
    }
}

/// Also as containers that happen to be bare streams, where there is no context.
#[test]
fn streams_sealed_before_there_was_a_container_open() {
    let vectors = lines("stream_kept.txt");
    assert_eq!(vectors.len(), 4);
    for vector in vectors {
        let [name, key, context, text_len, stream] = &vector[..] else {
            panic!("fields of {vector:?}");
        };
        let key = Key::from_slice(&bytes(key)).expect("a key length");
        let (context, stream) = (bytes(context), bytes(stream));
        let expected = text(text_len.parse().expect("a number"));
        let mut opened = Vec::new();
        OpenReader::new(&key, &context, &stream[..])
            .expect("its header")
            .read_to_end(&mut opened)
            .expect("authentic");
        assert!(opened == expected, "{name}");
        let (opened, result) = open(&Credential::Key(&key), &stream[..]);
        assert_eq!(result.is_ok(), context.is_empty(), "{name}");
        assert!(opened == expected || !context.is_empty(), "{name}");
    }
}
