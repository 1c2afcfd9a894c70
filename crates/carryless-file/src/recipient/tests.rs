use super::*;

const SECRET: [u8; 32] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    27, 28, 29, 30, 31, 32,
];
/// By `vectors/container.py recipients`.
const RECIPIENT: &str = "cless1q73he0q5yzfu3d64msd3p6rvksnrwjk3d2598mgtmlqt9wrdr37qxh2fe5";

fn parse(text: &str) -> Result<Recipient, RecipientError> {
    text.parse()
}

#[test]
fn a_recipient_is_the_one_of_its_identity_and_of_its_text() {
    let recipient = Identity::from_bytes(Kem::X25519, &SECRET).recipient();
    assert_eq!(recipient.to_string(), RECIPIENT);
    assert_eq!(parse(RECIPIENT), Ok(recipient.clone()));
    assert_eq!(parse(&RECIPIENT.to_uppercase()), Ok(recipient.clone()));
    assert_eq!(
        Recipient::from_slice(Kem::X25519, recipient.as_bytes()),
        Ok(recipient)
    );
}

#[test]
fn every_slip_in_a_recipient_is_noticed() {
    for at in 0..RECIPIENT.len() {
        for letter in ["q", "p", "Q", "1", " ", "b", "é"] {
            let mut text = RECIPIENT.to_string();
            text.replace_range(at..=at, letter);
            let same = text.eq_ignore_ascii_case(RECIPIENT) && !text.contains('Q');
            assert_eq!(parse(&text).is_ok(), same, "{text}");
        }
        assert!(parse(&RECIPIENT[..at]).is_err());
        assert!(parse(&RECIPIENT[at + 1..]).is_err());
        let mut swapped = RECIPIENT.as_bytes().to_vec();
        swapped.swap(at, (at + 1) % RECIPIENT.len());
        let swapped = String::from_utf8(swapped).expect("letters");
        assert!(
            swapped == RECIPIENT || parse(&swapped).is_err(),
            "{swapped}"
        );
    }
    assert_eq!(parse(&RECIPIENT[..60]), Err(RecipientError::Checksum));
    assert_eq!(parse(""), Err(RecipientError::Text));
    assert_eq!(parse(&format!("{RECIPIENT} ")), Err(RecipientError::Text));
    assert_eq!(parse("alice.key"), Err(RecipientError::Text));
    assert_eq!(parse("carryless-key: v1"), Err(RecipientError::Secret));
}

/// RFC 9180 section 7.1.4 has those who use such a point fail; here it is no recipient in the first place.
#[test]
fn points_of_small_order_and_second_encodings_are_no_recipients() {
    let prime = |more: u8| {
        let mut bytes = [0xff; 32];
        (bytes[0], bytes[31]) = (more, 0x7f);
        bytes
    };
    let mut small = vec![[0; 32], prime(0xec), prime(0xed), prime(0xee)];
    small.push(core::array::from_fn(|at| u8::from(at == 0)));
    for point in [
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    ] {
        let point = hex::decode(point).expect("digits");
        small.push(*point.first_chunk().expect("32 bytes"));
    }
    for mut point in small {
        assert_eq!(
            Recipient::from_slice(Kem::X25519, &point),
            Err(RecipientError::Key),
            "{}",
            hex::encode(point)
        );
        let unchecked = Recipient {
            kem: Kem::X25519,
            public: point.into(),
        };
        assert_eq!(parse(&unchecked.to_string()), Err(RecipientError::Key));
        point[31] |= 0x80;
        let encapsulated = Identity::from_bytes(Kem::X25519, &SECRET).decapsulate(b"", &point);
        assert!(encapsulated.is_none(), "{}", hex::encode(point));
    }
    let mut second = *parse(RECIPIENT)
        .expect("a recipient")
        .as_bytes()
        .first_chunk::<32>()
        .expect("32 bytes");
    second[31] |= 0x80;
    assert_eq!(
        Recipient::from_slice(Kem::X25519, &second),
        Err(RecipientError::Key)
    );
}

#[test]
fn keys_of_another_length_are_no_recipients() {
    for got in [0, 1, 31, 33, 64] {
        let expected = RecipientError::Length {
            kem: Kem::X25519,
            got,
        };
        let long = vec![9; got];
        let refused = Recipient::from_slice(Kem::X25519, &long);
        assert_eq!(refused, Err(expected));
        let unchecked = Recipient {
            kem: Kem::X25519,
            public: long.into(),
        };
        assert_eq!(parse(&unchecked.to_string()), Err(expected));
    }
}

#[test]
fn a_list_names_the_line_that_is_wrong() {
    let list = format!("# all\n\n  {RECIPIENT}\r\n{RECIPIENT}");
    assert_eq!(parse_list(list.as_bytes()).map(|list| list.len()), Ok(2));
    for (line, error) in [
        (&RECIPIENT[1..], RecipientError::Text),
        ("carryless-key: v1", RecipientError::Secret),
        (&RECIPIENT[..63], RecipientError::Checksum),
    ] {
        let list = format!("{RECIPIENT}\n{line}\n");
        let expected = ListError::Line { line: 2, error };
        assert_eq!(parse_list(list.as_bytes()), Err(expected));
    }
    let binary = [RECIPIENT.as_bytes(), b"\n\xff"].concat();
    assert!(matches!(
        parse_list(&binary),
        Err(ListError::Line { line: 2, .. })
    ));
    assert_eq!(parse_list(b"# none\n"), Err(ListError::Empty));
    assert_eq!(parse_list(b""), Err(ListError::Empty));
    let long = format!("{RECIPIENT}\n#{}", "x".repeat(MAX_LIST_LEN));
    assert_eq!(parse_list(long.as_bytes()), Err(ListError::TooLong));
    assert!(parse_list(&long.as_bytes()[..MAX_LIST_LEN]).is_ok());
}
