//! The keys of each mode.

use carryless::error::{InputError, KeyError};
use carryless::hazmat::{
    BlockCipher, CbcDecryptor, CbcEncryptor, CbcMessage, CounterWidth, Ctr, Xts,
};
use carryless::{Aes128, Aes192, Aes256, Engine, Lea128, Lea192, Lea256};

use super::super::algorithm::by_key;
use super::super::answer::{Error, Kind};
use super::super::call::Way;
use super::{Cipher, Text};

struct CbcKey<Enc, Dec> {
    enc: Enc,
    dec: Dec,
    iv: [u8; 16],
}

/// The cipher with a counter of its own for one call, and the key stream for several.
struct CtrKey<Blocks, Stream> {
    blocks: Blocks,
    stream: Stream,
    counter: [u8; 16],
    width: CounterWidth,
}

struct XtsKey<Key> {
    key: Key,
    tweak: [u8; 16],
}

const fn unsupported() -> Error {
    Error::of(Kind::Unsupported)
}

/// The first of three sectors of which the tweak is one, and which of them: the second, but where there is none before it.
pub fn among_three(tweak: &[u8]) -> Option<(u64, usize)> {
    let number = u128::from_le_bytes(tweak.try_into().ok()?);
    match number.checked_sub(1) {
        None => Some((0, 0)),
        Some(before) => Some((u64::try_from(before).ok()?, 1)),
    }
}

/// What all ciphers have.
macro_rules! for_cipher {
    ($($C:ident)*) => {$(
        /// Each block by itself.
        impl Cipher for BlockCipher<$C> {
            fn engine(&self) -> Engine {
                self.engine()
            }
            fn run_into(&mut self, way: Way, src: &[u8], dst: &mut [u8]) -> Result<(), InputError> {
                dst.copy_from_slice(src);
                self.run_in_place(way, dst)
            }
            fn run_in_place(&mut self, way: Way, text: &mut [u8]) -> Result<(), InputError> {
                let got = text.len();
                let (blocks, []) = text.as_chunks_mut() else {
                    return Err(InputError::PartialBlock { got });
                };
                match way {
                    Way::Forth => self.encrypt_blocks(blocks),
                    Way::Back => self.decrypt_blocks(blocks),
                }
                Ok(())
            }
            fn run_by(&mut self, _: &str, _: Way, _: &Text<'_>, _: &mut [u8]) -> Result<(), Error> {
                Err(unsupported())
            }
        }

        impl Cipher for CbcKey<CbcEncryptor<$C>, CbcDecryptor<$C>> {
            fn engine(&self) -> Engine {
                self.enc.engine()
            }
            fn run_into(&mut self, way: Way, src: &[u8], dst: &mut [u8]) -> Result<(), InputError> {
                self.enc.restart(&self.iv);
                self.dec.restart(&self.iv);
                match way {
                    Way::Forth => self.enc.encrypt_into(src, dst),
                    Way::Back => self.dec.decrypt_into(src, dst),
                }
            }
            fn run_in_place(&mut self, way: Way, text: &mut [u8]) -> Result<(), InputError> {
                self.enc.restart(&self.iv);
                self.dec.restart(&self.iv);
                match way {
                    Way::Forth => self.enc.encrypt_in_place(text),
                    Way::Back => self.dec.decrypt_in_place(text),
                }
            }
            fn run_by(
                &mut self,
                path: &str,
                way: Way,
                text: &Text<'_>,
                mut dst: &mut [u8],
            ) -> Result<(), Error> {
                match (path, way) {
                    ("stream", _) => {
                        for piece in &text.pieces {
                            let (now, later) = dst.split_at_mut(piece.len());
                            match way {
                                Way::Forth => self.enc.encrypt_into(piece, now),
                                Way::Back => self.dec.decrypt_into(piece, now),
                            }?;
                            dst = later;
                        }
                    }
                    // As the middle of three messages, of other lengths.
                    ("batch", Way::Forth) => {
                        let mut first = vec![1; text.whole.len() + 16];
                        let mut last = vec![2; text.whole.len() / 32 * 16];
                        self.enc.encrypt_each(&mut [
                            CbcMessage::in_place(&[1; 16], &mut first),
                            CbcMessage::between(&self.iv, text.whole, dst)?,
                            CbcMessage::in_place(&[2; 16], &mut last),
                        ])?;
                    }
                    _ => return Err(unsupported()),
                }
                Ok(())
            }
        }

        impl<const BITS: u32> Cipher for CtrKey<BlockCipher<$C>, Ctr<$C, BITS>> {
            fn engine(&self) -> Engine {
                self.blocks.engine()
            }
            fn run_into(&mut self, _: Way, src: &[u8], dst: &mut [u8]) -> Result<(), InputError> {
                self.blocks.ctr_into(&self.counter, self.width, src, dst)
            }
            fn run_in_place(&mut self, _: Way, text: &mut [u8]) -> Result<(), InputError> {
                self.blocks.ctr_in_place(&self.counter, self.width, text);
                Ok(())
            }
            fn run_by(
                &mut self,
                path: &str,
                _: Way,
                text: &Text<'_>,
                mut dst: &mut [u8],
            ) -> Result<(), Error> {
                match path {
                    "stream" => {
                        for piece in &text.pieces {
                            let (now, later) = dst.split_at_mut(piece.len());
                            self.stream.apply_into(piece, now)?;
                            dst = later;
                        }
                    }
                    // From the last to the first.
                    "segments" => {
                        for piece in text.pieces.iter().rev() {
                            let (rest, now) = dst.split_at_mut(dst.len() - piece.len());
                            self.stream.seek(rest.len() as u128)?;
                            self.stream.apply_into(piece, now)?;
                            dst = rest;
                        }
                    }
                    _ => return Err(unsupported()),
                }
                Ok(())
            }
        }
    )*};
}

for_cipher!(Aes128 Aes192 Aes256 Lea128 Lea192 Lea256);

macro_rules! for_xts {
    ($($C:ident)*) => {$(
        impl Cipher for XtsKey<Xts<$C>> {
            fn engine(&self) -> Engine {
                self.key.engine()
            }
            fn run_into(&mut self, way: Way, src: &[u8], dst: &mut [u8]) -> Result<(), InputError> {
                match way {
                    Way::Forth => self.key.encrypt_into(&self.tweak, src, dst),
                    Way::Back => self.key.decrypt_into(&self.tweak, src, dst),
                }
            }
            fn run_in_place(&mut self, way: Way, text: &mut [u8]) -> Result<(), InputError> {
                match way {
                    Way::Forth => self.key.encrypt_in_place(&self.tweak, text),
                    Way::Back => self.key.decrypt_in_place(&self.tweak, text),
                }
            }
            /// As one of three sectors.
            fn run_by(
                &mut self,
                path: &str,
                way: Way,
                text: &Text<'_>,
                dst: &mut [u8],
            ) -> Result<(), Error> {
                let place = among_three(&self.tweak).filter(|_| path == "batch");
                let ((first, index), len) = (place.ok_or_else(unsupported)?, text.whole.len());
                let mut three = vec![1; 3 * len];
                let sector = index * len..(index + 1) * len;
                three[sector.clone()].copy_from_slice(text.whole);
                match way {
                    Way::Forth => self.key.encrypt_sectors_in_place(first, len, &mut three),
                    Way::Back => self.key.decrypt_sectors_in_place(first, len, &mut three),
                }?;
                dst.copy_from_slice(&three[sector]);
                Ok(())
            }
        }
    )*};
}

for_xts!(Aes128 Aes256);

type Made = Result<Box<dyn Cipher>, KeyError>;

/// Keys of each mode for the ciphers of a list.
macro_rules! made {
    ($ecb:ident $cbc:ident $ctr:ident $Ciphers:ident) => {
        pub fn $ecb(key: &[u8], _: &[u8; 16], _: CounterWidth, engine: Engine) -> Made {
            by_key!(key, C => Ok(Box::new(BlockCipher::<C>::with_engine(key, engine)?)); $Ciphers)
        }

        pub fn $cbc(key: &[u8], iv: &[u8; 16], _: CounterWidth, engine: Engine) -> Made {
            by_key!(key, C => Ok(Box::new(CbcKey {
                enc: CbcEncryptor::<C>::with_engine(key, iv, engine)?,
                dec: CbcDecryptor::<C>::with_engine(key, iv, engine)?,
                iv: *iv,
            })); $Ciphers)
        }

        pub fn $ctr(key: &[u8], counter: &[u8; 16], width: CounterWidth, engine: Engine) -> Made {
            macro_rules! with_bits {
                ($C:ident, $bits:literal) => {
                    Ok(Box::new(CtrKey {
                        blocks: BlockCipher::<$C>::with_engine(key, engine)?,
                        stream: Ctr::<$C, $bits>::with_engine(key, counter, engine)?,
                        counter: *counter,
                        width,
                    }))
                };
            }
            by_key!(key, C => match width {
                CounterWidth::Bits32 => with_bits!(C, 32),
                CounterWidth::Bits128 => with_bits!(C, 128),
            }; $Ciphers)
        }
    };
}

made!(ecb cbc ctr AES);
made!(lea_ecb lea_cbc lea_ctr LEA);

pub fn xts(key: &[u8], tweak: &[u8; 16], _: CounterWidth, engine: Engine) -> Made {
    by_key!(key, C => Ok(Box::new(XtsKey {
        key: Xts::<C>::with_engine(key, engine)?,
        tweak: *tweak,
    })); 32 Aes128, Aes256)
}
