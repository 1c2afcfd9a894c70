//! No change of a file goes unnoticed, and each is told by where it is.

use carryless_file::cobblestone::{self, CHUNK_LEN, HEADER_LEN, SEALED_CHUNK_LEN, Tampering};
use carryless_file::container::{Credential, Error, Header, Lock, Malformed, start};

use super::{assert_refused, cheap, key, open, passphrase, seal, text};

/// The header with one slot for a key.
const ONE_SLOT: usize = 28 + 115 + 32;
/// Where chunks begin behind that.
const CHUNKS: usize = ONE_SLOT + HEADER_LEN;

/// Whether an error is what a change of this byte of a header with one slot must give.
fn expected(at: usize, error: &Error) -> bool {
    match at {
        // Without its magic the file is taken for a bare stream.
        0..8 => matches!(
            error,
            Error::Stream(cobblestone::Error::Tampering(Tampering::Header))
        ),
        8 => matches!(error, Error::Malformed(Malformed::Version { .. })),
        9 => matches!(error, Error::Malformed(Malformed::Cipher { .. })),
        10..26 => matches!(error, Error::Slot { .. }),
        26..28 => matches!(error, Error::Malformed(_) | Error::Mac),
        // A type that there is has another length.
        28 if matches!(error, Error::NoSlot { .. }) => true,
        28..31 => matches!(error, Error::Malformed(Malformed::SlotLength { slot: 0 })),
        31..39 => matches!(error, Error::NoSlot { .. }),
        39..143 => matches!(error, Error::Slot { .. }),
        143..ONE_SLOT => matches!(error, Error::Mac),
        ONE_SLOT..CHUNKS => matches!(error, Error::Payload),
        _ => unreachable!("no part of the header"),
    }
}

#[test]
fn every_flipped_bit_of_a_file_of_three_chunks_fails_by_its_place() {
    let key = key(1);
    let credential = Credential::Key(&key);
    let mut sealed = seal(&[Lock::Key(&key)], &text(2 * CHUNK_LEN + 9));
    for bit in 0..8 * CHUNKS {
        sealed[bit / 8] ^= 1 << (bit % 8);
        let (text, result) = open(&credential, &sealed[..]);
        let error = result.expect_err("a changed header");
        assert!(expected(bit / 8, &error), "bit {bit}: {error:?}");
        assert!(text.is_empty() && error.is_unauthentic(), "bit {bit}");
        sealed[bit / 8] ^= 1 << (bit % 8);
    }
    // What precedes the chunks is as it was, and checked once for all of these.
    let opener = start(&credential, &mut &sealed[..])
        .expect("authentic")
        .opener;
    let mut out = vec![0; CHUNK_LEN];
    for index in 0..3 {
        let start = CHUNKS + index * SEALED_CHUNK_LEN;
        let end = sealed.len().min(start + SEALED_CHUNK_LEN);
        for bit in 8 * start..8 * end {
            sealed[bit / 8] ^= 1 << (bit % 8);
            let chunk = &sealed[start..end];
            let result = opener.open_chunks(index as u64, chunk, index == 2, &mut out);
            let Err(cobblestone::Error::Tampering(Tampering::Chunk { index: named })) = result
            else {
                panic!("bit {bit}: {result:?}");
            };
            assert_eq!(named, index as u64, "bit {bit}");
            sealed[bit / 8] ^= 1 << (bit % 8);
        }
    }
    assert!(open(&credential, &sealed[..]).1.is_ok());
}

/// The MAC of a header is asked for, whatever opens a slot.
#[test]
fn every_flipped_bit_of_a_header_with_two_slots_fails_for_key_and_passphrase() {
    let (key, word) = (key(1), passphrase("a word"));
    let locks = [Lock::Key(&key), Lock::Passphrase(&word, cheap())];
    let mut sealed = seal(&locks, b"text");
    let payload = ONE_SLOT + 3 + 129 + HEADER_LEN;
    // What Argon2id is to take, which could be much.
    let cost = 28 + 115 + 3..28 + 115 + 3 + 9;
    for bit in (0..8 * payload).filter(|bit| !cost.contains(&(bit / 8))) {
        sealed[bit / 8] ^= 1 << (bit % 8);
        for credential in [Credential::Key(&key), Credential::Passphrase(&word)] {
            let (text, result) = open(&credential, &sealed[..]);
            let error = result.expect_err("a changed header");
            assert!(
                text.is_empty() && error.is_unauthentic(),
                "bit {bit}: {error:?}"
            );
        }
        sealed[bit / 8] ^= 1 << (bit % 8);
    }
    for credential in [Credential::Key(&key), Credential::Passphrase(&word)] {
        assert!(open(&credential, &sealed[..]).1.is_ok());
    }
}

#[test]
fn every_flipped_bit_of_another_holders_slot_fails() {
    let (mine, other) = (key(1), key(2));
    let mut sealed = seal(&[Lock::Key(&other), Lock::Key(&mine)], b"text");
    for bit in 8 * 28..8 * (28 + 115) {
        sealed[bit / 8] ^= 1 << (bit % 8);
        assert_refused!(
            open(&Credential::Key(&mine), &sealed[..]),
            Error::Malformed(_) | Error::Mac,
            "bit {bit}"
        );
        sealed[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn every_cut_fails() {
    let key = key(1);
    let credential = Credential::Key(&key);
    let sealed = seal(&[Lock::Key(&key)], &text(2 * CHUNK_LEN + 9));
    for len in 0..CHUNKS {
        let (text, result) = open(&credential, &sealed[..len]);
        let error = result.expect_err("cut off");
        let right = match len {
            0..8 => matches!(
                error,
                Error::Stream(cobblestone::Error::Tampering(Tampering::TooShort { .. }))
            ),
            8..ONE_SLOT => {
                matches!(error, Error::Malformed(Malformed::TooShort { got, .. }) if got == len)
            }
            _ => matches!(error, Error::Payload),
        };
        assert!(right && text.is_empty(), "cut at {len}: {error:?}");
        assert_eq!(
            Header::parse(&sealed[..len]).is_ok(),
            len >= ONE_SLOT,
            "{len}"
        );
    }
    let opener = start(&credential, &mut &sealed[..])
        .expect("authentic")
        .opener;
    let mut out = vec![0; 3 * CHUNK_LEN];
    for len in 0..sealed.len() - CHUNKS {
        let result = opener.open_chunks(0, &sealed[CHUNKS..CHUNKS + len], true, &mut out);
        let chunk = (len / SEALED_CHUNK_LEN) as u64;
        let right = match result {
            Err(cobblestone::Error::Tampering(Tampering::Truncated { chunks })) => chunks == chunk,
            Err(cobblestone::Error::Tampering(Tampering::Chunk { index })) => index == chunk,
            _ => false,
        };
        assert!(right, "cut at {len}: {result:?}");
    }
}

#[test]
fn chunks_swapped_repeated_added_and_of_another_file_fail() {
    let key = key(1);
    let credential = Credential::Key(&key);
    let text = text(3 * CHUNK_LEN + 9);
    let sealed = [0; 2].map(|_| seal(&[Lock::Key(&key)], &text));
    let chunks = sealed.each_ref().map(|sealed| {
        sealed[CHUNKS..]
            .chunks(SEALED_CHUNK_LEN)
            .collect::<Vec<_>>()
    });
    // Which chunk of which file stands at each place, and how many are right.
    let cases: [(&[(usize, usize)], usize); 8] = [
        (&[(0, 1), (0, 0), (0, 2), (0, 3)], 0),
        (&[(0, 0), (0, 0), (0, 2), (0, 3)], 1),
        (&[(0, 0), (0, 1), (0, 2), (0, 2), (0, 3)], 3),
        (&[(0, 0), (0, 1), (0, 3)], 2),
        (&[(0, 0), (0, 1), (0, 2)], 3),
        (&[(0, 0), (0, 1), (0, 2), (0, 3), (0, 3)], 3),
        (&[(0, 0), (1, 1), (0, 2), (0, 3)], 1),
        (&[(0, 0), (0, 1), (0, 2), (1, 3)], 3),
    ];
    for (order, right) in cases {
        let mut file = sealed[0][..CHUNKS].to_vec();
        for (of, index) in order {
            file.extend(chunks[*of][*index]);
        }
        let (opened, result) = open(&credential, &file[..]);
        assert!(
            matches!(result, Err(Error::Stream(cobblestone::Error::Tampering(_)))),
            "{order:?}: {result:?}"
        );
        assert!(opened == text[..right * CHUNK_LEN], "{order:?}");
    }
    let longer = [&sealed[0][..], b"x"].concat();
    assert!(open(&credential, &longer[..]).1.is_err());
}

#[test]
fn parts_of_two_files_under_one_key_do_not_mix() {
    let key = key(1);
    let credential = Credential::Key(&key);
    let [one, two] = [0; 2].map(|_| seal(&[Lock::Key(&key)], &text(9)));
    for (from, to, what) in [
        (0, ONE_SLOT, "header"),
        (0, 26, "prefix"),
        (28, ONE_SLOT - 32, "slot"),
        (ONE_SLOT - 32, ONE_SLOT, "MAC"),
        (0, CHUNKS, "all but the chunks"),
        (ONE_SLOT, CHUNKS, "payload's header"),
        (ONE_SLOT, one.len(), "payload"),
    ] {
        let mut mixed = one.clone();
        mixed[from..to].copy_from_slice(&two[from..to]);
        let (opened, result) = open(&credential, &mixed[..]);
        assert!(result.is_err() && opened.is_empty(), "{what}: {result:?}");
    }
}
