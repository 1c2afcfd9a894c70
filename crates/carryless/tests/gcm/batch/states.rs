//! U3 for batches: four packets, each as some call before has left it, in one call.

use carryless::error::{InputError, OpenError};
use carryless::{Aes192Gcm, Packet};

use super::{Batches, Library};
use crate::harness::{Checked, caught, engines, ensure};

/// What became of a packet before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    Sealed,
    Opened,
    Unauthentic,
    Refused,
}

const ALL: [Before; 5] = [
    Before::Nothing,
    Before::Sealed,
    Before::Opened,
    Before::Unauthentic,
    Before::Refused,
];

/// A message, as plaintext and sealed.
struct Sample {
    nonce: [u8; 12],
    text: Vec<u8>,
    sealed: Vec<u8>,
    tag: [u8; 16],
}

impl Sample {
    fn new(key: &Aes192Gcm, number: u8, len: usize) -> Self {
        let (nonce, text) = ([number; 12], vec![number + 1; len]);
        let mut sealed = text.clone();
        let tag = key.seal_in_place(&nonce, b"", &mut sealed).unwrap();
        Self {
            nonce,
            text,
            sealed,
            tag,
        }
    }

    /// What is in the buffer before the first call, and behind it.
    fn buffers(&self, before: Before, seal: bool) -> [Vec<u8>; 2] {
        let (text, sealed) = (self.text.clone(), self.sealed.clone());
        match before {
            Before::Nothing if seal => [text, sealed],
            Before::Nothing => [sealed, text],
            Before::Sealed => [text, sealed],
            Before::Opened => [sealed, text],
            Before::Unauthentic => [sealed, vec![0; text.len()]],
            Before::Refused => [sealed.clone(), sealed],
        }
    }

    fn packet<'a>(
        &self,
        key: &Aes192Gcm,
        before: Before,
        seal: bool,
        buffer: &'a mut [u8],
    ) -> Packet<'a> {
        let packet = Packet::in_place(&self.nonce, b"", buffer);
        let mut wrong = self.tag;
        wrong[7] ^= 1;
        let mut packet = match before {
            Before::Nothing if seal => return packet,
            Before::Nothing => return packet.with_tag(&self.tag),
            Before::Sealed => packet,
            Before::Opened => packet.with_tag(&self.tag),
            Before::Unauthentic => packet.with_tag(&wrong),
            Before::Refused => packet.with_tag(&self.tag[..15]),
        };
        let one = core::slice::from_mut(&mut packet);
        let _ = if before == Before::Sealed {
            key.seal_batch(one)
        } else {
            key.open_batch(one)
        };
        packet
    }
}

/// Packets that a call has had stay as they are, and those beside them are done.
fn check(
    key: &Aes192Gcm,
    samples: &[Sample; 4],
    states: [Before; 4],
    calls: &dyn Batches,
) -> Checked {
    for seal in [true, false] {
        let what = format!(
            "{states:?}, {} bytes, sealing {seal}",
            samples[0].text.len()
        );
        let buffers = samples.iter().zip(states);
        let buffers = buffers.map(|(sample, before)| sample.buffers(before, seal));
        let (mut texts, expected): (Vec<_>, Vec<_>) = buffers.map(|[from, to]| (from, to)).unzip();
        let packets = samples.iter().zip(states).zip(&mut texts);
        let packets = packets.map(|((it, before), text)| it.packet(key, before, seal, text));
        let mut packets: Vec<_> = packets.collect();
        let before: Vec<_> = packets.iter().map(Packet::result).collect();
        let result = match seal {
            true => calls.seal(&[key; 4], &mut packets),
            false => calls.open(&[key; 4], &mut packets),
        };
        let said = match states == [Before::Nothing; 4] {
            true => Ok(()),
            false => Err(InputError::PacketUsed.into()),
        };
        ensure!(result == said, "{what}: {result:?}");
        for (n, packet) in packets.iter().enumerate() {
            let known = match states[n] {
                Before::Nothing => Ok(()),
                _ => before[n],
            };
            ensure!(packet.result() == known, "{what}: packet {n} differs");
        }
        drop(packets);
        for (n, (text, expected)) in texts.iter().zip(&expected).enumerate() {
            ensure!(text == expected, "{what}: text {n} differs");
        }
    }
    Ok(8)
}

fn check_all(key: &Aes192Gcm, calls: &dyn Batches) -> Checked {
    let mut count = 0;
    for len in [16, 40] {
        let samples = core::array::from_fn(|n| Sample::new(key, n as u8, len));
        for number in 0..ALL.len().pow(4) {
            let states = [1, 5, 25, 125].map(|by| ALL[number / by % ALL.len()]);
            count += check(key, &samples, states, calls)?;
        }
    }
    Ok(count)
}

#[test]
fn u3_packets_of_a_four_are_used_once_whatever_became_of_them() {
    for engine in engines() {
        let key = Aes192Gcm::with_engine(&[5; 24], engine).unwrap();
        let count = check_all(&key, &Library).unwrap_or_else(|error| panic!("{engine}: {error}"));
        println!("U3 {engine}: {count} packets beside used ones");
    }
}

/// Does not tell of packets that were used.
struct Silent;

impl Batches for Silent {
    fn seal(&self, keys: &[&Aes192Gcm], packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        let _ = Library.seal(keys, packets);
        Ok(())
    }
    fn open(&self, keys: &[&Aes192Gcm], packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        let _ = Library.open(keys, packets);
        Ok(())
    }
}

#[test]
fn control_u3_a_used_packet_that_is_not_told_is_noticed() {
    let key = Aes192Gcm::from_slice(&[5; 24]).unwrap();
    caught(check_all(&key, &Silent));
}
