//! A message through any algorithm.

use core::fmt;

use anyhow::Result;
use carryless::Engine;
use carryless::hazmat::CounterWidth;

use crate::vectors::{Algorithm, Family, Way};

/// A message and its key.
pub struct Case {
    algorithm: &'static Algorithm,
    key: Vec<u8>,
    iv: Vec<u8>,
    aad: Vec<u8>,
    pub text: Vec<u8>,
    tag_len: usize,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, text) = (self.key.len(), self.text.len());
        write!(f, "{text} bytes with a key of {key}")
    }
}

/// Published messages, and what becomes of them.
pub fn known(algorithm: &'static Algorithm) -> impl Iterator<Item = (Case, Vec<u8>)> {
    let lines = include_str!("known.txt").lines();
    lines.filter_map(move |line| {
        let line = line.strip_prefix(algorithm.name)?.strip_prefix(' ')?;
        let mut fields = line.split(' ').map(|digits| {
            hex::decode(digits.trim_matches('-')).expect("constants are hexadecimal")
        });
        let mut next = || fields.next().expect("lines have six");
        let [key, iv, aad, text, out, tag] = core::array::from_fn(|_| next());
        let tag_len = tag.len();
        let case = Case {
            algorithm,
            key,
            iv,
            aad,
            text,
            tag_len,
        };
        Some((case, [out, tag].concat()))
    })
}

impl Case {
    /// Bytes that count, of these lengths.
    pub fn of(algorithm: &'static Algorithm, key_len: usize, len: usize) -> Self {
        let bytes = |len: usize| (0..=u8::MAX).cycle().take(len).collect::<Vec<_>>();
        Self {
            algorithm,
            key: bytes(key_len),
            iv: bytes(algorithm.iv_len()),
            aad: bytes(len % 40),
            text: bytes(len),
            tag_len: 16,
        }
    }

    /// The output, and the tag behind it.
    pub fn forth(&self, engine: Engine) -> Result<Vec<u8>> {
        let Self { key, iv, text, .. } = self;
        let mut tag = vec![0; self.tag_len];
        match &self.algorithm.family {
            Family::Aead(new) => {
                let mut out = text.clone();
                new(key, self.tag_len, engine)?.seal_in_place(iv, &self.aad, &mut out, &mut tag)?;
                Ok([out, tag].concat())
            }
            Family::Mac(new) => {
                new(key, self.tag_len, engine)?.mac(iv, text, &mut tag)?;
                Ok(tag)
            }
            Family::Cipher(..) => self.cipher(engine, Way::Forth, text),
            Family::Hash(new) => {
                let hashed = new(block(key), engine)?.hash(&[text]);
                Ok(hashed.high.into_iter().chain(hashed.low).collect())
            }
            Family::Part(_) => Ok(Vec::new()),
        }
    }

    /// The text that comes back, and whether it is authentic.
    pub fn back(&self, engine: Engine, out: &[u8]) -> Result<(Vec<u8>, bool)> {
        let Self { key, iv, .. } = self;
        match &self.algorithm.family {
            Family::Aead(new) => {
                let (text, tag) = out.split_at(out.len() - self.tag_len);
                let mut text = text.to_vec();
                let opened =
                    new(key, self.tag_len, engine)?.open_in_place(iv, &self.aad, &mut text, tag);
                Ok((text, opened.is_ok()))
            }
            Family::Mac(new) => {
                let verified = new(key, self.tag_len, engine)?.verify(iv, &self.text, out);
                let text = verified.map(|()| self.text.clone());
                Ok((text.clone().unwrap_or_default(), text.is_ok()))
            }
            Family::Cipher(..) => Ok((self.cipher(engine, Way::Back, out)?, true)),
            Family::Hash(_) | Family::Part(_) => Ok((self.text.clone(), true)),
        }
    }

    fn cipher(&self, engine: Engine, way: Way, text: &[u8]) -> Result<Vec<u8>> {
        let Family::Cipher(_, new) = &self.algorithm.family else {
            return Ok(Vec::new());
        };
        let mut key = new(&self.key, block(&self.iv), CounterWidth::Bits128, engine)?;
        let mut out = text.to_vec();
        key.run_in_place(way, &mut out)?;
        Ok(out)
    }
}

/// Sixteen bytes; zeros if there are none.
fn block(bytes: &[u8]) -> &[u8; 16] {
    bytes.first_chunk().unwrap_or(&[0; 16])
}
