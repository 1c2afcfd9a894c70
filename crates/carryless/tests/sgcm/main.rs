//! SGCM on every engine: the vectors of its profile, all ways to cut a message, bad input, openings that fail.
#![cfg(feature = "sgcm")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "test data")]

mod messages;
#[cfg(feature = "hazmat")]
mod parts;
mod vectors;

use carryless::Engine;
use carryless::error::{OpenError, Unauthentic};

const UNAUTHENTIC: Result<(), OpenError> = Err(OpenError::Unauthentic(Unauthentic));

/// The engines under test; `CARRYLESS_TEST_ENGINE` names some alone.
fn engines() -> Vec<Engine> {
    let only = std::env::var("CARRYLESS_TEST_ENGINE").ok();
    let is_in = |only: &String, engine: &Engine| only.split(',').any(|name| engine.name() == name);
    let asked = |engine: &Engine| only.as_ref().is_none_or(|only| is_in(only, engine));
    Engine::available().filter(asked).collect()
}

/// Whether `CARRYLESS_TEST_QUICK` asks for fewer cases, as on emulated CPUs.
fn quick() -> bool {
    std::env::var_os("CARRYLESS_TEST_QUICK").is_some()
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
