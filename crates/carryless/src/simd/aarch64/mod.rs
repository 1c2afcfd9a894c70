//! Tokens and vectors of AArch64.

pub mod bytes;
mod v128;

cpu! { $ /// The AES and polynomial multiplication instructions of ARMv8.
Armce, armce_entry, 8: "neon" NEON, "aes" AES, "aes" PMULL }
