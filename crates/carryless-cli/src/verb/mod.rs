//! One module per verb.

pub mod bench;
mod each;
pub mod engines;
pub mod inspect;
pub mod keygen;
pub mod open;
pub mod pages;
pub mod rekey;
pub mod seal;
pub mod selftest;
pub mod vectors;
pub mod verify;

/// What `seal` adds to a name, and `open` takes off.
const EXTENSION: &str = "cless";
