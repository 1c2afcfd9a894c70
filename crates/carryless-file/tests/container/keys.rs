//! Slots: any of the keys opens, no other does, and new slots leave the payload as it is.

use carryless_file::cobblestone::{self, HEADER_LEN, Key, SealWriter, Sealer, Tampering};
use carryless_file::container::{Credential, Error, Header, KeyId, Lock, Passphrase, Slot};
use std::io::Write;

use super::crafted::{header, slot};
use super::{assert_refused, cheap, key, open, passphrase, seal, text};

#[test]
fn any_of_several_keys_and_passphrases_opens_and_no_other() {
    let (one, two) = (key(1), Key::from_slice(&[2; 32]).expect("a key length"));
    let (first, second) = (passphrase("first"), passphrase("second\n"));
    let sealed = seal(
        &[
            Lock::Passphrase(&first, cheap()),
            Lock::Key(&one),
            Lock::Passphrase(&second, cheap()),
            Lock::Key(&two),
        ],
        b"text",
    );
    for credential in [
        Credential::Key(&one),
        Credential::Key(&two),
        Credential::Passphrase(&first),
        Credential::Passphrase(&second),
    ] {
        let (opened, result) = open(&credential, &sealed[..]);
        assert!(result.is_ok() && opened == b"text", "{credential:?}");
    }
    for other in [key(3), Key::from_slice(&[1; 32]).expect("a key length")] {
        let id = KeyId::of(&other);
        let (_, result) = open(&Credential::Key(&other), &sealed[..]);
        assert!(matches!(result, Err(Error::NoSlot { id: named }) if named == id));
    }
    for other in ["second", "First", "first "] {
        assert_refused!(
            open(&Credential::Passphrase(&passphrase(other)), &sealed[..]),
            Error::Passphrase,
            "{other}"
        );
    }
}

#[test]
fn each_of_as_many_slots_as_there_can_be_opens_its_file() {
    let keys: Vec<_> = (1..=16).map(key).collect();
    let words = ["one", "two", "three", "four"].map(passphrase);
    let mut locks: Vec<_> = keys.iter().map(Lock::Key).collect();
    // The last four, and with them the first of another file.
    for (lock, word) in locks[12..].iter_mut().zip(&words) {
        *lock = Lock::Passphrase(word, cheap());
    }
    for turned in [0, 12] {
        locks.rotate_left(turned);
        let sealed = seal(&locks, b"text");
        for (at, lock) in locks.iter().enumerate() {
            let credential = match lock {
                Lock::Key(key) => Credential::Key(key),
                Lock::Passphrase(word, _) => Credential::Passphrase(word),
                Lock::Recipient(_) => unreachable!("there are none"),
            };
            let (opened, result) = open(&credential, &sealed[..]);
            assert!(opened == b"text", "slot {at}: {result:?}");
        }
    }
}

#[test]
fn every_byte_of_the_longest_passphrase_counts() {
    let word = |change: Option<usize>| {
        let mut bytes = vec![b'x'; 1024];
        if let Some(at) = change {
            bytes[at] ^= 1;
        }
        Passphrase::new(bytes).expect("a length")
    };
    let sealed = seal(&[Lock::Passphrase(&word(None), cheap())], b"text");
    let opens = |word: &Passphrase| open(&Credential::Passphrase(word), &sealed[..]).1;
    assert!(opens(&word(None)).is_ok());
    for at in 0..1024 {
        let result = opens(&word(Some(at)));
        assert!(matches!(result, Err(Error::Passphrase)), "byte {at}");
    }
    for len in [1, 8, 55, 56, 64, 72, 128, 255, 256, 512, 1023] {
        let shorter = Passphrase::new(vec![b'x'; len]).expect("a length");
        assert!(matches!(opens(&shorter), Err(Error::Passphrase)), "{len}");
    }
}

#[test]
fn a_file_without_passphrases_says_so() {
    let sealed = seal(&[Lock::Key(&key(1))], b"text");
    let word = passphrase("word");
    assert_refused!(
        open(&Credential::Passphrase(&word), &sealed[..]),
        Error::NoPassphrase,
        "only keys"
    );
    let sealed = seal(&[Lock::Passphrase(&word, cheap())], b"text");
    assert_refused!(
        open(&Credential::Key(&key(1)), &sealed[..]),
        Error::NoSlot { .. },
        "no keys"
    );
}

/// What the slot of the only passphrase says: its salt, and all behind that.
fn salt_and_wrapped(sealed: &[u8]) -> (&[u8], &[u8]) {
    let body = &sealed[28 + 3..];
    (&body[9..25], &body[25..129])
}

#[test]
fn files_of_a_passphrase_for_many_share_its_salt_and_no_more() {
    let word = passphrase("word");
    let many = word.clone().for_many_files().expect("random bytes");
    let other = word.clone().for_many_files().expect("random bytes");
    let seal = |word| seal(&[Lock::Passphrase(word, cheap())], b"text");
    let files = [&many, &many, &other, &word, &word].map(seal);
    for (at, file) in files.iter().enumerate() {
        assert!(open(&Credential::Passphrase(&word), &file[..]).1.is_ok());
        let (salt, wrapped) = salt_and_wrapped(file);
        for (before, earlier) in files[..at].iter().enumerate() {
            let (earlier_salt, earlier) = salt_and_wrapped(earlier);
            assert_eq!(salt == earlier_salt, (before, at) == (0, 1));
            // Neither the salt of the stream nor what is in it.
            assert!(wrapped[..24] != earlier[..24] && wrapped[56..] != earlier[56..]);
        }
    }
}

#[test]
fn new_slots_leave_the_payload_and_the_old_ones_no_longer_open() {
    let (old, new, word) = (key(1), key(2), passphrase("word"));
    let sealed = seal(
        &[Lock::Key(&old), Lock::Passphrase(&word, cheap())],
        &text(20_000),
    );
    let header = Header::parse(&sealed).expect("a header");
    let payload = &sealed[header.as_bytes().len()..];
    let unlocked = header
        .unlock(&Credential::Passphrase(&word))
        .expect("a slot");
    let renewed = unlocked.rekey(&[Lock::Key(&new)]).expect("a header");
    assert_eq!(renewed.file_id(), header.file_id());
    assert_eq!(renewed.cipher(), header.cipher());

    let file = [renewed.as_bytes(), payload].concat();
    let (opened, result) = open(&Credential::Key(&new), &file[..]);
    assert!(result.is_ok() && opened == text(20_000));
    assert_refused!(
        open(&Credential::Key(&old), &file[..]),
        Error::NoSlot { .. },
        "old key"
    );
    assert_refused!(
        open(&Credential::Passphrase(&word), &file[..]),
        Error::NoPassphrase,
        "old passphrase"
    );
    // As documented: it revokes nothing.
    assert!(open(&Credential::Key(&old), &sealed[..]).1.is_ok());
}

#[test]
fn old_and_new_headers_do_not_mix() {
    let (old, new) = (key(1), key(2));
    let sealed = seal(&[Lock::Key(&old)], b"text");
    let header = Header::parse(&sealed).expect("a header");
    let payload = &sealed[header.as_bytes().len()..];
    let unlocked = header.unlock(&Credential::Key(&old)).expect("a slot");
    let renewed = unlocked.rekey(&[Lock::Key(&new)]).expect("a header");
    let [old_bytes, new_bytes] = [&header, &renewed].map(Header::as_bytes);
    // The new MAC behind the old slot, and the other way round.
    for (slots, mac, key) in [(old_bytes, new_bytes, &old), (new_bytes, old_bytes, &new)] {
        let file = [&slots[..28 + 115], &mac[28 + 115..], payload].concat();
        assert_refused!(open(&Credential::Key(key), &file[..]), Error::Mac, "mixed");
    }
    // The old slot put beside the new one, by who has no key.
    let mut both = new_bytes[..26].to_vec();
    both.extend([0, 230]);
    both.extend(&new_bytes[28..28 + 115]);
    both.extend(&old_bytes[28..]);
    both.extend(payload);
    assert_refused!(
        open(&Credential::Key(&old), &both[..]),
        Error::Mac,
        "both slots"
    );
}

#[test]
fn a_header_says_what_it_holds_without_a_key() {
    let (key, word) = (key(1), passphrase("word"));
    let sealed = seal(
        &[Lock::Key(&key), Lock::Passphrase(&word, cheap())],
        b"text",
    );
    let header = Header::parse(&sealed).expect("a header");
    let id = KeyId::of(&key);
    let slots: Vec<_> = header.slots().collect();
    assert_eq!(
        slots,
        [Slot::Key { id }, Slot::Passphrase { cost: cheap() }]
    );
    assert_eq!(header.file_id(), sealed[10..26]);
    assert_eq!(header.as_bytes(), &sealed[..28 + 115 + 132 + 32]);
    assert_eq!(id.to_string(), hex::encode(&sealed[31..39]));
}

#[test]
fn a_bare_stream_opens_where_a_container_would() {
    let key = key(1);
    let mut writer = SealWriter::new(&key, b"", Vec::new()).expect("random bytes");
    writer.write_all(b"text").expect("a vector");
    let sealed = writer.finish().expect("a vector");
    assert_eq!(open(&Credential::Key(&key), &sealed[..]).0, b"text");
    assert_refused!(
        open(&Credential::Passphrase(&passphrase("word")), &sealed[..]),
        Error::BareStream,
        "a passphrase"
    );
}

#[test]
fn a_bare_stream_that_is_cut_off_says_how_much_there_is() {
    let key = key(1);
    let writer = SealWriter::new(&key, b"", Vec::new()).expect("random bytes");
    let sealed = writer.finish().expect("a vector");
    for len in 0..HEADER_LEN {
        let cut = open(&Credential::Key(&key), &sealed[..len]);
        let too_short = Tampering::TooShort { got: len as u64 };
        match cut.1 {
            Err(Error::Stream(cobblestone::Error::Tampering(found))) => {
                assert_eq!(found, too_short)
            }
            other => panic!("{len} bytes: {other:?}"),
        }
    }
}

/// Zeros in place of what is missing would be the right bytes.
#[test]
fn a_payload_that_is_cut_off_before_a_zero_is_none() {
    let key = key(1);
    let cut = (0..10_000).find_map(|_| {
        let mut sealed = seal(&[Lock::Key(&key)], b"");
        let header_len = Header::parse(&sealed).expect("a header").as_bytes().len();
        sealed.truncate(header_len + HEADER_LEN);
        (sealed.pop() == Some(0)).then_some(sealed)
    });
    let cut = cut.expect("one in 256 commitments ends so");
    assert_refused!(
        open(&Credential::Key(&key), &cut[..]),
        Error::Payload,
        "cut off"
    );
}

/// It would open: sealed under this key, as what says that it is for another.
#[test]
fn a_slot_that_names_another_key_is_not_for_this_one() {
    let (this, other) = (key(1), key(2));
    for (named, opens) in [(&this, true), (&other, false)] {
        let id = hex::decode(KeyId::of(named).to_string()).expect("digits");
        let head = slot(1, &[&id[..], &[0; 104]].concat())[..11].to_vec();
        let whole = header(&slot(1, &[0; 112]));
        let context = [b"carryless container v1 slot", &whole[..26], &head[..]].concat();
        let sealer = Sealer::new(&this, &context).expect("random bytes");
        let mut wrapped = [0; 48];
        let sealed = sealer.seal_chunks(0, &[9; 32], true, &mut wrapped);
        sealed.expect("a chunk");
        let body = [&id[..], sealer.header(), &wrapped].concat();
        let crafted = header(&slot(1, &body));
        match open(&Credential::Key(&this), &crafted[..]).1 {
            // Its MAC is zeros.
            Err(Error::Mac) => assert!(opens),
            Err(Error::NoSlot { .. }) => assert!(!opens),
            other => panic!("{other:?}"),
        }
    }
}
