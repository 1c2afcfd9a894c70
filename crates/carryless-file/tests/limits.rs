//! U9: each limit of headers, key files and texts is heeded: what lies at it is taken, what lies beyond is not.

#[path = "container/crafted.rs"]
mod crafted;
#[path = "limits/header.rs"]
mod header;
#[path = "limits/known.rs"]
mod known;
#[path = "draws/sources.rs"]
mod sources;

use carryless_file::cobblestone::{self, Key, MAX_CHUNKS, Opener, Sealer};
use carryless_file::recipient::{Identity, Kem, parse_list};
use carryless_file::{gcm, key_file};

/// Something tried: what, whether it lies within the limit, and whether it was taken.
struct Try {
    what: String,
    within: bool,
    taken: bool,
}

type Tries = Vec<Try>;

/// Tries each value, of which those up to `most` lie within the limit.
fn up_to<T: Copy + PartialOrd + core::fmt::Debug>(
    most: T,
    values: impl IntoIterator<Item = T>,
    take: impl Fn(T) -> bool,
) -> Tries {
    within(values, |value| value <= most, take)
}

fn within<T: Copy + core::fmt::Debug>(
    values: impl IntoIterator<Item = T>,
    within: impl Fn(T) -> bool,
    take: impl Fn(T) -> bool,
) -> Tries {
    let one = |value: T| Try {
        what: format!("{value:?}"),
        within: within(value),
        taken: take(value),
    };
    values.into_iter().map(one).collect()
}

/// How many were tried on both sides of a limit; what was taken or refused against it is an error.
fn heeded(tries: &[Try]) -> Result<(usize, usize), String> {
    if let Some(wrong) = tries.iter().find(|one| one.within != one.taken) {
        let word = if wrong.taken { "taken" } else { "refused" };
        return Err(format!("{} was {word}", wrong.what));
    }
    let taken = tries.iter().filter(|one| one.taken).count();
    if taken == 0 || taken == tries.len() {
        return Err("only one side of the limit was tried".into());
    }
    Ok((taken, tries.len() - taken))
}

fn key() -> Key {
    Key::from_slice(&[7; 16]).expect("a key length")
}

fn key_file_len() -> Tries {
    let text = key_file::format(&key());
    let padded = |len: usize| {
        let mut text = text.as_bytes().to_vec();
        text.resize(len, b'\n');
        text
    };
    let told = |len: usize| format!("it has {len} bytes: ");
    let lens = [text.len(), 4095, 4096, 4097, 1 << 16, (1 << 16) + 160];
    up_to(4096, lens, |len| match key_file::parse(&padded(len)) {
        Err(error) => !error.to_string().starts_with(&told(len)),
        Ok(_) => true,
    })
}

fn list_len() -> Tries {
    let recipient = Identity::from_bytes(Kem::X25519, &[7; 32]).recipient();
    let lens = [64, (1 << 16) - 1, 1 << 16, (1 << 16) + 1];
    up_to(1 << 16, lens, |len| {
        let mut list = recipient.to_string().into_bytes();
        list.resize(len, b'\n');
        parse_list(&list).is_ok()
    })
}

fn key_lens() -> Tries {
    let lens = [0, 1, 15, 16, 17, 24, 31, 32, 33, 48, 64];
    let is_key = |len: usize| matches!(len, 16 | 32);
    let mut tries = within(lens, is_key, |len| {
        key_file::check_raw(&vec![0x93; len]) == Err(key_file::KeyFileError::Equal)
    });
    tries.extend(within(lens, is_key, |len| {
        Key::from_slice(&vec![7; len]).is_ok()
    }));
    tries.extend(within(lens, is_key, |len| {
        gcm::Key::from_slice(&vec![7; len]).is_ok()
    }));
    tries
}

fn text_len() -> Tries {
    let most = gcm::MAX_TEXT_LEN;
    assert_eq!(most, 68_719_476_704);
    let lens = [28, most + 27, most + 28, most + 29, most + 60, u64::MAX];
    let mut tries = up_to(most + 28, lens, |len| gcm::text_len(len).is_ok());
    tries.extend(within(
        [0, 12, 27, 28],
        |len| len >= 28,
        |len| gcm::text_len(len).is_ok(),
    ));
    tries
}

fn chunks() -> Tries {
    assert_eq!(MAX_CHUNKS, 1 << 38);
    let most = (MAX_CHUNKS << 14) - 1;
    let lens = [0, most - 1, most, most + 1, most + 2, u64::MAX];
    let mut tries = up_to(most, lens, |len| cobblestone::sealed_len(len).is_some());
    let sealed = cobblestone::sealed_len(most).expect("the longest");
    let lens = [
        sealed - 1,
        sealed,
        sealed + 1,
        sealed + 2,
        sealed + 40,
        u64::MAX,
    ];
    tries.extend(up_to(sealed, lens, |len| {
        cobblestone::plaintext_len(len).is_ok()
    }));
    let key = key();
    let sealer = Sealer::new(&key, b"").expect("random bytes");
    let firsts = [
        0,
        1 << 32,
        MAX_CHUNKS - 1,
        MAX_CHUNKS,
        MAX_CHUNKS + 1,
        1 << 40,
        u64::MAX,
    ];
    let opener = Opener::new(&key, b"", sealer.header()).expect("its header");
    tries.extend(up_to(MAX_CHUNKS - 1, firsts, |first| {
        let mut chunk = [0; 20];
        let sealed = sealer.seal_chunks(first, b"text", true, &mut chunk).is_ok();
        let mut text = [0; 4];
        let opened = opener.open_chunks(first, &chunk, true, &mut text).is_ok();
        assert_eq!(sealed, opened, "chunk {first}");
        opened && text == *b"text"
    }));
    tries
}

#[test]
fn u9_each_limit_of_the_formats_is_heeded() {
    for (file, name, tries) in known::LIMITS {
        let (taken, refused) = heeded(&tries()).unwrap_or_else(|e| panic!("{file}: {name}: {e}"));
        println!("U9 {file} {name}: {taken} taken, {refused} refused");
    }
}

/// A key file's values stand on any of its lines, and each line counts, whatever its number.
#[test]
fn u9_all_lines_of_a_key_file_are_read() {
    let text = key_file::format(&key());
    let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
    let longest = key_file::MAX_LEN - text.len();
    for count in [1, 63, 64, 65, 255, 256, 257, 1000, longest] {
        let comments = "\n".repeat(count);
        for place in 0..=lines.len() {
            let (before, behind) = lines.split_at(place);
            let content = format!("{}{comments}\n{}", before.join("\n"), behind.join("\n"));
            let read = key_file::parse(content.as_bytes());
            let what = format!("{count} lines behind line {place}");
            assert!(
                read.is_ok_and(|read| read.as_bytes() == key().as_bytes()),
                "{what}"
            );
        }
        let unknown = format!("{}{}x: y", text.as_str(), "\n".repeat(count - 1));
        if unknown.len() <= key_file::MAX_LEN {
            let line = text.lines().count() + count;
            let refused = key_file::KeyFileError::Name { line };
            assert_eq!(key_file::parse(unknown.as_bytes()).err(), Some(refused));
        }
    }
}

#[test]
fn control_u9_limits_that_are_off_by_one_are_noticed() {
    for (name, most) in [("one more", 1025), ("one less", 1023)] {
        let off = |len: usize| (1..=most).contains(&len);
        let tries = up_to(1024, [1, 1023, 1024, 1025], off);
        println!(
            "{name}: caught: {}",
            heeded(&tries).expect_err("off by one")
        );
    }
    let tries = up_to(1024, [1, 1024], |_| true);
    println!(
        "one side: caught: {}",
        heeded(&tries).expect_err("no limit")
    );
}
