//! Batches of one to eight packets with every length of tag and AAD, whole, and with each packet forged in turn.

use carryless::error::OpenError;
use carryless::{Aes128, Aes192, Aes256, Engine, Packet};

use super::table::{Call, Table};
use super::{AAD_LENS, TAG_LENS};
use crate::harness::reference::Gcm;
use crate::harness::scheme::{Case, key_len_of_tags};
use crate::harness::{Checked, ensure, key, quick};

const SIZES: [usize; 6] = [1, 2, 3, 4, 5, 8];

/// Packets, and what is right for them.
struct Sample {
    case: Case,
    ciphertext: Vec<u8>,
    tag: Vec<u8>,
}

/// `count` packets under the key of the tag, the n-th with an AAD that has `aad(n)` bytes and a text of `text(n)`.
fn samples(
    tag_len: usize,
    count: usize,
    aad: &dyn Fn(usize) -> usize,
    text: &dyn Fn(usize) -> usize,
) -> Vec<Sample> {
    let sample = |n: usize| {
        let mut case = Case::new(
            0xba + n as u64,
            key_len_of_tags(tag_len),
            12,
            aad(n),
            text(n),
        );
        case.key = key(key_len_of_tags(tag_len));
        let (ciphertext, tag) = Gcm::new(&case.key).seal(&case.nonce, &case.aad, &case.text);
        Sample {
            case,
            ciphertext,
            tag: tag[..tag_len].to_vec(),
        }
    };
    (0..count).map(sample).collect()
}

impl Sample {
    fn packet<'a>(&'a self, text: &'a mut [u8]) -> Packet<'a> {
        Packet::in_place(
            self.case.nonce.first_chunk().expect("12 bytes"),
            &self.case.aad,
            text,
        )
    }
}

/// `seal_batch` and `open_batch` of a key.
type Batch<'b> = &'b dyn Fn(&mut [Packet<'_>]) -> Result<(), OpenError>;

/// Seals the samples, opens them, opens them with each forged, and with each of a tag too short.
fn check(samples: &[Sample], seal: Batch<'_>, open: Batch<'_>) -> Checked {
    let what = |n: usize| {
        format!(
            "packet {n} of {}, {}, tag of {}",
            samples.len(),
            samples[n].case,
            samples[n].tag.len()
        )
    };
    let mut texts: Vec<Vec<u8>> = samples
        .iter()
        .map(|sample| sample.case.text.clone())
        .collect();
    let mut packets: Vec<_> = samples
        .iter()
        .zip(&mut texts)
        .map(|(sample, text)| sample.packet(text))
        .collect();
    seal(&mut packets).map_err(|error| format!("{}: {error}", what(0)))?;
    let tags: Vec<Vec<u8>> = packets.iter().map(|packet| packet.tag().to_vec()).collect();
    drop(packets);
    for (n, sample) in samples.iter().enumerate() {
        ensure!(
            texts[n] == sample.ciphertext,
            "{}: another ciphertext",
            what(n)
        );
        ensure!(tags[n] == sample.tag, "{}: another tag", what(n));
    }
    // The whole, then each with a wrong last bit, then each with a byte less.
    for (forged, short) in core::iter::once((None, None))
        .chain((0..samples.len()).map(|n| (Some(n), None)))
        .chain((0..samples.len()).map(|n| (None, Some(n))))
    {
        let mut texts: Vec<Vec<u8>> = samples
            .iter()
            .map(|sample| sample.ciphertext.clone())
            .collect();
        let packets = samples
            .iter()
            .zip(&mut texts)
            .enumerate()
            .map(|(n, (sample, text))| {
                let mut tag = sample.tag.clone();
                let last = tag.len() - 1;
                tag[last] ^= u8::from(forged == Some(n));
                tag.truncate(if short == Some(n) { last } else { last + 1 });
                sample.packet(text).with_tag(&tag)
            });
        let mut packets: Vec<_> = packets.collect();
        let opened = open(&mut packets);
        ensure!(
            opened.is_ok() == (forged, short).eq(&(None, None)),
            "{}: {opened:?}",
            what(0)
        );
        let results: Vec<_> = packets.iter().map(Packet::result).collect();
        drop(packets);
        for (n, sample) in samples.iter().enumerate() {
            let right = match &results[n] {
                Ok(()) => forged != Some(n) && short != Some(n) && texts[n] == sample.case.text,
                Err(OpenError::Input(_)) => short == Some(n) && texts[n] == sample.ciphertext,
                Err(_) => forged == Some(n) && texts[n].iter().all(|byte| *byte == 0),
            };
            ensure!(
                right,
                "{}, forged {forged:?}, short {short:?}: {:?}, or its text",
                what(n),
                results[n]
            );
        }
    }
    Ok(2 * samples.len() * (samples.len() + 1))
}

/// All sizes of batches, for each tag and AAD.
pub(super) fn run(engine: Engine, table: &mut Table) -> Checked {
    let mut count = 0;
    for (i, tag_len) in TAG_LENS.iter().copied().enumerate() {
        for (j, aad_len) in AAD_LENS.into_iter().enumerate() {
            let size = SIZES[(i + j) % 6];
            // Alike, so that four go together if their AAD lets them; then of all kinds.
            let alike = samples(tag_len, size, &|_| aad_len, &|_| {
                [0, 5, 16, 40, 64, 100][(i + 2 * j) % 6]
            });
            let mixed = samples(tag_len, size, &|n| AAD_LENS[(j + n) % 8], &|n| {
                [3, 70, 0, 200, 16][(i + n) % 5]
            });
            for samples in [alike, mixed].into_iter().take(if quick() { 1 } else { 2 }) {
                count += with_tags(engine, tag_len, &samples)
                    .map_err(|error| format!("{engine}: {error}"))?;
            }
            table.met("batch of fours", format!("{size} packets"));
            table.met("batch one by one", format!("{size} packets"));
            // Four that stand together, and three that do not make four.
            for (row, size) in [("batch of fours", 4), ("batch one by one", 3)] {
                let samples = samples(tag_len, size, &|_| aad_len, &|_| 33);
                count += with_tags(engine, tag_len, &samples)
                    .map_err(|error| format!("{engine}: {error}"))?;
                table.run(row, tag_len, aad_len, &Call::ALL);
            }
        }
    }
    Ok(count)
}

/// [`check`] by the library, with a key whose tags have this length.
fn with_tags(engine: Engine, tag_len: usize, samples: &[Sample]) -> Checked {
    macro_rules! of {
        ($Cipher:ident $tag:literal) => {{
            let gcm =
                carryless::Gcm::<$Cipher, 12, $tag>::with_engine(&samples[0].case.key, engine)
                    .unwrap();
            check(samples, &|packets| gcm.seal_batch(packets), &|packets| {
                gcm.open_batch(packets)
            })
        }};
    }
    match tag_len {
        #[cfg(feature = "hazmat")]
        4 => of!(Aes128 4),
        #[cfg(feature = "hazmat")]
        8 => of!(Aes192 8),
        12 => of!(Aes256 12),
        13 => of!(Aes128 13),
        14 => of!(Aes192 14),
        15 => of!(Aes256 15),
        _ => of!(Aes128 16),
    }
}

/// A batch in which the fourth packet's tag is compared without its last byte, and one that wipes all for one.
#[test]
fn control_c7_a_batch_that_treats_one_packet_otherwise_is_noticed() {
    use crate::harness::caught;

    let samples = samples(13, 4, &|_| 13, &|_| 33);
    let gcm = carryless::Gcm::<Aes128, 12, 13>::with_engine(&samples[0].case.key, Engine::Soft64)
        .unwrap();
    let seal = |packets: &mut [Packet<'_>]| gcm.seal_batch(packets);
    caught(check(&samples, &seal, &|packets| {
        let (three, fourth) = packets.split_at_mut(3);
        let _ = gcm.open_batch(fourth);
        gcm.open_batch(three)
    }));
    caught(check(
        &samples,
        &|packets| gcm.seal_batch(&mut packets[..3]),
        &|packets| gcm.open_batch(packets),
    ));
}
