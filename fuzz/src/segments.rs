//! A message in pieces, with calls out of order among them, is the message in one call.

use carryless::error::{InputError, OpenError};
use carryless::{Aes128Gcm, Aes192Gcm, Aes256Gcm};

use crate::choices::{Choices, Placed};

/// See the module.
pub fn segments(data: &[u8]) {
    let mut choices = Choices::new(data);
    match choices.pick(&[16, 24, 32]) {
        16 => aes_128(choices),
        24 => aes_192(choices),
        _ => aes_256(choices),
    }
}

/// A call of the stream; lengths are those asked for, at most what there is.
#[derive(Clone, Copy)]
enum Call {
    Aad(usize),
    InPlace(usize),
    Into(usize),
    /// The output is one byte too long.
    WrongOutput(usize),
}

fn calls(choices: &mut Choices<'_>) -> Vec<Call> {
    let count = choices.below(16);
    let call = |_| match choices.byte() % 8 {
        0..3 => Call::Aad(choices.below(100)),
        3..5 => Call::InPlace(choices.below(500)),
        5..7 => Call::Into(choices.below(500)),
        _ => Call::WrongOutput(choices.below(40)),
    };
    (0..count).map(call).collect()
}

/// What a stream consumed and made.
#[derive(Default)]
struct Made {
    aad: usize,
    text: Vec<u8>,
}

/// Feeds a stream the calls; AAD and text are taken off as far as the stream accepts them. `$inplace`
/// and `$into` are its methods.
macro_rules! feed {
    ($stream:ident, $in_place:ident, $into:ident, $calls:expr, $aad:expr, $text:expr) => {{
        let mut made = Made::default();
        for call in $calls {
            let rest = &$text[made.text.len()..];
            match *call {
                Call::Aad(len) => {
                    let piece = &$aad[made.aad..$aad.len().min(made.aad + len)];
                    let accepted = $stream.aad(&Placed::new(piece, 0).get());
                    if made.text.is_empty() {
                        assert_eq!(accepted, Ok(()));
                        made.aad += piece.len();
                    } else {
                        assert_eq!(accepted, Err(InputError::AadAfterText));
                    }
                }
                Call::InPlace(len) => {
                    let mut piece = Placed::new(&rest[..len.min(rest.len())], len % 64);
                    assert_eq!($stream.$in_place(piece.get_mut()), Ok(()));
                    made.text.extend_from_slice(piece.get());
                }
                Call::Into(len) => {
                    let piece = Placed::new(&rest[..len.min(rest.len())], len % 64);
                    let mut out = Placed::filled(0xa5, piece.get().len(), len / 7 % 64);
                    assert_eq!($stream.$into(piece.get(), out.get_mut()), Ok(()));
                    made.text.extend_from_slice(out.get());
                }
                Call::WrongOutput(len) => {
                    let piece = &rest[..len.min(rest.len())];
                    let mut out = vec![0xa5; piece.len() + 1];
                    let error = InputError::Output {
                        got: out.len(),
                        expected: piece.len(),
                    };
                    assert_eq!($stream.$into(piece, &mut out), Err(error));
                    assert!(out.iter().all(|byte| *byte == 0xa5), "written when refused");
                }
            }
        }
        made
    }};
}

// The trait of ciphers is the library's own: a macro says the same of each.
macro_rules! for_cipher {
    ($($name:ident $Key:ident $key_len:literal)+) => {$(
        fn $name(mut choices: Choices<'_>) {
            let (engine, other) = (choices.engine(), choices.engine());
            let nonce_len = choices.below(40);
            let (sealing, opening) = (calls(&mut choices), calls(&mut choices));
            let bit = choices.below(1 << 16);
            let key = choices.content($key_len);
            let nonce = choices.content(nonce_len);
            let (aad, text) = (choices.content(200), choices.content(2000));
            let sealer_key = $Key::with_engine(&key, engine).expect("an engine of this machine");
            let opener_key = $Key::with_engine(&key, other).expect("an engine of this machine");

            let mut sealer = match sealer_key.sealer(&nonce) {
                Ok(sealer) => sealer,
                Err(error) => return assert!(nonce.is_empty() && error == InputError::EmptyNonce),
            };
            let sealed = feed!(sealer, seal_in_place, seal_into, &sealing, aad, text);
            let tag = sealer.finish();
            let mut whole = text[..sealed.text.len()].to_vec();
            let expected = opener_key.seal_in_place(&nonce, &aad[..sealed.aad], &mut whole);
            assert_eq!(Ok(tag), expected, "{engine}: pieces, {other}: whole");
            assert_eq!(sealed.text, whole, "{engine}: pieces, {other}: whole");

            let mut opener = opener_key.opener(&nonce).expect("sealing took the nonce");
            let opened = feed!(opener, open_in_place, open_into, &opening, aad[..sealed.aad], sealed.text);
            assert_eq!(opened.text, text[..opened.text.len()], "{other}: opened pieces");
            let complete = opened.aad == sealed.aad && opened.text.len() == sealed.text.len();
            let mut tag = tag;
            let flipped = bit % 2 == 1;
            tag[bit / 16 % 16] ^= u8::from(flipped) << (bit / 2 % 8);
            let result = opener.finish(&tag);
            if complete && !flipped {
                assert_eq!(result, Ok(()), "{other}: all pieces, in whatever order of lengths");
            } else {
                assert!(matches!(result, Err(OpenError::Unauthentic(_))), "{other}: {result:?}");
            }
        }
    )+};
}

for_cipher! { aes_128 Aes128Gcm 16 aes_192 Aes192Gcm 24 aes_256 Aes256Gcm 32 }
