//! Files of one message: segments, writers, and what reads a file twice.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use carryless_file::gcm::{self, Key, NONCE_LEN, Opener, SealWriter, Sealer, TAG_LEN};

use crate::keys::user_key;
use crate::needles::add_aead_key;
use crate::reference::Gcm;
use crate::report::Report;
use crate::secrets::Secrets;
use crate::streams::{Failing, text};

/// More than a segment of readers and writers.
const TEXT_LEN: usize = (1 << 19) + 1000;
/// Where the first of two segments ends.
const CUT: usize = 4096;

/// A message under a key, and its text.
struct Message {
    key: Key,
    text: Vec<u8>,
    /// Nonce, ciphertext, tag.
    sealed: Vec<u8>,
}

impl Message {
    fn new(key: Key, text: Vec<u8>) -> Self {
        let sealer = Sealer::new(&key).expect("random bytes");
        let mut sealed = [sealer.nonce(), &text[..]].concat();
        let part = sealer.seal(0, &mut sealed[NONCE_LEN..]).expect("a text");
        sealed.extend(sealer.finish(&[part]).expect("all of it"));
        Self { key, text, sealed }
    }

    /// Of the key, its AEAD, the text, and the right tag if it was not given.
    fn secrets(&self, failed: bool) -> Secrets {
        let mut secrets = Secrets::default();
        add_aead_key(&mut secrets, self.key.as_bytes());
        secrets.add("text", &self.text);
        if failed {
            let (nonce, rest) = self.sealed.split_at(NONCE_LEN);
            let gcm = Gcm::new(self.key.as_bytes());
            let ciphertext = &rest[..rest.len() - TAG_LEN];
            secrets.add_block("right tag", gcm.tag(&gcm.j0(nonce), &[], ciphertext));
        }
        secrets
    }

    /// Without a right tag.
    fn forged(&self) -> Vec<u8> {
        let mut forged = self.sealed.clone();
        let tag = forged.len() - TAG_LEN;
        forged[tag..].iter_mut().for_each(|byte| *byte = !*byte);
        forged
    }
}

/// A file that changes once it was read to its end.
struct Changing<'a> {
    file: Cursor<&'a [u8]>,
    later: &'a [u8],
}

impl Read for Changing<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Seek for Changing<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if to == SeekFrom::Start(NONCE_LEN as u64) {
            self.file = Cursor::new(self.later);
        }
        self.file.seek(to)
    }
}

pub(crate) fn check(report: &mut Report, key_len: usize) {
    let key = Key::from_slice(&user_key(1, key_len)).expect("a length");
    let short = Message::new(key.clone(), text(2 * CUT + 77));
    segments(report, &short);
    let long = Message::new(key, text(TEXT_LEN));
    writing(report, &long);
    opening(report, &long);
}

fn segments(report: &mut Report, message: &Message) {
    let Message { key, text, sealed } = message;
    let mut place = vec![0; text.len()];
    report.watch(
        "gcm::Sealer",
        || {
            place.copy_from_slice(text);
            let Ok(sealer) = Sealer::new(key) else { return };
            let (head, tail) = place.split_at_mut(CUT);
            let (head, tail) = (sealer.seal(0, head), sealer.seal(CUT as u64, tail));
            let (Ok(head), Ok(tail)) = (head, tail) else {
                return;
            };
            assert!(sealer.finish(&[head, tail]).is_ok());
        },
        || message.secrets(false),
    );
    let forged = message.forged();
    for (name, sealed, authentic) in [
        ("gcm::Opener", sealed, true),
        ("gcm::Opener, wrong tag", &forged, false),
    ] {
        let (nonce, rest) = sealed.split_first_chunk().expect("longer");
        let (ciphertext, tag) = rest.split_last_chunk().expect("longer");
        report.watch(
            name,
            || {
                place.copy_from_slice(ciphertext);
                let opener = Opener::new(key, nonce);
                let (head, tail) = place.split_at_mut(CUT);
                let (one, two) = (
                    opener.authenticate(0, head),
                    opener.authenticate(CUT as u64, tail),
                );
                let (Ok(one), Ok(two)) = (one, two) else {
                    return;
                };
                let parts = [one, two];
                let verified = opener.verify(&parts, tag);
                assert_eq!(verified.is_ok(), authentic, "{name}");
                let Ok(verified) = verified else { return };
                assert!(verified.open(CUT as u64, tail).is_ok());
                head[5] ^= 1;
                assert!(verified.open(0, head).is_err(), "a changed segment");
            },
            || message.secrets(!authentic),
        );
    }
}

fn writing(report: &mut Report, message: &Message) {
    let Message { key, text, sealed } = message;
    for (name, room, ends) in [
        ("gcm::SealWriter, finished", usize::MAX, true),
        (
            "gcm::SealWriter, dropped with text pending",
            usize::MAX,
            false,
        ),
        ("gcm::SealWriter, the disk is full", 1000, true),
    ] {
        let mut out = Vec::with_capacity(sealed.len());
        report.watch(
            name,
            || {
                let Ok(mut writer) = SealWriter::new(key, Failing(&mut out, room)) else {
                    return;
                };
                let written = text
                    .chunks(5000)
                    .try_for_each(|piece| writer.write_all(piece));
                assert_eq!(written.is_ok(), room == usize::MAX, "{name}");
                if ends {
                    assert_eq!(writer.finish().is_ok(), room == usize::MAX, "{name}");
                }
            },
            || message.secrets(false),
        );
    }
}

fn opening(report: &mut Report, message: &Message) {
    let Message { key, sealed, text } = message;
    let forged = message.forged();
    let mut changed = sealed.clone();
    changed[NONCE_LEN + 100] ^= 1;
    for (name, first, later, room, opens) in [
        ("gcm::open", sealed, sealed, usize::MAX, true),
        ("gcm::open, wrong tag", &forged, &forged, usize::MAX, false),
        (
            "gcm::open, changed in between",
            sealed,
            &changed,
            usize::MAX,
            false,
        ),
        ("gcm::open, the disk is full", sealed, sealed, 1000, false),
    ] {
        let mut out = Vec::with_capacity(text.len());
        report.watch(
            name,
            || {
                let file = Cursor::new(&first[..]);
                let mut file = Changing { file, later };
                let opened = gcm::open(key, &mut file, &mut Failing(&mut out, room));
                assert_eq!(opened.is_ok(), opens, "{name}");
            },
            || message.secrets(first == &forged),
        );
    }
}
