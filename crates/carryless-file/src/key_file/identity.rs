//! Identities in key files, each of the kind that is the name of its mechanism.

use zeroize::Zeroizing;

use super::{Fields, KeyFileError, text};
use crate::recipient::{Identity, Kem, parse_list};

/// Reads the content of a key file with an identity. There are no raw ones: their kind must be known.
///
/// # Errors
/// [`KeyFileError`].
///
/// # Examples
/// ```
/// use carryless_file::{key_file, recipient::{Identity, Kem}};
///
/// let identity = Identity::generate(Kem::X25519)?;
/// let text = key_file::format_identity(&identity);
/// assert_eq!(key_file::parse_identity(text.as_bytes())?.as_bytes(), identity.as_bytes());
/// assert!(key_file::parse(text.as_bytes()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_identity(content: &[u8]) -> Result<Identity, KeyFileError> {
    if parse_list(content).is_ok() {
        return Err(KeyFileError::Recipient);
    }
    let fields = Fields::of(content)?;
    let of_kind = |kem: &Kem| fields.kind == Some(kem.name());
    let kem = Kem::ALL.into_iter().find(of_kind);
    // Without a kind of identities it is not of the first either.
    let secret = fields.key(kem.unwrap_or_default().name())?;
    let secret = secret.first_chunk().ok_or(KeyFileError::Key)?;
    Ok(Identity::from_bytes(kem.unwrap_or_default(), secret))
}

/// Writes an identity as text, with its recipient in a comment.
///
/// # Examples
/// ```
/// use carryless_file::{key_file, recipient::{Identity, Kem}};
///
/// let identity = Identity::generate(Kem::X25519)?;
/// let recipient = format!("# {}\n", identity.recipient());
/// assert!(key_file::format_identity(&identity).contains(&recipient));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn format_identity(identity: &Identity) -> Zeroizing<String> {
    let comment = format!(
        "# A carryless identity. Whoever has it opens what was sealed for its recipient: keep it secret.\n\
         # Without it nobody does: keep a copy. Its recipient, which anybody may have:\n\
         # {}\n",
        identity.recipient()
    );
    text(identity.as_bytes(), identity.kem().name(), &comment)
}
