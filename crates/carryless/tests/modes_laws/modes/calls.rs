//! The calls of each mode's keys.

use core::ops::Range;

use carryless::error::OpenError;
use carryless::hazmat::{CbcDecryptor, CbcEncryptor, Ctr};
#[cfg(feature = "sgcm")]
use carryless::sgcm::Sgcm;
use carryless::{Aes128, Aes192, Aes256, Ccm, Cmac, Engine, GcmSiv, Gmac, XAes256Gcm};
#[cfg(feature = "lea")]
use carryless::{Gcm, Lea128, Lea192, Lea256};

use crate::harness::scheme::{Cuts, Input, Refused, Tag, pieces};

/// The calls of a key. Those of whole messages must all do the same; a mode without pieces has no others.
pub(super) trait Calls: Sized {
    fn key(key: &[u8], engine: Engine) -> Self;

    fn seal_whole(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused>;

    fn open_whole(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused>;

    fn seal_pieces(&self, input: Input<'_>, _: &Cuts, out: &mut [u8]) -> Result<Tag, Refused> {
        self.seal_whole(input, out)
    }

    fn open_pieces(
        &self,
        input: Input<'_>,
        _: &Cuts,
        tag: &[u8],
        out: &mut [u8],
    ) -> Result<(), Refused> {
        self.open_whole(input, tag, out)
    }
}

/// The pieces of a text by two calls in turn: from buffer to buffer, and in place.
macro_rules! by_turns {
    ($cipher:ident, $into:ident, $in_place:ident, $text:expr, $out:expr, $pieces:expr) => {
        for (i, piece) in $pieces.enumerate() {
            let (from, to) = (&$text[piece.clone()], &mut $out[piece]);
            if i % 2 == 0 {
                $cipher.$into(from, to)?;
            } else {
                to.copy_from_slice(from);
                $cipher.$in_place(to)?;
            }
        }
    };
}

/// `whole!()`: the key of what seals and opens, and its calls for whole messages.
macro_rules! whole {
    () => {
        fn key(key: &[u8], engine: Engine) -> Self {
            Self::with_engine(key, engine).unwrap()
        }

        fn seal_whole(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused> {
            let Input { nonce, aad, text } = input;
            let tag = self.seal_into(nonce, aad, text, out)?;
            let mut place = text.to_vec();
            let same = self.seal_in_place(nonce, aad, &mut place)?;
            assert!(same == tag && place == *out, "{self:?}: otherwise in place");
            Ok(Tag::new(&tag))
        }

        fn open_whole(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused> {
            let Input { nonce, aad, text } = input;
            let mut place = text.to_vec();
            let placed = self.open_in_place(nonce, aad, &mut place, tag);
            let opened = self.open_into(nonce, aad, text, out, tag);
            // What is refused for a length stays, one text here and another there.
            let left = matches!(opened, Err(OpenError::Input(_)));
            let same = if left { place == text } else { place == *out };
            assert!(same && placed == opened, "{self:?}: otherwise in place");
            Ok(opened?)
        }
    };
}

/// `begin! { FORM key, call, input }`: what begins a message in pieces. CCM is told its lengths.
macro_rules! begin {
    (ccm $key:expr, $call:ident, $input:expr) => {
        $key.$call(
            $input.nonce,
            $input.aad.len() as u64,
            $input.text.len() as u64,
        )
    };
    (gcm $key:expr, $call:ident, $input:expr) => {
        $key.$call($input.nonce)
    };
}

/// `end! { FORM sealer }`: its tag. That of CCM fails if text is missing.
macro_rules! end {
    (ccm $sealer:expr) => {
        $sealer.finish()?
    };
    (gcm $sealer:expr) => {
        $sealer.finish()
    };
}

/// `aead! { FORM: Key, .. }`: what seals and opens, in pieces too.
macro_rules! aead {
    ($form:ident: $($Key:ty),+) => {$(
        impl Calls for $Key {
            whole!();

            fn seal_pieces(&self, input: Input<'_>, cuts: &Cuts, out: &mut [u8]) -> Result<Tag, Refused> {
                let Input { aad, text, .. } = input;
                let mut sealer = begin!($form self, sealer, input)?;
                for piece in pieces(&cuts.aad, aad.len()) {
                    sealer.aad(&aad[piece])?;
                }
                by_turns!(sealer, seal_into, seal_in_place, text, out, pieces(&cuts.text, text.len()));
                Ok(Tag::new(&end!($form sealer)))
            }

            fn open_pieces(&self, input: Input<'_>, cuts: &Cuts, tag: &[u8], out: &mut [u8]) -> Result<(), Refused> {
                let Input { aad, text, .. } = input;
                let mut opener = begin!($form self, opener, input)?;
                for piece in pieces(&cuts.aad, aad.len()) {
                    opener.aad(&aad[piece])?;
                }
                by_turns!(opener, open_into, open_in_place, text, out, pieces(&cuts.text, text.len()));
                // Whoever opens piece by piece throws away what was not authentic.
                Ok(opener.finish(tag).inspect_err(|_| out.fill(0))?)
            }
        }
    )+};
}

aead! { ccm: Ccm<Aes128>, Ccm<Aes192, 12, 8>, Ccm<Aes256, 12, 14> }
#[cfg(feature = "sgcm")]
aead! { gcm: Sgcm<Aes128>, Sgcm<Aes192>, Sgcm<Aes256> }
#[cfg(all(feature = "lea", feature = "sgcm"))]
aead! { gcm: Sgcm<Lea128>, Sgcm<Lea192>, Sgcm<Lea256> }
#[cfg(feature = "lea")]
aead! { gcm: Gcm<Lea128> }
#[cfg(feature = "lea")]
aead! { ccm: Ccm<Lea192> }

impl Calls for GcmSiv<Aes128> {
    whole!();
}

impl Calls for GcmSiv<Aes256> {
    whole!();
}

impl Calls for XAes256Gcm {
    whole!();
}

/// `cmac! { Key, .. }`: codes without a nonce.
macro_rules! cmac {
    ($($Key:ty),+) => {$(
        impl Calls for $Key {
            fn key(key: &[u8], engine: Engine) -> Self {
                Self::with_engine(key, engine).unwrap()
            }

            fn seal_whole(&self, input: Input<'_>, _: &mut [u8]) -> Result<Tag, Refused> {
                Ok(Tag::new(&self.mac(input.aad)))
            }

            fn open_whole(&self, input: Input<'_>, tag: &[u8], _: &mut [u8]) -> Result<(), Refused> {
                Ok(self.verify(input.aad, tag)?)
            }

            fn seal_pieces(&self, input: Input<'_>, cuts: &Cuts, _: &mut [u8]) -> Result<Tag, Refused> {
                let mut message = self.begin();
                pieces(&cuts.aad, input.aad.len()).for_each(|piece| message.update(&input.aad[piece]));
                Ok(Tag::new(&message.finish()))
            }

            fn open_pieces(&self, input: Input<'_>, cuts: &Cuts, tag: &[u8], _: &mut [u8]) -> Result<(), Refused> {
                let mut message = self.begin();
                pieces(&cuts.aad, input.aad.len()).for_each(|piece| message.update(&input.aad[piece]));
                Ok(message.verify(tag)?)
            }
        }
    )+};
}

cmac! { Cmac<Aes128>, Cmac<Aes192, 12>, Cmac<Aes256> }
#[cfg(feature = "lea")]
cmac! { Cmac<Lea256> }

/// `gmac! { Key, .. }`: codes with a nonce.
macro_rules! gmac {
    ($($Key:ty),+) => {$(
        impl Calls for $Key {
            fn key(key: &[u8], engine: Engine) -> Self {
                Self::with_engine(key, engine).unwrap()
            }

            fn seal_whole(&self, input: Input<'_>, _: &mut [u8]) -> Result<Tag, Refused> {
                Ok(Tag::new(&self.mac(input.nonce, input.aad)?))
            }

            fn open_whole(&self, input: Input<'_>, tag: &[u8], _: &mut [u8]) -> Result<(), Refused> {
                Ok(self.verify(input.nonce, input.aad, tag)?)
            }

            fn seal_pieces(&self, input: Input<'_>, cuts: &Cuts, _: &mut [u8]) -> Result<Tag, Refused> {
                let mut message = self.begin(input.nonce)?;
                for piece in pieces(&cuts.aad, input.aad.len()) {
                    message.update(&input.aad[piece])?;
                }
                Ok(Tag::new(&message.finish()))
            }

            fn open_pieces(&self, input: Input<'_>, cuts: &Cuts, tag: &[u8], _: &mut [u8]) -> Result<(), Refused> {
                let mut message = self.begin(input.nonce)?;
                for piece in pieces(&cuts.aad, input.aad.len()) {
                    message.update(&input.aad[piece])?;
                }
                Ok(message.verify(tag)?)
            }
        }
    )+};
}

gmac! { Gmac<Aes128>, Gmac<Aes192, 12>, Gmac<Aes256> }
#[cfg(feature = "lea")]
gmac! { Gmac<Lea192> }

/// The first block of a cipher's message.
fn start(input: Input<'_>) -> &[u8; 16] {
    input.nonce.try_into().expect("16 bytes")
}

/// `ctr! { Key, .. }`: key stream.
macro_rules! ctr {
    ($($Key:ty),+) => {$(
        impl Calls for $Key {
            fn key(key: &[u8], engine: Engine) -> Self {
                Self::with_engine(key, &[0; 16], engine).unwrap()
            }

            fn seal_whole(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused> {
                let mut ctr = self.clone();
                ctr.restart(start(input));
                ctr.apply_into(input.text, out)?;
                Ok(Tag::new(&[]))
            }

            fn open_whole(&self, input: Input<'_>, _: &[u8], out: &mut [u8]) -> Result<(), Refused> {
                self.seal_whole(input, out).map(|_| ())
            }

            fn seal_pieces(&self, input: Input<'_>, cuts: &Cuts, out: &mut [u8]) -> Result<Tag, Refused> {
                let mut ctr = self.clone();
                ctr.restart(start(input));
                let pieces = pieces(&cuts.text, input.text.len());
                by_turns!(ctr, apply_into, apply_in_place, input.text, out, pieces);
                Ok(Tag::new(&[]))
            }

            /// The last piece first.
            fn open_pieces(&self, input: Input<'_>, cuts: &Cuts, _: &[u8], out: &mut [u8]) -> Result<(), Refused> {
                let mut ctr = self.clone();
                ctr.restart(start(input));
                let pieces = Vec::from_iter(pieces(&cuts.text, input.text.len()));
                for piece in pieces.into_iter().rev() {
                    ctr.seek(piece.start as u128)?;
                    ctr.apply_into(&input.text[piece.clone()], &mut out[piece])?;
                }
                Ok(())
            }
        }
    )+};
}

ctr! { Ctr<Aes128>, Ctr<Aes192, 32>, Ctr<Aes256> }
#[cfg(feature = "lea")]
ctr! { Ctr<Lea128> }

/// The pieces of `0..len`, but cut where blocks end.
fn blocks(cuts: &[usize], len: usize) -> impl Iterator<Item = Range<usize>> {
    pieces(cuts, len).map(|piece| piece.start & !15..piece.end & !15)
}

/// Both ways of CBC.
pub(super) type Cbc<C> = (CbcEncryptor<C>, CbcDecryptor<C>);

/// `cbc! { Cipher, .. }`: chains.
macro_rules! cbc {
    ($($C:ty),+) => {$(
        impl Calls for Cbc<$C> {
            fn key(key: &[u8], engine: Engine) -> Self {
                let iv = &[0; 16];
                let enc = CbcEncryptor::with_engine(key, iv, engine).unwrap();
                (enc, CbcDecryptor::with_engine(key, iv, engine).unwrap())
            }

            fn seal_whole(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused> {
                let mut enc = self.0.clone();
                enc.restart(start(input));
                enc.encrypt_into(input.text, out)?;
                Ok(Tag::new(&[]))
            }

            fn open_whole(&self, input: Input<'_>, _: &[u8], out: &mut [u8]) -> Result<(), Refused> {
                let mut dec = self.1.clone();
                dec.restart(start(input));
                Ok(dec.decrypt_into(input.text, out)?)
            }

            fn seal_pieces(&self, input: Input<'_>, cuts: &Cuts, out: &mut [u8]) -> Result<Tag, Refused> {
                let mut enc = self.0.clone();
                enc.restart(start(input));
                let pieces = blocks(&cuts.text, input.text.len());
                by_turns!(enc, encrypt_into, encrypt_in_place, input.text, out, pieces);
                Ok(Tag::new(&[]))
            }

            fn open_pieces(&self, input: Input<'_>, cuts: &Cuts, _: &[u8], out: &mut [u8]) -> Result<(), Refused> {
                let mut dec = self.1.clone();
                dec.restart(start(input));
                let pieces = blocks(&cuts.text, input.text.len());
                by_turns!(dec, decrypt_into, decrypt_in_place, input.text, out, pieces);
                Ok(())
            }
        }
    )+};
}

cbc! { Aes128, Aes192, Aes256 }
#[cfg(feature = "lea")]
cbc! { Lea256 }
