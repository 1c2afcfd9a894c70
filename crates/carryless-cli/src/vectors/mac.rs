//! GMAC and CMAC, every tag length and path.

use carryless::error::{InputError, KeyError, OpenError};
use carryless::{Aes128, Aes192, Aes256, Cmac, CmacStream, Engine, Gmac, GmacStream};

use super::algorithm::{by_key, by_tag};
use super::answer::{Answer, Error, Kind};
use super::call::{Call, Way};
use super::request::pieces;

/// A key of any cipher and tag length.
pub trait Mac {
    fn engine(&self) -> Engine;
    fn mac(&self, iv: &[u8], data: &[u8], tag: &mut [u8]) -> Result<(), InputError>;
    fn verify(&self, iv: &[u8], data: &[u8], tag: &[u8]) -> Result<(), OpenError>;
    fn begin(&self, iv: &[u8]) -> Result<Box<dyn Pieces + '_>, InputError>;
    /// The tag of the second of three messages that are side by side, as CMAC alone has them.
    fn mac_between(&self, _messages: &[&[u8]; 3], _tag: &mut [u8]) -> Result<(), Error> {
        Err(Error::of(Kind::Unsupported))
    }
}

/// Data that comes piece by piece.
pub trait Pieces {
    fn update(&mut self, piece: &[u8]) -> Result<(), InputError>;
    fn finish(self: Box<Self>, tag: &mut [u8]);
    fn verify(self: Box<Self>, tag: &[u8]) -> Result<(), OpenError>;
}

macro_rules! for_cipher {
    ($($Cipher:ident)*) => {$(
        impl<const TAG: usize> Mac for Gmac<$Cipher, TAG> {
            fn engine(&self) -> Engine {
                self.engine()
            }
            fn mac(&self, iv: &[u8], data: &[u8], tag: &mut [u8]) -> Result<(), InputError> {
                tag.copy_from_slice(&self.mac(iv, data)?);
                Ok(())
            }
            fn verify(&self, iv: &[u8], data: &[u8], tag: &[u8]) -> Result<(), OpenError> {
                self.verify(iv, data, tag)
            }
            fn begin(&self, iv: &[u8]) -> Result<Box<dyn Pieces + '_>, InputError> {
                Ok(Box::new(self.begin(iv)?))
            }
        }

        impl<const TAG: usize> Pieces for GmacStream<'_, $Cipher, TAG> {
            fn update(&mut self, piece: &[u8]) -> Result<(), InputError> {
                self.update(piece)
            }
            fn finish(self: Box<Self>, tag: &mut [u8]) {
                tag.copy_from_slice(&(*self).finish());
            }
            fn verify(self: Box<Self>, tag: &[u8]) -> Result<(), OpenError> {
                (*self).verify(tag)
            }
        }

        impl<const TAG: usize> Mac for Cmac<$Cipher, TAG> {
            fn engine(&self) -> Engine {
                self.engine()
            }
            fn mac(&self, _: &[u8], data: &[u8], tag: &mut [u8]) -> Result<(), InputError> {
                tag.copy_from_slice(&self.mac(data));
                Ok(())
            }
            fn verify(&self, _: &[u8], data: &[u8], tag: &[u8]) -> Result<(), OpenError> {
                self.verify(data, tag)
            }
            fn begin(&self, _: &[u8]) -> Result<Box<dyn Pieces + '_>, InputError> {
                Ok(Box::new(self.begin()))
            }
            fn mac_between(&self, messages: &[&[u8]; 3], tag: &mut [u8]) -> Result<(), Error> {
                let mut tags = [[0; TAG]; 3];
                self.mac_each(messages, &mut tags)?;
                tag.copy_from_slice(&tags[1]);
                Ok(())
            }
        }

        impl<const TAG: usize> Pieces for CmacStream<'_, $Cipher, TAG> {
            fn update(&mut self, piece: &[u8]) -> Result<(), InputError> {
                self.update(piece);
                Ok(())
            }
            fn finish(self: Box<Self>, tag: &mut [u8]) {
                tag.copy_from_slice(&(*self).finish());
            }
            fn verify(self: Box<Self>, tag: &[u8]) -> Result<(), OpenError> {
                (*self).verify(tag)
            }
        }
    )*};
}

for_cipher!(Aes128 Aes192 Aes256);

pub fn gmac(key: &[u8], tag_len: usize, engine: Engine) -> Result<Box<dyn Mac>, KeyError> {
    by_key!(key, C => by_tag!(
        tag_len, TAG => Ok(Box::new(Gmac::<C, TAG>::with_engine(key, engine)?));
        4 8 12 13 14 15 16
    ); AES)
}

pub fn cmac(key: &[u8], tag_len: usize, engine: Engine) -> Result<Box<dyn Mac>, KeyError> {
    by_key!(key, C => by_tag!(
        tag_len, TAG => Ok(Box::new(Cmac::<C, TAG>::with_engine(key, engine)?));
        4 5 6 7 8 9 10 11 12 13 14 15 16
    ); AES)
}

/// Makes a key of bytes for tags of a length.
pub type New = fn(&[u8], usize, Engine) -> Result<Box<dyn Mac>, KeyError>;

/// The field that has the data and the list that cuts it: where there is a nonce it is AAD.
fn data<'a>(call: &'a Call<'_>) -> (&'static str, &'a [u64]) {
    match *call.algorithm.ivs.end() {
        0 => ("msg", &call.common.split),
        _ => ("aad", &call.common.aad_split),
    }
}

/// Fails if the data is to be cut into more than there is.
fn check_split(call: &Call<'_>, len: usize) -> Result<(), Error> {
    match data(call).0 {
        "msg" => call.common.check_splits(len, 0),
        _ => call.common.check_splits(0, len),
    }
}

/// A message of which all pieces have come.
fn stream<'k>(
    key: &'k dyn Mac,
    iv: &[u8],
    data: &[&[u8]],
) -> Result<Box<dyn Pieces + 'k>, InputError> {
    let mut stream = key.begin(iv)?;
    data.iter().try_for_each(|piece| stream.update(piece))?;
    Ok(stream)
}

pub fn mac(call: &Call<'_>, new: New) -> Result<Answer, Error> {
    let [key, iv] = call.key_and_iv()?;
    let (field, split) = data(call);
    let data = call.hex(field)?;
    let tag_len = call.tag_len()?;
    check_split(call, data.len())?;
    let engine = call.engine_for_path(Way::Forth, &iv)?;
    call.algorithm.check_sizes(&key, &iv, tag_len)?;
    let key = new(&key, tag_len, engine)?;
    let mut tag = vec![0; tag_len];
    match call.common.path {
        "stream" => stream(&*key, &iv, &pieces(&data, split))?.finish(&mut tag),
        "batch" => {
            let longer = vec![1; data.len() + 1];
            key.mac_between(&[&longer, &data, &longer[..data.len() / 2]], &mut tag)?;
        }
        _ => key.mac(&iv, &data, &mut tag)?,
    }
    Ok(Answer::success(key.engine()).with_hex("tag", &tag))
}

pub fn verify(call: &Call<'_>, new: New) -> Result<Answer, Error> {
    let [key, iv] = call.key_and_iv()?;
    let (field, split) = data(call);
    let (data, tag) = (call.hex(field)?, call.hex("tag")?);
    check_split(call, data.len())?;
    let engine = call.engine_for_path(Way::Back, &iv)?;
    call.algorithm.check_sizes(&key, &iv, tag.len())?;
    let key = new(&key, tag.len(), engine)?;
    match call.common.path {
        "stream" => stream(&*key, &iv, &pieces(&data, split))?.verify(&tag),
        _ => key.verify(&iv, &data, &tag),
    }?;
    Ok(Answer::success(key.engine()))
}
