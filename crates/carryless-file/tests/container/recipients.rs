//! Slots for recipients: the identity opens, nobody else does, and they mix with the others.

use core::time::Duration;
use std::time::Instant;

use carryless_file::container::{Credential, Error, Header, Lock, MAX_SLOTS, Malformed, Slot};
use carryless_file::recipient::{Identity, Kem};

use super::crafted::{header, slot};
use super::{assert_refused, cheap, key, open, passphrase, seal, text};

/// An identity of its own for each number.
fn identity(kem: Kem, number: u8) -> Identity {
    Identity::from_bytes(kem, &[number; 32])
}

#[test]
fn any_of_recipients_keys_and_passphrases_opens_and_no_other_identity() {
    for kem in Kem::ALL {
        let (one, two, other) = (identity(kem, 8), identity(kem, 16), identity(kem, 24));
        let recipients = [&one, &two].map(Identity::recipient);
        let (key, word) = (key(1), passphrase("word"));
        let sealed = seal(
            &[
                Lock::Recipient(&recipients[0]),
                Lock::Key(&key),
                Lock::Recipient(&recipients[1]),
                Lock::Passphrase(&word, cheap()),
            ],
            &text(20_000),
        );
        for credential in [
            Credential::Identity(&one),
            Credential::Identity(&two),
            Credential::Key(&key),
            Credential::Passphrase(&word),
        ] {
            let (opened, result) = open(&credential, &sealed[..]);
            assert!(result.is_ok() && opened == text(20_000), "{credential:?}");
        }
        assert_refused!(
            open(&Credential::Identity(&other), &sealed[..]),
            Error::Identity,
            "another identity"
        );
        let slots: Vec<_> = Header::parse(&sealed).expect("a header").slots().collect();
        assert_eq!(
            [slots[0], slots[2]],
            [Slot::Recipient { kem }; 2],
            "what it says without an identity"
        );
    }
}

#[test]
fn a_file_without_recipients_says_so() {
    for kem in Kem::ALL {
        let sealed = seal(&[Lock::Key(&key(1))], b"text");
        let (_, result) = open(&Credential::Identity(&identity(kem, 8)), &sealed[..]);
        assert!(matches!(result, Err(Error::NoRecipient { kem: named }) if named == kem));
        assert_refused!(
            open(&Credential::Identity(&identity(kem, 8)), &[7; 100][..]),
            Error::BareStream,
            "a bare stream"
        );
    }
}

#[test]
fn two_slots_for_one_recipient_have_nothing_in_common() {
    for kem in Kem::ALL {
        let recipient = identity(kem, 8).recipient();
        let sealed = seal(&[Lock::Recipient(&recipient); 2], b"text");
        let slots_len = usize::from(u16::from_be_bytes([sealed[26], sealed[27]]));
        let (one, two) = sealed[28..28 + slots_len].split_at(slots_len / 2);
        assert_eq!(one[..3], two[..3]);
        let parts: Vec<_> = one[3..].chunks_exact(8).collect();
        assert!(two[3..].windows(8).all(|window| !parts.contains(&window)));
        let public = recipient.as_bytes();
        let shown = |window: &[u8]| public.windows(8).any(|part| part == window);
        assert!(!sealed.windows(8).any(shown), "it shows for whom it is");
    }
}

#[test]
fn changed_bits_of_every_byte_of_a_slot_are_noticed() {
    for kem in Kem::ALL {
        let identity = identity(kem, 8);
        let sealed = seal(&[Lock::Recipient(&identity.recipient())], b"text");
        let slots_len = usize::from(u16::from_be_bytes([sealed[26], sealed[27]]));
        // Of each byte of a long one some bits.
        let step = if slots_len < 200 { 1 } else { 5 };
        for bit in (8 * 28..8 * (28 + slots_len)).step_by(step) {
            let mut changed = sealed.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let (text, result) = open(&Credential::Identity(&identity), &changed[..]);
            let error = result.expect_err("a changed file");
            assert!(error.is_unauthentic() && text.is_empty(), "bit {bit}");
            let right = match bit / 8 - 28 {
                0 => !matches!(error, Error::Identity | Error::Mac),
                1 | 2 => matches!(error, Error::Malformed(Malformed::SlotLength { slot: 0 })),
                _ => matches!(error, Error::Identity),
            };
            assert!(right, "bit {bit}: {error:?}");
        }
    }
}

#[test]
fn rekeying_adds_and_removes_recipients() {
    for kem in Kem::ALL {
        let (old, new) = (identity(kem, 8), identity(kem, 16));
        let recipients = [&old, &new].map(Identity::recipient);
        let sealed = seal(&[Lock::Key(&key(1))], &text(20_000));
        let renewed = |sealed: &[u8], credential: Credential<'_>, locks: &[Lock<'_>]| {
            let header = Header::parse(sealed).expect("a header");
            let unlocked = header.unlock(&credential).expect("a slot");
            let renewed = unlocked.rekey(locks).expect("a header");
            let payload = &sealed[header.as_bytes().len()..];
            [renewed.as_bytes(), payload].concat()
        };
        let key = key(1);
        let locks = recipients.each_ref().map(Lock::Recipient);
        let both = renewed(&sealed, Credential::Key(&key), &locks);
        for identity in [&old, &new] {
            let (opened, result) = open(&Credential::Identity(identity), &both[..]);
            assert!(opened == text(20_000), "{result:?}");
        }
        assert_refused!(
            open(&Credential::Key(&key), &both[..]),
            Error::NoSlot { .. },
            "the old key"
        );
        let one = renewed(&both, Credential::Identity(&old), &locks[1..]);
        assert!(open(&Credential::Identity(&new), &one[..]).1.is_ok());
        assert_refused!(
            open(&Credential::Identity(&old), &one[..]),
            Error::Identity,
            "the recipient that was removed"
        );
    }
}

/// Of a file: an encapsulated key of another one gives another slot key.
#[test]
fn a_slot_belongs_to_its_file() {
    for kem in Kem::ALL {
        let identity = identity(kem, 8);
        let recipient = identity.recipient();
        let [one, two] = [0; 2].map(|_| seal(&[Lock::Recipient(&recipient)], b"text"));
        let mixed = [&one[..26], &two[26..]].concat();
        assert_refused!(
            open(&Credential::Identity(&identity), &mixed[..]),
            Error::Identity,
            "another file's slots"
        );
    }
}

#[test]
fn as_many_slots_as_there_can_be_are_tried_and_no_more() {
    for kem in Kem::ALL {
        let (mine, other) = (identity(kem, 8), identity(kem, 16));
        let recipients = [&mine, &other].map(Identity::recipient);
        let mut locks = vec![Lock::Recipient(&recipients[1]); MAX_SLOTS];
        *locks.last_mut().expect("some") = Lock::Recipient(&recipients[0]);
        let sealed = seal(&locks, b"text");
        let began = Instant::now();
        assert_eq!(open(&Credential::Identity(&mine), &sealed[..]).0, b"text");
        assert!(began.elapsed() < Duration::from_secs(10), "each takes long");

        let one = &sealed[28..][..slot_len(&sealed)];
        let full = header(&one.repeat(MAX_SLOTS + 1));
        assert_refused!(
            open(&Credential::Identity(&mine), &full[..]),
            Error::Malformed(Malformed::SlotCount | Malformed::SlotsTooLong { .. }),
            "one more"
        );
        locks.push(locks[0]);
        let made = carryless_file::container::create(Default::default(), &locks);
        assert!(matches!(made, Err(Error::Locks(Malformed::SlotCount))));
    }
}

#[test]
fn slots_of_another_length_are_malformed() {
    for kem in Kem::ALL {
        let sealed = seal(&[Lock::Recipient(&identity(kem, 8).recipient())], b"text");
        let (kind, body_len) = (sealed[28], slot_len(&sealed) - 3);
        for len in [0, 1, 103, 104, body_len - 1, body_len, body_len + 1] {
            let parsed = Header::parse(&header(&slot(kind, &vec![0; len])));
            let expected = Malformed::SlotLength { slot: 0 };
            assert_eq!(
                parsed.err(),
                (len != body_len).then_some(expected),
                "{len} bytes"
            );
        }
    }
}

/// Of the first slot.
fn slot_len(sealed: &[u8]) -> usize {
    3 + usize::from(u16::from_be_bytes([sealed[29], sealed[30]]))
}
