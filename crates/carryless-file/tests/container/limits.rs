//! What a header may hold, on both sides; hostile ones are refused before any work.

use core::time::Duration;
use std::time::Instant;

use carryless_file::container::{
    Argon2id, Credential, Error, Header, Lock, MAX_HEADER_LEN, MAX_PASSPHRASES, MAX_SLOTS,
    Malformed, Passphrase, create,
};

use super::crafted::{header, passphrase_slot, slot};
use super::{cheap, key, open, passphrase, seal};

fn refused(slots: &[u8]) -> Malformed {
    Header::parse(&header(slots)).expect_err("beyond the limits")
}

#[test]
fn hostile_parameters_of_argon2id_are_refused_at_once() {
    let began = Instant::now();
    let word = passphrase("word");
    for (memory_kib, passes, lanes) in [
        (u32::MAX, 1, 1),
        ((1 << 20) + 1, 1, 1),
        (1 << 10, u32::MAX, 1),
        (1 << 10, 65, 1),
        (1 << 10, 0, 1),
        (1 << 10, 1, 0),
        (1 << 10, 1, 17),
        (1 << 10, 1, 255),
        (7, 1, 1),
        (31, 1, 4),
        (0, 0, 0),
    ] {
        let slots = passphrase_slot(memory_kib, passes, lanes);
        let expected = Malformed::Argon2id {
            slot: 0,
            memory_kib,
            passes,
            lanes,
        };
        assert_eq!(refused(&slots), expected);
        let file = header(&slots);
        let (_, result) = open(&Credential::Passphrase(&word), &file[..]);
        assert!(matches!(result, Err(Error::Malformed(error)) if error == expected));
    }
    // Each alone within the limits, together beyond.
    let sum = passphrase_slot(1 << 20, 2, 1).repeat(2);
    assert!(Header::parse(&header(&sum)).is_ok());
    assert_eq!(
        refused(&passphrase_slot(1 << 20, 5, 1)),
        Malformed::Argon2idSum
    );
    let sum = [&sum[..], &passphrase_slot(8, 1, 1)].concat();
    assert_eq!(refused(&sum), Malformed::Argon2idSum);
    assert_eq!(
        refused(&passphrase_slot(8, 1, 1).repeat(5)),
        Malformed::Passphrases
    );
    assert!(
        began.elapsed() < Duration::from_secs(1),
        "some of Argon2id was done"
    );
}

#[test]
fn lengths_and_counts_beyond_the_limits_are_refused() {
    assert_eq!(refused(b""), Malformed::SlotCount);
    assert!(Header::parse(&header(&slot(9, b"").repeat(MAX_SLOTS))).is_ok());
    assert_eq!(
        refused(&slot(9, b"").repeat(MAX_SLOTS + 1)),
        Malformed::SlotCount
    );
    assert_eq!(refused(&slot(9, b"").repeat(1300)), Malformed::SlotCount);
    assert!(Header::parse(&header(&slot(9, &[0; 2048]))).is_ok());
    let wrong_length = Malformed::SlotLength { slot: 0 };
    assert_eq!(refused(&slot(9, &[0; 2049])), wrong_length);
    for len in [0, 111, 113, 129] {
        assert_eq!(refused(&slot(1, &vec![0; len])), wrong_length, "{len}");
    }
    for len in [0, 112, 128, 130] {
        assert_eq!(refused(&slot(2, &vec![0; len])), wrong_length, "{len}");
    }
    let whole = slot(1, &[0; 112]);
    for cut in 1..whole.len() {
        assert_eq!(refused(&whole[..cut]), wrong_length, "{cut}");
    }
    for rest in [&[0][..], &[9, 0], &[9, 0, 1]] {
        let slots = [&whole[..], rest].concat();
        assert_eq!(refused(&slots), Malformed::SlotLength { slot: 1 });
    }
    let slots = [&slot(9, &[0; 2045]).repeat(10)[..], b"x"].concat();
    assert_eq!(refused(&slots), Malformed::SlotsTooLong { got: 20_481 });
    let longest = header(&slot(9, &[0; 2045]).repeat(10));
    assert_eq!(longest.len(), MAX_HEADER_LEN);
    assert!(Header::parse(&longest).is_ok());
}

#[test]
fn versions_and_ciphers_to_come_are_named() {
    let good = header(&slot(1, &[0; 112]));
    for (at, number) in [(8, 0), (8, 2), (8, 255), (9, 0), (9, 3), (9, 255)] {
        let mut bytes = good.clone();
        bytes[at] = number;
        let expected = match at {
            8 => Malformed::Version { got: number },
            _ => Malformed::Cipher { got: number },
        };
        assert_eq!(Header::parse(&bytes).expect_err("unknown"), expected);
        // Before anything else of it is asked for.
        assert_eq!(Header::parse(&bytes[..28]).expect_err("unknown"), expected);
    }
}

#[test]
fn slots_of_unknown_types_are_skipped() {
    let known = slot(1, &[0; 112]);
    let slots = [slot(0, b"a"), known, slot(255, &[7; 300])].concat();
    let header = Header::parse(&header(&slots)).expect("within the limits");
    assert_eq!(header.slots().len(), 3);
    let id = Credential::Key(&key(1));
    assert!(matches!(header.unlock(&id), Err(Error::NoSlot { .. })));
}

#[test]
fn what_would_make_no_header_is_refused() {
    let (key, word) = (key(1), passphrase("word"));
    let made = |locks: &[Lock<'_>]| match create(Default::default(), locks) {
        Err(Error::Locks(reason)) => Some(reason),
        made => {
            made.expect("a header");
            None
        }
    };
    assert_eq!(made(&[]), Some(Malformed::SlotCount));
    assert_eq!(made(&[Lock::Key(&key); MAX_SLOTS]), None);
    assert_eq!(
        made(&[Lock::Key(&key); MAX_SLOTS + 1]),
        Some(Malformed::SlotCount)
    );
    let lock = Lock::Passphrase(&word, cheap());
    assert_eq!(made(&[lock; MAX_PASSPHRASES]), None);
    assert_eq!(
        made(&[lock; MAX_PASSPHRASES + 1]),
        Some(Malformed::Passphrases)
    );
    let dear = Argon2id::new(1 << 20, 3, 1).expect("within the limits");
    let dear = Lock::Passphrase(&word, dear);
    assert_eq!(made(&[dear, dear]), Some(Malformed::Argon2idSum));
}

#[test]
fn passphrases_have_a_length() {
    for len in [0, 1025, 10_000] {
        let refused = Passphrase::new(vec![b'x'; len]);
        assert!(matches!(refused, Err(Error::PassphraseLength { got }) if got == len));
    }
    for len in [1, 1024] {
        let word = Passphrase::new(vec![b'x'; len]).expect("a length");
        let sealed = seal(&[Lock::Passphrase(&word, cheap())], b"text");
        assert!(open(&Credential::Passphrase(&word), &sealed[..]).1.is_ok());
    }
}
