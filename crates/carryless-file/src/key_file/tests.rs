//! What key files are read, and how each other is refused.

use super::*;

fn text() -> String {
    format(&Key::from_slice(&[0x5a; 32]).expect("a length")).to_string()
}

/// Bytes, what they are as a raw key, and why they are no key file.
type Typed<'a> = (&'a [u8], Result<(), KeyFileError>, Option<KeyFileError>);

#[test]
fn what_somebody_typed_is_no_raw_key() {
    use KeyFileError as E;

    let random = *b"\x93\x07\0\xd2\x5a\xff\x11\x86\x0c\xb7\xe0\x21\x4f\x9a\xc3\x38";
    let line = |line| Some(E::Line { line });
    let cases: [Typed<'_>; 14] = [
        (&random, Ok(()), Some(E::Raw)),
        (&[random, random].concat(), Ok(()), Some(E::Raw)),
        (&random[1..], Err(E::RawLength { got: 15 }), line(1)),
        (&[0; 16], Err(E::Equal), Some(E::Raw)),
        (&[0xff; 32], Err(E::Equal), Some(E::Raw)),
        (b"correct horse 16", Err(E::Printable), line(1)),
        (b"correct horse 1\n", Err(E::Printable), line(1)),
        (
            b"correct horse battery staple 32\n",
            Err(E::Printable),
            line(1),
        ),
        ("Käse und Brot.\n".as_bytes(), Err(E::Printable), line(1)),
        (
            &[b'\n'; 16],
            Err(E::Printable),
            Some(E::Missing {
                name: "carryless-key",
            }),
        ),
        (b"correct horse\x07 6", Ok(()), Some(E::Raw)),
        (b"0123456789abcde\n", Err(E::BareHex), Some(E::BareHex)),
        (
            b"0123456789ABCDEF0123456789abcde\n",
            Err(E::BareHex),
            Some(E::BareHex),
        ),
        (
            &[b'\n'; 20],
            Err(E::RawLength { got: 20 }),
            Some(E::Missing {
                name: "carryless-key",
            }),
        ),
    ];
    for (content, raw, text) in cases {
        assert_eq!(check_raw(content), raw, "{content:?}");
        assert_eq!(parse(content).err(), text, "{content:?}");
        assert_eq!(parse_gcm(content).err(), text, "{content:?}");
    }
}

#[test]
fn the_format_is_the_documented_one() {
    let checksum = hex::encode(
        &Sha512::digest([b"carryless-key v1\0file\0".as_slice(), &[0x5a; 32]].concat())[..8],
    );
    let lines: Vec<String> = text()
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(String::from)
        .collect();
    let expected = [
        "carryless-key: v1",
        "kind: file",
        &format!("key: {}", "5a".repeat(32)),
        &format!("checksum: {checksum}"),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn order_blank_lines_comments_and_line_ends_do_not_matter() {
    let mut lines: Vec<String> = text().lines().map(String::from).collect();
    lines.reverse();
    let shuffled = lines.join("\r\n\r\n") + "\r\n# end";
    assert_eq!(
        parse(shuffled.as_bytes()).expect("a key file").as_bytes(),
        [0x5a; 32]
    );
}

#[test]
fn every_changed_digit_is_noticed() {
    let text = text();
    let start = text.find("key: 5a").expect("the key line");
    for at in start + 5..text.len() - 1 {
        let mut changed = text.clone().into_bytes();
        if changed[at].is_ascii_hexdigit() {
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            assert!(parse(&changed).is_err(), "digit {at}");
        }
    }
}

#[test]
fn a_key_serves_one_format_and_its_checksum_covers_which() {
    let key = gcm::Key::from_slice(&[0x5a; 32]).expect("a length");
    let gcm = format_gcm(&key);
    assert!(parse_gcm(gcm.as_bytes()).is_ok_and(|read| read.as_bytes() == [0x5a; 32]));
    let refused = parse(gcm.as_bytes()).map(|_| ());
    assert_eq!(refused, Err(KeyFileError::Kind { expected: FILE }));
    let refused = parse_gcm(text().as_bytes()).map(|_| ());
    assert_eq!(refused, Err(KeyFileError::Kind { expected: GCM }));
    let renamed = parse(gcm.replace("kind: gcm", "kind: file").as_bytes()).map(|_| ());
    assert_eq!(renamed, Err(KeyFileError::Checksum));
}

#[test]
fn a_checksum_is_compared_whole() {
    let text = text();
    let (before, digits) = text.split_once("checksum: ").expect("a line");
    let digits = digits.trim_end();
    assert_eq!(digits.len(), 2 * CHECKSUM_LEN);
    let longer = format!("{digits}{digits}");
    for len in 0..=longer.len() {
        let content = format!("{before}checksum: {}\n", &longer[..len]);
        let read = parse(content.as_bytes()).map(|_| ());
        let whole = len == digits.len();
        let expected = whole.then_some(()).ok_or(KeyFileError::Checksum);
        assert_eq!(read, expected, "{len} digits");
    }
    for digit in 0..digits.len() {
        let mut changed = digits.as_bytes().to_vec();
        changed[digit] = if changed[digit] == b'0' { b'1' } else { b'0' };
        let changed = String::from_utf8(changed).expect("digits");
        let content = format!("{before}checksum: {changed}\n");
        let read = parse(content.as_bytes()).map(|_| ());
        assert_eq!(read, Err(KeyFileError::Checksum), "digit {digit}");
    }
}

#[test]
fn malformed_files_are_told_apart() {
    let text = text();
    let cases = [
        (String::new(), KeyFileError::Length { got: 0 }),
        (
            "x".repeat(MAX_LEN + 1),
            KeyFileError::Length { got: MAX_LEN + 1 },
        ),
        ("0f".repeat(16), KeyFileError::BareHex),
        ("0f".repeat(16) + "\n", KeyFileError::BareHex),
        ("no colon in here\n".into(), KeyFileError::Line { line: 1 }),
        (
            "# more than 16 bytes\nname: value\n".into(),
            KeyFileError::Name { line: 2 },
        ),
        (
            text.clone() + "kind: file\n",
            KeyFileError::Name { line: 7 },
        ),
        (text.replace("v1", "v2"), KeyFileError::Version),
        (
            text.replace("kind: file", "kind: gcm"),
            KeyFileError::Kind { expected: FILE },
        ),
        (text.replace("5a5a\n", "5a\n"), KeyFileError::Key),
        (text.replace("5a5a\n", "5a5\n"), KeyFileError::Key),
        (
            text.replace("checksum: ", "checksum: 00"),
            KeyFileError::Checksum,
        ),
        (
            text[..text.find("checksum").expect("a line")].into(),
            KeyFileError::Missing { name: "checksum" },
        ),
    ];
    for (content, error) in cases {
        assert_eq!(
            parse(content.as_bytes()).map(|_| ()),
            Err(error),
            "{content}"
        );
    }
}

/// Names and values are neither longer nor shorter than they are, nor in other letters.
#[test]
fn a_part_of_a_name_or_value_is_not_the_whole() {
    let text = text();
    let lines: Vec<&str> = text.lines().collect();
    let mut count = 0;
    for (number, line) in lines.iter().enumerate() {
        let Some((name, value)) = line.split_once(": ").filter(|_| !line.starts_with('#')) else {
            continue;
        };
        let values = [
            format!("{value}0"),
            format!("{value}.1"),
            format!("{value} {value}"),
            format!("0{value}"),
            value[1..].into(),
            value[..value.len() - 1].into(),
            String::new(),
        ];
        let names = [
            format!("{name}0"),
            format!("{name} "),
            format!("0{name}"),
            name.to_uppercase(),
            name[1..].into(),
            name[..name.len() - 1].into(),
            String::new(),
        ];
        let letters = ["carryless-key", "kind"].contains(&name);
        let letters = letters.then(|| format!("{name}: {}", value.to_uppercase()));
        let values = values.map(|value| format!("{name}: {value}"));
        let names = names.map(|name| format!("{name}: {value}"));
        for changed in values.into_iter().chain(names).chain(letters) {
            let mut lines = lines.clone();
            lines[number] = &changed;
            let content = lines.join("\n");
            assert!(parse(content.as_bytes()).is_err(), "{content}");
            count += 1;
        }
    }
    assert_eq!(count, 4 * 14 + 2, "four lines, two of words");
}
