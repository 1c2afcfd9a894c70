//! Recipients: whoever has one can seal for its identity, and open nothing.
//!
//! A [`Recipient`] is public and one line of text; the [`Identity`] that it comes from is secret and kept
//! in a [key file](crate::key_file::parse_identity). A slot for a recipient holds an encapsulated key
//! of HPKE (RFC 9180), from which both derive what wraps the file key:
//! [`Lock::Recipient`](crate::container::Lock::Recipient) and
//! [`Credential::Identity`](crate::container::Credential::Identity).
//!
//! ```
//! use std::io::{Read, Write};
//! use carryless_file::container::{Credential, Lock, reader, writer};
//! use carryless_file::recipient::{Identity, Kem, Recipient};
//!
//! let identity = Identity::generate(Kem::X25519)?;
//! let line = identity.recipient().to_string();
//!
//! let recipient: Recipient = line.parse()?;
//! let mut writer = writer(Default::default(), &[Lock::Recipient(&recipient)], Vec::new())?;
//! writer.write_all(b"attack at dawn")?;
//! let sealed = writer.finish()?;
//!
//! let mut text = String::new();
//! reader(&Credential::Identity(&identity), sealed.as_slice())?.read_to_string(&mut text)?;
//! assert_eq!(text, "attack at dawn");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it does not do
//! Say who sealed: whoever has the recipient can. Hide that a file has a slot for one, and of which kind;
//! for whom it is, it does hide.

mod encapsulation;
mod list;
mod text;

use core::fmt;

use zeroize::Zeroizing;

use self::encapsulation::public_key;
pub use self::list::{ListError, MAX_LIST_LEN, parse_list};
pub use self::text::RecipientError;
use crate::cobblestone;

/// Bytes of an identity of any kind.
const SECRET_LEN: usize = 32;

/// A key encapsulation mechanism of HPKE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kem {
    /// DHKEM(X25519, HKDF-SHA256).
    #[default]
    X25519,
    /// X-Wing: ML-KEM-768 with X25519, which withstands a quantum computer. By
    /// draft-connolly-cfrg-xwing-kem-10; its specification is not final.
    XWing,
}

/// What is particular to a mechanism.
pub(crate) struct Facts {
    name: &'static str,
    /// What its recipients begin with, before a `1`.
    prefix: &'static str,
    /// Bytes of a recipient.
    public_len: usize,
    /// Bytes of an encapsulated key.
    pub(crate) encapsulated_len: usize,
    /// The number of the slots' type.
    pub(crate) slot_type: u8,
    is_draft: bool,
}

impl Kem {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::X25519, Self::XWing];

    pub(crate) const fn facts(self) -> Facts {
        match self {
            Self::X25519 => Facts {
                name: "x25519",
                prefix: "cless",
                public_len: 32,
                encapsulated_len: 32,
                slot_type: 3,
                is_draft: false,
            },
            Self::XWing => Facts {
                name: "x-wing",
                prefix: "clesspq",
                public_len: 1184 + 32,
                encapsulated_len: 1088 + 32,
                slot_type: 4,
                is_draft: true,
            },
        }
    }

    /// The name in key files and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Whether its specification is a draft. What is sealed now opens later all the same.
    ///
    /// # Examples
    /// ```
    /// use carryless_file::recipient::Kem;
    ///
    /// assert!(Kem::XWing.is_draft() && !Kem::default().is_draft());
    /// ```
    #[must_use]
    pub const fn is_draft(self) -> bool {
        self.facts().is_draft
    }
}

impl fmt::Display for Kem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The public key of an [`Identity`].
///
/// As text it is one word, `cless1..` or `clesspq1..` by its kind, in Bech32m, with a checksum against slips.
///
/// # Examples
/// ```
/// use carryless_file::recipient::{Identity, Kem, Recipient};
///
/// let recipient = Identity::generate(Kem::X25519)?.recipient();
/// let line = recipient.to_string();
/// assert!(line.starts_with("cless1"));
/// assert_eq!(line.parse::<Recipient>()?, recipient);
/// assert!(line[..40].parse::<Recipient>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Recipient {
    kem: Kem,
    public: Box<[u8]>,
}

impl Recipient {
    /// Takes a public key.
    ///
    /// # Errors
    /// [`RecipientError::Length`], and [`RecipientError::Key`] for one that no identity has.
    pub fn from_slice(kem: Kem, public: &[u8]) -> Result<Self, RecipientError> {
        if public.len() != kem.facts().public_len {
            return Err(RecipientError::Length {
                kem,
                got: public.len(),
            });
        }
        let recipient = Self {
            kem,
            public: public.into(),
        };
        if recipient.takes_keys() {
            Ok(recipient)
        } else {
            Err(RecipientError::Key)
        }
    }

    /// What it encapsulates keys with.
    #[must_use]
    pub const fn kem(&self) -> Kem {
        self.kem
    }

    /// The public key.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        &self.public
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipient({self})")
    }
}

/// The secret key that opens what was sealed for its [`Recipient`]. Wiped when dropped.
///
/// # Examples
/// ```
/// use carryless_file::recipient::{Identity, Kem};
///
/// let identity = Identity::generate(Kem::default())?;
/// let again = Identity::from_bytes(identity.kem(), identity.as_bytes());
/// assert_eq!(again.recipient(), identity.recipient());
/// # Ok::<(), carryless_file::cobblestone::Error>(())
/// ```
#[derive(Clone)]
pub struct Identity {
    kem: Kem,
    /// Boxed: it stays where it is until it is wiped.
    secret: Box<Zeroizing<[u8; SECRET_LEN]>>,
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity")
            .field("kem", &self.kem)
            .finish_non_exhaustive()
    }
}

impl Identity {
    /// Takes a secret key.
    #[must_use]
    pub fn from_bytes(kem: Kem, secret: &[u8; SECRET_LEN]) -> Self {
        let mut boxed = Box::new(Zeroizing::new([0; SECRET_LEN]));
        boxed.copy_from_slice(secret);
        Self { kem, secret: boxed }
    }

    /// Makes a new one from the system's random generator.
    ///
    /// # Errors
    /// [`cobblestone::Error::Random`] if that fails.
    pub fn generate(kem: Kem) -> Result<Self, cobblestone::Error> {
        let mut secret = Box::new(Zeroizing::new([0; SECRET_LEN]));
        getrandom::fill(&mut secret[..]).map_err(|_| cobblestone::Error::Random)?;
        Ok(Self { kem, secret })
    }

    /// What it opens slots of.
    #[must_use]
    pub const fn kem(&self) -> Kem {
        self.kem
    }

    /// The secret key itself.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; SECRET_LEN] {
        &self.secret
    }

    /// Its recipient, which anybody may have.
    ///
    /// # Constant time
    /// Secret: the identity.
    #[must_use]
    pub fn recipient(&self) -> Recipient {
        Recipient {
            kem: self.kem,
            public: public_key(self),
        }
    }
}

#[cfg(test)]
mod tests;
