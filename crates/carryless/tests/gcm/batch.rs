//! C7, U2 and U3 for batches: many packets are as many single ones, whatever their neighbours are.

use carryless::error::{InputError, OpenError};
use carryless::{Aes192Gcm, Packet};

use crate::harness::{Checked, Random, caught, engines, ensure, quick};

/// A packet with a key of its own.
#[derive(Clone)]
struct Sample {
    key: Vec<u8>,
    nonce: [u8; 12],
    aad: Vec<u8>,
    text: Vec<u8>,
}

/// Random packets, short ones above all.
fn samples(random: &mut Random, count: usize) -> Vec<Sample> {
    let mut len = |most: u64| {
        let word = random.word();
        (word >> 8) as usize % [17, 33, 65, most as usize + 1][word as usize % 4]
    };
    let lens: Vec<_> = (0..count).map(|_| (len(60), len(400))).collect();
    let sample = |(aad_len, text_len)| Sample {
        key: random.bytes(24),
        nonce: *random.bytes(12).first_chunk().unwrap(),
        aad: random.bytes(aad_len),
        text: random.bytes(text_len),
    };
    lens.into_iter().map(sample).collect()
}

/// Calls on batches that a fault may sit in.
trait Batches {
    fn seal(&self, keys: &[&Aes192Gcm], packets: &mut [Packet<'_>]) -> Result<(), OpenError>;
    fn open(&self, keys: &[&Aes192Gcm], packets: &mut [Packet<'_>]) -> Result<(), OpenError>;
}

/// The library; keys that are all the same by the calls for one key.
struct Library;

fn is_one(keys: &[&Aes192Gcm]) -> bool {
    keys.windows(2).all(|two| core::ptr::eq(two[0], two[1]))
}

impl Batches for Library {
    fn seal(&self, keys: &[&Aes192Gcm], packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        match keys.first() {
            Some(key) if is_one(keys) => key.seal_batch(packets),
            _ => Aes192Gcm::seal_batch_keyed(keys, packets),
        }
    }
    fn open(&self, keys: &[&Aes192Gcm], packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        match keys.first() {
            Some(key) if is_one(keys) => key.open_batch(packets),
            _ => Aes192Gcm::open_batch_keyed(keys, packets),
        }
    }
}

/// Seals the samples one by one and in one batch, opens them with every third tag wrong.
fn check(keys: &[&Aes192Gcm], samples: &[Sample], in_place: bool, calls: &dyn Batches) -> Checked {
    check_with(keys, samples, in_place, calls, &|n| n % 3 == 1)
}

/// Seals the samples one by one and in one batch, opens them with these tags wrong.
fn check_with(
    keys: &[&Aes192Gcm],
    samples: &[Sample],
    in_place: bool,
    calls: &dyn Batches,
    wrong: &dyn Fn(usize) -> bool,
) -> Checked {
    let single = samples.iter().zip(keys).map(|(sample, key)| {
        let mut text = sample.text.clone();
        let tag = key
            .seal_in_place(&sample.nonce, &sample.aad, &mut text)
            .unwrap();
        (text, tag)
    });
    let single: Vec<_> = single.collect();
    // A byte more on either side, which must stay.
    let mut outs: Vec<Vec<u8>> = samples
        .iter()
        .map(|sample| {
            let inner = if in_place {
                sample.text.clone()
            } else {
                vec![0x77; sample.text.len()]
            };
            [&[0xa5], &inner[..], &[0xa5]].concat()
        })
        .collect();
    let packets = samples.iter().zip(&mut outs).map(|(sample, out)| {
        let end = out.len() - 1;
        if in_place {
            Packet::in_place(&sample.nonce, &sample.aad, &mut out[1..end])
        } else {
            Packet::between(&sample.nonce, &sample.aad, &sample.text, &mut out[1..end]).unwrap()
        }
    });
    let mut packets: Vec<_> = packets.collect();
    calls
        .seal(keys, &mut packets)
        .map_err(|error| error.to_string())?;
    let tags: Vec<_> = packets.iter().map(|packet| packet.tag().to_vec()).collect();
    drop(packets);
    for (n, (text, tag)) in single.iter().enumerate() {
        let what = format!("packet {n} of {}, {} bytes", samples.len(), text.len());
        ensure!(
            outs[n][1..=text.len()] == text[..],
            "{what}: another ciphertext"
        );
        ensure!(tags[n] == tag, "{what}: another tag");
    }
    let mut opened: Vec<Vec<u8>> = outs.clone();
    let sealed: Vec<_> = single.iter().map(|(text, _)| text.clone()).collect();
    let packets = opened.iter_mut().enumerate().map(|(n, out)| {
        let (mut tag, end) = (single[n].1, out.len() - 1);
        tag[n % 16] ^= u8::from(wrong(n));
        let (sample, out) = (&samples[n], &mut out[1..end]);
        let packet = if in_place {
            Packet::in_place(&sample.nonce, &sample.aad, out)
        } else {
            Packet::between(&sample.nonce, &sample.aad, &sealed[n], out).unwrap()
        };
        packet.with_tag(&tag)
    });
    let mut packets: Vec<_> = packets.collect();
    let all = calls.open(keys, &mut packets);
    let any = (0..samples.len()).any(wrong);
    ensure!(all.is_err() == any, "the whole: {all:?}");
    for (n, packet) in packets.iter().enumerate() {
        ensure!(
            packet.result().is_err() == wrong(n),
            "packet {n}: {:?}",
            packet.result()
        );
    }
    drop(packets);
    for (n, out) in opened.iter().enumerate() {
        let expected = if wrong(n) {
            vec![0; out.len() - 2]
        } else {
            samples[n].text.clone()
        };
        ensure!(
            out[1..out.len() - 1] == expected,
            "packet {n}: another plaintext"
        );
        ensure!(
            outs[n][0] == 0xa5 && out[out.len() - 1] == 0xa5,
            "packet {n}: written beyond"
        );
    }
    Ok(2 * samples.len())
}

/// Batches of all sizes up to two groups and more.
fn run(engine: carryless::Engine, keyed: bool, calls: &dyn Batches) -> Checked {
    let (mut random, mut checked) = (Random::new(0xba7c), 0);
    let counts = (0..=20).chain([31, 32, 33, 50]);
    for count in counts.filter(|count| !quick() || count % 4 == 0) {
        for round in 0..6 {
            let mut samples = samples(&mut random, count);
            if round == 0 {
                // All alike, as on a wire.
                for sample in &mut samples {
                    (sample.aad, sample.text) = (vec![1; 13], vec![7; 64]);
                }
            }
            let made = samples
                .iter()
                .map(|s| Aes192Gcm::with_engine(&s.key, engine).unwrap());
            let made: Vec<_> = made.collect();
            let pick = |n: usize| if keyed { &made[n] } else { &made[0] };
            let keys: Vec<_> = (0..count).map(pick).collect();
            checked += check(&keys, &samples, round % 2 == 0, calls)
                .map_err(|error| format!("{count} packets, keyed {keyed}: {error}"))?;
        }
    }
    Ok(checked)
}

#[test]
fn c7_a_batch_is_as_many_single_packets() {
    for engine in engines() {
        for keyed in [false, true] {
            let count = run(engine, keyed, &Library).unwrap_or_else(|e| panic!("{engine}: {e}"));
            println!("C7 {engine}: {count} packets in batches");
            println!("U2 {engine}: {} packets beside wiped ones", count / 6);
        }
    }
}

/// Packets of one length that a batch takes together, and of several, with each pattern of wrong tags.
fn patterns(engine: carryless::Engine, keyed: bool, calls: &dyn Batches) -> Checked {
    const PACKETS: usize = 8;
    let (mut random, mut count) = (Random::new(8), 0);
    for lens in [[0; PACKETS], [64; PACKETS], [3, 300, 16, 16, 16, 16, 70, 1]] {
        let sample = |text_len| Sample {
            key: random.bytes(24),
            nonce: *random.bytes(12).first_chunk().unwrap(),
            aad: random.bytes(13),
            text: random.bytes(text_len),
        };
        let samples = lens.map(sample);
        let made = samples
            .each_ref()
            .map(|s| Aes192Gcm::with_engine(&s.key, engine).unwrap());
        let keys: [_; PACKETS] = core::array::from_fn(|n| &made[if keyed { n } else { 0 }]);
        for pattern in (0..1 << PACKETS).filter(|pattern| !quick() || pattern % 5 == 0) {
            let wrong = |n| pattern >> n & 1 == 1;
            for in_place in [false, true] {
                count += check_with(&keys, &samples, in_place, calls, &wrong)
                    .map_err(|error| format!("{lens:?}, wrong {pattern:#b}: {error}"))?;
            }
        }
    }
    Ok(count / 2)
}

#[test]
fn u2_each_packet_of_a_batch_is_wiped_or_whole_whichever_others_fail() {
    for engine in engines() {
        for keyed in [false, true] {
            let count = patterns(engine, keyed, &Library);
            let count = count.unwrap_or_else(|error| panic!("{engine}, keyed {keyed}: {error}"));
            println!("U2 {engine}: {count} packets, keyed {keyed}, in each pattern of wrong tags");
        }
    }
}

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

#[test]
fn c7_keys_of_different_engines_make_the_same_batch() {
    let engines = engines();
    let mut random = Random::new(7);
    for count in [1, 2, 5, 16, 17, 40] {
        let samples = samples(&mut random, count);
        let made = samples.iter().enumerate();
        let made =
            made.map(|(n, s)| Aes192Gcm::with_engine(&s.key, engines[n % engines.len()]).unwrap());
        let made: Vec<_> = made.collect();
        let keys: Vec<_> = made.iter().collect();
        check(&keys, &samples, count % 2 == 0, &Library).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn u3_a_batch_refuses_what_a_single_call_does() {
    let key = Aes192Gcm::from_slice(&[1; 24]).unwrap();
    assert_eq!(key.seal_batch(&mut []), Ok(()));
    assert_eq!(key.open_batch(&mut []), Ok(()));
    assert_eq!(Aes192Gcm::seal_batch_keyed(&[], &mut []), Ok(()));
    let (mut one, mut two, mut three) = (*b"one", *b"two", *b"three");
    {
        let mut packets = [Packet::in_place(&[1; 12], b"", &mut one)];
        let untouched = OpenError::Input(InputError::PacketUntouched);
        assert_eq!(packets[0].result(), Err(untouched));
        let error = OpenError::Input(InputError::Keys {
            got: 2,
            expected: 1,
        });
        assert_eq!(
            Aes192Gcm::seal_batch_keyed(&[&key, &key], &mut packets),
            Err(error)
        );
        assert_eq!(
            Aes192Gcm::open_batch_keyed(&[&key, &key], &mut packets),
            Err(error)
        );
        assert_eq!(
            (packets[0].result(), packets[0].tag()),
            (Err(untouched), &[][..])
        );
    }
    assert_eq!(&one, b"one");
    let tag = key.seal_in_place(&[3; 12], b"", &mut three).unwrap();
    for len in [0, 15, 17, 1000] {
        let tag_of_len = vec![0; len];
        let mut sealed = three;
        let mut packets = [
            Packet::in_place(&[1; 12], b"", &mut one).with_tag(&tag_of_len),
            Packet::in_place(&[3; 12], b"", &mut sealed).with_tag(&tag),
            Packet::in_place(&[2; 12], b"", &mut two),
        ];
        let error = |got| OpenError::Input(InputError::Tag { got, expected: 16 });
        assert_eq!(key.open_batch(&mut packets), Err(error(len)));
        let results = packets.each_ref().map(Packet::result);
        assert_eq!(results, [Err(error(len)), Ok(()), Err(error(0))]);
        assert_eq!(
            (&one, &sealed, &two),
            (b"one", b"three", b"two"),
            "refused, and as it was"
        );
    }
    fours_refuse();
    let error = InputError::Output {
        got: 2,
        expected: 3,
    };
    let unequal = Packet::between(&[1; 12], b"", b"abc", &mut two[..2]).map(drop);
    assert_eq!(unequal, Err(error));
}

/// Four short packets, which kernels take together: one with a tag of another length, and all a second time.
fn fours_refuse() {
    let key = Aes192Gcm::from_slice(&[1; 24]).unwrap();
    let nonces = [[1; 12], [2; 12], [3; 12], [4; 12]];
    let mut texts = [*b"four short texts"; 4];
    let mut places = texts.iter_mut().zip(&nonces);
    let mut packets: [Packet<'_>; 4] = core::array::from_fn(|_| {
        let (text, nonce) = places.next().unwrap();
        Packet::in_place(nonce, b"", text)
    });
    assert_eq!(key.seal_batch(&mut packets), Ok(()));
    let tags = packets.each_ref().map(|packet| packet.tag().to_vec());
    let used = Err(OpenError::Input(InputError::PacketUsed));
    assert_eq!(key.seal_batch(&mut packets), used);
    assert_eq!(key.open_batch(&mut packets), used);
    assert!(packets.iter().all(|packet| packet.result() == Ok(())));
    let sealed = texts;
    assert_ne!(sealed[0], *b"four short texts");
    for got in [0, 15, 17] {
        let mut texts = sealed;
        let mut places = texts.iter_mut().zip(&nonces).zip(&tags).enumerate();
        let mut packets: [Packet<'_>; 4] = core::array::from_fn(|_| {
            let (n, ((text, nonce), tag)) = places.next().unwrap();
            let longer = [&tag[..], &[0]].concat();
            let tag = if n == 2 { &longer[..got] } else { &tag[..] };
            Packet::in_place(nonce, b"", text).with_tag(tag)
        });
        let wrong = Err(OpenError::Input(InputError::Tag { got, expected: 16 }));
        assert_eq!(key.open_batch(&mut packets), wrong);
        let results = packets.each_ref().map(Packet::result);
        assert_eq!(results, [Ok(()), Ok(()), wrong, Ok(())]);
        assert_eq!(texts[2], sealed[2], "refused, and as it was");
        assert_eq!(texts[3], *b"four short texts");
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

/// A batch with a fault.
#[derive(Debug)]
enum Careless {
    /// The last packet of a group is sealed under the key of the first.
    KeyOfTheFirst,
    /// A failed packet takes the one behind it along.
    WipesNeighbour,
    /// The tag of a packet whose neighbour is authentic is not looked at.
    TrustsNeighbour,
}

impl Batches for Careless {
    fn seal(&self, keys: &[&Aes192Gcm], packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        let mut keys = keys.to_vec();
        if let (Self::KeyOfTheFirst, true) = (self, keys.len() > 1) {
            let last = keys.len() - 1;
            keys[last] = keys[0];
        }
        Library.seal(&keys, packets)
    }
    fn open(&self, keys: &[&Aes192Gcm], packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        match self {
            Self::WipesNeighbour if packets.len() > 2 => {
                // Under another key its own is wiped as well.
                let mut keys = keys.to_vec();
                keys[2] = keys[0];
                Aes192Gcm::open_batch_keyed(&keys, packets)
            }
            Self::TrustsNeighbour => Library.open(keys, packets).or(Ok(())),
            _ => Library.open(keys, packets),
        }
    }
}

#[test]
fn control_c7_a_batch_with_a_fault_is_noticed() {
    let engine = carryless::Engine::selected();
    for fault in [
        Careless::KeyOfTheFirst,
        Careless::WipesNeighbour,
        Careless::TrustsNeighbour,
    ] {
        print!("{fault:?}: ");
        caught(run(engine, true, &fault));
    }
    print!("U2: ");
    caught(patterns(engine, true, &Careless::WipesNeighbour));
}

/// To seal a text twice under one nonce gives it back.
#[test]
fn u3_a_packet_is_for_one_call() {
    let key = Aes192Gcm::from_slice(&[3; 24]).unwrap();
    let text = [7; 40];
    let mut buffer = text;
    let mut packets = [Packet::in_place(&[1; 12], b"aad", &mut buffer)];
    key.seal_batch(&mut packets).unwrap();
    let tag = packets[0].tag().to_vec();
    let used = Err(OpenError::Input(InputError::PacketUsed));
    assert_eq!(key.seal_batch(&mut packets), used);
    assert_eq!(key.open_batch(&mut packets), used);
    assert_eq!(packets[0].tag(), tag);
    assert_eq!(packets[0].result(), Ok(()));
    assert_ne!(buffer, text);

    let mut packets = [Packet::in_place(&[1; 12], b"aad", &mut buffer).with_tag(&tag)];
    key.open_batch(&mut packets).unwrap();
    assert_eq!(key.open_batch(&mut packets), used);
    assert_eq!(packets[0].result(), Ok(()));
    assert_eq!(buffer, text);

    // A tag that comes too late changes nothing: neither the tag that was made nor why it was refused.
    let mut packets = [Packet::in_place(&[1; 12], b"", &mut buffer)];
    key.seal_batch(&mut packets).unwrap();
    let made = packets[0].tag().to_vec();
    let [sealed] = packets;
    assert_eq!(sealed.with_tag(&[9; 16]).tag(), made);
    let mut packets = [Packet::in_place(&[1; 12], b"", &mut buffer).with_tag(&[0; 15])];
    let refused = Err(OpenError::Input(InputError::Tag {
        got: 15,
        expected: 16,
    }));
    assert_eq!(key.open_batch(&mut packets), refused);
    let [packet] = packets;
    assert_eq!(packet.with_tag(&[0; 16]).result(), refused);
}
