//! What kernels and engines are tuned by, with the measurement that set it (`m9` and so on: `docs/measurements.md`).
#![cfg_attr(
    not(carryless_fused),
    allow(dead_code, reason = "most of it is of fused kernels")
)]

/// Whether a user builds for size, or without optimization: then messages have one entry point, but for those of a block or
/// without text.
pub const SMALL: bool = cfg!(carryless_small);

/// Vectors of a turn of the loops: as many as keep the units of a CPU busy, and stay in registers. For size half of that: there are
/// last passes for as many counts.
pub const TURN: usize = if SMALL { 4 } else { 8 };

/// Vectors of text up to which hardly anything of a last pass leaves the registers; on one lane blocks are multiplied in pairs
/// beyond (m7).
pub const SHORT: usize = 4;

/// AAD of up to this many bytes is hashed block by block inside the message's own entry point, where
/// the chain of products hides under the latency of the AES; longer AAD by the aggregated loop.
pub const SERIAL_AAD: usize = 48;

/// Texts of so many bytes are worth a table of the first round of AES (m15).
pub const LONG_TEXT: usize = 64 * 1024;

/// Bytes of stack of the kernels that keep everything in registers, or nearly so: what the calling
/// convention saves, and the red zone.
pub const SMALL_FRAME: usize = 192;

/// The same of those that put nothing there but saved registers and a few words: for tiny messages, and for
/// opening short ones.
pub const SAVED_FRAME: usize = 64;

/// Bytes of stack of a message of AES-GCM-SIV: some powers of H, saved registers, and the red zone.
pub const SIV_FRAME: usize = 256;

/// Bytes of the shortest text of AES-GCM-SIV that is worth the powers of a turn and three calls, where it may be opened so (m76).
pub const SIV_AT_ONCE: usize = 1536;

/// The fewest blocks of LEA that are worth a batch on vectors, though they don't fill it [Seo 2017, table 1]: by SSE2, four blocks (m51).
#[cfg(all(feature = "lea", target_arch = "x86_64"))]
pub const LEA_SSE2: usize = 3;
/// By AVX2, eight.
#[cfg(all(feature = "lea", target_arch = "x86_64"))]
pub const LEA_AVX2: usize = 2;
/// By AVX-512, sixteen.
#[cfg(all(feature = "lea", target_arch = "x86_64"))]
pub const LEA_AVX512: usize = 2;
/// By NEON, twelve: by count, as nothing was measured on Arm (m51).
#[cfg(all(feature = "lea", target_arch = "aarch64", target_endian = "little"))]
pub const LEA_NEON: usize = 4;
/// By assembly on NEON, four (m52).
#[cfg(all(feature = "lea", carryless_a32))]
pub const LEA_NEON: usize = 2;

/// Groups of eight blocks from which on `neon` makes the first round of their counters beforehand (m42).
#[cfg(carryless_a64)]
pub const NEON_MANY_GROUPS: usize = 8;

/// Bytes of a text for which it pays there that a first group begins before it (m66).
#[cfg(carryless_a64)]
pub const NEON_LONG_TEXT: usize = 2048;

/// Bytes of AAD up to which `armce32` hashes its blocks one by one, in the function for the message: as [`SERIAL_AAD`], by no
/// measurement of its own.
#[cfg(carryless_a32)]
pub const ARMCE32_SERIAL_AAD: usize = 64;

/// What differs from CPU to CPU.
pub struct Tuning {
    /// Powers of H: those of the last blocks of a message with what is hashed beside them, or of a turn.
    pub powers: usize,
    /// Powers with sums: those of turns, and where blocks are multiplied in pairs.
    pub sums: usize,
    /// Bytes of stack that four short messages take.
    pub four_frame: usize,
    /// The AES round of a turn behind which its first products are made, the others every second round (m13).
    pub first_pair: usize,
    /// Vectors that a last pass seals at once; if there are more, the first half is sealed ahead (m4).
    pub sealed_at_once: usize,
    /// Whether the turn before a last pass is hashed before it, not under its rounds (m24).
    pub drained_first: bool,
    /// Whether last passes and fours of a batch multiply blocks in pairs (m7): on one lane, with three operands an instruction.
    pub pairs: bool,
    /// Whether there is little code, for caches of the first level of 32 KiB: messages that are not tiny go through one entry, and
    /// what does not fill a turn goes in pairs of blocks; in builds for size turns are shorter instead.
    pub compact: bool,
    /// Bytes of the longest text, and of the longest AAD, of AES-GCM-SIV that go through one entry, on one lane (m65).
    pub siv: usize,
    /// Whether texts of AES-GCM-SIV of [`SIV_AT_ONCE`] bytes or more that are opened are decrypted and hashed at once (m69, m76).
    pub siv_turns: bool,
    /// Whether long texts begin behind the first round of AES (m15).
    pub bulk: bool,
    /// Whether four short messages of a batch go together (m19).
    pub fours: bool,
}

impl Tuning {
    /// Rows of the table of powers: each power two, each two sums one.
    pub const fn rows(&self) -> usize {
        2 * self.powers + self.sums.div_ceil(2)
    }
}

/// AES and carry-less multiplication on four lanes.
#[cfg(target_arch = "x86_64")]
pub const VAES512: Tuning = Tuning {
    powers: 4 * TURN + 2,
    sums: 4 * TURN,
    four_frame: 512,
    first_pair: 2,
    sealed_at_once: 5,
    drained_first: false,
    pairs: false,
    compact: SMALL,
    siv: 768,
    siv_turns: false,
    bulk: !SMALL,
    fours: !SMALL,
};

/// On two.
#[cfg(target_arch = "x86_64")]
pub const VAES256: Tuning = Tuning {
    powers: 2 * TURN + 2,
    sums: 2 * TURN,
    four_frame: 704,
    first_pair: 1,
    sealed_at_once: 3,
    drained_first: true,
    pairs: false,
    compact: SMALL,
    siv: 1024,
    siv_turns: false,
    bulk: !SMALL,
    fours: !SMALL,
};

/// On one, with three operands an instruction.
#[cfg(target_arch = "x86_64")]
pub const AVX: Tuning = Tuning {
    powers: TURN + 2,
    sums: if SMALL { TURN } else { TURN + 1 },
    four_frame: 640,
    first_pair: 1,
    sealed_at_once: 2,
    drained_first: false,
    pairs: true,
    compact: SMALL,
    siv: 4096,
    siv_turns: !SMALL,
    bulk: !SMALL,
    fours: !SMALL,
};

/// On one, with the AES and PMULL instructions of ARMv8: compact (m40), else as `aesni`, as nothing was measured on Arm.
#[cfg(target_arch = "aarch64")]
pub const ARMCE: Tuning = Tuning {
    powers: if SMALL { TURN + 2 } else { TURN },
    sums: TURN,
    four_frame: 640,
    first_pair: 1,
    sealed_at_once: 2,
    drained_first: true,
    pairs: false,
    compact: true,
    siv: 1024,
    siv_turns: false,
    bulk: false,
    fours: false,
};

/// The same with an XOR of three.
#[cfg(target_arch = "aarch64")]
pub const ARMCE3: Tuning = Tuning {
    four_frame: 640,
    ..ARMCE
};

/// On one, with two.
#[cfg(target_arch = "x86_64")]
pub const AESNI: Tuning = Tuning {
    powers: TURN + 2,
    sums: TURN,
    four_frame: 640,
    first_pair: 1,
    sealed_at_once: 2,
    drained_first: true,
    pairs: false,
    compact: SMALL,
    siv: 4096,
    siv_turns: !SMALL,
    bulk: false,
    fours: false,
};
