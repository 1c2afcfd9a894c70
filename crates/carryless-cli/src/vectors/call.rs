//! A request for an algorithm of the table.

use carryless::Engine;

use super::algorithm::Algorithm;
use super::answer::{Error, Kind};
use super::buffer::Buffer;
use super::request::{Common, Request};

/// Where the output is that of sealing, encrypting, authenticating or hashing, and where the input.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Forth,
    Back,
}

/// The request and what it is for.
pub struct Call<'a> {
    pub request: &'a Request,
    pub common: Common<'a>,
    pub algorithm: &'static Algorithm,
}

impl Call<'_> {
    /// The key, and what a message begins with if the algorithm has that.
    pub fn key_and_iv(&self) -> Result<[Buffer; 2], Error> {
        let key = self.required("key")?;
        let iv = match *self.algorithm.ivs.end() {
            0 => Buffer::new(&[], 0),
            _ => self.required("iv")?,
        };
        Ok([key, iv])
    }

    pub fn required(&self, name: &str) -> Result<Buffer, Error> {
        self.request.required_hex(name, self.common.offset)
    }

    pub fn hex(&self, name: &str) -> Result<Buffer, Error> {
        self.request.hex(name, self.common.offset)
    }

    /// The length of the tag that is asked for.
    pub fn tag_len(&self) -> Result<usize, Error> {
        Ok(usize::try_from(self.request.number("tag_len", 16)?).unwrap_or(usize::MAX))
    }

    /// The engine, unless the algorithm lacks the path, at all or for this IV. One of a wrong length is an error of its own, which
    /// comes later.
    pub fn engine_for_path(&self, way: Way, iv: &[u8]) -> Result<Engine, Error> {
        let path = self.common.path;
        let known = self.algorithm.paths[way as usize].contains(&path);
        let fits = !self.algorithm.ivs.contains(&iv.len()) || self.algorithm.path_takes(path, iv);
        if known && fits {
            self.common.engine()
        } else {
            Err(Error::of(Kind::Unsupported))
        }
    }

    pub fn in_place(&self) -> bool {
        self.common.path == "in-place"
    }
}
