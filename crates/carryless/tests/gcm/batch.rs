//! C7, U2 and U3 for batches: many packets are as many single ones, whatever their neighbours are.

mod fours;
mod refusals;
mod states;

use carryless::error::OpenError;
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

/// More packets than a byte counts, and than 16 bits do, each under a key and a nonce of its own.
#[test]
fn c7_a_batch_of_any_number_is_as_many_single_packets() {
    let engine = engines()[0];
    let mut random = Random::new(256);
    let counts = [255, 256, 257, 300, 1025, (1 << 16) + 5];
    let keys = random.bytes(24 * 300);
    let made = keys
        .chunks_exact(24)
        .map(|key| Aes192Gcm::with_engine(key, engine).unwrap());
    let made: Vec<_> = made.collect();
    for count in counts.into_iter().filter(|count| !quick() || *count < 1000) {
        let sample = |_| Sample {
            key: vec![],
            nonce: *random.bytes(12).first_chunk().unwrap(),
            aad: vec![],
            text: random.bytes(5),
        };
        let samples: Vec<_> = (0..count).map(sample).collect();
        // A number of keys that no power of two divides.
        let keyed: Vec<_> = (0..count).map(|n| &made[n % 299]).collect();
        for keys in [keyed, vec![&made[0]; count]] {
            let checked = check(&keys, &samples, count % 2 == 0, &Library);
            let checked = checked.unwrap_or_else(|error| panic!("{count} packets: {error}"));
            println!("C7 {engine}: {checked} packets in batches of {count}");
        }
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
