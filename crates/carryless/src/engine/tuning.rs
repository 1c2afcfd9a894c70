//! Thresholds, each with the measurement that set it.

/// AAD of up to this many bytes is hashed block by block inside the message's own entry point, where
/// the chain of products hides under the latency of the AES; longer AAD by the aggregated loop.
pub const SERIAL_AAD: usize = 48;

/// Texts of so many bytes are worth a table of the first round of AES (`kernel::counters::FirstRounds`). Zen 4, AES-128,
/// 64 KiB and 1 MiB: `vaes512` takes 0.96 and 0.93 of the time without, `avx` 0.99 and 0.98, `vaes256` 1.00 and 0.98.
pub const LONG_TEXT: usize = 64 * 1024;
