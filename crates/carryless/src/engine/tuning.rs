//! What engines are tuned by, each with the measurement that set it.

use crate::simd::x86_64::{Aesni, Avx, Vaes256, Vaes512};

/// Whether a user builds for size: then messages have one entry point, but for those of a block or without text.
pub const SMALL: bool = cfg!(carryless_small);

/// AAD of up to this many bytes is hashed block by block inside the message's own entry point, where
/// the chain of products hides under the latency of the AES; longer AAD by the aggregated loop.
pub const SERIAL_AAD: usize = 48;

/// Texts of so many bytes are worth a table of the first round of AES (`kernel::counters::FirstRounds`). Zen 4, AES-128,
/// 64 KiB and 1 MiB: `vaes512` takes 0.96 and 0.93 of the time without, `avx` 0.99 and 0.98, `vaes256` 1.00 and 0.98.
pub const LONG_TEXT: usize = 64 * 1024;

/// Bytes of stack of the kernels that keep everything in registers, or nearly so: what the calling
/// convention saves, and the red zone.
pub const SMALL_FRAME: usize = 192;

/// The same of those that put nothing there but saved registers and a few words: for tiny messages, and for
/// opening short ones.
pub const SAVED_FRAME: usize = 64;

/// What differs from engine to engine.
pub trait Tuning {
    /// Copies of each round key: a vector's lanes, where a load into each lane takes a shuffle.
    const COPIES: usize;
    /// Rows of powers of H: those of the last blocks of a message with what is hashed beside them, and the zeros behind.
    const POWERS: usize;
    /// Powers with sums: those of turns, and of pairs of blocks.
    const SUMS: usize;
    /// Bytes of stack that four short messages take.
    const FOUR_FRAME: usize;
}

impl Tuning for Vaes512 {
    const COPIES: usize = 4;
    const POWERS: usize = 38;
    const SUMS: usize = 32;
    const FOUR_FRAME: usize = 512;
}

impl Tuning for Vaes256 {
    const COPIES: usize = 1;
    const POWERS: usize = 22;
    const SUMS: usize = 16;
    const FOUR_FRAME: usize = 640;
}

impl Tuning for Avx {
    const COPIES: usize = 1;
    const POWERS: usize = 14;
    const SUMS: usize = 9;
    const FOUR_FRAME: usize = 640;
}

impl Tuning for Aesni {
    const COPIES: usize = 1;
    const POWERS: usize = 14;
    const SUMS: usize = 8;
    const FOUR_FRAME: usize = 640;
}
