//! Key files: what is read is what was written, and a damaged file is no other key.

use carryless_file::cobblestone::Key;
use carryless_file::key_file::{check_raw, format, parse};

use crate::choices::Choices;

/// See the module.
pub fn key_file(data: &[u8]) {
    let mut choices = Choices::new(data);
    match choices.byte() % 2 {
        0 => anything(choices.rest()),
        _ => damaged(choices),
    }
}

/// Any bytes at all.
fn anything(content: &[u8]) {
    let Ok(key) = parse(content) else { return };
    let bytes = key.as_bytes();
    assert!([16, 32].contains(&bytes.len()));
    assert!(check_raw(content).is_err(), "a raw key is no key file");
    let digits = content.to_ascii_lowercase();
    let digits = String::from_utf8_lossy(&digits);
    assert!(
        digits.contains(&hex::encode(bytes)),
        "a key that is not in its file"
    );
    assert_eq!(
        parse(format(&key).as_bytes())
            .expect("a key file")
            .as_bytes(),
        bytes
    );
}

/// A written file, after some changes.
fn damaged(mut choices: Choices<'_>) {
    let len = choices.pick(&[16, 32]);
    let key = Key::from_slice(&choices.content(len)).expect("a length of keys");
    if let Ok(read) = parse(&damage(&format(&key), &mut choices)) {
        assert_eq!(
            read.as_bytes(),
            key.as_bytes(),
            "a damaged file is another key"
        );
    }
}

/// A file after some changes of bytes, lines and their ends.
pub(crate) fn damage(written: &str, choices: &mut Choices<'_>) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = written
        .lines()
        .map(|line| line.as_bytes().to_vec())
        .collect();
    for _ in 0..choices.below(6) {
        let (from, to) = (choices.below(lines.len()), choices.below(lines.len()));
        match choices.byte() % 4 {
            0 => lines.swap(from, to),
            1 => lines.insert(
                to,
                choices.pick(&[&b""[..], b"# comment", b"\t \r"]).to_vec(),
            ),
            2 => lines[from].push(b'\r'),
            _ => {
                let line = &mut lines[from];
                let at = choices.below(line.len().max(1));
                line[at..]
                    .iter_mut()
                    .take(1)
                    .for_each(|byte| *byte = choices.byte());
            }
        }
    }
    lines.join(&b'\n')
}
