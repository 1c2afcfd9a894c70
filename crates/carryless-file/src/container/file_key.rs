//! The file key, and all that comes from it.

use core::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

use super::header::cipher_number;
use super::{Error, FILE_ID_LEN, Header, Lock, MAC_LEN, MAGIC, PREFIX_LEN, VERSION};
use crate::cobblestone::{self, Cipher, HEADER_LEN, Key, Opener, Sealer};
use crate::expand::expand;
use crate::secret::{burning, equal};

const MAC_LABEL: &[u8] = b"carryless container v1 mac";
const PAYLOAD_LABEL: &[u8] = b"carryless container v1 payload";
const MAC_KEY_LEN: usize = 64;
pub(super) const FILE_KEY_LEN: usize = 32;

/// The file key itself. Boxed: it stays where it is until it is wiped.
pub(super) type FileKeyBytes = Box<Zeroizing<[u8; FILE_KEY_LEN]>>;

/// A file: its key and its prefix.
pub(super) struct FileKey {
    bytes: FileKeyBytes,
    prefix: [u8; PREFIX_LEN],
    cipher: Cipher,
}

impl FileKey {
    pub(super) fn new(bytes: FileKeyBytes, prefix: [u8; PREFIX_LEN], cipher: Cipher) -> Self {
        Self {
            bytes,
            prefix,
            cipher,
        }
    }

    /// A new file.
    fn generate(cipher: Cipher) -> Result<Self, Error> {
        let mut prefix = [0; PREFIX_LEN];
        let (start, file_id) = prefix.split_at_mut(PREFIX_LEN - FILE_ID_LEN);
        start[..MAGIC.len()].copy_from_slice(&MAGIC);
        start[MAGIC.len()..].copy_from_slice(&[VERSION, cipher_number(cipher)]);
        getrandom::fill(file_id).map_err(|_| cobblestone::Error::Random)?;
        let mut bytes = FileKeyBytes::new(Zeroizing::new([0; FILE_KEY_LEN]));
        getrandom::fill(&mut bytes[..]).map_err(|_| cobblestone::Error::Random)?;
        Ok(Self::new(bytes, prefix, cipher))
    }

    pub(super) const fn bytes(&self) -> &FileKeyBytes {
        &self.bytes
    }

    pub(super) const fn prefix(&self) -> &[u8; PREFIX_LEN] {
        &self.prefix
    }

    /// The MAC of a header, without its end.
    pub(super) fn mac(&self, covered: &[u8]) -> [u8; MAC_LEN] {
        let key = expand(&self.bytes[..], &[MAC_LABEL, &self.prefix], MAC_KEY_LEN);
        burning(|| {
            let mut mac =
                Hmac::<Sha512>::new_from_slice(&key).expect("HMAC takes keys of any length");
            mac.update(covered);
            let whole = <[u8; 64]>::from(mac.finalize().into_bytes());
            *whole.first_chunk().expect("longer than the MAC")
        })
    }

    /// Whether this is the MAC.
    ///
    /// # Constant time
    /// Secret: the right MAC. Public: whether this is it.
    pub(super) fn has_mac(&self, covered: &[u8], mac: &[u8]) -> bool {
        // The right one must not stay: with it a forger has a header that passes.
        burning(|| equal(&self.mac(covered), mac))
    }

    /// Key and context of the payload.
    fn payload(&self) -> (Key, [u8; 64]) {
        let info = [PAYLOAD_LABEL, &self.prefix];
        let key = expand(&self.bytes[..], &info, self.cipher.key_len());
        let key = Key::from_slice(&key).expect("the length is that of the cipher");
        (key, Sha512::digest(self.prefix).into())
    }

    fn sealer(&self) -> Result<Sealer, Error> {
        let (key, context) = self.payload();
        Ok(Sealer::new(&key, &context)?)
    }
}

/// Begins a file: its header, which any of the locks' holders will open, and what seals its payload.
///
/// The payload is [`Sealer::header`] and the chunks, in order. [`writer`](super::writer) does both.
///
/// # Errors
/// [`Error::Locks`] for none, more than [`MAX_SLOTS`](super::MAX_SLOTS), more than
/// [`MAX_PASSPHRASES`](super::MAX_PASSPHRASES), or passphrases that cost too much together;
/// [`Error::Memory`], [`Error::Threads`]; [`Error::Stream`] if the random generator fails.
///
/// # Examples
/// ```
/// use carryless_file::cobblestone::{Cipher, Key};
/// use carryless_file::container::{Credential, Lock, create, start};
///
/// let key = Key::generate(Cipher::Cobblestone128)?;
/// let (header, sealer) = create(Cipher::Cobblestone128, &[Lock::Key(&key)])?;
/// let mut file = [header.as_bytes(), sealer.header()].concat();
/// let mut chunk = [0; 5 + 16];
/// sealer.seal_chunks(0, b"12345", true, &mut chunk)?;
/// file.extend(chunk);
///
/// let mut rest = file.as_slice();
/// let opener = start(&Credential::Key(&key), &mut rest)?.opener;
/// let mut text = [0; 5];
/// opener.open_chunks(0, rest, true, &mut text)?;
/// assert_eq!(&text, b"12345");
/// # Ok::<(), carryless_file::container::Error>(())
/// ```
pub fn create(cipher: Cipher, locks: &[Lock<'_>]) -> Result<(Header, Sealer), Error> {
    let file_key = FileKey::generate(cipher)?;
    Ok((Header::new(&file_key, locks)?, file_key.sealer()?))
}

/// A header that was opened and is authentic: gives access to the payload, and makes new headers for it.
pub struct Unlocked {
    file_key: FileKey,
}

impl fmt::Debug for Unlocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unlocked").finish_non_exhaustive()
    }
}

impl Unlocked {
    pub(super) const fn new(file_key: FileKey) -> Self {
        Self { file_key }
    }

    /// What opens the payload's chunks. `payload_header` are the bytes that follow the header.
    ///
    /// # Errors
    /// [`Error::Payload`] if they belong to another file, or were changed.
    pub fn opener(&self, payload_header: &[u8; HEADER_LEN]) -> Result<Opener, Error> {
        let (key, context) = self.file_key.payload();
        Opener::new(&key, &context, payload_header).map_err(|_| Error::Payload)
    }

    /// A new header for the same payload, which is to be copied behind it unchanged.
    ///
    /// **It revokes nothing**: the earlier header still opens, and who opened the file may have kept
    /// the file key. To revoke, seal anew.
    ///
    /// # Errors
    /// As [`create`].
    ///
    /// # Examples
    /// ```
    /// use carryless_file::cobblestone::{Cipher, Key};
    /// use carryless_file::container::{Credential, Error, Lock, create};
    ///
    /// let (old, new) = (Key::from_slice(&[1; 16])?, Key::from_slice(&[2; 16])?);
    /// let (header, _) = create(Cipher::Cobblestone128, &[Lock::Key(&old)])?;
    /// let header = header.unlock(&Credential::Key(&old))?.rekey(&[Lock::Key(&new)])?;
    /// assert!(header.unlock(&Credential::Key(&new)).is_ok());
    /// assert!(matches!(header.unlock(&Credential::Key(&old)), Err(Error::NoSlot { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn rekey(&self, locks: &[Lock<'_>]) -> Result<Header, Error> {
        Header::new(&self.file_key, locks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::{drawn, never_twice};

    /// From outside a file key is never seen: one of zeros makes files that look like any other.
    #[test]
    fn u7_every_bit_of_a_file_key_is_drawn() {
        for cipher in Cipher::ALL {
            let file_key = || FileKey::generate(cipher).expect("random bytes");
            for (what, draw) in [
                (
                    "file keys",
                    &(|| file_key().bytes[..].to_vec()) as &dyn Fn() -> Vec<u8>,
                ),
                ("file ids", &|| {
                    file_key().prefix[PREFIX_LEN - FILE_ID_LEN..].to_vec()
                }),
                ("payload keys", &|| {
                    file_key().payload().0.as_bytes().to_vec()
                }),
                ("MACs of an empty header", &|| file_key().mac(&[]).to_vec()),
                ("all of a file together", &|| {
                    let file = file_key();
                    let (file_id, payload) =
                        (&file.prefix[PREFIX_LEN - FILE_ID_LEN..], file.payload());
                    let keys = [&file.bytes[..], payload.0.as_bytes()].concat();
                    [&keys, file_id, &file.mac(&[])].concat()
                }),
            ] {
                let count = drawn(draw).unwrap_or_else(|error| panic!("{what}: {error}"));
                println!("U7 {what} of {}: {count} values", cipher.name());
            }
            let keys = never_twice(|| file_key().bytes[..].to_vec());
            let count = keys.unwrap_or_else(|error| panic!("file keys: {error}"));
            println!("U7 file keys of {}, many: {count} values", cipher.name());
        }
    }
}
