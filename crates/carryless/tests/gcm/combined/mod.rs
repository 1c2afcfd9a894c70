//! C3: calls that are drawn one after the other, right ones and wrong ones, against what the reference makes of them.
//!
//! `CARRYLESS_CASES` many for each engine instead of the few of every day.

/// Runs with a key of any size, each with tags of another.
macro_rules! any_key {
    ($run:ident $engine:ident $dice:ident) => {
        match $dice.below(3) {
            0 => $run!($engine, $dice: Aes128 16 16),
            1 => $run!($engine, $dice: Aes192 24 14),
            _ => $run!($engine, $dice: Aes256 32 12),
        }
    };
}

mod batches;
mod partials;
#[cfg(feature = "hazmat")]
mod parts;
#[cfg(feature = "getrandom")]
mod random_nonces;
mod streams;

use carryless::Engine;

use crate::harness::{Random, engines, quick};

/// Draws that are the same each time.
struct Dice(Random);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.word() >> 33) as usize % bound
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        self.0.bytes(len)
    }

    /// As many bytes as a piece of AAD or text has.
    fn piece(&mut self) -> Vec<u8> {
        let edges = [0, 0, 1, 15, 16, 17, 32, 48, 64, 128, 129, 256, 512];
        let any = self.below(600);
        let edge = self.one(&edges);
        let len = self.one(&[edge, any % 70, any]);
        self.bytes(len)
    }

    /// Of 12 bytes, of a block, or of others.
    fn nonce(&mut self) -> Vec<u8> {
        let any = 1 + self.below(80);
        let len = self.one(&[12, 12, 8, 16, 32, any]);
        self.bytes(len)
    }

    /// A tag as it is, with one bit changed, or with another length; whether it is right, if it has the right length.
    fn tag(&mut self, right: &[u8]) -> (Vec<u8>, Option<bool>) {
        let mut tag = right.to_vec();
        match self.below(6) {
            0 => {
                let bit = self.below(8 * tag.len());
                tag[bit / 8] ^= 1 << (bit % 8);
                (tag, Some(false))
            }
            1 => {
                let len = self.one(&[0, 1, tag.len() - 1, tag.len() + 1, 32]);
                tag.resize(len, 0);
                (tag, None)
            }
            _ => (tag, Some(true)),
        }
    }
}

/// Runs cases of a kind on each engine.
fn each(what: &str, run: impl Fn(Engine, &mut Dice) -> usize) {
    let few = if quick() { 20 } else { 200 };
    let cases = std::env::var("CARRYLESS_CASES").map_or(few, |text| text.parse().unwrap());
    for engine in engines() {
        let mut calls = 0;
        for case in 0..cases {
            let mut dice = Dice(Random::new(case));
            let told = Told(format!("{what}, {engine}, case {case}"));
            calls += run(engine, &mut dice);
            drop(told);
        }
        println!("C3 {engine}: {calls} calls of {what}");
    }
}

/// Says which case it was if a test ends in it.
struct Told(String);

impl Drop for Told {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{}", self.0);
        }
    }
}
