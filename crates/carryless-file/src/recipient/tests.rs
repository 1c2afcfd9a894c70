use super::*;
use crate::cobblestone::Key;

const SECRET: [u8; 32] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    27, 28, 29, 30, 31, 32,
];
/// By `vectors/container.py recipients`.
const RECIPIENT: &str = "cless1q73he0q5yzfu3d64msd3p6rvksnrwjk3d2598mgtmlqt9wrdr37qxh2fe5";

fn parse(text: &str) -> Result<Recipient, RecipientError> {
    text.parse()
}

/// One of each kind.
fn recipients() -> [Recipient; Kem::ALL.len()] {
    Kem::ALL.map(|kem| Identity::from_bytes(kem, &SECRET).recipient())
}

/// What nobody looked at.
fn unchecked(kem: Kem, public: &[u8]) -> Recipient {
    let public = public.into();
    Recipient { kem, public }
}

/// The same but for the point of X25519 at its end.
fn with_point(recipient: &Recipient, point: &[u8; 32]) -> Vec<u8> {
    let (before, _) = recipient.public.split_at(recipient.public.len() - 32);
    [before, point].concat()
}

#[test]
fn a_recipient_is_the_one_of_its_identity_and_of_its_text() {
    assert_eq!(recipients()[0].to_string(), RECIPIENT);
    for (recipient, len) in recipients().into_iter().zip([64, 1960]) {
        let text = recipient.to_string();
        assert_eq!(text.len(), len);
        assert_eq!(parse(&text), Ok(recipient.clone()));
        assert_eq!(parse(&text.to_uppercase()), Ok(recipient.clone()));
        assert_eq!(
            Recipient::from_slice(recipient.kem(), recipient.as_bytes()),
            Ok(recipient)
        );
    }
}

#[test]
fn every_slip_in_a_recipient_is_noticed() {
    for right in recipients().map(|recipient| recipient.to_string()) {
        // All places of the short one.
        for at in (0..right.len()).step_by(1 + right.len() / 200) {
            for letter in ["q", "p", "Q", "1", " ", "b", "é"] {
                let mut text = right.clone();
                text.replace_range(at..=at, letter);
                let same = text.eq_ignore_ascii_case(&right) && !text.contains('Q');
                assert_eq!(parse(&text).is_ok(), same, "{text}");
            }
            assert!(parse(&right[..at]).is_err());
            assert!(parse(&right[at + 1..]).is_err());
            let mut swapped = right.clone().into_bytes();
            swapped.swap(at, (at + 1) % right.len());
            let swapped = String::from_utf8(swapped).expect("letters");
            assert!(swapped == right || parse(&swapped).is_err(), "{swapped}");
        }
        assert_eq!(parse(&right[..60]), Err(RecipientError::Checksum));
        assert_eq!(parse(&format!("{right} ")), Err(RecipientError::Text));
    }
    assert_eq!(parse(""), Err(RecipientError::Text));
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
    for recipient in recipients() {
        let kem = recipient.kem();
        let identity = Identity::from_bytes(kem, &SECRET);
        let (sent, _) = recipient.encapsulate(b"").expect("random bytes");
        let sent = unchecked(kem, &sent);
        for mut point in small.clone() {
            let public = with_point(&recipient, &point);
            let shown = hex::encode(point);
            let refused = Recipient::from_slice(kem, &public);
            assert_eq!(refused, Err(RecipientError::Key), "{kem}, {shown}");
            let text = unchecked(kem, &public).to_string();
            assert_eq!(parse(&text), Err(RecipientError::Key), "{kem}, {shown}");
            for _ in 0..2 {
                let key = identity.decapsulate(b"", &with_point(&sent, &point));
                assert!(key.is_none(), "{kem}, {shown}");
                point[31] |= 0x80;
            }
        }
        let mut second = recipient.as_bytes().to_vec();
        *second.last_mut().expect("some") |= 0x80;
        let refused = Recipient::from_slice(kem, &second);
        assert_eq!(refused, Err(RecipientError::Key), "{kem}");
    }
}

/// FIPS 203 section 7.2: each coefficient is below 3329.
#[test]
fn a_key_of_ml_kem_that_is_not_reduced_is_no_recipient() {
    let [_, recipient] = recipients();
    for at in (0..1152).step_by(3) {
        let mut public = recipient.as_bytes().to_vec();
        // The coefficient's low byte and, beside the next one, its high bits.
        for (low, is_reduced) in [(0x00, true), (0x01, false), (0xff, false)] {
            public[at] = low;
            public[at + 1] = public[at + 1] & 0xf0 | 0x0d;
            let taken = Recipient::from_slice(Kem::XWing, &public);
            assert_eq!(taken.is_ok(), is_reduced, "{at}, {low}");
            assert!(is_reduced || taken == Err(RecipientError::Key));
        }
    }
}

/// ML-KEM rejects implicitly: it gives another key.
#[test]
fn of_what_was_sent_each_changed_byte_gives_another_key_or_none() {
    for recipient in recipients() {
        let identity = Identity::from_bytes(recipient.kem(), &SECRET);
        let (sent, key) = recipient.encapsulate(b"info").expect("random bytes");
        let opened = |sent: &[u8], info| identity.decapsulate(info, sent);
        let same = |other: Option<Key>| other.is_some_and(|it| it.as_bytes() == key.as_bytes());
        assert!(same(opened(&sent, b"info")));
        assert!(!same(opened(&sent, b"other")));
        for at in (0..sent.len()).step_by(1 + sent.len() / 200) {
            let mut changed = sent.clone();
            changed[at] ^= 0x80;
            assert!(!same(opened(&changed, b"info")), "byte {at}");
        }
        for len in [0, 31, 32, 33, 1119, 1120, 1121] {
            let other = opened(&vec![9; len], b"info");
            assert_eq!(other.is_some(), len == sent.len(), "{len} bytes");
        }
    }
}

#[test]
fn keys_of_another_length_are_no_recipients() {
    for kem in Kem::ALL {
        for got in [0, 1, 31, 32, 33, 64, 1184, 1215, 1216, 1217] {
            if got == kem.facts().public_len {
                continue;
            }
            let expected = RecipientError::Length { kem, got };
            let long = vec![9; got];
            assert_eq!(Recipient::from_slice(kem, &long), Err(expected));
            let text = unchecked(kem, &long).to_string();
            assert_eq!(parse(&text), Err(expected));
        }
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
