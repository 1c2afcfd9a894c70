//! What precedes the payload: parsed, written, unlocked.

use std::io::Read;

use super::file_key::{FileKey, Unlocked};
use super::passphrase::MAX_WORK_KIB;
use super::slot::{self, Placed};
use super::{
    Argon2id, Credential, Error, FILE_ID_LEN, FIXED_LEN, KeyId, Lock, MAC_LEN, MAGIC,
    MAX_PASSPHRASES, MAX_SLOTS, MAX_SLOTS_LEN, Malformed, PREFIX_LEN, Slot, VERSION,
};
use crate::cobblestone::Cipher;
use crate::io::read_full;

/// The prefix, the slots and the MAC of a container.
///
/// What it says of itself is the file's claim, and **authentic only once [`unlock`](Self::unlock) has
/// given a key**.
///
/// # Examples
/// ```
/// use carryless_file::cobblestone::{Cipher, Key};
/// use carryless_file::container::{Header, KeyId, Lock, Slot, create};
///
/// let key = Key::generate(Cipher::Cobblestone256)?;
/// let (header, _) = create(Cipher::Cobblestone128, &[Lock::Key(&key)])?;
///
/// let read = Header::parse(header.as_bytes())?;
/// assert_eq!(read.cipher(), Cipher::Cobblestone128);
/// assert!(read.slots().eq([Slot::Key { id: KeyId::of(&key) }]));
/// # Ok::<(), carryless_file::container::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Header {
    bytes: Vec<u8>,
    cipher: Cipher,
    slots: Vec<Placed>,
}

impl Header {
    /// Parses the header that `bytes` begin with; what follows it is not looked at.
    ///
    /// # Errors
    /// [`Malformed`]: nothing of a header that breaks a rule or a limit is used.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let len = Self::len_of(bytes)?;
        let too_short = Malformed::TooShort {
            got: bytes.len(),
            needed: len,
        };
        Self::from_whole(bytes.get(..len).ok_or(too_short)?.to_vec())
    }

    /// Reads a header, and not a byte more.
    ///
    /// # Errors
    /// [`Error::Malformed`], or [`Error::Stream`] with the reader's own.
    pub fn read(reader: &mut impl Read) -> Result<Self, Error> {
        let mut fixed = [0; FIXED_LEN];
        let got = read_full(reader, &mut fixed)?;
        Self::read_rest(fixed[..got].to_vec(), reader)
    }

    /// Reads what follows the fixed part, which may be cut off.
    pub(super) fn read_rest(mut bytes: Vec<u8>, reader: &mut impl Read) -> Result<Self, Error> {
        let needed = Self::len_of(&bytes)?;
        bytes.resize(needed, 0);
        let got = FIXED_LEN + read_full(reader, &mut bytes[FIXED_LEN..])?;
        if got < needed {
            return Err(Malformed::TooShort { got, needed }.into());
        }
        Ok(Self::from_whole(bytes)?)
    }

    /// Bytes of the header whose fixed part is there, after a look at that.
    fn len_of(start: &[u8]) -> Result<usize, Malformed> {
        // A beginning of the magic is a container that is cut off.
        if !start.starts_with(&MAGIC[..MAGIC.len().min(start.len())]) {
            return Err(Malformed::Magic);
        }
        let fixed: &[u8; FIXED_LEN] = start.first_chunk().ok_or(Malformed::TooShort {
            got: start.len(),
            needed: FIXED_LEN,
        })?;
        if fixed[MAGIC.len()] != VERSION {
            let got = fixed[MAGIC.len()];
            return Err(Malformed::Version { got });
        }
        cipher_of(fixed[MAGIC.len() + 1])?;
        let [.., high, low] = *fixed;
        let slots_len = usize::from(u16::from_be_bytes([high, low]));
        if slots_len > MAX_SLOTS_LEN {
            return Err(Malformed::SlotsTooLong { got: slots_len });
        }
        Ok(FIXED_LEN + slots_len + MAC_LEN)
    }

    /// A header of the right length.
    fn from_whole(bytes: Vec<u8>) -> Result<Self, Malformed> {
        let cipher = cipher_of(bytes[MAGIC.len() + 1])?;
        let end = bytes.len() - MAC_LEN;
        let mut slots = Vec::new();
        let mut at = FIXED_LEN;
        while at < end && slots.len() <= MAX_SLOTS {
            let slot = Placed::parse(&bytes[..end], at, slots.len())?;
            at = slot.range.end;
            slots.push(slot);
        }
        check(slots.iter().map(|placed| cost_of_slot(placed.slot)))?;
        Ok(Self {
            bytes,
            cipher,
            slots,
        })
    }

    /// A new header for a file key.
    pub(super) fn new(file_key: &FileKey, locks: &[Lock<'_>]) -> Result<Self, Error> {
        check(locks.iter().map(cost_of_lock)).map_err(Error::Locks)?;
        let mut bytes = file_key.prefix().to_vec();
        bytes.extend([0; 2]);
        for lock in locks {
            slot::append(&mut bytes, lock, file_key.bytes())?;
        }
        let slots_len = u16::try_from(bytes.len() - FIXED_LEN).expect("16 short slots");
        bytes[PREFIX_LEN..FIXED_LEN].copy_from_slice(&slots_len.to_be_bytes());
        bytes.extend(file_key.mac(&bytes));
        Ok(Self::from_whole(bytes)?)
    }

    /// The bytes of the header; the payload follows them.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The cipher of the payload.
    #[must_use]
    pub const fn cipher(&self) -> Cipher {
        self.cipher
    }

    /// The random id of the file, which stays when its slots change.
    #[must_use]
    pub fn file_id(&self) -> [u8; FILE_ID_LEN] {
        let (_, id) = self.prefix().split_at(PREFIX_LEN - FILE_ID_LEN);
        let mut file_id = [0; FILE_ID_LEN];
        file_id.copy_from_slice(id);
        file_id
    }

    fn prefix(&self) -> &[u8; PREFIX_LEN] {
        self.bytes.first_chunk().expect("a header has a prefix")
    }

    /// The slots, in order.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = Slot> {
        self.slots.iter().map(|placed| placed.slot)
    }

    /// Opens the first slot that opens with the credential, and checks the MAC.
    ///
    /// # Errors
    /// [`Error::NoSlot`], [`Error::NoPassphrase`], [`Error::NoRecipient`], [`Error::Passphrase`],
    /// [`Error::Identity`] and [`Error::Slot`] if none opens, [`Error::Mac`], [`Error::Memory`], [`Error::Threads`].
    ///
    /// # Constant time
    /// Secret: key, identity and passphrase (but see [`Argon2id`](super::Argon2id)). Public: the id of the
    /// key, and which slots open.
    pub fn unlock(&self, credential: &Credential<'_>) -> Result<Unlocked, Error> {
        for slot in &self.slots {
            if let Some(file_key) = slot.open(&self.bytes, credential)? {
                let file_key = FileKey::new(file_key, *self.prefix(), self.cipher);
                let (covered, mac) = self.bytes.split_at(self.bytes.len() - MAC_LEN);
                if !file_key.has_mac(covered, mac) {
                    return Err(Error::Mac);
                }
                return Ok(Unlocked::new(file_key));
            }
        }
        Err(self.why_locked(credential))
    }

    fn why_locked(&self, credential: &Credential<'_>) -> Error {
        match credential {
            Credential::Key(key) => {
                let id = KeyId::of(key);
                if self.slots().any(|slot| slot == Slot::Key { id }) {
                    Error::Slot { id }
                } else {
                    Error::NoSlot { id }
                }
            }
            Credential::Passphrase(_) => {
                let is_passphrase = |slot| matches!(slot, Slot::Passphrase { .. });
                if self.slots().any(is_passphrase) {
                    Error::Passphrase
                } else {
                    Error::NoPassphrase
                }
            }
            Credential::Identity(identity) => {
                let kem = identity.kem();
                if self.slots().any(|slot| slot == Slot::Recipient { kem }) {
                    Error::Identity
                } else {
                    Error::NoRecipient { kem }
                }
            }
        }
    }
}

fn cipher_of(number: u8) -> Result<Cipher, Malformed> {
    Cipher::ALL
        .into_iter()
        .find(|cipher| cipher_number(*cipher) == number)
        .ok_or(Malformed::Cipher { got: number })
}

pub(super) const fn cipher_number(cipher: Cipher) -> u8 {
    match cipher {
        Cipher::Cobblestone128 => 1,
        Cipher::Cobblestone256 => 2,
    }
}

/// What a try costs, if it is for a passphrase.
const fn cost_of_slot(slot: Slot) -> Option<Argon2id> {
    match slot {
        Slot::Passphrase { cost } => Some(cost),
        _ => None,
    }
}

/// The same of a slot to be.
const fn cost_of_lock(lock: &Lock<'_>) -> Option<Argon2id> {
    match lock {
        Lock::Passphrase(_, cost) => Some(*cost),
        Lock::Key(_) | Lock::Recipient(_) => None,
    }
}

/// The limits on the slots of one file, by what those of passphrases cost.
fn check(slots: impl ExactSizeIterator<Item = Option<Argon2id>>) -> Result<(), Malformed> {
    if !(1..=MAX_SLOTS).contains(&slots.len()) {
        return Err(Malformed::SlotCount);
    }
    let (mut passphrases, mut work) = (0, 0);
    for cost in slots.flatten() {
        passphrases += 1;
        work += cost.work_kib();
    }
    if passphrases > MAX_PASSPHRASES {
        return Err(Malformed::Passphrases);
    }
    if work > MAX_WORK_KIB {
        return Err(Malformed::Argon2idSum);
    }
    Ok(())
}
