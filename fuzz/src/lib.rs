//! The fuzz targets as plain functions from bytes to a panic, or none.
//!
//! `fuzz_targets/` hands them to libFuzzer (`cargo xtask assure F1`), `tests/corpus.rs` replays the
//! committed corpora on a stable toolchain. What is compared with what comes from the tests of the
//! library: its independent reference, its ways through the API, its seeded faults.
#![allow(clippy::missing_panics_doc, reason = "a finding is a panic")]

mod aead;
mod choices;
mod container;
mod garbage;
mod key_file;
mod modes;
mod protocol;
mod recipient;
mod segments;
mod stream;

// One harness for the suites and the targets, of which each uses a part.
#[path = "../../crates/carryless/tests/harness/mod.rs"]
#[allow(dead_code, unused_imports, unused_macros)]
mod harness;

pub use aead::{aead_differential, control_mismatch, control_over_read};
pub use container::container_parse;
pub use garbage::open_garbage;
pub use key_file::key_file;
pub use modes::{control_modes, modes};
pub use protocol::vectors_protocol;
pub use recipient::{
    control_identity_file, control_recipient_slots, identity_file, recipient_slots,
};
pub use segments::segments;
pub use stream::chunked_stream;

/// A target.
pub type Target = fn(&[u8]);

/// The targets by name; each has its corpus in `corpus/NAME/`.
pub const TARGETS: [(&str, Target); 10] = [
    ("aead_differential", aead_differential),
    ("open_garbage", open_garbage),
    ("segments", segments),
    ("chunked_stream", chunked_stream),
    ("container_parse", container_parse),
    ("key_file", key_file),
    ("recipient_slots", recipient_slots),
    ("identity_file", identity_file),
    ("modes", modes),
    ("vectors_protocol", vectors_protocol),
];
