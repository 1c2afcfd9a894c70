//! Thresholds, each with the measurement that set it.

/// AAD of up to this many bytes is hashed block by block inside the message's own entry point, where
/// the chain of products hides under the latency of the AES; longer AAD by the aggregated loop.
pub const SERIAL_AAD: usize = 48;

/// Texts of so many bytes are worth a table of the first round of AES.
pub const LONG_TEXT: usize = 64 * 1024;
