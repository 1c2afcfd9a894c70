//! Containers: a header is refused or is within its limits, and a changed file does not open.

use std::io::Read;
use std::sync::LazyLock;

use carryless_file::cobblestone::Key;
use carryless_file::container::{
    Credential, Header, MAX_HEADER_LEN, MAX_PASSPHRASES, MAX_SLOTS, Slot, is_container, reader,
};

use crate::choices::Choices;

const VECTORS: &str = include_str!("../../vectors/container.txt");

/// All that was made with keys, some of it with this one.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let lines = VECTORS.lines().filter(|line| !line.starts_with('#'));
    let files = lines.filter_map(|line| line.rsplit(' ').next());
    files
        .map(|file| hex::decode(file).expect("hexadecimal"))
        .collect()
});

/// A file with slots of each kind, and its key.
static FILE: LazyLock<(Key, Vec<u8>)> = LazyLock::new(|| {
    let (holder, file) = vector("several-first");
    let key = holder.strip_prefix("key:").expect("a key");
    let key = hex::decode(key).expect("hexadecimal");
    (Key::from_slice(&key).expect("a length of keys"), file)
});

/// The credential and the file of a vector.
pub(crate) fn vector(name: &str) -> (&'static str, Vec<u8>) {
    let of_name = |line: &&str| line.split(' ').next() == Some(name);
    let line = VECTORS.lines().find(of_name).expect("the vector");
    let fields: Vec<&str> = line.split(' ').collect();
    (fields[2], hex::decode(fields[4]).expect("hexadecimal"))
}

/// See the module.
pub fn container_parse(data: &[u8]) {
    let mut choices = Choices::new(data);
    match choices.byte() % 3 {
        0 => parse(choices.rest()),
        1 => parse(&framed(&FILE.1, choices.rest())),
        _ => changed(choices),
    }
}

/// These bytes as the slots of a header that is right otherwise.
pub(crate) fn framed(right: &[u8], slots: &[u8]) -> Vec<u8> {
    let len = u16::try_from(slots.len()).unwrap_or(u16::MAX);
    let mac = &right[right.len() - 32..];
    [&right[..26], &len.to_be_bytes(), slots, mac].concat()
}

/// A header is refused, or it is within its limits and says what its bytes say.
fn parse(bytes: &[u8]) {
    let mut rest = bytes;
    let read = Header::read(&mut rest);
    let Ok(header) = Header::parse(bytes) else {
        assert!(read.is_err(), "read and not parsed");
        return;
    };
    assert!(is_container(bytes));
    let len = header.as_bytes().len();
    assert!(bytes.starts_with(header.as_bytes()) && len <= MAX_HEADER_LEN);
    assert_eq!(
        rest.len(),
        bytes.len() - len,
        "read more or less than the header"
    );
    assert!((1..=MAX_SLOTS).contains(&header.slots().len()));
    let costs: Vec<_> = header
        .slots()
        .filter_map(|slot| match slot {
            Slot::Passphrase { cost } => Some(cost),
            _ => None,
        })
        .collect();
    let work = |cost: &carryless_file::container::Argon2id| {
        assert!(cost.memory_kib() >= 8 * u32::from(cost.lanes()));
        u64::from(cost.memory_kib()) * u64::from(cost.passes())
    };
    assert!(costs.len() <= MAX_PASSPHRASES);
    assert!(costs.iter().map(work).sum::<u64>() <= 1 << 22);
    let unlocked = header.unlock(&Credential::Key(&FILE.0)).is_ok();
    let mut made = FILES
        .iter()
        .filter(|file| file.starts_with(header.as_bytes()));
    assert!(!unlocked || made.next().is_some(), "an unlocked forgery");
}

/// A file after some changes: it opens if and only if there were none.
fn changed(mut choices: Choices<'_>) {
    let (key, right) = &*FILE;
    let mut file = right.clone();
    for _ in 0..choices.below(4) {
        let at = choices.below(1 << 16) % file.len().max(1);
        match choices.byte() % 4 {
            0 => file[at..]
                .iter_mut()
                .take(1)
                .for_each(|byte| *byte ^= 1 << (at % 8)),
            1 => file[at..]
                .iter_mut()
                .take(1)
                .for_each(|byte| *byte = choices.byte()),
            2 => file.truncate(at),
            _ => {
                let len = choices.below(130);
                let more = choices.content(len);
                file.splice(at..at, more);
            }
        }
    }
    let mut text = Vec::new();
    let opened = reader(&Credential::Key(key), &file[..])
        .map_err(|error| assert!(error.is_unauthentic(), "{error}"))
        .is_ok_and(|mut reader| reader.read_to_end(&mut text).is_ok());
    assert_eq!(
        opened,
        file == *right,
        "a forgery opened, or a file did not"
    );
    assert!(opened || text.is_empty(), "text of a forgery");
}
