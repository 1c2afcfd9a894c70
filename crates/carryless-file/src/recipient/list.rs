//! Files of recipients: one a line, with comments.

use super::{Recipient, RecipientError};

/// The longest file of recipients, in bytes.
pub const MAX_LIST_LEN: usize = 1 << 16;

/// Why a file of recipients was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// More than anybody seals for.
    #[error("it has more than {MAX_LIST_LEN} bytes")]
    TooLong,
    /// Comments alone.
    #[error("there is no recipient in it")]
    Empty,
    /// A line is neither a recipient nor a comment.
    #[error("line {line}: {error}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        #[source]
        error: RecipientError,
    },
}

/// Reads the content of a file of recipients. Blank lines and those that start with `#` mean nothing.
///
/// # Errors
/// [`ListError`].
///
/// # Examples
/// ```
/// use carryless_file::recipient::{Identity, Kem, parse_list};
///
/// let recipient = Identity::generate(Kem::X25519)?.recipient();
/// let list = format!("# the office\n{recipient}\r\n\n");
/// assert_eq!(parse_list(list.as_bytes())?, [recipient]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_list(content: &[u8]) -> Result<Vec<Recipient>, ListError> {
    if content.len() > MAX_LIST_LEN {
        return Err(ListError::TooLong);
    }
    let mut recipients = Vec::new();
    for (line, text) in (1..).zip(content.split(|byte| *byte == b'\n')) {
        let text = text.trim_ascii();
        if text.is_empty() || text[0] == b'#' {
            continue;
        }
        let text = str::from_utf8(text).map_err(|_| RecipientError::Text);
        let recipient = text.and_then(str::parse);
        recipients.push(recipient.map_err(|error| ListError::Line { line, error })?);
    }
    if recipients.is_empty() {
        return Err(ListError::Empty);
    }
    Ok(recipients)
}
