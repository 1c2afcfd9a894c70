//! Thresholds, each with the measurement that set it.

/// AAD of up to this many bytes is hashed block by block inside the message's own entry point, where
/// the chain of products hides under the latency of the AES; longer AAD by the aggregated loop.
pub const SERIAL_AAD: usize = 48;

/// Packets of a batch with a text of up to this many bytes go through the pipeline for short ones; for
/// longer ones the pipeline of the message itself is as full.
pub const BATCH_TEXT: usize = 128;
