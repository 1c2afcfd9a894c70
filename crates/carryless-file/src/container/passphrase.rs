//! Passphrases, and what it costs to try one.

use core::fmt;

use argon2::{Algorithm, Argon2, Block, Params, Version};
use zeroize::{Zeroize, Zeroizing};

use super::Error;
use crate::cobblestone::Key;
use crate::secret::burning;

/// Bytes of the salt.
pub(super) const SALT_LEN: usize = 16;
const MAX_LEN: usize = 1024;
const MAX_MEMORY_KIB: u32 = 1 << 20;
const MAX_PASSES: u32 = 64;
const MAX_LANES: u8 = 16;
/// Memory times passes, summed over the slots of a file.
pub(super) const MAX_WORK_KIB: u64 = 1 << 22;

/// A passphrase: 1 to 1024 bytes, taken as they are. Wiped when dropped.
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
#[derive(Clone)]
pub struct Passphrase(Zeroizing<Vec<u8>>);

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
            Ok(Self(bytes))
        } else {
            Err(Error::PassphraseLength { got: bytes.len() })
        }
    }
}

/// What Argon2id (RFC 9106) takes to try one passphrase.
///
/// The default is 64 MiB, 3 passes and 4 lanes, the RFC's second recommendation; memory is what makes
/// guessing dear, so rather more of it than more passes. Lanes are run one after the other here.
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
    pub(super) fn derive(
        self,
        passphrase: &Passphrase,
        salt: &[u8; SALT_LEN],
    ) -> Result<Key, Error> {
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
        let mut memory = Memory::new(params.block_count()).ok_or(Error::Memory { memory_kib })?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let derive = || {
            let (memory, key) = (&mut memory.0[..], key.as_mut());
            argon2.hash_password_into_with_memory(&passphrase.0, salt, key, memory)
        };
        burning(derive).expect(WITHIN);
        Ok(Key::from_slice(key.as_slice())?)
    }
}

/// The memory of Argon2id, wiped when dropped: its end gives the key.
struct Memory(Vec<Block>);

impl Memory {
    /// So many blocks of 1 KiB, if the machine has them.
    fn new(blocks: usize) -> Option<Self> {
        let mut memory = Vec::new();
        memory.try_reserve_exact(blocks).ok()?;
        memory.resize(blocks, Block::new());
        Some(Self(memory))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(Zeroize::zeroize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory that is no multiple of four blocks a lane counts as it is named (RFC 9106, section 3.2).
    #[test]
    fn every_parameter_reaches_argon2id_as_it_is() {
        let passphrase = Passphrase::new(b"abc".to_vec()).expect("a length");
        let salt = [7; SALT_LEN];
        for lanes in [1, 2, 3, 4, 16] {
            for more in 0..9 {
                for passes in 1..=3 {
                    let memory_kib = 8 * u32::from(lanes) + more;
                    let cost = Argon2id::new(memory_kib, passes, lanes).expect("within the limits");
                    let got = cost.derive(&passphrase, &salt).expect("little memory");
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
