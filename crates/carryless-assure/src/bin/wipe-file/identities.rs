//! Identities: new ones, their recipients, their files.

use core::cell::RefCell;

use carryless_file::container::{Argon2id, Credential, Error, Passphrase, start};
use carryless_file::key_file;
use carryless_file::recipient::{Identity, Kem};

use crate::hpke::add_identity;
use crate::keys::bytes;
use crate::report::Report;
use crate::secrets::Secrets;

/// The identity, and the passphrase that its file is under.
fn of(kem: Kem, identity: &[u8; 32], phrase: &[u8]) -> Secrets {
    let mut secrets = Secrets::default();
    add_identity(&mut secrets, kem, identity);
    secrets.add("passphrase", phrase);
    secrets
}

pub(crate) fn check(report: &mut Report, kem: Kem) {
    let made = RefCell::new([0; 32]);
    report.watch(
        "Identity::generate",
        || {
            if let Ok(identity) = Identity::generate(kem) {
                *made.borrow_mut() = *identity.as_bytes();
            }
        },
        || of(kem, &made.borrow(), &[]),
    );
    let recipient_len = match kem {
        Kem::XWing => 1184 + 32,
        _ => 32,
    };
    let (secret, phrase) = (bytes(13), bytes::<40>(14));
    let identity = Identity::from_bytes(kem, &secret);
    let text = key_file::format_identity(&identity);
    let passphrase = Passphrase::new(phrase.to_vec()).expect("a length");
    let cost = Argon2id::new(64, 1, 1).expect("within the limits");
    let protected = key_file::protect(&text, &passphrase, cost).expect("little memory");
    let calls: [(&str, &dyn Fn() -> bool); 8] = [
        ("Identity::from_bytes", &|| {
            Identity::from_bytes(kem, &secret).kem() == kem
        }),
        ("Identity::clone", &|| {
            identity.clone().as_bytes() == &secret
        }),
        ("Identity in Debug", &|| format!("{identity:?}").len() > 3),
        ("Identity::recipient", &|| {
            identity.recipient().as_bytes().len() == recipient_len
        }),
        ("key_file::format_identity", &|| {
            key_file::format_identity(&identity).len() > 100
        }),
        ("key_file::parse_identity", &|| {
            key_file::parse_identity(text.as_bytes()).is_ok()
        }),
        ("key_file::protect, an identity", &|| {
            key_file::protect(&text, &passphrase.clone(), cost).is_ok()
        }),
        ("key_file::unprotect, an identity", &|| {
            key_file::unprotect(&protected, &passphrase.clone())
                .is_ok_and(|text| key_file::parse_identity(&text).is_ok())
        }),
    ];
    for (name, call) in calls {
        report.watch(
            name,
            || assert!(call(), "{name}"),
            || of(kem, &secret, &phrase),
        );
    }
    damaged(report, kem, &secret, &text);
    shut(report, kem, &secret, &protected);
}

/// Files that say less or other than they should.
fn damaged(report: &mut Report, kem: Kem, secret: &[u8; 32], text: &str) {
    let kind = format!("kind: {}", kem.name());
    for (what, from, to) in [
        ("another kind", &*kind, "kind: file"),
        ("a wrong checksum", "checksum: ", "checksum: 00"),
        ("an odd number of digits", "\nchecksum", "0\nchecksum"),
        ("no checksum", "checksum:", "# checksum:"),
    ] {
        let text = text.replace(from, to);
        report.watch(
            &format!("key_file::parse_identity, {what}"),
            || assert!(key_file::parse_identity(text.as_bytes()).is_err(), "{what}"),
            || of(kem, secret, &[]),
        );
    }
}

/// Under a passphrase that is another, or whose text was changed.
fn shut(report: &mut Report, kem: Kem, secret: &[u8; 32], protected: &[u8]) {
    let (phrase, wrong) = (bytes::<40>(14), bytes::<40>(15));
    let mut changed = protected.to_vec();
    *changed.last_mut().expect("a tag") ^= 1;
    for (what, file, phrase) in [
        ("another passphrase", protected, wrong),
        ("a changed text", &changed[..], phrase),
    ] {
        let passphrase = Passphrase::new(phrase.to_vec()).expect("a length");
        report.watch(
            &format!("key_file::unprotect, an identity, {what}"),
            || assert!(key_file::unprotect(file, &passphrase.clone()).is_err()),
            || of(kem, secret, &phrase),
        );
    }
    let identity = Identity::from_bytes(kem, secret);
    report.watch(
        "container::start, no slot for the identity",
        || {
            let opened = start(&Credential::Identity(&identity), &mut &protected[..]);
            assert!(matches!(opened, Err(Error::NoRecipient { .. })));
        },
        || of(kem, secret, &[]),
    );
}
