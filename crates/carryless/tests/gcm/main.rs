//! AES-GCM through the public API: every engine, every path, against an independent reference.
//!
//! A check is a function that gives an error for what is wrong; its control hands it an imitation
//! with a seeded fault, and fails unless the check does. `cargo test controls` lists them.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "test data")]

#[path = "../harness/mod.rs"]
mod harness;

mod batch;
mod combined;
mod controls;
mod counters;
mod differential;
#[cfg(feature = "getrandom")]
mod draws;
mod errors;
mod laws;
mod limits;
#[cfg(all(feature = "hazmat", target_pointer_width = "64"))]
mod long;
#[cfg(unix)]
mod memory;
mod numbers;
mod offsets;
#[cfg(feature = "rayon")]
mod parallel;
mod parameters;
mod partials;
#[cfg(feature = "hazmat")]
mod parts;
mod refused;
mod segments;
mod sharing;
mod sizes;
mod slot;
mod tails;
mod vectors;
