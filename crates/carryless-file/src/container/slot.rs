//! Key slots: each wraps the file key, as a chunked stream of it.

use core::fmt;
use core::ops::Range;

use zeroize::Zeroizing;

use super::file_key::{FILE_KEY_LEN, FileKeyBytes};
use super::passphrase::SALT_LEN as ARGON2_SALT_LEN;
use super::{Argon2id, Error, Malformed, PREFIX_LEN, Passphrase};
use crate::cobblestone::{self, Key, Opener, Sealer, TAG_LEN};
use crate::expand::expand;
use crate::recipient::{Identity, Kem, Recipient};
use crate::secret::publish;

const LABEL: &[u8] = b"carryless container v1 slot";
const KEY_ID_LABEL: &[u8] = b"carryless key id v1";
const RECIPIENT_LABEL: &[u8] = b"carryless container v1 recipient";

const TYPE_KEY: u8 = 1;
const TYPE_PASSPHRASE: u8 = 2;
const KEY_ID_LEN: usize = 8;
/// Type and length of the body.
const HEAD_LEN: usize = 3;
const MAX_BODY_LEN: usize = 2048;
const WRAPPED_LEN: usize = cobblestone::HEADER_LEN + FILE_KEY_LEN + TAG_LEN;
/// Memory, passes, lanes.
const COST_LEN: usize = 9;
const KEY_BODY_LEN: usize = KEY_ID_LEN + WRAPPED_LEN;
const PASSPHRASE_BODY_LEN: usize = COST_LEN + ARGON2_SALT_LEN + WRAPPED_LEN;

/// The public name of a key: the same in each file, so that it tells which key a file wants, and
/// links files.
///
/// # Examples
/// ```
/// use carryless_file::{cobblestone::Key, container::KeyId};
///
/// let id = KeyId::of(&Key::from_slice(&[7; 16])?);
/// assert_eq!(id.to_string().len(), 16);
/// # Ok::<(), carryless_file::cobblestone::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyId([u8; KEY_ID_LEN]);

impl KeyId {
    /// The id of a key.
    #[must_use]
    pub fn of(key: &Key) -> Self {
        let derive = || {
            let key = key.as_bytes();
            // A key of 16 bytes and the same with 16 zeros behind are one to HMAC: hence the length.
            let [.., len] = key.len().to_be_bytes();
            // It stands in the file, for everybody to see.
            let id = expand(key, &[KEY_ID_LABEL, &[len]], KEY_ID_LEN);
            publish(part(&id, 0))
        };
        Self(*key.id(derive))
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; KEY_ID_LEN] {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hex::encode(self.0))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({self})")
    }
}

/// Whom a new slot is for.
#[derive(Clone, Copy, Debug)]
pub enum Lock<'a> {
    /// Whoever has the key.
    Key(&'a Key),
    /// Whoever knows the passphrase, and what a try costs.
    Passphrase(&'a Passphrase, Argon2id),
    /// Whoever has its identity.
    Recipient(&'a Recipient),
}

/// What a file is opened with.
#[derive(Clone, Copy, Debug)]
pub enum Credential<'a> {
    /// A key.
    Key(&'a Key),
    /// A passphrase.
    Passphrase(&'a Passphrase),
    /// The identity of a recipient.
    Identity(&'a Identity),
}

/// What a slot says of itself. **Not authenticated** until the file was unlocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Slot {
    /// For a key.
    Key {
        /// Which one.
        id: KeyId,
    },
    /// For a passphrase.
    Passphrase {
        /// What a try costs.
        cost: Argon2id,
    },
    /// For a recipient; for whom, it does not say.
    Recipient {
        /// The mechanism.
        kem: Kem,
    },
    /// Of a type that this version does not know.
    Unknown {
        /// The number of the type.
        number: u8,
    },
}

/// A slot and where it lies.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) slot: Slot,
    pub(super) range: Range<usize>,
}

impl Placed {
    /// Parses the slot at `at`, the `number`th, of slots that end with `header`.
    pub(super) fn parse(header: &[u8], at: usize, number: usize) -> Result<Self, Malformed> {
        let wrong_length = Malformed::SlotLength { slot: number };
        let Some(&[kind, high, low]) = header[at..].first_chunk::<HEAD_LEN>() else {
            return Err(wrong_length);
        };
        let body_len = usize::from(u16::from_be_bytes([high, low]));
        let kem = Kem::ALL
            .into_iter()
            .find(|kem| kem.facts().slot_type == kind);
        let expected = match (kind, kem) {
            (TYPE_KEY, _) => body_len == KEY_BODY_LEN,
            (TYPE_PASSPHRASE, _) => body_len == PASSPHRASE_BODY_LEN,
            (_, Some(kem)) => body_len == recipient_body_len(kem),
            (_, None) => body_len <= MAX_BODY_LEN,
        };
        let range = at..at + HEAD_LEN + body_len;
        let Some(bytes) = header.get(range.clone()).filter(|_| expected) else {
            return Err(wrong_length);
        };
        let body = &bytes[HEAD_LEN..];
        let slot = match (kind, kem) {
            (TYPE_KEY, _) => Slot::Key {
                id: KeyId(part(body, 0)),
            },
            (TYPE_PASSPHRASE, _) => Slot::Passphrase {
                cost: cost(body, number)?,
            },
            (_, Some(kem)) => Slot::Recipient { kem },
            (number, None) => Slot::Unknown { number },
        };
        Ok(Self { slot, range })
    }

    /// The file key, if the slot opens. A slot of another kind does not.
    pub(super) fn open(
        &self,
        header: &[u8],
        credential: &Credential<'_>,
    ) -> Result<Option<FileKeyBytes>, Error> {
        let bytes = &header[self.range.clone()];
        let derived;
        let key = match (self.slot, credential) {
            (Slot::Key { id }, Credential::Key(key)) if id == KeyId::of(key) => *key,
            (Slot::Passphrase { cost }, Credential::Passphrase(passphrase)) => {
                derived = passphrase.slot_key(cost, &part(bytes, HEAD_LEN + COST_LEN))?;
                &derived
            }
            (Slot::Recipient { kem }, Credential::Identity(identity)) if kem == identity.kem() => {
                let encapsulated = &bytes[HEAD_LEN..bytes.len() - WRAPPED_LEN];
                match identity.decapsulate(&recipient_info(header), encapsulated) {
                    Some(key) => derived = key,
                    None => return Ok(None),
                }
                &derived
            }
            _ => return Ok(None),
        };
        let (parameters, wrapped) = bytes.split_at(bytes.len() - WRAPPED_LEN);
        Ok(unwrap(key, &context(header, parameters), wrapped))
    }
}

/// Appends a new slot.
pub(super) fn append(
    header: &mut Vec<u8>,
    lock: &Lock<'_>,
    file_key: &FileKeyBytes,
) -> Result<(), Error> {
    let start = header.len();
    let derived;
    let key = match lock {
        Lock::Key(key) => {
            append_head(header, TYPE_KEY, KEY_BODY_LEN);
            header.extend(KeyId::of(key).0);
            *key
        }
        Lock::Passphrase(passphrase, cost) => {
            let salt = passphrase.new_salt()?;
            append_head(header, TYPE_PASSPHRASE, PASSPHRASE_BODY_LEN);
            header.extend(cost.memory_kib().to_be_bytes());
            header.extend(cost.passes().to_be_bytes());
            header.push(cost.lanes());
            header.extend(salt);
            derived = passphrase.slot_key(*cost, &salt)?;
            &derived
        }
        Lock::Recipient(recipient) => {
            let (encapsulated, key) = recipient.encapsulate(&recipient_info(header))?;
            let kem = recipient.kem();
            append_head(header, kem.facts().slot_type, recipient_body_len(kem));
            header.extend(encapsulated);
            derived = key;
            &derived
        }
    };
    let sealer = Sealer::new(key, &context(header, &header[start..]))?;
    let mut wrapped = [0; FILE_KEY_LEN + TAG_LEN];
    sealer.seal_chunks(0, &file_key[..], true, &mut wrapped)?;
    header.extend(sealer.header());
    header.extend(wrapped);
    Ok(())
}

fn append_head(header: &mut Vec<u8>, kind: u8, body_len: usize) {
    header.push(kind);
    header.extend(u16::try_from(body_len).expect("a short body").to_be_bytes());
}

const fn recipient_body_len(kem: Kem) -> usize {
    kem.facts().encapsulated_len + WRAPPED_LEN
}

/// What an encapsulated key belongs to: this file.
fn recipient_info(header: &[u8]) -> Vec<u8> {
    [RECIPIENT_LABEL, &header[..PREFIX_LEN]].concat()
}

/// What the wrapped key belongs to: this file, and the parameters of its slot.
fn context(header: &[u8], parameters: &[u8]) -> Vec<u8> {
    [LABEL, &header[..PREFIX_LEN], parameters].concat()
}

fn unwrap(key: &Key, context: &[u8], wrapped: &[u8]) -> Option<FileKeyBytes> {
    let (head, chunk) = wrapped.split_first_chunk()?;
    let opener = Opener::new(key, context, head).ok()?;
    let mut file_key = FileKeyBytes::new(Zeroizing::new([0; FILE_KEY_LEN]));
    opener.open_chunks(0, chunk, true, &mut file_key[..]).ok()?;
    Some(file_key)
}

fn cost(body: &[u8], slot: usize) -> Result<Argon2id, Malformed> {
    let memory_kib = u32::from_be_bytes(part(body, 0));
    let passes = u32::from_be_bytes(part(body, 4));
    let lanes = body[8];
    Argon2id::new(memory_kib, passes, lanes).map_err(|_| Malformed::Argon2id {
        slot,
        memory_kib,
        passes,
        lanes,
    })
}

/// Some of bytes whose length was checked.
fn part<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    *bytes[at..].first_chunk().expect("the length was checked")
}
