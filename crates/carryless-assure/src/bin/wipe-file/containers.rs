//! Containers: new ones, opened by each kind of credential, given other slots, tampered with.

use core::ops::Range;
use std::io::{Cursor, Read, Seek, SeekFrom, Write};

use carryless_file::cobblestone::{CHUNK_LEN, Key, Sealer};
use carryless_file::container::{
    Argon2id, Credential, Header, Lock, Passphrase, create, reader, seek_reader, start, writer,
};
use carryless_file::recipient::{Identity, Kem, Recipient};

use crate::keys::{bytes, cipher, user_key};
use crate::needles::{Container, With, add_user_key};
use crate::report::{Report, Traces};
use crate::secrets::Secrets;
use crate::streams::text;

/// A chunk and a short one.
const TEXT_LEN: usize = CHUNK_LEN + 50;

/// KiB of Argon2id's memory that are more than the default.
const MUCH_KIB: u32 = (1 << 16) + 64;

/// Who opens the container, by number of slot.
struct Owners {
    raw: [Vec<u8>; 2],
    phrases: [[u8; 20]; 2],
    keys: [Key; 2],
    passphrases: [Passphrase; 2],
    cost: Argon2id,
    secret: [u8; 32],
    identities: [Identity; 2],
    recipients: [Recipient; 2],
}

/// Where the slots of identities begin, one of each kind, behind those of keys and passphrases in turn.
const IDENTITIES: usize = 4;
/// All slots.
const SLOTS: [usize; 6] = [0, 1, 2, 3, 4, 5];

impl Owners {
    fn new(key_len: usize) -> Self {
        let raw = [1, 2].map(|seed| user_key(seed, key_len));
        let phrases = [5, 6].map(bytes);
        let secret = bytes(11);
        let identities = Kem::ALL.map(|kem| Identity::from_bytes(kem, &secret));
        Self {
            recipients: identities.each_ref().map(Identity::recipient),
            identities,
            secret,
            keys: raw
                .each_ref()
                .map(|raw| Key::from_slice(raw).expect("a length")),
            passphrases: phrases
                .each_ref()
                .map(|phrase| Passphrase::new(phrase.to_vec()).expect("a length")),
            raw,
            phrases,
            // One pass, so that every block that was ever made is there at the end.
            cost: Argon2id::new(48, 1, 2).expect("within the limits"),
        }
    }

    /// Passphrases for one call: they keep the slot key that was derived last until they are dropped.
    fn passphrases(&self) -> [Passphrase; 2] {
        self.passphrases.clone()
    }

    fn locks<'a>(&'a self, [passphrase, last]: &'a [Passphrase; 2]) -> [Lock<'a>; 6] {
        let [key, second] = &self.keys;
        [
            Lock::Key(key),
            Lock::Passphrase(passphrase, self.cost),
            Lock::Key(second),
            Lock::Passphrase(last, self.cost),
            Lock::Recipient(&self.recipients[0]),
            Lock::Recipient(&self.recipients[1]),
        ]
    }

    /// The credential of a slot of these locks.
    fn credential<'a>(&'a self, slot: usize, passphrases: &'a [Passphrase; 2]) -> Credential<'a> {
        match slot % 2 {
            _ if slot >= IDENTITIES => Credential::Identity(&self.identities[slot - IDENTITIES]),
            0 => Credential::Key(&self.keys[slot / 2]),
            _ => Credential::Passphrase(&passphrases[slot / 2]),
        }
    }

    fn with(&self, slot: usize) -> With<'_> {
        match slot % 2 {
            _ if slot >= IDENTITIES => With::Identity(Kem::ALL[slot - IDENTITIES], &self.secret),
            0 => With::Key(&self.raw[slot / 2]),
            _ => With::Passphrase(&self.phrases[slot / 2]),
        }
    }

    /// All that is secret of these slots of a container.
    fn secrets(&self, bytes: &[u8], slots: &[usize], failed: bool) -> Secrets {
        let mut secrets = Secrets::default();
        for &slot in slots {
            self.add(&mut secrets, bytes, slot, failed);
        }
        secrets.add("text", &text(TEXT_LEN));
        secrets.forget(bytes);
        secrets
    }

    fn add(&self, secrets: &mut Secrets, bytes: &[u8], slot: usize, failed: bool) {
        let with = self.with(slot);
        Container {
            bytes,
            with,
            slot,
            failed,
        }
        .add(secrets);
    }
}

pub(crate) fn check(report: &mut Report, key_len: usize) {
    let owners = Owners::new(key_len);
    let mut file = Vec::with_capacity(2 * TEXT_LEN);
    let text = text(TEXT_LEN);
    let cipher = cipher(key_len);
    let traces = Traces::of(|| {
        let passphrases = owners.passphrases();
        let Ok(mut writer) = writer(cipher, &owners.locks(&passphrases), &mut file) else {
            return;
        };
        assert!(writer.write_all(&text).is_ok() && writer.finish().is_ok());
    });
    let secrets = owners.secrets(&file, &SLOTS, false);
    report.search("container::writer", &traces, &secrets);
    creating(report, &owners, key_len);
    opening(report, &owners, &file);
    rekeying(report, &owners, &file);
    strangers(report, &owners, &file);
    tampered(report, &owners, &file);
    if key_len == 16 {
        much_memory(report, &owners);
    }
}

/// More memory of Argon2id than anybody has by default.
fn much_memory(report: &mut Report, owners: &Owners) {
    let cost = Argon2id::new(MUCH_KIB, 1, 1).expect("within the limits");
    let mut header = Vec::with_capacity(1000);
    let traces = Traces::of(|| {
        let [passphrase, _] = owners.passphrases();
        let locks = [
            Lock::Key(&owners.keys[0]),
            Lock::Passphrase(&passphrase, cost),
        ];
        let Ok((made, _)) = create(cipher(16), &locks) else {
            return;
        };
        header.extend_from_slice(made.as_bytes());
    });
    let secrets = owners.secrets(&header, &[0, 1], false);
    report.search("container::create, much memory", &traces, &secrets);
    report.watch(
        "Header::unlock, much memory",
        || {
            let parsed = Header::parse(&header).expect("just made");
            let passphrases = owners.passphrases();
            let credential = owners.credential(1, &passphrases);
            assert!(parsed.unlock(&credential).is_ok());
        },
        || owners.secrets(&header, &[1], false),
    );
}

fn creating(report: &mut Report, owners: &Owners, key_len: usize) {
    let (cipher, text) = (cipher(key_len), text(TEXT_LEN));
    let mut file = Vec::with_capacity(2 * TEXT_LEN);
    let mut chunks = vec![0; Sealer::sealed_chunks_len(TEXT_LEN, true)];
    let traces = Traces::of(|| {
        let passphrases = owners.passphrases();
        let Ok((header, sealer)) = create(cipher, &owners.locks(&passphrases)) else {
            return;
        };
        file.extend_from_slice(header.as_bytes());
        file.extend_from_slice(sealer.header());
        assert!(sealer.seal_chunks(0, &text, true, &mut chunks).is_ok());
    });
    let secrets = owners.secrets(&file, &SLOTS, false);
    report.search("container::create", &traces, &secrets);
    let none = "container::create, no locks";
    report.watch(
        none,
        || assert!(create(cipher, &[]).is_err()),
        Secrets::default,
    );
}

fn opening(report: &mut Report, owners: &Owners, file: &[u8]) {
    let mut out = vec![0; TEXT_LEN + 1];
    for slot in SLOTS {
        report.watch(
            &format!("container::reader, slot {slot}"),
            || {
                let passphrases = owners.passphrases();
                let credential = owners.credential(slot, &passphrases);
                let Ok(mut reader) = reader(&credential, file) else {
                    return;
                };
                assert!(reader.read_exact(&mut out[..TEXT_LEN]).is_ok());
                assert!(matches!(reader.read(&mut out), Ok(0)));
            },
            || owners.secrets(file, &[slot], false),
        );
        report.watch(
            &format!("container::seek_reader, slot {slot}"),
            || {
                let passphrases = owners.passphrases();
                let credential = owners.credential(slot, &passphrases);
                let Ok(mut reader) = seek_reader(&credential, Cursor::new(file)) else {
                    return;
                };
                assert!(reader.seek(SeekFrom::Start(100)).is_ok());
                assert!(reader.read_exact(&mut out[..5]).is_ok());
            },
            || owners.secrets(file, &[slot], false),
        );
    }
}

fn rekeying(report: &mut Report, owners: &Owners, file: &[u8]) {
    let mut header = Vec::with_capacity(5000);
    let traces = Traces::of(|| {
        let Ok(old) = Header::parse(file) else { return };
        let passphrases = owners.passphrases();
        let Ok(unlocked) = old.unlock(&owners.credential(0, &passphrases)) else {
            return;
        };
        let Ok(new) = unlocked.rekey(&owners.locks(&passphrases)) else {
            return;
        };
        header.extend_from_slice(new.as_bytes());
    });
    let mut secrets = owners.secrets(&header, &SLOTS, false);
    owners.add(&mut secrets, file, 0, false);
    report.search("Unlocked::rekey", &traces, &secrets);
}

/// A key, a passphrase and an identity that no slot is for.
fn strangers(report: &mut Report, owners: &Owners, file: &[u8]) {
    let raw = user_key(9, owners.raw[0].len());
    let key = Key::from_slice(&raw).expect("a length");
    report.watch(
        "container::start, another key",
        || assert!(start(&Credential::Key(&key), &mut &file[..]).is_err()),
        || {
            let mut secrets = Secrets::default();
            add_user_key(&mut secrets, &raw);
            secrets
        },
    );
    let phrase = bytes::<20>(10);
    let passphrase = Passphrase::new(phrase.to_vec()).expect("a length");
    report.watch(
        "container::start, another passphrase",
        || {
            let passphrase = passphrase.clone();
            assert!(start(&Credential::Passphrase(&passphrase), &mut &file[..]).is_err());
        },
        || {
            let mut secrets = Secrets::default();
            for slot in [1, 3] {
                let with = With::Passphrase(&phrase);
                Container {
                    bytes: file,
                    with,
                    slot,
                    failed: true,
                }
                .add(&mut secrets);
            }
            secrets
        },
    );
    for (slot, kem) in (IDENTITIES..).zip(Kem::ALL) {
        let secret = bytes(12);
        let identity = Identity::from_bytes(kem, &secret);
        report.watch(
            &format!("container::start, another identity of {}", kem.name()),
            || assert!(start(&Credential::Identity(&identity), &mut &file[..]).is_err()),
            || {
                let mut secrets = Secrets::default();
                Container {
                    bytes: file,
                    with: With::Identity(kem, &secret),
                    slot,
                    failed: true,
                }
                .add(&mut secrets);
                secrets
            },
        );
    }
}

fn tampered(report: &mut Report, owners: &Owners, file: &[u8]) {
    let header_len = Container::header_len(file);
    for slot in [0, 1, IDENTITIES, IDENTITIES + 1] {
        let Range { start, end } = Container::slot(file, slot);
        let encapsulated = ("encapsulated key", start + 3..start + 35);
        // Each changed whole, so that nothing of the right one is in the file.
        for (name, range) in [
            ("tag of the slot", end - 16..end),
            ("commitment of the slot", end - 80..end - 48),
            ("MAC", header_len - 32..header_len),
            (
                "commitment of the payload",
                header_len + 24..header_len + 56,
            ),
            (
                "tag of a chunk",
                header_len + 56 + CHUNK_LEN..header_len + 56 + CHUNK_LEN + 16,
            ),
        ]
        .into_iter()
        .chain((slot >= IDENTITIES).then_some(encapsulated))
        {
            let mut changed = file.to_vec();
            changed[range].iter_mut().for_each(|byte| *byte = !*byte);
            let mut out = vec![0; TEXT_LEN];
            report.watch(
                &format!("container::reader, slot {slot}, wrong {name}"),
                || {
                    let passphrases = owners.passphrases();
                    let credential = owners.credential(slot, &passphrases);
                    let opened = reader(&credential, &changed[..]);
                    let read = opened.is_ok_and(|mut reader| reader.read_exact(&mut out).is_ok());
                    assert!(!read, "{name}");
                },
                || {
                    let mut secrets = owners.secrets(&changed, &[slot], true);
                    owners.add(&mut secrets, file, slot, true);
                    secrets.forget(&changed);
                    secrets
                },
            );
        }
    }
}
