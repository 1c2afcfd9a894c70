//! U3 for batches: four packets, each as some call before has left it, in one call.

use carryless::error::{InputError, OpenError};
use carryless::{Aes192Gcm, Packet};

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

type Call<'a> = dyn Fn(bool, &mut [Packet<'_>]) -> Result<(), OpenError> + 'a;

/// Packets that a call has had stay as they are, and those beside them are done.
fn check(key: &Aes192Gcm, states: [Before; 4], len: usize, call: &Call<'_>) -> Checked {
    let samples: [Sample; 4] = core::array::from_fn(|n| Sample::new(key, n as u8, len));
    for seal in [true, false] {
        let what = format!("{states:?}, {len} bytes, sealing {seal}");
        let buffers = |n: usize| samples[n].buffers(states[n], seal);
        let mut texts: [Vec<u8>; 4] = core::array::from_fn(|n| buffers(n)[0].clone());
        let packets = samples.iter().zip(states).zip(&mut texts);
        let packets = packets.map(|((it, before), text)| it.packet(key, before, seal, text));
        let mut packets: Vec<_> = packets.collect();
        let before: Vec<_> = packets.iter().map(Packet::result).collect();
        let result = call(seal, &mut packets);
        let used = states.iter().any(|state| *state != Before::Nothing);
        let expected = match used {
            true => Err(InputError::PacketUsed.into()),
            false => Ok(()),
        };
        ensure!(result == expected, "{what}: {result:?}");
        for (n, packet) in packets.iter().enumerate() {
            let known = match states[n] {
                Before::Nothing => Ok(()),
                _ => before[n],
            };
            ensure!(packet.result() == known, "{what}: packet {n} differs");
        }
        drop(packets);
        for (n, text) in texts.iter().enumerate() {
            ensure!(*text == buffers(n)[1], "{what}: text {n} differs");
        }
    }
    Ok(8)
}

fn check_all(key: &Aes192Gcm, call: &Call<'_>) -> Checked {
    let mut count = 0;
    for number in 0..ALL.len().pow(4) {
        let states = [1, 5, 25, 125].map(|by| ALL[number / by % ALL.len()]);
        for len in [16, 40] {
            count += check(key, states, len, call)?;
        }
    }
    Ok(count)
}

#[test]
fn u3_packets_of_a_four_are_used_once_whatever_became_of_them() {
    for engine in engines() {
        let key = Aes192Gcm::with_engine(&[5; 24], engine).unwrap();
        let call: &Call<'_> = &|seal, packets| match seal {
            true => key.seal_batch(packets),
            false => key.open_batch(packets),
        };
        let count = check_all(&key, call).unwrap_or_else(|error| panic!("{engine}: {error}"));
        println!("U3 {engine}: {count} packets beside used ones");
    }
}

/// A batch that does not tell of packets that were used.
#[test]
fn control_u3_a_used_packet_that_is_not_told_is_noticed() {
    let key = Aes192Gcm::from_slice(&[5; 24]).unwrap();
    let silent: &Call<'_> = &|seal, packets| {
        let _ = match seal {
            true => key.seal_batch(packets),
            false => key.open_batch(packets),
        };
        Ok(())
    };
    caught(check_all(&key, silent));
}
