//! What can go wrong with a container.

use std::io;

use super::{KeyId, MAX_PASSPHRASES, MAX_SLOTS, MAX_SLOTS_LEN};
use crate::cobblestone::{self, Tampering};
use crate::recipient::Kem;

/// In what way bytes are no header. Found before any key is used, and before any work for Argon2id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// The magic is missing.
    #[error("it does not begin as a container does")]
    Magic,
    /// The header is cut off.
    #[error("it has {got} bytes, its header needs {needed}: it is cut off")]
    TooShort {
        /// Bytes there are.
        got: usize,
        /// Bytes that the header has, or at least has.
        needed: usize,
    },
    /// Written by a later version, or changed.
    #[error("its version is {got}, this program reads version 1: take a newer one")]
    Version {
        /// The version.
        got: u8,
    },
    /// No cipher of this version.
    #[error("its cipher has number {got}, there are 1 and 2")]
    Cipher {
        /// The number.
        got: u8,
    },
    /// The slots are longer than they may be.
    #[error("its slots have {got} bytes, at most {MAX_SLOTS_LEN} are allowed")]
    SlotsTooLong {
        /// Bytes that it claims.
        got: usize,
    },
    /// A slot ends behind the slots, or its kind has another length.
    #[error("slot {slot} has a wrong length")]
    SlotLength {
        /// Its number, from 0.
        slot: usize,
    },
    /// None, or more than [`MAX_SLOTS`](super::MAX_SLOTS).
    #[error("it has no slots, or more than {MAX_SLOTS}")]
    SlotCount,
    /// More slots for passphrases than [`MAX_PASSPHRASES`](super::MAX_PASSPHRASES).
    #[error("it has more than {MAX_PASSPHRASES} slots for passphrases")]
    Passphrases,
    /// Parameters of Argon2id beyond the limits.
    #[error(
        "slot {slot} wants {memory_kib} KiB, {passes} passes and {lanes} lanes of Argon2id, beyond the limits"
    )]
    Argon2id {
        /// Its number, from 0.
        slot: usize,
        /// Memory in KiB.
        memory_kib: u32,
        /// Passes.
        passes: u32,
        /// Lanes.
        lanes: u8,
    },
    /// All passphrases together take more work than the limit.
    #[error("its passphrases together want more work of Argon2id than the limit")]
    Argon2idSum,
}

/// Why making or opening a container stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The header is none.
    #[error("no container: {0}")]
    Malformed(#[from] Malformed),
    /// No slot for the key.
    #[error("it has no slot for the key {id}: take another key")]
    NoSlot {
        /// The id of the key that was given.
        id: KeyId,
    },
    /// No slot for a passphrase.
    #[error("it has no slot for a passphrase: take a key file")]
    NoPassphrase,
    /// No slot opens with the passphrase.
    #[error("the passphrase opens none of its slots: another passphrase, or a changed header")]
    Passphrase,
    /// No slot for a recipient of the identity's kind.
    #[error("it has no slot for a recipient of the kind {kem}: take a key file or a passphrase")]
    NoRecipient {
        /// The kind of the identity that was given.
        kem: Kem,
    },
    /// No slot opens with the identity.
    #[error("the identity opens none of its slots: another identity, or a changed header")]
    Identity,
    /// A slot names the key and does not open with it.
    #[error("the slot of the key {id} does not open: the header was changed")]
    Slot {
        /// The id of the key that was given.
        id: KeyId,
    },
    /// The header is not the one that the holders of the keys wrote.
    #[error("the key opens its slot, and the rest of the header was changed")]
    Mac,
    /// The payload's commitment is not that of header and key.
    #[error("the payload is not that of its header: swapped, changed or cut off")]
    Payload,
    /// A passphrase or an identity was given for a bare stream, which has no slots.
    #[error(
        "no container, and a bare stream has neither passphrase nor recipient: take a key file"
    )]
    BareStream,
    /// Locks for a new header: none, too many, or too costly together.
    #[error("these locks make no header: {0}")]
    Locks(Malformed),
    /// Parameters for Argon2id beyond the limits of the format.
    #[error(
        "{memory_kib} KiB, {passes} passes and {lanes} lanes of Argon2id: needs 8 KiB a lane to 1 GiB, 1 to 64 passes, 1 to 16 lanes"
    )]
    Argon2id {
        /// Memory in KiB.
        memory_kib: u32,
        /// Passes.
        passes: u32,
        /// Lanes.
        lanes: u8,
    },
    /// A passphrase of a length that the format does not have.
    #[error("passphrase is {got} bytes, needs 1 to 1024")]
    PassphraseLength {
        /// Bytes given.
        got: usize,
    },
    /// No memory for Argon2id.
    #[error("no memory for {memory_kib} KiB of Argon2id")]
    Memory {
        /// What its slot wants.
        memory_kib: u32,
    },
    /// No thread for the lanes of Argon2id, with the feature `parallel`.
    #[error("no thread for Argon2id: the system starts none")]
    Threads,
    /// The payload, or a bare stream.
    #[error(transparent)]
    Stream(cobblestone::Error),
}

impl Error {
    /// Whether the file is not what was sealed with this key or passphrase: exit status 3 of the
    /// command. Other errors are the caller's, or the machine's.
    #[must_use]
    pub const fn is_unauthentic(&self) -> bool {
        matches!(
            self,
            Self::Malformed(_)
                | Self::NoSlot { .. }
                | Self::NoPassphrase
                | Self::NoRecipient { .. }
                | Self::Passphrase
                | Self::Identity
                | Self::Slot { .. }
                | Self::Mac
                | Self::Payload
                | Self::BareStream
                | Self::Stream(cobblestone::Error::Tampering(_))
        )
    }
}

impl From<cobblestone::Error> for Error {
    fn from(error: cobblestone::Error) -> Self {
        Self::Stream(error)
    }
}

impl From<Tampering> for Error {
    fn from(tampering: Tampering) -> Self {
        Self::Stream(tampering.into())
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Stream(error.into())
    }
}

impl From<Error> for io::Error {
    /// What is not authentic becomes [`io::ErrorKind::InvalidData`] with the [`Error`] inside.
    fn from(error: Error) -> Self {
        match error {
            Error::Stream(error) => error.into(),
            error if error.is_unauthentic() => Self::new(io::ErrorKind::InvalidData, error),
            error => Self::other(error),
        }
    }
}
