//! Errors as [`io::Error`]s: what is not authentic is invalid data, the rest is not, and each keeps what it was.

use std::io::{self, ErrorKind};

use carryless_file::cobblestone::{self, Tampering};
use carryless_file::container::{self, Malformed};
use carryless_file::gcm;

/// Its kind, with an error of this type inside.
fn kind<E>(error: E) -> ErrorKind
where
    E: core::error::Error + 'static,
    io::Error: From<E>,
{
    let said = error.to_string();
    let error = io::Error::from(error);
    let inside = error.get_ref().expect("an error inside");
    assert!(inside.is::<E>() && inside.to_string() == said, "{error:?}");
    error.kind()
}

fn full<E: From<io::Error>>() -> E {
    io::Error::from(ErrorKind::StorageFull).into()
}

#[test]
fn of_streams() {
    use cobblestone::Error;
    assert_eq!(
        kind(Error::Tampering(Tampering::Header)),
        ErrorKind::InvalidData
    );
    for error in [
        Error::TextTooLong,
        Error::Random,
        Error::KeyLength { got: 5 },
    ] {
        assert_eq!(kind(error), ErrorKind::Other);
    }
    assert_eq!(
        io::Error::from(full::<Error>()).kind(),
        ErrorKind::StorageFull
    );
}

#[test]
fn of_messages() {
    use gcm::Error;
    for error in [Error::Unauthentic, Error::Length { got: 27 }] {
        assert_eq!(kind(error), ErrorKind::InvalidData);
    }
    for error in [Error::Random, Error::KeyLength { got: 5 }] {
        assert_eq!(kind(error), ErrorKind::Other);
    }
    assert_eq!(
        io::Error::from(full::<Error>()).kind(),
        ErrorKind::StorageFull
    );
}

#[test]
fn of_segments_that_make_no_message() {
    let key = gcm::Key::from_slice(&[7; 16]).expect("a key");
    let opener = gcm::Opener::new(&key, &[1; 12]);
    let part = || opener.authenticate(0, &[0; 16]).expect("within the limits");
    for (parts, wrong) in [(vec![part()], false), (vec![part(), part()], true)] {
        let error = opener
            .verify(&parts, &[0; 16])
            .map(|_| ())
            .expect_err("no tag");
        assert_eq!(matches!(error, gcm::Error::Input(_)), wrong, "{error}");
        assert_eq!(error.is_unauthentic(), !wrong, "{error}");
    }
}

#[test]
fn of_containers() {
    use container::Error;
    for error in [
        Error::Malformed(Malformed::Magic),
        Error::NoPassphrase,
        Error::Passphrase,
        Error::Mac,
        Error::Payload,
        Error::BareStream,
    ] {
        assert_eq!(kind(error), ErrorKind::InvalidData);
    }
    for error in [
        Error::Locks(Malformed::SlotCount),
        Error::PassphraseLength { got: 0 },
        Error::Memory { memory_kib: 8 },
        Error::Threads,
    ] {
        assert_eq!(kind(error), ErrorKind::Other);
    }
    // What a stream says stands as it is.
    for (error, expected) in [
        (Error::from(Tampering::Header), ErrorKind::InvalidData),
        (cobblestone::Error::Random.into(), ErrorKind::Other),
    ] {
        let error = io::Error::from(error);
        let inside = error.get_ref().expect("an error inside");
        assert!(inside.is::<cobblestone::Error>() && error.kind() == expected);
    }
    assert_eq!(
        io::Error::from(full::<Error>()).kind(),
        ErrorKind::StorageFull
    );
}
