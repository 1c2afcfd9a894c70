//! Packets of all kinds in one call, some for the second time.

use carryless::error::{InputError, OpenError, Unauthentic};
use carryless::{Aes128, Aes192, Aes256, Engine, Gcm, Packet};

use super::{Dice, each};
use crate::harness::{Random, caught_panic, reference};

/// A packet to be, and what the reference makes of it under its key.
struct Sample {
    key: usize,
    nonce: [u8; 12],
    aad: Vec<u8>,
    text: Vec<u8>,
    ciphertext: Vec<u8>,
    tag: Vec<u8>,
    in_place: bool,
    /// The tag it comes with, and whether that is right.
    given: Option<(Vec<u8>, Option<bool>)>,
    /// It was in a call before.
    used: bool,
}

impl Sample {
    fn draw(keys: &[reference::Gcm], tag_len: usize, text_len: usize, dice: &mut Dice) -> Self {
        let (key, any) = (dice.below(keys.len()), dice.below(700));
        let aad_len = dice.one(&[0, any % 17, any % 60, any]);
        let (aad, text) = (dice.bytes(aad_len), dice.bytes(text_len));
        let nonce = *dice.bytes(12).first_chunk().unwrap();
        let (ciphertext, tag) = keys[key].seal(&nonce, &aad, &text);
        let tag = tag[..tag_len].to_vec();
        Self {
            given: (dice.below(20) > 0).then(|| dice.tag(&tag)),
            in_place: dice.below(2) == 0,
            used: dice.below(12) == 0,
            key,
            nonce,
            aad,
            text,
            ciphertext,
            tag,
        }
    }

    fn packet<'a>(&'a self, source: &'a [u8], out: &'a mut [u8]) -> Packet<'a> {
        if self.in_place {
            out.copy_from_slice(source);
            Packet::in_place(&self.nonce, &self.aad, out)
        } else {
            Packet::between(&self.nonce, &self.aad, source, out).unwrap()
        }
    }

    /// What the first call that opens it says, and the text there is then; nothing if it is left as it was.
    fn opened(&self) -> (Result<(), OpenError>, Option<Vec<u8>>) {
        let expected = self.tag.len();
        let refused = |got| (Err(InputError::Tag { got, expected }.into()), None);
        match &self.given {
            None => refused(0),
            Some((tag, None)) => refused(tag.len()),
            Some((_, Some(true))) => (Ok(()), Some(self.text.clone())),
            Some((_, Some(false))) => (Err(Unauthentic.into()), Some(vec![0; self.text.len()])),
        }
    }

    /// What the call says of it.
    fn said(&self, first: Result<(), OpenError>) -> Result<(), OpenError> {
        if self.used {
            Err(InputError::PacketUsed.into())
        } else {
            first
        }
    }
}

/// Bytes of text of some packets: any, or alike, as those are that go together.
fn lens(dice: &mut Dice) -> Vec<usize> {
    let count = dice.below(14);
    let any = dice.one(&[17, 65, 130, 2500]);
    let alike = dice.below(3) > 0;
    let block = dice.below(any).next_multiple_of(16);
    let len = |dice: &mut Dice| match alike {
        true => block.saturating_sub(dice.below(16)),
        false => dice.below(any),
    };
    (0..count).map(|_| len(dice)).collect()
}

macro_rules! run {
    ($engine:ident, $dice:ident: $Cipher:ident $key_len:literal $tag:literal) => {{
        type Key = Gcm<$Cipher, 12, $tag>;
        // Keys of one call may be of several engines.
        let others: Vec<Engine> = Engine::available().collect();
        let keyed = $dice.below(2) == 0;
        let number = if keyed { 3 } else { 1 };
        let secrets: Vec<_> = (0..number).map(|_| $dice.bytes($key_len)).collect();
        let known: Vec<_> = secrets.iter().map(|key| reference::Gcm::new(key)).collect();
        let made = secrets.iter().enumerate().map(|(n, key)| {
            let engine = if n == 0 { $engine } else { $dice.one(&others) };
            Key::with_engine(key, engine).unwrap()
        });
        let made: Vec<Key> = made.collect();
        let samples = lens($dice).into_iter();
        let samples = samples.map(|len| Sample::draw(&known, $tag, len, $dice));
        let samples: Vec<Sample> = samples.collect();
        let keys: Vec<&Key> = samples.iter().map(|sample| &made[sample.key]).collect();
        let call = |seal: bool, packets: &mut [Packet<'_>]| match (seal, keyed) {
            (true, true) => Key::seal_batch_keyed(&keys, packets),
            (true, false) => made[0].seal_batch(packets),
            (false, true) => Key::open_batch_keyed(&keys, packets),
            (false, false) => made[0].open_batch(packets),
        };
        let alone = |seal: bool, sample: &Sample, packet: &mut Packet<'_>| {
            let (key, packets) = (&made[sample.key], core::slice::from_mut(packet));
            let _ = if seal {
                key.seal_batch(packets)
            } else {
                key.open_batch(packets)
            };
        };
        sealed(&samples, &call, &alone);
        opened(&samples, &call, &alone);
        2 * samples.len()
    }};
}

type Call<'a> = dyn Fn(bool, &mut [Packet<'_>]) -> Result<(), OpenError> + 'a;
type Alone<'a> = dyn Fn(bool, &Sample, &mut Packet<'_>) + 'a;

fn sealed(samples: &[Sample], call: &Call<'_>, alone: &Alone<'_>) {
    let mut outs: Vec<_> = samples.iter().map(|it| vec![0xa5; it.text.len()]).collect();
    let packets = samples.iter().zip(&mut outs).map(|(sample, out)| {
        let mut packet = sample.packet(&sample.text, out);
        assert_eq!(packet.result(), Err(InputError::PacketUntouched.into()));
        if sample.used {
            alone(true, sample, &mut packet);
        }
        packet
    });
    let mut packets: Vec<Packet<'_>> = packets.collect();
    let all = call(true, &mut packets);
    assert_eq!(all, samples.iter().try_for_each(|it| it.said(Ok(()))));
    for (sample, packet) in samples.iter().zip(&packets) {
        assert_eq!(packet.result(), Ok(()));
        assert_eq!(packet.tag(), sample.tag);
    }
    drop(packets);
    for (sample, out) in samples.iter().zip(outs) {
        assert!(out == sample.ciphertext, "another ciphertext");
    }
}

fn opened(samples: &[Sample], call: &Call<'_>, alone: &Alone<'_>) {
    let mut outs: Vec<_> = samples.iter().map(|it| vec![0xa5; it.text.len()]).collect();
    let packets = samples.iter().zip(&mut outs).map(|(sample, out)| {
        let mut packet = sample.packet(&sample.ciphertext, out);
        if let Some((tag, _)) = &sample.given {
            packet = packet.with_tag(tag);
        }
        if sample.used {
            alone(false, sample, &mut packet);
        }
        packet
    });
    let mut packets: Vec<Packet<'_>> = packets.collect();
    let all = call(false, &mut packets);
    let said = samples.iter().try_for_each(|it| it.said(it.opened().0));
    assert_eq!(all, said, "the first error");
    for (sample, packet) in samples.iter().zip(&packets) {
        assert_eq!(packet.result(), sample.opened().0);
    }
    drop(packets);
    for (sample, out) in samples.iter().zip(outs) {
        let left = if sample.in_place {
            sample.ciphertext.clone()
        } else {
            vec![0xa5; out.len()]
        };
        assert!(out == sample.opened().1.unwrap_or(left), "another output");
    }
}

#[test]
fn c3_batches_do_as_the_reference_whatever_is_in_them() {
    each("batches", |engine: Engine, dice| any_key!(run engine dice));
}

/// A call that forgets the errors of its last packet.
#[test]
fn control_c3_a_packet_whose_error_is_not_told_is_noticed() {
    let secret = [7; 16];
    let key = Gcm::<Aes128>::with_engine(&secret, Engine::Soft64).unwrap();
    let known = [reference::Gcm::new(&secret)];
    let alone: &Alone<'_> = &|_, _, packet| {
        let _ = key.open_batch(core::slice::from_mut(packet));
    };
    let forgets: &Call<'_> = &|_, packets| {
        let _ = key.open_batch(packets);
        let but_last = &packets[..packets.len().saturating_sub(1)];
        but_last.iter().try_for_each(Packet::result)
    };
    let mut dice = Dice(Random::new(0));
    caught_panic("the first error", || {
        for _ in 0..1000 {
            let lens = lens(&mut dice).into_iter();
            let samples = lens.map(|len| Sample::draw(&known, 16, len, &mut dice));
            let mut samples: Vec<Sample> = samples.collect();
            samples.iter_mut().for_each(|sample| sample.used = false);
            opened(&samples, forgets, alone);
        }
    });
}
