//! SGCM on every engine: the vectors of its profile, all ways to cut a message, bad input, openings that fail.
#![cfg(feature = "sgcm")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "test data")]

#[path = "../harness/asked.rs"]
mod asked;
mod messages;
#[cfg(feature = "hazmat")]
mod parts;
mod vectors;

use carryless::Engine;
use carryless::error::{OpenError, Unauthentic};

use asked::{is_asked, quick};

const UNAUTHENTIC: Result<(), OpenError> = Err(OpenError::Unauthentic(Unauthentic));

/// The engines under test.
fn engines() -> Vec<Engine> {
    Engine::available().filter(is_asked).collect()
}

/// The lines of this kind in `vectors/sgcm.txt`: name and words.
fn lines(kind: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let file = include_str!("../../../../vectors/sgcm.txt");
    file.lines().filter_map(move |line| {
        let mut words = line.strip_prefix(kind)?.strip_prefix(' ')?.split(' ');
        Some((words.next()?, words.collect()))
    })
}

/// The digits as bytes; `-` is nothing.
fn unhex(word: &str) -> Vec<u8> {
    hex::decode(word.trim_start_matches('-')).unwrap()
}

/// Bytes that differ from place to place.
fn bytes(len: usize, seed: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i * 31 + i / 256 + seed * 7) as u8)
        .collect()
}
