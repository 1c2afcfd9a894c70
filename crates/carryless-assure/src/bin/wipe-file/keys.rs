//! Keys, key files, passphrases.

use core::cell::RefCell;

use carryless_assure::Random;
use carryless_file::cobblestone::{Cipher, Key};
use carryless_file::container::{Argon2id, KeyId, Passphrase};
use carryless_file::{gcm, key_file};

use crate::needles::add_user_key;
use crate::report::Report;
use crate::secrets::Secrets;

/// Bytes that look random.
pub(crate) fn bytes<const N: usize>(seed: u64) -> [u8; N] {
    let mut bytes = [0; N];
    Random::new(seed).fill(&mut bytes);
    bytes
}

/// The cipher whose keys have this length.
pub(crate) fn cipher(key_len: usize) -> Cipher {
    if key_len == 16 {
        Cipher::Cobblestone128
    } else {
        Cipher::Cobblestone256
    }
}

/// A key of the user's.
pub(crate) fn user_key(seed: u64, key_len: usize) -> Vec<u8> {
    bytes::<32>(seed)[..key_len].to_vec()
}

fn of(key: &[u8]) -> Secrets {
    let mut secrets = Secrets::default();
    add_user_key(&mut secrets, key);
    secrets
}

pub(crate) fn check(report: &mut Report, key_len: usize) {
    generating(report, key_len);
    reading(report, key_len);
    let passphrase = bytes::<40>(3);
    let copy = || passphrase.to_vec();
    let mut given = Some(copy());
    report.watch(
        "Passphrase",
        || {
            let made = given.take().map(Passphrase::new);
            assert!(made.is_some_and(|made| {
                made.is_ok_and(|made| format!("{:?}", made.clone()).len() > 10)
            }));
        },
        || {
            let mut secrets = Secrets::default();
            secrets.add("passphrase", &passphrase);
            secrets
        },
    );
    let mut given = Some([copy(), vec![0; 2000]].concat());
    report.watch(
        "Passphrase, too long",
        || {
            assert!(
                given
                    .take()
                    .is_some_and(|given| Passphrase::new(given).is_err())
            )
        },
        || {
            let mut secrets = Secrets::default();
            secrets.add("passphrase", &passphrase);
            secrets
        },
    );
}

fn generating(report: &mut Report, key_len: usize) {
    let (cipher, made) = (cipher(key_len), RefCell::new(vec![0; key_len]));
    let keep = |key: &[u8]| made.borrow_mut().copy_from_slice(key);
    let secrets = || of(&made.borrow());
    report.watch(
        "Key::generate",
        || Key::generate(cipher).map_or((), |key| keep(key.as_bytes())),
        secrets,
    );
    report.watch(
        "gcm::Key::generate",
        || gcm::Key::generate(key_len).map_or((), |key| keep(key.as_bytes())),
        secrets,
    );
}

/// A text key file that says less or other than it should.
fn damaged(text: &str) -> [(&'static str, String); 3] {
    [
        ("another kind", text.replace("kind: file", "kind: other")),
        (
            "a wrong checksum",
            text.replace("checksum: ", "checksum: 00"),
        ),
        (
            "an odd number of digits",
            text.replace("\nchecksum", "0\nchecksum"),
        ),
    ]
}

fn reading(report: &mut Report, key_len: usize) {
    let raw = user_key(1, key_len);
    let key = Key::from_slice(&raw).expect("a length");
    let of_gcm = gcm::Key::from_slice(&raw).expect("a length");
    let (text, gcm_text) = (key_file::format(&key), key_file::format_gcm(&of_gcm));
    let passphrase = Passphrase::new(bytes::<40>(3).to_vec()).expect("a length");
    let cost = Argon2id::new(64, 1, 1).expect("within the limits");
    let protected = key_file::protect(&text, &passphrase, cost).expect("little memory");
    let secrets = || of(&raw);
    let calls: [(&str, &dyn Fn() -> bool); 12] = [
        ("Key::from_slice", &|| Key::from_slice(&raw).is_ok()),
        ("Key::clone", &|| !key.clone().as_bytes().is_empty()),
        ("Key in Debug", &|| format!("{key:?}").len() > 3),
        ("KeyId::of", &|| KeyId::of(&key).to_string().len() == 16),
        ("gcm::Key::from_slice", &|| {
            gcm::Key::from_slice(&raw).is_ok()
        }),
        ("key_file::format", &|| key_file::format(&key).len() > 100),
        ("key_file::format_gcm", &|| {
            key_file::format_gcm(&of_gcm).len() > 100
        }),
        ("key_file::parse", &|| {
            key_file::parse(text.as_bytes()).is_ok()
        }),
        ("key_file::protect", &|| {
            key_file::protect(&text, &passphrase.clone(), cost).is_ok()
        }),
        ("key_file::unprotect", &|| {
            key_file::unprotect(&protected, &passphrase.clone()).is_ok()
        }),
        ("key_file::check_raw", &|| key_file::check_raw(&raw).is_ok()),
        ("key_file::parse_gcm", &|| {
            key_file::parse_gcm(gcm_text.as_bytes()).is_ok()
        }),
    ];
    for (name, call) in calls {
        report.watch(name, || assert!(call(), "{name}"), secrets);
    }
    for (what, text) in damaged(&text) {
        let call = || assert!(key_file::parse(text.as_bytes()).is_err(), "{what}");
        report.watch(&format!("key_file::parse, {what}"), call, secrets);
    }
}
