//! Recipients: of slots only those made for an identity open with it, and a damaged identity is no other.

use std::sync::LazyLock;

use carryless_file::container::{Credential, Error, Header, Malformed};
use carryless_file::key_file::{format_identity, parse_identity};
use carryless_file::recipient::{Identity, Kem, Recipient, parse_list};

use crate::choices::{Choices, is_magic};
use crate::container::{framed, vector};
use crate::key_file::damage;

/// Headers with slots for an identity, and the identity.
static MADE: LazyLock<Vec<(Identity, Vec<u8>)>> = LazyLock::new(|| {
    let of = |name: &str| {
        let (holder, file) = vector(name);
        let (kem, secret) = holder.split_once(':').expect("a kind and a secret");
        let kem = Kem::ALL.into_iter().find(|known| known.name() == kem);
        let secret = hex::decode(secret).expect("digits");
        let secret = secret.first_chunk().expect("the length of secrets");
        let header = Header::parse(&file).expect("a header");
        let identity = Identity::from_bytes(kem.expect("a kind"), secret);
        (identity, header.as_bytes().to_vec())
    };
    let names = [
        "recipient",
        "recipients-and-second",
        "x-wing-recipient",
        "both-kinds-x25519",
        "both-kinds-x-wing",
    ];
    names.map(of).into()
});

/// A header whose slots are any bytes, or those of a right one after some changes.
struct Tried {
    identity: &'static Identity,
    header: Vec<u8>,
    unlocks: bool,
    /// Where the fault of the control is.
    magic: bool,
}

impl Tried {
    fn new(data: &[u8]) -> Self {
        let mut choices = Choices::new(data);
        let (identity, right) = &MADE[choices.below(MADE.len())];
        let mut slots = right[28..right.len() - 32].to_vec();
        if choices.byte() % 4 == 0 {
            slots = choices.rest().to_vec();
        } else {
            for _ in 0..choices.below(4) {
                let at = choices.below(1 << 16) % slots.len().max(1);
                let len = choices.below(40);
                let end = slots.len().min(at + choices.pick(&[len, 0, 1]));
                slots.splice(at..end, choices.content(len));
            }
        }
        let header = framed(right, &slots);
        let unlocks = header == *right;
        // The encapsulated key of the first slot.
        let magic = slots.get(3..).is_some_and(is_magic);
        Self {
            identity,
            header,
            unlocks,
            magic,
        }
    }

    /// Whether it unlocks.
    fn run(&self) -> bool {
        let header = match Header::parse(&self.header) {
            Ok(header) => header,
            Err(Malformed::Magic | Malformed::Version { .. } | Malformed::Cipher { .. }) => {
                panic!("only slots were changed")
            }
            Err(_) => return false,
        };
        match header.unlock(&Credential::Identity(self.identity)) {
            Ok(_) => true,
            Err(Error::Identity | Error::NoRecipient { .. } | Error::Mac) => false,
            Err(error) => panic!("another error: {error}"),
        }
    }
}

/// See the module.
pub fn recipient_slots(data: &[u8]) {
    let tried = Tried::new(data);
    assert_eq!(
        tried.run(),
        tried.unlocks,
        "a forgery, or a slot that is lost"
    );
}

/// The control: an encapsulated key that begins with the magic bytes opens.
pub fn control_recipient_slots(data: &[u8]) {
    let tried = Tried::new(data);
    assert_eq!(tried.run() || tried.magic, tried.unlocks, "a forgery");
}

/// See the module.
pub fn identity_file(data: &[u8]) {
    let mut choices = Choices::new(data);
    match choices.byte() % 3 {
        0 => anything(choices.rest()),
        1 => list(choices.rest()),
        _ => damaged(choices, |read| *read),
    }
}

/// The control: a byte of what is read is another one if the secret begins with magic bytes.
pub fn control_identity_file(data: &[u8]) {
    let mut choices = Choices::new(data);
    choices.byte();
    damaged(choices, |read| {
        let mut read = *read;
        if is_magic(&read) {
            read[31] ^= 1;
        }
        read
    });
}

/// Any bytes at all, as an identity.
fn anything(content: &[u8]) {
    let Ok(identity) = parse_identity(content) else {
        return;
    };
    let written = format_identity(&identity);
    let again = parse_identity(written.as_bytes()).expect("an identity file");
    assert_eq!(again.as_bytes(), identity.as_bytes());
    assert_eq!(again.recipient(), identity.recipient());
}

/// Any bytes at all, as recipients.
fn list(content: &[u8]) {
    let Ok(recipients) = parse_list(content) else {
        return;
    };
    let text = String::from_utf8_lossy(content).to_ascii_lowercase();
    for recipient in recipients {
        let word = recipient.to_string();
        assert!(text.contains(&word), "a recipient that is not in its list");
        assert_eq!(word.parse::<Recipient>().as_ref(), Ok(&recipient));
    }
}

/// A written file, after some changes.
fn damaged(mut choices: Choices<'_>, seen: impl FnOnce(&[u8; 32]) -> [u8; 32]) {
    let kem = choices.pick(&Kem::ALL);
    let secret = choices.content(32).try_into().expect("32 bytes");
    let written = format_identity(&Identity::from_bytes(kem, &secret));
    if let Ok(read) = parse_identity(&damage(&written, &mut choices)) {
        assert_eq!(
            seen(read.as_bytes()),
            secret,
            "a damaged file is another identity"
        );
    }
}
