//! The chunked stream: chunks, writers and readers, to their end, early, and after errors.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use carryless_assure::Random;
use carryless_file::cobblestone::{
    CHUNK_LEN, HEADER_LEN, Key, OpenReader, Opener, SALT_LEN, SEALED_CHUNK_LEN, SealWriter, Sealer,
    SeekReader, TAG_LEN,
};

use crate::keys::user_key;
use crate::needles::{add_stream, add_user_key};
use crate::report::{Report, Traces};
use crate::secrets::Secrets;

const CONTEXT: &[u8] = b"wipe";
/// More than a batch of writers and readers, and a short chunk.
pub(crate) const TEXT_LEN: usize = 33 * CHUNK_LEN + 500;
/// Bytes after which texts repeat themselves: a prime, so that no two chunks are the same, and few, as each
/// is looked for.
const PERIOD: usize = 4099;

/// Text that looks random.
pub(crate) fn text(len: usize) -> Vec<u8> {
    let mut period = vec![0; PERIOD];
    Random::new(4).fill(&mut period);
    period.into_iter().cycle().take(len).collect()
}

/// Takes so many bytes, and fails from then on.
pub(crate) struct Failing<T>(pub(crate) T, pub(crate) usize);

impl<T: Write> Write for Failing<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.1.checked_sub(bytes.len()) else {
            return Err(io::ErrorKind::StorageFull.into());
        };
        self.1 = left;
        self.0.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<T: Read> Read for Failing<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let most = self.1.min(bytes.len());
        if most == 0 {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let got = self.0.read(&mut bytes[..most])?;
        self.1 -= got;
        Ok(got)
    }
}

/// A stream under a key, and the text of it.
struct Stream {
    key: Key,
    text: Vec<u8>,
    sealed: Vec<u8>,
}

impl Stream {
    fn new(key: Key, text: Vec<u8>) -> Self {
        let sealer = Sealer::new(&key, CONTEXT).expect("random bytes");
        let mut sealed = vec![0; HEADER_LEN + Sealer::sealed_chunks_len(text.len(), true)];
        let (header, chunks) = sealed.split_at_mut(HEADER_LEN);
        header.copy_from_slice(sealer.header());
        sealer.seal_chunks(0, &text, true, chunks).expect("a text");
        Self { key, text, sealed }
    }

    /// Of the key, the stream that begins with this header, and the text.
    fn secrets(&self, header: &[u8], failed: bool) -> Secrets {
        let mut secrets = Secrets::default();
        add_user_key(&mut secrets, self.key.as_bytes());
        add_stream(
            &mut secrets,
            self.key.as_bytes(),
            CONTEXT,
            &header[..SALT_LEN],
            failed,
        );
        secrets.add("text", &self.text);
        if !failed {
            secrets.forget(header);
        }
        secrets
    }
}

pub(crate) fn check(report: &mut Report, key_len: usize) {
    let key = Key::from_slice(&user_key(1, key_len)).expect("a length");
    let stream = Stream::new(key, text(TEXT_LEN));
    sealing(report, &stream);
    chunks(report, &stream);
    reading(report, &stream);
    seeking(report, &stream);
}

fn sealing(report: &mut Report, stream: &Stream) {
    let Stream { key, text, sealed } = stream;
    let mut out = vec![0; sealed.len()];
    let traces = Traces::of(|| {
        let Ok(sealer) = Sealer::new(key, CONTEXT) else {
            return;
        };
        out[..HEADER_LEN].copy_from_slice(sealer.header());
        assert!(
            sealer
                .seal_chunks(0, text, true, &mut out[HEADER_LEN..])
                .is_ok()
        );
    });
    report.search("cobblestone::Sealer", &traces, &stream.secrets(&out, false));
    // How much is written in one piece, how often flushed, and whether it is finished.
    for (name, piece, most) in [
        ("SealWriter, finished", 5000, usize::MAX),
        ("SealWriter of large writes, finished", TEXT_LEN, usize::MAX),
        ("SealWriter, dropped with text pending", 5000, 0),
        (
            "SealWriter, the disk is full",
            5000,
            HEADER_LEN + 20 * SEALED_CHUNK_LEN,
        ),
    ] {
        let mut out = Vec::with_capacity(sealed.len());
        let traces = Traces::of(|| {
            let room = if most == 0 { usize::MAX } else { most };
            let Ok(mut writer) = SealWriter::new(key, CONTEXT, Failing(&mut out, room)) else {
                return;
            };
            let text = if most == 0 {
                &text[..40_000]
            } else {
                &text[..]
            };
            let written = text
                .chunks(piece)
                .try_for_each(|piece| writer.write_all(piece));
            assert_eq!(written.is_ok(), room == usize::MAX, "{name}");
            if most > 0 {
                assert_eq!(writer.finish().is_ok(), room == usize::MAX, "{name}");
            }
        });
        report.search(name, &traces, &stream.secrets(&out, false));
    }
}

fn chunks(report: &mut Report, stream: &Stream) {
    let Stream { key, text, sealed } = stream;
    let (header, chunks) = sealed.split_first_chunk().expect("longer");
    let mut out = vec![0; text.len()];
    report.watch(
        "cobblestone::Opener",
        || {
            let Ok(opener) = Opener::new(key, CONTEXT, header) else {
                return;
            };
            assert!(opener.open_chunks(0, chunks, true, &mut out).is_ok());
        },
        || stream.secrets(header, false),
    );
    let mut wrong = *header;
    wrong[SALT_LEN..].iter_mut().for_each(|byte| *byte = !*byte);
    report.watch(
        "cobblestone::Opener, wrong commitment",
        || assert!(Opener::new(key, CONTEXT, &wrong).is_err()),
        || stream.secrets(header, true),
    );
    for (name, chunk) in [
        ("wrong chunk", 1),
        ("wrong last chunk", text.len() / CHUNK_LEN),
    ] {
        let mut tampered = chunks.to_vec();
        let end = chunks.len().min((chunk + 1) * SEALED_CHUNK_LEN);
        tampered[end - 1] ^= 1;
        report.watch(
            &format!("cobblestone::Opener, {name}"),
            || {
                let Ok(opener) = Opener::new(key, CONTEXT, header) else {
                    return;
                };
                assert!(opener.open_chunks(0, &tampered, true, &mut out).is_err());
            },
            || stream.secrets(header, false),
        );
        let opened = &out[chunk * CHUNK_LEN..text.len().min((chunk + 1) * CHUNK_LEN)];
        if opened.iter().any(|byte| *byte != 0) {
            report.note(
                &format!("cobblestone::Opener, {name}: text in the output"),
                1,
            );
        }
    }
}

fn reading(report: &mut Report, stream: &Stream) {
    let Stream { key, text, sealed } = stream;
    let mut tampered = sealed.clone();
    tampered[HEADER_LEN + 2 * SEALED_CHUNK_LEN - 1] ^= 1;
    let cut = &sealed[..sealed.len() - TAG_LEN - 1000];
    let mut out = vec![0; text.len() + 1];
    // Where the input fails, how much is asked for, and whether it comes.
    for (name, sealed, fails_at, wanted, comes) in [
        (
            "OpenReader, to its end",
            &sealed[..],
            usize::MAX,
            text.len() + 1,
            true,
        ),
        ("OpenReader, dropped early", sealed, usize::MAX, 5000, true),
        (
            "OpenReader, wrong chunk",
            &tampered,
            usize::MAX,
            text.len() + 1,
            false,
        ),
        (
            "OpenReader, cut off",
            cut,
            usize::MAX,
            text.len() + 1,
            false,
        ),
        (
            "OpenReader, reading fails",
            sealed,
            100_000,
            text.len() + 1,
            false,
        ),
    ] {
        report.watch(
            name,
            || {
                let source = Failing(sealed, fails_at);
                let Ok(mut reader) = OpenReader::new(key, CONTEXT, source) else {
                    return;
                };
                let mut got = 0;
                let result = loop {
                    match reader.read(&mut out[got..wanted]) {
                        Ok(0) => break true,
                        Ok(len) => got += len,
                        Err(_) => break false,
                    }
                };
                assert_eq!(result, comes, "{name}");
            },
            || stream.secrets(sealed, false),
        );
    }
}

fn seeking(report: &mut Report, stream: &Stream) {
    let Stream { key, text, sealed } = stream;
    let mut out = vec![0; text.len()];
    let [mut wrong_last, mut wrong] = [sealed.clone(), sealed.clone()];
    *wrong_last.last_mut().expect("longer") ^= 1;
    wrong[HEADER_LEN + 3 * SEALED_CHUNK_LEN - 1] ^= 1;
    for (name, sealed, opens, comes) in [
        ("SeekReader", sealed, true, true),
        ("SeekReader, wrong last chunk", &wrong_last, false, true),
        ("SeekReader, wrong chunk", &wrong, true, false),
    ] {
        report.watch(
            name,
            || {
                let reader = SeekReader::new(key, CONTEXT, Cursor::new(sealed));
                assert_eq!(reader.is_ok(), opens, "{name}");
                let Ok(mut reader) = reader else { return };
                let mut came = true;
                // Each wants more than there is room for before.
                for (at, len) in [
                    (0, 10),
                    (CHUNK_LEN, 2 * CHUNK_LEN),
                    (5, TEXT_LEN - 5),
                    (7, 1),
                ] {
                    let sought = reader.seek(SeekFrom::Start(at as u64));
                    came &= sought.is_ok() && reader.read_exact(&mut out[..len]).is_ok();
                }
                assert_eq!(came, comes, "{name}");
            },
            || stream.secrets(sealed, false),
        );
    }
}
