//! What is timed: calls of the library, again and again, on buffers that all engines share.

mod others;

use core::hint::black_box;
use core::num::NonZeroUsize;

use carryless::hazmat::{BlockCipher, CounterWidth};
use carryless::{Aes128, Aes192, Aes256, Engine, Gcm, Gmac, Packet};
use rayon::ThreadPool;

use crate::args::{BenchBits, Op};
use crate::exit::{Code, Failure};
use crate::vectors::Algorithm;

/// Two different halves: XTS refuses others.
const KEY: [u8; 64] = {
    let mut key = [0x42; 64];
    key[0] = 0x43;
    key
};
const NONCE: [u8; 12] = [7; 12];

/// How messages come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Setup {
    /// One a call, under a key that is there.
    Single,
    /// One a call, each with a new key.
    OneShot,
    /// So many a call.
    Batch(NonZeroUsize),
    /// One a call, by so many threads.
    Threads(NonZeroUsize),
}

impl Setup {
    /// Messages of a call.
    pub fn messages(self) -> usize {
        match self {
            Self::Batch(count) => count.get(),
            _ => 1,
        }
    }

    /// Threads that work on a message.
    pub fn threads(self) -> usize {
        match self {
            Self::Threads(count) => count.get(),
            _ => 1,
        }
    }
}

/// What is measured, but for the length.
#[derive(Clone, Copy)]
pub struct Case {
    pub alg: &'static Algorithm,
    pub bits: BenchBits,
    pub op: Op,
    pub setup: Setup,
}

/// The messages of a call. What is made of them is the same whenever it is made, so that all engines can share
/// them.
pub struct Messages {
    count: usize,
    /// Bytes of each.
    len: usize,
    text: Vec<u8>,
    sealed: Vec<u8>,
    /// The same for all: so are key, nonce and text.
    tag: [u8; 16],
}

/// Makes so many calls; false if one failed.
pub type Job = Box<dyn FnMut(&mut Messages, u32) -> bool>;

macro_rules! with_cipher {
    ($bits:expr, $C:ident => $body:expr) => {
        match $bits {
            BenchBits::Bits128 => {
                type $C = Aes128;
                $body
            }
            BenchBits::Bits192 => {
                type $C = Aes192;
                $body
            }
            BenchBits::Bits256 => {
                type $C = Aes256;
                $body
            }
        }
    };
}

impl Case {
    fn key(&self) -> &'static [u8] {
        &KEY[..self.alg.key_len(self.bits.number()).unwrap_or(KEY.len())]
    }

    /// This length, or the next one that the algorithm takes.
    pub fn next_len(&self, len: u32) -> u32 {
        let mut near = len..=len.saturating_add(16);
        near.find(|len| self.alg.takes(*len as usize))
            .unwrap_or(len)
    }

    /// Messages of this length.
    pub fn messages(&self, len: usize) -> Result<Messages, Failure> {
        let count = self.setup.messages();
        let mut messages = Messages {
            count,
            len,
            text: buffer(count * len)?,
            sealed: buffer(count * len)?,
            tag: [0; 16],
        };
        let mut sealed = messages.sealed.as_mut_slice();
        for _ in 0..count {
            let (next, rest) = sealed.split_at_mut(len);
            self.seal(&messages.text[..len], next, &mut messages.tag)
                .map_err(|error| Failure::usage(format!("{}: {error}", self.alg.name)))?;
            sealed = rest;
        }
        Ok(messages)
    }

    /// The calls of an engine.
    pub fn job(&self, engine: Engine) -> Result<Job, Failure> {
        if self.alg.name != "aes-gcm" {
            return self.other_job(engine);
        }
        with_cipher!(self.bits, C => {
            let failed = |error| Failure::new(Code::Other, anyhow::anyhow!("{engine}: {error}"));
            let gcm = Gcm::<C>::with_engine(self.key(), engine).map_err(failed)?;
            let key = self.key();
            Ok(match (self.setup, self.op) {
                (_, Op::Gmac) => {
                    let mac = Gmac::<C>::with_engine(key, engine).map_err(failed)?;
                    repeated(move |m| mac.mac(black_box(&NONCE), black_box(&m.text)))
                }
                (_, Op::Ctr) => {
                    let cipher = BlockCipher::<C>::with_engine(key, engine).map_err(failed)?;
                    repeated(move |m| cipher.ctr_into(
                        black_box(&[7; 16]), CounterWidth::Bits32, black_box(&m.text), &mut m.sealed
                    ))
                }
                (Setup::Single, Op::Seal) => repeated(move |m| {
                    gcm.seal_into(black_box(&NONCE), &[], black_box(&m.text), &mut m.sealed)
                }),
                (Setup::Single, Op::Open) => repeated(move |m| {
                    gcm.open_into(black_box(&NONCE), &[], black_box(&m.sealed), &mut m.text, &m.tag)
                }),
                (Setup::OneShot, Op::Seal) => by_default(engine, repeated(move |m| {
                    Gcm::<C>::seal_once_into(
                        black_box(key), black_box(&NONCE), &[], black_box(&m.text), &mut m.sealed
                    )
                })),
                (Setup::OneShot, Op::Open) => by_default(engine, repeated(move |m| {
                    Gcm::<C>::open_once_into(
                        black_box(key), black_box(&NONCE), &[], black_box(&m.sealed), &mut m.text, &m.tag
                    )
                })),
                (Setup::Batch(_), Op::Seal) => batches(Messages::sealing, move |packets| {
                    gcm.seal_batch(packets).is_ok()
                }),
                (Setup::Batch(_), Op::Open) => batches(Messages::opening, move |packets| {
                    gcm.open_batch(packets).is_ok()
                }),
                (Setup::Threads(count), Op::Seal) => {
                    let pool = pool(count)?;
                    repeated(move |m| pool.install(|| gcm.seal_parallel_into(
                        &NONCE, &[], black_box(&m.text), &mut m.sealed, count.get()
                    )))
                }
                (_, Op::Mac | Op::Encrypt | Op::Decrypt | Op::Hash) => return self.other_job(engine),
                (Setup::Threads(count), Op::Open) => {
                    let pool = pool(count)?;
                    repeated(move |m| pool.install(|| gcm.open_parallel_into(
                        &NONCE, &[], black_box(&m.sealed), &mut m.text, &m.tag, count.get()
                    )))
                }
            })
        })
    }
}

fn buffer(len: usize) -> Result<Vec<u8>, Failure> {
    let mut buffer = Vec::new();
    buffer
        .try_reserve_exact(len)
        .map_err(|error| Failure::new(Code::Other, anyhow::anyhow!("{len} bytes: {error}")))?;
    buffer.resize(len, 0x5a);
    Ok(buffer)
}

fn pool(threads: NonZeroUsize) -> Result<ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.get())
        .build()
        .map_err(|error| Failure::new(Code::Other, anyhow::anyhow!("{threads} threads: {error}")))
}

fn repeated<T, E>(mut call: impl FnMut(&mut Messages) -> Result<T, E> + 'static) -> Job {
    Box::new(move |messages, repeats| {
        (0..repeats).fold(true, |good, _| black_box(call(messages)).is_ok() & good)
    })
}

/// For calls that take no key object: they run on the default engine.
fn by_default(engine: Engine, mut job: Job) -> Job {
    Box::new(move |messages, repeats| engine.set_default().is_ok() && job(messages, repeats))
}

/// A packet is for one call, so each call has its own, and making them is part of the figure.
fn batches(
    packets: impl for<'a> Fn(&'a mut Messages) -> Option<Vec<Packet<'a>>> + 'static,
    call: impl Fn(&mut [Packet<'_>]) -> bool + 'static,
) -> Job {
    Box::new(move |messages, repeats| {
        (0..repeats).fold(true, |good, _| {
            packets(messages).is_some_and(|mut packets| call(black_box(&mut packets))) & good
        })
    })
}

impl Messages {
    fn sealing(&mut self) -> Option<Vec<Packet<'_>>> {
        between(&self.text, &mut self.sealed, self.count, self.len).collect()
    }

    fn opening(&mut self) -> Option<Vec<Packet<'_>>> {
        let packets = between(&self.sealed, &mut self.text, self.count, self.len);
        packets
            .map(|packet| Some(packet?.with_tag(&self.tag)))
            .collect()
    }
}

/// Packets of `len` bytes each.
fn between<'a>(
    mut src: &'a [u8],
    mut dst: &'a mut [u8],
    count: usize,
    len: usize,
) -> impl Iterator<Item = Option<Packet<'a>>> {
    (0..count).map(move |_| {
        let (from, from_rest) = src.split_at_checked(len)?;
        let (to, to_rest) = core::mem::take(&mut dst).split_at_mut_checked(len)?;
        (src, dst) = (from_rest, to_rest);
        Packet::between(&NONCE, &[], from, to).ok()
    })
}
