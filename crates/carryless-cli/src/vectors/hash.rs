//! GHASH, and the hash of SGCM.

use carryless::Engine;
use carryless::error::KeyError;
use carryless::hazmat::Ghash;
use carryless::hazmat::sgcm::Sghash;

use super::answer::{Answer, Error, Kind};
use super::call::{Call, Way};
use super::request::{pieces, whole_blocks};

/// A key of a hash.
pub trait Hash {
    fn engine(&self) -> Engine;
    /// The hash of all pieces, of whole blocks but for the last.
    fn hash(&self, pieces: &[&[u8]]) -> Hashed;
}

/// A hash: a block, and what is above that if the algorithm has a bit more.
#[derive(PartialEq, Eq)]
pub struct Hashed {
    pub low: [u8; 16],
    pub high: Option<u8>,
}

impl Hash for Ghash {
    fn engine(&self) -> Engine {
        self.engine()
    }

    fn hash(&self, pieces: &[&[u8]]) -> Hashed {
        let mut hash = self.clone();
        pieces.iter().for_each(|piece| hash.update(piece));
        let (low, high) = (hash.finish(), None);
        Hashed { low, high }
    }
}

impl Hash for Sghash {
    fn engine(&self) -> Engine {
        self.engine()
    }

    fn hash(&self, pieces: &[&[u8]]) -> Hashed {
        let mut hash = self.clone();
        pieces.iter().for_each(|piece| hash.update(piece));
        let [high, ..] = hash.element().to_be_bytes();
        let (low, high) = (hash.finish(), Some(high));
        Hashed { low, high }
    }
}

pub fn ghash(h: &[u8; 16], engine: Engine) -> Result<Box<dyn Hash>, KeyError> {
    Ok(Box::new(Ghash::with_engine(h, engine)?))
}

pub fn sghash(h: &[u8; 16], engine: Engine) -> Result<Box<dyn Hash>, KeyError> {
    Ok(Box::new(Sghash::with_engine(h, engine)?))
}

/// Makes a key of a block.
pub type New = fn(&[u8; 16], Engine) -> Result<Box<dyn Hash>, KeyError>;

pub fn hash(call: &Call<'_>, new: New) -> Result<Answer, Error> {
    let (h, data) = (call.required("h")?, call.required("data")?);
    call.common.check_splits(data.len(), 0)?;
    let engine = call.engine_for_path(Way::Forth, &[])?;
    let h = <&[u8; 16]>::try_from(&*h).map_err(|_| Error::of(Kind::KeyLength))?;
    if !call.algorithm.takes(data.len()) {
        return Err(Error::of(Kind::DataLength));
    }
    let key = new(h, engine)?;
    let hashed = match call.common.path {
        "stream" => key.hash(&pieces(&data, &whole_blocks(&call.common.split))),
        _ => key.hash(&[&data]),
    };
    let low = hex::encode(hashed.low);
    let answer = Answer::success(key.engine());
    Ok(match hashed.high {
        Some(high) => answer
            .with("y", format!("{high:x}{low}"))
            .with("low128", low),
        None => answer.with("y", low),
    })
}
