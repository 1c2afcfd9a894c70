//! Messages piece by piece, two at a time under one key.

use carryless::error::InputError;
use carryless::{Aes128, Aes192, Aes256, Gcm, Sealer};
#[cfg(feature = "hazmat")]
use carryless::{error::OpenError, hazmat::Opener};

use super::{Dice, each};
use crate::harness::{Random, caught_panic, reference};

/// The calls that take pieces.
trait Stream {
    fn aad(&mut self, aad: &[u8]) -> Result<(), InputError>;
    fn in_place(&mut self, text: &mut [u8]) -> Result<(), InputError>;
    fn between(&mut self, from: &[u8], to: &mut [u8]) -> Result<(), InputError>;
}

macro_rules! streams {
    ($Stream:ident $in_place:ident $into:ident: $($Cipher:ident $tag:literal),+) => {$(
        impl Stream for $Stream<'_, $Cipher, $tag> {
            fn aad(&mut self, aad: &[u8]) -> Result<(), InputError> {
                self.aad(aad)
            }
            fn in_place(&mut self, text: &mut [u8]) -> Result<(), InputError> {
                self.$in_place(text)
            }
            fn between(&mut self, from: &[u8], to: &mut [u8]) -> Result<(), InputError> {
                self.$into(from, to)
            }
        }
    )+};
}

streams!(Sealer seal_in_place seal_into: Aes128 16, Aes192 14, Aes256 12);
#[cfg(feature = "hazmat")]
streams!(Opener open_in_place open_into: Aes128 16, Aes192 14, Aes256 12);

/// What went into a stream, and what came out of it.
#[derive(Default)]
struct Message {
    nonce: Vec<u8>,
    aad: Vec<u8>,
    text: Vec<u8>,
    out: Vec<u8>,
}

impl Message {
    fn new(dice: &mut Dice) -> Self {
        Self {
            nonce: dice.nonce(),
            ..Self::default()
        }
    }

    /// One call more.
    fn step(&mut self, stream: &mut dyn Stream, dice: &mut Dice) {
        let piece = dice.piece();
        let mut out = piece.clone();
        let call = dice.below(8);
        if call < 3 && self.text.is_empty() {
            assert_eq!(stream.aad(&piece), Ok(()));
            self.aad.extend(piece);
            return;
        }
        match call {
            0 => {
                assert_eq!(stream.aad(&piece), Err(InputError::AadAfterText));
                return;
            }
            1 => {
                let (got, expected) = (piece.len() + 1, piece.len());
                let mut longer = vec![0xa5; got];
                let refused = stream.between(&piece, &mut longer);
                assert_eq!(refused, Err(InputError::Output { got, expected }));
                assert_eq!(longer, vec![0xa5; got]);
                return;
            }
            2..=4 => assert_eq!(stream.in_place(&mut out), Ok(())),
            _ => {
                out.fill(0xa5);
                assert_eq!(stream.between(&piece, &mut out), Ok(()));
            }
        }
        self.text.extend(piece);
        self.out.extend(out);
    }
}

/// Some calls on two streams in turns; how many.
fn steps(streams: [&mut dyn Stream; 2], messages: &mut [Message; 2], dice: &mut Dice) -> usize {
    let calls = 2 + dice.below(16);
    for _ in 0..calls {
        let of = dice.below(2);
        messages[of].step(streams[of], dice);
    }
    calls
}

macro_rules! run {
    ($engine:ident, $dice:ident: $Cipher:ident $key_len:literal $tag:literal) => {{
        let key = $dice.bytes($key_len);
        let known = reference::Gcm::new(&key);
        let gcm = Gcm::<$Cipher, 12, $tag>::with_engine(&key, $engine).unwrap();
        let mut messages = [Message::new($dice), Message::new($dice)];
        let [mut one, mut two] = messages.each_ref().map(|it| gcm.sealer(&it.nonce).unwrap());
        let mut calls = steps([&mut one, &mut two], &mut messages, $dice);
        for (sealer, message) in [one, two].into_iter().zip(&messages) {
            let (ciphertext, tag) = known.seal(&message.nonce, &message.aad, &message.text);
            assert!(message.out == ciphertext, "another ciphertext");
            assert_eq!(sealer.finish(), tag[..$tag]);
        }
        #[cfg(feature = "hazmat")]
        {
            let mut messages = [Message::new($dice), Message::new($dice)];
            let [mut one, mut two] = messages.each_ref().map(|it| gcm.opener(&it.nonce).unwrap());
            calls += steps([&mut one, &mut two], &mut messages, $dice);
            for (opener, message) in [one, two].into_iter().zip(&messages) {
                let j0 = known.j0(&message.nonce);
                assert!(message.out == known.ctr(&j0, &message.text), "another text");
                let (tag, right) = $dice.tag(&known.tag(&j0, &message.aad, &message.text)[..$tag]);
                let expected = expected(right, tag.len(), $tag);
                assert_eq!(opener.finish(&tag), expected);
            }
        }
        calls
    }};
}

/// What opening says to a tag of `got` bytes that is right, wrong, or of another length.
#[cfg(feature = "hazmat")]
fn expected(right: Option<bool>, got: usize, expected: usize) -> Result<(), OpenError> {
    match right {
        Some(true) => Ok(()),
        Some(false) => Err(carryless::error::Unauthentic.into()),
        None => Err(InputError::Tag { got, expected }.into()),
    }
}

#[test]
fn c3_streams_do_as_the_reference_whatever_is_called() {
    each("streams", |engine, dice| any_key!(run engine dice));
}

/// A stream that takes AAD behind whole blocks of text.
struct Lenient<'a>(Sealer<'a, Aes128, 16>, usize);

impl Stream for Lenient<'_> {
    fn aad(&mut self, aad: &[u8]) -> Result<(), InputError> {
        match self.0.aad(aad) {
            Err(InputError::AadAfterText) if self.1.is_multiple_of(16) => Ok(()),
            result => result,
        }
    }
    fn in_place(&mut self, text: &mut [u8]) -> Result<(), InputError> {
        self.1 += text.len();
        self.0.in_place(text)
    }
    fn between(&mut self, from: &[u8], to: &mut [u8]) -> Result<(), InputError> {
        self.1 += from.len();
        self.0.between(from, to)
    }
}

#[test]
fn control_c3_a_stream_that_takes_what_comes_late_is_noticed() {
    let gcm = carryless::Aes128Gcm::with_engine(&[7; 16], carryless::Engine::Soft64).unwrap();
    let mut dice = Dice(Random::new(0));
    caught_panic("AadAfterText", || {
        for _ in 0..1000 {
            let mut messages = [Message::new(&mut dice), Message::new(&mut dice)];
            let [mut one, mut two] = messages
                .each_ref()
                .map(|it| Lenient(gcm.sealer(&it.nonce).unwrap(), 0));
            steps([&mut one, &mut two], &mut messages, &mut dice);
        }
    });
}
