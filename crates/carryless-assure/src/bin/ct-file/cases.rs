//! The calls: with the right answer, and with each that is wrong.

use core::ops::Range;
use core::slice::from_ref;
use std::io::{Cursor, Read, Write};

use carryless::Engine;
use carryless_assure::Random;
use carryless_file::cobblestone::{
    CHUNK_LEN, Cipher, HEADER_LEN, Key, OpenReader, Opener, SealWriter, Sealer,
};
use carryless_file::container::{Credential, Header, KeyId, Lock, create, seek_reader, start};
use carryless_file::gcm;
use carryless_file::recipient::Kem;

use crate::identities;
use crate::probe::{Poison, Probe};
use crate::valgrind::answers;

/// A chunk and a short one.
pub(crate) const TEXT_LEN: usize = CHUNK_LEN + 33;
const CONTEXT: &[u8] = b"watched";
/// Bytes of a header with one slot for a key.
const HEAD: usize = 60 + 115;
const LAYOUT: Layout = Layout::new(HEAD);

/// Where things are in a container with one slot: in the header the commitment and the tag of the slot, and the MAC;
/// behind it the commitment of the payload, and the tag of its first chunk.
pub(crate) struct Layout {
    slot_commitment: Range<usize>,
    pub(crate) slot_tag: Range<usize>,
    mac: Range<usize>,
    commitment: Range<usize>,
    chunk_tag: Range<usize>,
}

impl Layout {
    /// Behind a header of `head` bytes, which ends with the wrapped key and the MAC.
    pub(crate) const fn new(head: usize) -> Self {
        let wrapped = head - 32 - 104;
        Self {
            slot_commitment: wrapped + 24..wrapped + 56,
            slot_tag: head - 48..head - 32,
            mac: head - 32..head,
            commitment: head + 24..head + 56,
            chunk_tag: head + 56 + CHUNK_LEN..head + 56 + CHUNK_LEN + 16,
        }
    }

    /// All of them, by name.
    pub(crate) fn parts(self) -> [(&'static str, Range<usize>); 5] {
        [
            ("commitment of a slot", self.slot_commitment),
            ("tag of a slot", self.slot_tag),
            ("MAC", self.mac),
            ("commitment of the payload", self.commitment),
            ("tag of a chunk", self.chunk_tag),
        ]
    }
}

/// A key, and files that it opens.
pub(crate) struct Desk {
    pub(crate) key: Vec<u8>,
    cipher: Cipher,
    text: Vec<u8>,
    stream: Vec<u8>,
    pub(crate) container: Vec<u8>,
    message: Vec<u8>,
}

impl Desk {
    pub(crate) fn new(key_len: usize) -> Self {
        let (mut raw, mut text) = (vec![0; key_len], vec![0; TEXT_LEN]);
        Random::new(1).fill(&mut raw);
        Random::new(2).fill(&mut text);
        let key = Key::from_slice(&raw).expect("a length");
        let sealed = |sealer: &Sealer| {
            let mut chunks = vec![0; Sealer::sealed_chunks_len(TEXT_LEN, true)];
            sealer
                .seal_chunks(0, &text, true, &mut chunks)
                .expect("a text");
            [&sealer.header()[..], &chunks].concat()
        };
        let stream = sealed(&Sealer::new(&key, CONTEXT).expect("random bytes"));
        let (header, sealer) = create(key.cipher(), &[Lock::Key(&key)]).expect("a lock");
        assert_eq!(header.as_bytes().len(), HEAD, "the places above");
        let container = [header.as_bytes(), &sealed(&sealer)].concat();
        let of_gcm = gcm::Key::from_slice(&raw).expect("a length");
        let mut writer = gcm::SealWriter::new(&of_gcm, Vec::new()).expect("random bytes");
        writer.write_all(&text).expect("memory");
        let message = writer.finish().expect("memory");
        let cipher = key.cipher();
        Self {
            key: raw,
            cipher,
            text,
            stream,
            container,
            message,
        }
    }
}

/// Makes calls, each with secrets that were never looked at.
pub(crate) struct Watch<'a> {
    engine: Engine,
    /// A key or an identity.
    key: Vec<u8>,
    name: &'static str,
    /// Points that each call makes of an identity and what was encapsulated for it. Whether one is zero HPKE asks, by a
    /// branch; it is where what was encapsulated, which is public, has small order, whatever the identity.
    pub(crate) points: usize,
    probe: &'a mut Poison,
    calls: usize,
}

/// Something of a file that is wrong: in its first bit, its last, or everywhere.
fn wrongs(file: &[u8], range: &Range<usize>) -> [Vec<u8>; 3] {
    let mut wrongs = [(); 3].map(|()| file.to_vec());
    wrongs[0][range.start] ^= 1;
    wrongs[1][range.end - 1] ^= 0x80;
    wrongs[2][range.clone()]
        .iter_mut()
        .for_each(|byte| *byte = !*byte);
    wrongs
}

impl Watch<'_> {
    /// Makes the call with a key, and with a file of which the parts `secret` are secret. What it
    /// gives must depend on them, or it must have published something that does, and the answer be the expected
    /// one: whether there is something.
    pub(crate) fn call(
        &mut self,
        name: &str,
        (file, secret): (&[u8], &[Range<usize>]),
        expected: bool,
        call: impl FnOnce(&[u8], &[u8]) -> Option<Vec<u8>>,
    ) -> Result<(), String> {
        let name = format!("{}, {name}, {} {}", self.engine, self.name, self.key.len());
        self.probe.case(&name);
        self.probe.known = self.points;
        let (mut key, mut file) = (self.key.clone(), file.to_vec());
        self.probe.secret(&mut key);
        for range in secret {
            self.probe.secret(&mut file[range.clone()]);
        }
        let before = answers();
        let made = self.probe.watch(|| call(&key, &file));
        self.calls += 1;
        let reached = match &made {
            Some(made) if !made.is_empty() => self.probe.reached(made),
            _ => answers() > before,
        };
        if !reached {
            Err(format!(
                "{name}: nothing that came of it is secret: nothing was watched"
            ))
        } else if made.is_some() == expected {
            Ok(())
        } else {
            Err(format!(
                "{name}: the answer was {}, expected {expected}",
                made.is_some()
            ))
        }
    }

    /// The call on a file as it is, and on each with one of the parts wrong.
    pub(crate) fn openings(
        &mut self,
        name: &str,
        file: &[u8],
        parts: &[(&str, Range<usize>)],
        call: impl Fn(&[u8], &[u8]) -> Option<Vec<u8>>,
    ) -> Result<(), String> {
        let secret: Vec<_> = parts.iter().map(|(_, range)| range.clone()).collect();
        self.call(name, (file, &secret), true, &call)?;
        for (part, range) in parts {
            for wrong in wrongs(file, range) {
                self.call(
                    &format!("{name}, wrong {part}"),
                    (&wrong, &secret),
                    false,
                    &call,
                )?;
            }
        }
        Ok(())
    }
}

/// The text of a container, chunk by chunk.
pub(crate) fn opened(credential: &Credential<'_>, mut file: &[u8]) -> Result<Vec<u8>, String> {
    let opener = start(credential, &mut file)
        .map_err(|error| error.to_string())?
        .opener;
    let mut text = vec![0; TEXT_LEN];
    let opened = opener.open_chunks(0, file, true, &mut text);
    opened.map_err(|error| error.to_string())?;
    Ok(text)
}

/// Runs every call on the engine, which is the selected one; how many those were.
pub(crate) fn all(engine: Engine, probe: &mut Poison) -> Result<usize, String> {
    let mut watch = Watch {
        engine,
        key: Vec::new(),
        name: "key",
        points: 0,
        probe,
        calls: 0,
    };
    for key_len in [16, 32] {
        let desk = Desk::new(key_len);
        watch.key.clone_from(&desk.key);
        sealing(&mut watch, &desk)?;
        streams(&mut watch, &desk)?;
        containers(&mut watch, &desk)?;
        messages(&mut watch, &desk)?;
    }
    for kem in Kem::ALL {
        let desk = identities::Desk::new(kem);
        (watch.name, watch.key) = (kem.name(), desk.secret.to_vec());
        identities::all(&mut watch, &desk)?;
    }
    Ok(watch.calls)
}

/// The key of a call.
fn key_of(bytes: &[u8]) -> Option<Key> {
    Key::from_slice(bytes).ok()
}

fn sealing(watch: &mut Watch<'_>, desk: &Desk) -> Result<(), String> {
    let (text, cipher) = (desk.text.clone(), desk.cipher);
    let whole = 0..text.len();
    watch.call("KeyId::of", (&[], &[]), true, |key, _| {
        let _ = KeyId::of(&key_of(key)?).to_string();
        Some(Vec::new())
    })?;
    watch.call("Sealer", (&text, from_ref(&whole)), true, |key, text| {
        let sealer = Sealer::new(&key_of(key)?, CONTEXT).ok()?;
        if sealer.engine() != Engine::selected() {
            return None;
        }
        let mut sealed = vec![0; Sealer::sealed_chunks_len(text.len(), true)];
        sealer.seal_chunks(0, text, true, &mut sealed).ok()?;
        Some([&sealer.header()[24..], &sealed].concat())
    })?;
    watch.call(
        "SealWriter",
        (&text, from_ref(&whole)),
        true,
        |key, text| {
            let mut writer = SealWriter::new(&key_of(key)?, CONTEXT, Vec::new()).ok()?;
            text.chunks(5000)
                .try_for_each(|piece| writer.write_all(piece))
                .ok()?;
            Some(writer.finish().ok()?.split_off(24))
        },
    )?;
    watch.call("create", (&[], &[]), true, |key, _| {
        let (header, _) = create(cipher, &[Lock::Key(&key_of(key)?)]).ok()?;
        // The file key is the system's: only what wraps it is secret here.
        Some(header.as_bytes()[LAYOUT.slot_tag].to_vec())
    })
}

fn streams(watch: &mut Watch<'_>, desk: &Desk) -> Result<(), String> {
    let stream = desk.stream.clone();
    let tag = HEADER_LEN + CHUNK_LEN..HEADER_LEN + CHUNK_LEN + 16;
    let parts = [("commitment", 24..HEADER_LEN), ("tag of a chunk", tag)];
    watch.openings("Opener", &stream, &parts, |key, stream| {
        let (header, chunks) = stream.split_first_chunk()?;
        let opener = Opener::new(&key_of(key)?, CONTEXT, header).ok()?;
        let mut text = vec![0; TEXT_LEN];
        opener.open_chunks(0, chunks, true, &mut text).ok()?;
        Some(text)
    })?;
    watch.openings("OpenReader", &stream, &parts, |key, stream| {
        let mut reader = OpenReader::new(&key_of(key)?, CONTEXT, stream).ok()?;
        let mut text = vec![0; TEXT_LEN];
        reader.read_exact(&mut text).ok()?;
        Some(text)
    })
}

fn containers(watch: &mut Watch<'_>, desk: &Desk) -> Result<(), String> {
    let file = desk.container.clone();
    let parts = LAYOUT.parts();
    watch.openings("start", &file, &parts, |key, file| {
        opened(&Credential::Key(&key_of(key)?), file).ok()
    })?;
    watch.openings("seek_reader", &file, &parts, |key, file| {
        let key = key_of(key)?;
        let mut reader = seek_reader(&Credential::Key(&key), Cursor::new(file)).ok()?;
        let mut text = vec![0; TEXT_LEN];
        reader.read_exact(&mut text).ok()?;
        Some(text)
    })?;
    watch.openings("rekey", &file, &parts[..3], |key, file| {
        let key = key_of(key)?;
        let unlocked = Header::parse(file)
            .ok()?
            .unlock(&Credential::Key(&key))
            .ok()?;
        let header = unlocked.rekey(&[Lock::Key(&key)]).ok()?;
        Some(header.as_bytes()[LAYOUT.mac].to_vec())
    })
}

fn messages(watch: &mut Watch<'_>, desk: &Desk) -> Result<(), String> {
    let (text, file) = (desk.text.clone(), desk.message.clone());
    let whole = 0..text.len();
    watch.call(
        "gcm::Sealer",
        (&text, from_ref(&whole)),
        true,
        |key, text| {
            let sealer = gcm::Sealer::new(&gcm::Key::from_slice(key).ok()?).ok()?;
            let mut text = text.to_vec();
            let part = sealer.seal(0, &mut text).ok()?;
            text.extend(sealer.finish(&[part]).ok()?);
            Some(text)
        },
    )?;
    let secret = 12..file.len();
    let open = |key: &[u8], file: &[u8]| {
        let key = gcm::Key::from_slice(key).ok()?;
        let mut text = Vec::with_capacity(TEXT_LEN);
        gcm::open(&key, &mut Cursor::new(file), &mut text).ok()?;
        Some(text)
    };
    watch.call("gcm::open", (&file, from_ref(&secret)), true, open)?;
    for wrong in wrongs(&file, &(file.len() - 16..file.len())) {
        watch.call(
            "gcm::open, wrong tag",
            (&wrong, from_ref(&secret)),
            false,
            open,
        )?;
    }
    Ok(())
}
