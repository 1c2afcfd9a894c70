//! C7 on four packets, which kernels take together.

use carryless::{Aes192Gcm, Packet};

use super::{Library, Sample, check};
use crate::harness::{Random, engines, quick};

/// Four packets of one length at a time, and of as many blocks, around what the kernels take together.
#[test]
fn c7_four_packets_of_every_length() {
    for engine in engines() {
        let mut random = Random::new(4);
        let key = Aes192Gcm::with_engine(&random.bytes(24), engine).unwrap();
        let mut count = 0;
        for text_len in (0..=132_usize).filter(|len| !quick() || len % 16 == 1) {
            for aad_len in [0, 1, 13, 16, 17] {
                let mut samples = vec![];
                // The second four differ in the bytes of the last block, the third in those of the last vector, and both in
                // those of the AAD; in the last four one is empty.
                let fours = [
                    [(0, 0, 16); 4],
                    [(3, 1, 16), (0, 16, 16), (15, 0, 16), (1, 5, 16)],
                    [(17, 3, 64), (0, 0, 64), (63, 16, 64), (40, 1, 64)],
                    [(0, 0, 16), (0, 0, 16), (200, 0, 200), (0, 0, 16)],
                ];
                for (less_text, less_aad, unit) in fours.into_iter().flatten() {
                    samples.push(Sample {
                        key: vec![],
                        nonce: *random.bytes(12).first_chunk().unwrap(),
                        aad: random.bytes(aad_len - less_aad.min(aad_len)),
                        text: random.bytes(
                            text_len
                                - less_text
                                    .min(text_len.saturating_sub(usize::from(unit < 200)) % unit),
                        ),
                    });
                }
                for in_place in [false, true] {
                    count += check(&[&key; 16], &samples, in_place, &Library).unwrap_or_else(|e| {
                        panic!("{engine}, {text_len} bytes, AAD {aad_len}: {e}")
                    });
                }
            }
        }
        println!("C7 {engine}: {count} packets in fours");
    }
}

/// The kernels of the other key sizes, and a tag that is cut off.
#[test]
fn c7_fours_of_each_cipher() {
    macro_rules! fours {
        ($Cipher:ident, $TAG:literal, $key:expr, $engine:expr) => {{
            let engine = $engine;
            let gcm =
                carryless::Gcm::<carryless::$Cipher, 12, $TAG>::with_engine($key, engine).unwrap();
            let lens = [0, 1, 16, 17, 32, 40, 48, 63, 64, 65, 100, 128, 129];
            // All as long, and each a byte shorter than the one before.
            for (len, less) in lens.into_iter().flat_map(|len| [(len, 0), (len, 1)]) {
                let plain = [0, 1, 2, 3].map(|n| vec![0x5a; len - (n * less).min(len)]);
                let expected = [1, 2, 3, 4].map(|n| {
                    let mut text = plain[usize::from(n) - 1].clone();
                    let tag = gcm.seal_in_place(&[n; 12], b"aad", &mut text).unwrap();
                    (text, tag)
                });
                let mut texts = plain.clone();
                let mut n = 0;
                let mut packets = texts.each_mut().map(|text| {
                    n += 1;
                    Packet::in_place(&[n; 12], b"aad", text)
                });
                gcm.seal_batch(&mut packets).unwrap();
                for (packet, (_, tag)) in packets.iter().zip(&expected) {
                    assert_eq!(packet.tag(), tag, "{engine}, {len} bytes");
                }
                assert_eq!(texts, expected.each_ref().map(|(text, _)| text.clone()));
                let mut n = 0;
                let mut packets = texts.each_mut().map(|text| {
                    n += 1;
                    let tag = &expected[usize::from(n) - 1].1;
                    Packet::in_place(&[n; 12], b"aad", text).with_tag(tag)
                });
                gcm.open_batch(&mut packets).unwrap();
                assert_eq!(texts, plain, "{engine}, {len} bytes");
                // Each bit of a tag counts, whichever of the four it is.
                for bit in 0..8 * $TAG {
                    let mut texts = expected.each_ref().map(|(text, _)| text.clone());
                    let forged = bit % 4;
                    let mut n = 0;
                    let mut packets = texts.each_mut().map(|text| {
                        let mut tag = expected[n].1;
                        tag[bit / 8] ^= u8::from(n == forged) << (bit % 8);
                        n += 1;
                        Packet::in_place(&[n as u8; 12], b"aad", text).with_tag(&tag)
                    });
                    assert!(gcm.open_batch(&mut packets).is_err());
                    let right = packets.each_ref().map(|packet| packet.result().is_ok());
                    assert_eq!(
                        right,
                        [0, 1, 2, 3].map(|n| n != forged),
                        "{engine}, {len} bytes, bit {bit}"
                    );
                }
            }
        }};
    }
    for engine in engines() {
        fours!(Aes128, 16, &[1; 16], engine);
        fours!(Aes128, 12, &[1; 16], engine);
        fours!(Aes192, 16, &[2; 24], engine);
        fours!(Aes256, 16, &[3; 32], engine);
        println!("C7 {engine}: fours of each cipher");
    }
}
