//! What is tried at each limit of a container's header.

use carryless_file::cobblestone::Cipher;
use carryless_file::container::{
    Argon2id, Header, Lock, MAX_HEADER_LEN, MAX_PASSPHRASES, MAX_SLOTS, MAX_SLOTS_LEN, Passphrase,
    create,
};

use super::crafted::{header, passphrase_slot, slot};
use super::{Tries, Try, key, up_to, within};

fn parses(slots: &[u8]) -> bool {
    Header::parse(&header(slots)).is_ok()
}

/// Whether a cost may be asked for, and a header that asks for it be read; they must agree.
fn affordable(memory_kib: u32, passes: u32, lanes: u8) -> bool {
    let made = Argon2id::new(memory_kib, passes, lanes).is_ok();
    let read = parses(&passphrase_slot(memory_kib, passes, lanes));
    assert_eq!(
        made, read,
        "{memory_kib} KiB, {passes} passes, {lanes} lanes"
    );
    made
}

fn create_with(locks: &[Lock<'_>]) -> bool {
    create(Cipher::Cobblestone128, locks).is_ok()
}

fn word() -> Passphrase {
    Passphrase::new(b"word".to_vec()).expect("a length")
}

pub(crate) fn slots() -> Tries {
    let counts = [
        0,
        1,
        MAX_SLOTS - 1,
        MAX_SLOTS,
        MAX_SLOTS + 1,
        256,
        257,
        6826,
    ];
    let some = |count| (1..=16).contains(&count);
    let mut tries = within(counts, some, |count| parses(&slot(9, b"").repeat(count)));
    let key = key();
    tries.extend(within(counts, some, |count| {
        create_with(&vec![Lock::Key(&key); count])
    }));
    tries
}

pub(crate) fn passphrases() -> Tries {
    let counts = [
        1,
        MAX_PASSPHRASES - 1,
        MAX_PASSPHRASES,
        MAX_PASSPHRASES + 1,
        16,
    ];
    let (key, word) = (key(), word());
    let cost = Argon2id::new(8, 1, 1).expect("within the limits");
    let lock = Lock::Passphrase(&word, cost);
    let mut tries = up_to(4, counts, |count| {
        parses(&passphrase_slot(8, 1, 1).repeat(count))
    });
    tries.extend(up_to(4, counts, |count| {
        let locks = [
            &vec![lock; count][..],
            &[Lock::Key(&key)][..usize::from(count < 16)],
        ];
        create_with(&locks.concat())
    }));
    tries
}

/// Slots of so many bytes: ten, of which the last takes the rest.
fn slots_of(len: usize) -> Vec<u8> {
    let first = slot(9, &[0; 2045]).repeat(9);
    let rest = len - first.len() - 3;
    [first, slot(9, &vec![0; rest])].concat()
}

pub(crate) fn slots_len() -> Tries {
    assert_eq!(MAX_SLOTS_LEN, 20_480);
    let mut tries = up_to(20_480, [20_479, 20_480, 20_481, 20_483], |len| {
        parses(&slots_of(len))
    });
    // A length that nothing follows, so that the sizes of slots don't refuse it first.
    tries.extend(up_to(20_480, [20_480_u16, 20_481, u16::MAX], |len| {
        let mut bytes = header(&slots_of(20_480));
        bytes[26..28].copy_from_slice(&len.to_be_bytes());
        let read = Header::read(&mut &bytes[..]);
        !read
            .err()
            .is_some_and(|error| error.to_string().contains("at most 20480"))
    }));
    tries
}

pub(crate) fn header_len() -> Tries {
    let fits = |len| header(&slots_of(len)).len() <= MAX_HEADER_LEN;
    within([20_479, 20_480, 20_481], fits, |len| parses(&slots_of(len)))
}

pub(crate) fn body_len() -> Tries {
    up_to(2048, [0, 1, 2047, 2048, 2049, 4000], |len| {
        parses(&slot(9, &vec![0; len]))
    })
}

pub(crate) fn key_body_len() -> Tries {
    within(
        [0, 111, 112, 113, 1024],
        |len| len == 112,
        |len| parses(&slot(1, &vec![0; len])),
    )
}

pub(crate) fn passphrase_body_len() -> Tries {
    let mut body = passphrase_slot(8, 1, 1).split_off(3);
    body.resize(1024, 0);
    within(
        [9, 128, 129, 130, 1024],
        |len| len == 129,
        |len| parses(&slot(2, &body[..len])),
    )
}

pub(crate) fn passphrase_len() -> Tries {
    within(
        [0, 1, 2, 255, 256, 1023, 1024, 1025, 1 << 16, (1 << 16) + 1],
        |len| (1..=1024).contains(&len),
        |len| Passphrase::new(vec![b'x'; len]).is_ok(),
    )
}

pub(crate) fn memory_kib() -> Tries {
    let most = 1 << 20;
    let mut tries = within(
        [
            0,
            7,
            8,
            9,
            most - 1,
            most,
            most + 1,
            1 << 24,
            (1 << 24) + 8,
            u32::MAX,
        ],
        |kib| (8..=most).contains(&kib),
        |kib| affordable(kib, 1, 1),
    );
    for lanes in 1..=16 {
        let least = 8 * u32::from(lanes);
        tries.extend(within(
            [least - 1, least],
            |kib| kib >= least,
            |kib| affordable(kib, 1, lanes),
        ));
    }
    tries
}

pub(crate) fn passes() -> Tries {
    within(
        [0, 1, 63, 64, 65, 256, 257, u32::MAX],
        |passes| (1..=64).contains(&passes),
        |passes| affordable(128, passes, 1),
    )
}

pub(crate) fn lanes() -> Tries {
    within(
        [0, 1, 15, 16, 17, 32, 255],
        |lanes| (1..=16).contains(&lanes),
        |lanes| affordable(1 << 16, 1, lanes),
    )
}

/// The work of all passphrases, asked for by one, and by several together.
pub(crate) fn work_kib() -> Tries {
    let most: u64 = 1 << 22;
    let (word, half) = (word(), 1 << 19);
    let sums = [
        vec![(half, 7)],
        vec![(half, 8)],
        vec![(half, 8), (8, 1)],
        vec![(half + 1, 8)],
        vec![(half, 4), (half, 4)],
        vec![(half, 4), (half, 5)],
        vec![(half, 2); 4],
        vec![(half, 2), (half, 2), (half, 2), (half + 1, 2)],
        vec![(1 << 20, 64); 4],
    ];
    let mut tries = Tries::new();
    for sum in sums {
        let work = |(kib, passes): &(u32, u32)| u64::from(*kib) * u64::from(*passes);
        let within = sum.iter().map(work).sum::<u64>() <= most;
        let slots: Vec<_> = sum
            .iter()
            .map(|cost| passphrase_slot(cost.0, cost.1, 1))
            .collect();
        let what = format!("{sum:?}");
        tries.push(Try {
            what,
            within,
            taken: parses(&slots.concat()),
        });
        // What is refused is refused before any work, so that nothing is spent on it.
        if !within {
            let cost = |cost: &(u32, u32)| Argon2id::new(cost.0, cost.1, 1).expect("in its limits");
            let locks: Vec<_> = sum
                .iter()
                .map(|c| Lock::Passphrase(&word, cost(c)))
                .collect();
            let what = format!("new {sum:?}");
            tries.push(Try {
                what,
                within,
                taken: create_with(&locks),
            });
        }
    }
    tries
}
