//! Key files under a passphrase.

use zeroize::Zeroizing;

use crate::cobblestone::{Cipher, TAG_LEN};
use crate::container::{
    Argon2id, Credential, Error, Lock, Passphrase, create, is_container, start,
};

/// Whether a key file is under a passphrase: it begins as a container.
#[must_use]
pub fn is_protected(content: &[u8]) -> bool {
    is_container(content)
}

/// Puts a key file under a passphrase: a container of its text.
///
/// # Errors
/// [`Error::Memory`], [`Error::Threads`], [`Error::Locks`], or no random bytes.
///
/// # Examples
/// ```
/// use carryless_file::cobblestone::{Cipher, Key};
/// use carryless_file::container::{Argon2id, Passphrase};
/// use carryless_file::key_file::{format, is_protected, parse, protect, unprotect};
///
/// let key = Key::generate(Cipher::Cobblestone256)?;
/// let passphrase = Passphrase::new(b"correct horse".to_vec())?;
/// let cost = Argon2id::new(8192, 1, 1)?;      // `Argon2id::default()` in earnest
/// let protected = protect(&format(&key), &passphrase, cost)?;
///
/// assert!(is_protected(&protected));
/// let text = unprotect(&protected, &passphrase)?;
/// assert_eq!(parse(&text)?.as_bytes(), key.as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn protect(text: &str, passphrase: &Passphrase, cost: Argon2id) -> Result<Vec<u8>, Error> {
    let locks = [Lock::Passphrase(passphrase, cost)];
    let (header, sealer) = create(Cipher::Cobblestone256, &locks)?;
    let mut sealed = vec![0; text.len() + TAG_LEN];
    sealer.seal_chunks(0, text.as_bytes(), true, &mut sealed)?;
    Ok([header.as_bytes(), sealer.header(), &sealed].concat())
}

/// The text of a key file that is under a passphrase.
///
/// # Errors
/// As [`start`], and what is wrong with the text that follows.
pub fn unprotect(content: &[u8], passphrase: &Passphrase) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut sealed = content;
    let start = start(&Credential::Passphrase(passphrase), &mut sealed)?;
    let mut text = Zeroizing::new(vec![0; sealed.len()]);
    let len = start.opener.open_chunks(0, sealed, true, &mut text)?;
    text.truncate(len);
    Ok(text)
}
