//! U7: what the library draws is random in each of its bits, and so is what stands for a draw.

#[cfg(target_os = "linux")]
mod system;

use core::slice::from_ref;

use carryless::error::InputError;
use carryless::{Aes128, Aes128Gcm, Aes192, Aes256, Aes256Gcm, Engine, Gcm, RandomNonceSealer};

use crate::harness::draws::{DRAWS, drawn, never_twice};
use crate::harness::{Random, caught, engines};

/// Prints what was drawn; fails if it does not look so.
fn expect(what: &str, draw: impl FnMut() -> Vec<u8>) {
    let count = drawn(draw).unwrap_or_else(|error| panic!("{what}: {error}"));
    println!("U7 {what}: {count} values");
}

#[test]
fn u7_every_bit_of_a_random_nonce_is_drawn() {
    macro_rules! of {
        ($($Cipher:ident $len:literal: $($tag:literal)+;)+) => {$($(
            let gcm = Gcm::<$Cipher, 12, $tag>::with_engine(&[7; $len], Engine::Soft64).unwrap();
            let mut sealer = RandomNonceSealer::new(gcm);
            expect(concat!("nonces for ", stringify!($Cipher), ", tags of ", $tag), || {
                sealer.seal_in_place(b"", &mut []).unwrap().0.to_vec()
            });
            expect(concat!("the same, into another buffer, tags of ", $tag), || {
                sealer.seal_into(b"", b"", &mut []).unwrap().0.to_vec()
            });
        )+)+};
    }
    of!(Aes128 16: 12 13 14 15 16; Aes192 24: 12 13 14 15 16; Aes256 32: 12 13 14 15 16;);
    #[cfg(feature = "hazmat")]
    of!(Aes128 16: 4 8; Aes192 24: 4 8; Aes256 32: 4 8;);
}

/// How a sealer of random nonces is called.
#[derive(Clone, Copy, Debug)]
struct Call {
    /// Messages before it.
    sealed: u64,
    in_place: bool,
    aad: usize,
    text: usize,
}

impl Call {
    /// Calls alike are put together: a fault of one kind alone must not hide among others.
    fn all() -> Vec<Self> {
        let mut calls = Vec::new();
        for in_place in [true, false] {
            for (aad, text) in [
                (0, 0),
                (13, 0),
                (0, 1),
                (13, 1),
                (0, 16),
                (20, 100),
                (4096, 4096),
            ] {
                calls.push(Self {
                    sealed: 0,
                    in_place,
                    aad,
                    text,
                });
            }
            for power in 0..32 {
                let sealed: u64 = 1 << power;
                let across = sealed.saturating_sub(DRAWS as u64 / 2);
                calls.extend([sealed, across].map(|sealed| Self {
                    sealed,
                    in_place,
                    aad: 0,
                    text: 1,
                }));
            }
            let last = (1 << 32) - DRAWS as u64;
            calls.push(Self {
                sealed: last,
                in_place,
                aad: 0,
                text: 1,
            });
        }
        calls
    }

    fn nonce(self, sealer: &mut RandomNonceSealer<Aes128>) -> Vec<u8> {
        let (aad, mut text) = (vec![1; self.aad], vec![2; self.text]);
        let sealed = if self.in_place {
            sealer.seal_in_place(&aad, &mut text)
        } else {
            let mut out = vec![0; self.text];
            sealer.seal_into(&aad, &text, &mut out)
        };
        sealed.unwrap().0.to_vec()
    }
}

type Nonces<'a> = dyn Fn(Call, &mut RandomNonceSealer<Aes128>) -> Vec<u8> + 'a;

/// Whether nonces are drawn however the sealer is called, and however often it was before.
fn every_call_draws(nonce: &Nonces<'_>) -> Result<usize, String> {
    let calls = Call::all();
    for &call in &calls {
        let gcm = Aes128Gcm::with_engine(&[7; 16], engines()[0]).unwrap();
        let mut sealer = RandomNonceSealer::resume(gcm, call.sealed);
        drawn(|| nonce(call, &mut sealer)).map_err(|why| format!("{call:?}: {why}"))?;
    }
    Ok(calls.len())
}

#[test]
fn u7_every_call_of_a_sealer_of_random_nonces_draws() {
    let calls = every_call_draws(&Call::nonce).unwrap_or_else(|why| panic!("{why}"));
    println!("U7 nonces of RandomNonceSealer: {calls} kinds of calls, {DRAWS} each");
}

#[test]
fn control_u7_calls_that_do_not_draw_are_noticed() {
    // From 2^24 messages on a part is the count.
    caught(every_call_draws(&|call, sealer| {
        let mut nonce = call.nonce(sealer);
        let count = (1_u64 << 32) - sealer.remaining();
        if count > 1 << 24 {
            nonce[8..].copy_from_slice(&count.to_be_bytes()[4..]);
        }
        nonce
    }));
    caught(every_call_draws(&|call, sealer| {
        let nonce = call.nonce(sealer);
        if call.text == 4096 {
            vec![0; 12]
        } else {
            nonce
        }
    }));
}

/// A nonce does not come back after some time either.
#[test]
fn u7_no_random_nonce_repeats_among_many() {
    let gcm = Aes128Gcm::with_engine(&[7; 16], engines()[0]).unwrap();
    let mut sealer = RandomNonceSealer::new(gcm);
    let nonces = never_twice(|| sealer.seal_in_place(b"", &mut []).unwrap().0.to_vec());
    let count = nonces.unwrap_or_else(|error| panic!("{error}"));
    println!("U7 nonces of one RandomNonceSealer: {count} values");
}

/// Two sealers of one key, made one after the other, are as one.
#[test]
fn u7_sealers_of_one_key_draw_apart() {
    expect("nonces of a new sealer each", || {
        let gcm = Aes256Gcm::with_engine(&[7; 32], Engine::Soft64).unwrap();
        let mut sealer = RandomNonceSealer::new(gcm);
        sealer.seal_in_place(b"", &mut []).unwrap().0.to_vec()
    });
}

#[cfg(feature = "aead")]
#[test]
fn u7_keys_and_nonces_of_the_traits_are_drawn() {
    use carryless::aead::Generate;
    use carryless::{Key, Nonce};

    expect("keys of Aes128Gcm", || {
        Key::<Aes128Gcm>::generate().to_vec()
    });
    expect("keys of Aes256Gcm", || {
        Key::<Aes256Gcm>::generate().to_vec()
    });
    expect("nonces of the traits", || <Nonce>::generate().to_vec());
}

/// The hash of a segment is encrypted under what nobody but the key's holder can tell from a draw: equal texts at
/// different places, and different texts at one, look unrelated.
#[test]
fn u7_the_masks_of_segments_look_drawn() {
    for engine in engines() {
        let gcm = Aes128Gcm::with_engine(&[7; 16], engine).unwrap();
        let segments = gcm.segments(&[3; 12]);
        let mut place = 0;
        expect(&format!("masks of equal segments, {engine}"), || {
            place += 16;
            segments
                .seal_in_place(place, &mut [0; 16])
                .unwrap()
                .to_bytes()[16..]
                .to_vec()
        });
        let mut count = 0_u32;
        expect(&format!("masks of other segments, {engine}"), || {
            count += 1;
            let mut text = count.to_be_bytes();
            segments.seal_in_place(32, &mut text).unwrap().to_bytes()[16..].to_vec()
        });
        // Zeros add nothing to the hash: what is seen is the mask alone.
        let mut place = 0;
        expect(&format!("masks of segments of zeros, {engine}"), || {
            place += 16;
            let zeros = segments.authenticate(place, &[0; 16]).unwrap();
            zeros.to_bytes()[16..].to_vec()
        });
        let mut count = 0_u32;
        expect(&format!("masks of messages that follow, {engine}"), || {
            count += 1;
            let nonce = [&[3; 8][..], &count.to_be_bytes()].concat();
            let message = gcm.segments(nonce.first_chunk().unwrap());
            message.authenticate(0, &[0; 16]).unwrap().to_bytes()[16..].to_vec()
        });
    }
}

/// The hash of one message is none of another's, wherever their nonces differ.
#[test]
fn u7_masks_of_segments_depend_on_each_bit_of_the_nonce() {
    for engine in engines() {
        let gcm = Aes128Gcm::with_engine(&[7; 16], engine).unwrap();
        let ours = gcm.segments(&[3; 12]);
        let part = ours.authenticate(0, &[0; 16]).unwrap();
        assert!(ours.finish(b"", from_ref(&part)).is_ok());
        for bit in 0..96 {
            let mut nonce = [3; 12];
            nonce[bit / 8] ^= 1 << (bit % 8);
            let result = gcm.segments(&nonce).finish(b"", from_ref(&part));
            assert_eq!(
                result,
                Err(InputError::ForeignPartial),
                "{engine}: bit {bit}"
            );
        }
    }
    println!(
        "U7 masks: 96 bits of the nonce on each of {} engines",
        engines().len()
    );
}

/// Generators that go wrong as they do in earnest.
#[test]
fn control_u7_what_is_not_drawn_whole_is_noticed() {
    let mut random = Random::new(7);
    caught(drawn(|| vec![0; 32]));
    caught(drawn(|| [&random.bytes(16)[..], &[0; 16]].concat()));
    caught(drawn(|| {
        let half = random.bytes(16);
        [&half[..], &half].concat()
    }));
    let mut count = 0_u64;
    caught(drawn(|| {
        count += 1;
        [&[9; 8][..], &count.to_be_bytes()].concat()
    }));
    caught(drawn(|| Random::new(1).bytes(16)));
    let mut count = 0;
    caught(drawn(|| {
        count += 1;
        Random::new(count % 100).bytes(12)
    }));
    caught(drawn(|| {
        let mut value = random.bytes(12);
        value[11] |= 0x10;
        value
    }));
    // Too few bytes that repeat for the windows above.
    caught(drawn(|| {
        let mut value = random.bytes(12);
        value[8] = value[0] ^ 0x55;
        value
    }));
    caught(drawn(|| {
        let mut value = random.bytes(12);
        value[7] = value[7] & 0xfe | value[3] >> 5 & 1;
        value
    }));
    caught(drawn(|| {
        random
            .bytes(24)
            .into_iter()
            .map(|byte| byte & 0x0f)
            .collect()
    }));
    caught(drawn(|| {
        let mut value = random.bytes(32);
        value[5] = value[5] % 7 * 36;
        value
    }));
    let mut count = 0;
    caught(never_twice(|| {
        count = (count + 1) % 100_000;
        Random::new(count).bytes(12)
    }));
    assert!(drawn(|| random.bytes(12)).is_ok() && drawn(|| random.bytes(64)).is_ok());
}
