//! Passphrases, and what it costs to try one.

use core::fmt;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use argon2::{Algorithm, Argon2, Block, Params, Version};
use zeroize::Zeroizing;

use super::Error;
use super::lanes;
use crate::cobblestone::{self, Key};
use crate::secret::burning;

/// Bytes of the salt.
pub(super) const SALT_LEN: usize = 16;
/// Random, and the same in the slots of several files only if one call made them.
pub(super) type Salt = [u8; SALT_LEN];
const MAX_LEN: usize = 1024;
const MAX_MEMORY_KIB: u32 = 1 << 20;
const MAX_PASSES: u32 = 64;
const MAX_LANES: u8 = 16;
/// Memory times passes, summed over the slots of a file.
pub(super) const MAX_WORK_KIB: u64 = 1 << 22;

/// A passphrase: 1 to 1024 bytes, taken as they are. Wiped when dropped, and so are the slot keys that were
/// derived of it last: one passphrase opens many files that a few calls sealed.
///
/// Nothing is normalised or cut off: a line end or another way to write the same letter is another
/// passphrase.
///
/// # Examples
/// ```
/// use carryless_file::container::Passphrase;
///
/// assert!(Passphrase::new(b"correct horse".to_vec()).is_ok());
/// assert!(Passphrase::new(Vec::new()).is_err());
/// ```
pub struct Passphrase {
    bytes: Zeroizing<Vec<u8>>,
    /// Of all slots that are made with it, if they share one.
    salt: Option<Salt>,
    /// The slot keys that were derived last: files that were sealed together have one.
    last: Mutex<VecDeque<(Argon2id, Salt, Key)>>,
}

/// Slot keys that are remembered.
const REMEMBERED: usize = 16;

impl Clone for Passphrase {
    fn clone(&self) -> Self {
        Self::with(self.bytes.clone(), self.salt)
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passphrase").finish_non_exhaustive()
    }
}

impl Passphrase {
    /// Takes a passphrase.
    ///
    /// # Errors
    /// [`Error::PassphraseLength`].
    pub fn new(bytes: impl Into<Zeroizing<Vec<u8>>>) -> Result<Self, Error> {
        let bytes = bytes.into();
        if (1..=MAX_LEN).contains(&bytes.len()) {
            Ok(Self::with(bytes, None))
        } else {
            Err(Error::PassphraseLength { got: bytes.len() })
        }
    }

    const fn with(bytes: Zeroizing<Vec<u8>>, salt: Option<Salt>) -> Self {
        let last = Mutex::new(VecDeque::new());
        Self { bytes, salt, last }
    }

    /// The same for the slots of many files, which get one salt: Argon2id runs once for all of them.
    ///
    /// Each slot still wraps a key of its own under a random salt of its stream. The salt shows that the files
    /// were sealed together, and a guess is tested for all of them at once.
    ///
    /// # Errors
    /// [`Error::Stream`] if the random generator fails.
    pub fn for_many_files(self) -> Result<Self, Error> {
        Ok(Self {
            salt: Some(random_salt()?),
            ..self
        })
    }

    /// The salt of a new slot.
    pub(super) fn new_salt(&self) -> Result<Salt, Error> {
        self.salt.map_or_else(random_salt, Ok)
    }

    /// The slot key, derived unless it is that of a call not long ago.
    pub(super) fn slot_key(&self, cost: Argon2id, salt: &Salt) -> Result<Key, Error> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last
            .iter()
            .find(|known| (known.0, known.1) == (cost, *salt));
        if let Some((_, _, key)) = known {
            return Ok(key.clone());
        }
        let key = cost.derive(&self.bytes, salt)?;
        last.truncate(REMEMBERED - 1);
        last.push_front((cost, *salt, key.clone()));
        Ok(key)
    }
}

fn random_salt() -> Result<Salt, Error> {
    let mut salt = [0; SALT_LEN];
    getrandom::fill(&mut salt).map_err(|_| cobblestone::Error::Random)?;
    Ok(salt)
}

/// What Argon2id (RFC 9106) takes to try one passphrase.
///
/// The default is 64 MiB, 3 passes and 4 lanes, the RFC's second recommendation; memory is what makes
/// guessing dear, so rather more of it than more passes. With the feature `parallel` lanes run side by side, on as many
/// threads as there are processors, else one after the other.
///
/// # Examples
/// ```
/// use carryless_file::container::Argon2id;
///
/// let cost = Argon2id::new(1 << 20, 1, 4)?;
/// assert_eq!((cost.memory_kib(), cost.passes(), cost.lanes()), (1 << 20, 1, 4));
/// assert!(Argon2id::new(1 << 21, 1, 4).is_err());
/// # Ok::<(), carryless_file::container::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argon2id {
    memory_kib: u32,
    passes: u32,
    lanes: u8,
}

impl Default for Argon2id {
    fn default() -> Self {
        Self {
            memory_kib: 1 << 16,
            passes: 3,
            lanes: 4,
        }
    }
}

impl Argon2id {
    /// Takes parameters: memory of 8 KiB a lane to 1 GiB, 1 to 64 passes, 1 to 16 lanes. Below
    /// 19 MiB and 2 passes a good passphrase is needed.
    ///
    /// # Errors
    /// [`Error::Argon2id`] beyond the limits.
    pub fn new(memory_kib: u32, passes: u32, lanes: u8) -> Result<Self, Error> {
        let least = 8 * u32::from(lanes);
        let within = (least..=MAX_MEMORY_KIB).contains(&memory_kib)
            && (1..=MAX_PASSES).contains(&passes)
            && (1..=MAX_LANES).contains(&lanes);
        if within {
            Ok(Self {
                memory_kib,
                passes,
                lanes,
            })
        } else {
            Err(Error::Argon2id {
                memory_kib,
                passes,
                lanes,
            })
        }
    }

    /// Memory in KiB.
    #[must_use]
    pub const fn memory_kib(self) -> u32 {
        self.memory_kib
    }

    /// Passes over the memory.
    #[must_use]
    pub const fn passes(self) -> u32 {
        self.passes
    }

    /// Lanes.
    #[must_use]
    pub const fn lanes(self) -> u8 {
        self.lanes
    }

    /// KiB that are written in all passes.
    pub(super) fn work_kib(self) -> u64 {
        u64::from(self.memory_kib) * u64::from(self.passes)
    }

    /// The slot key of a passphrase.
    ///
    /// # Constant time
    /// Secret: the passphrase, not its length. The first half of the first pass reads the same memory
    /// whatever it is; from then on Argon2id reads where it points, by design.
    fn derive(self, passphrase: &[u8], salt: &Salt) -> Result<Key, Error> {
        const WITHIN: &str = "the parameters are within the limits of Argon2id";
        let memory_kib = self.memory_kib;
        let mut key = Zeroizing::new([0; 32]);
        let params = Params::new(
            memory_kib,
            self.passes,
            u32::from(self.lanes),
            Some(key.len()),
        )
        .expect(WITHIN);
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let blocks = argon2.params().block_count();
        let mut room = Vec::new();
        // Before the threads take theirs: of a limited address space what they leave may be too little.
        let reserved = room.try_reserve_exact(blocks);
        reserved.map_err(|_| Error::Memory { memory_kib })?;
        #[cfg(all(feature = "large-pages", target_os = "linux"))]
        super::large_pages::advise(room.spare_capacity_mut());
        let derive = || {
            let mut memory = Memory::filling(room, blocks);
            let (memory, key) = (&mut memory.0[..], key.as_mut());
            burning(|| argon2.hash_password_into_with_memory(passphrase, salt, key, memory))
                .expect(WITHIN);
        };
        lanes::side_by_side(self.lanes, derive).ok_or(Error::Threads)?;
        Ok(Key::from_slice(key.as_slice())?)
    }
}

/// The memory of Argon2id, wiped when dropped: its end gives the key.
struct Memory(Vec<Block>);

impl Memory {
    /// So many blocks of 1 KiB, for which there is room.
    fn filling(mut room: Vec<Block>, blocks: usize) -> Self {
        lanes::fill(&mut room, blocks);
        Self(room)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        lanes::wipe(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is remembered is the key of that salt and cost, and no other's.
    #[test]
    fn a_slot_key_is_that_of_its_salt_and_cost_whatever_came_before() {
        let passphrase = Passphrase::new(b"abc".to_vec()).expect("a length");
        let costs = [8, 9].map(|kib| Argon2id::new(kib, 1, 1).expect("within the limits"));
        // Few at first, then more than are remembered, then the forgotten ones.
        let many = 0..3 * REMEMBERED;
        for case in [0, 0, 1, 3, 2, 2, 0, 3].into_iter().chain(many).chain(0..9) {
            let salt = [u8::try_from(case / 2).expect("few"); SALT_LEN];
            let cost = costs[case % 2];
            let got = passphrase.slot_key(cost, &salt).expect("little memory");
            let right = cost.derive(b"abc", &salt).expect("little memory");
            assert_eq!(got.as_bytes(), right.as_bytes(), "{case}");
        }
    }

    /// Memory that is no multiple of four blocks a lane counts as it is named (RFC 9106, section 3.2).
    #[test]
    fn every_parameter_reaches_argon2id_as_it_is() {
        let salt = [7; SALT_LEN];
        for lanes in [1, 2, 3, 4, 16] {
            for more in 0..9 {
                for passes in 1..=3 {
                    let memory_kib = 8 * u32::from(lanes) + more;
                    let cost = Argon2id::new(memory_kib, passes, lanes).expect("within the limits");
                    let got = cost.derive(b"abc", &salt).expect("little memory");
                    let params = Params::new(memory_kib, passes, lanes.into(), Some(32));
                    let params = params.expect("within the limits");
                    let plain = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
                    let mut key = [0; 32];
                    let hashed = plain.hash_password_into(b"abc", &salt, &mut key);
                    hashed.expect("within the limits");
                    assert_eq!(got.as_bytes(), key, "{cost:?}");
                }
            }
        }
    }
}
