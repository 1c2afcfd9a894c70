//! Reading as far as the input goes.

use std::io::{ErrorKind, Read, Result};

/// Fills the buffer as far as the input goes; the bytes there were.
pub(crate) fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match reader.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(more) => len += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}
