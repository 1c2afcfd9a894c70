//! Laws of the modes beside AES-GCM, and of those over LEA, through the public API on every engine: what is not authentic is
//! refused and leaves nothing, pieces make the whole, lengths have their limits.
#![cfg(feature = "hazmat")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "test data")]

#[path = "../harness/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the suite of GCM uses all of it")]
mod harness;

mod forged;
mod limits;
mod modes;
mod pieces;
