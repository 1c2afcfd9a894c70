//! What files are sealed with.

use carryless_file::cobblestone::{Cipher, Key};
use carryless_file::container::{Argon2id, Credential, Lock, Passphrase};
use carryless_file::gcm;

use crate::dice::Dice;

/// A key, or a passphrase with what a try costs and its bytes.
#[derive(Clone, Debug)]
pub(crate) enum Secret {
    Key(Key),
    Words(Passphrase, Argon2id, Vec<u8>),
}

impl Secret {
    pub(crate) fn key(bytes: &[u8]) -> Self {
        Self::Key(Key::from_slice(bytes).expect("16 or 32 bytes"))
    }

    fn words(bytes: Vec<u8>, cost: Argon2id) -> Self {
        let words = Passphrase::new(bytes.clone()).expect("a length");
        Self::Words(words, cost, bytes)
    }

    pub(crate) fn draw_key(dice: &mut Dice) -> Self {
        let len = dice.one(&Cipher::ALL).key_len();
        Self::key(&dice.bytes(len))
    }

    pub(crate) fn draw_words(dice: &mut Dice) -> Self {
        let lanes = dice.one(&[1, 2, 3]);
        let each = 8 + u32::try_from(dice.below(57)).expect("small");
        let more = u32::try_from(dice.below(4)).expect("small");
        let passes = dice.one(&[1, 2, 3]);
        let cost = Argon2id::new(u32::from(lanes) * each + more, passes, lanes);
        let len = dice.one(&[1, 2, 12, 127, 128, 129, 1023, 1024]);
        Self::words(dice.bytes(len), cost.expect("within the limits"))
    }

    pub(crate) const fn lock(&self) -> Lock<'_> {
        match self {
            Self::Key(key) => Lock::Key(key),
            Self::Words(words, cost, _) => Lock::Passphrase(words, *cost),
        }
    }

    pub(crate) const fn credential(&self) -> Credential<'_> {
        match self {
            Self::Key(key) => Credential::Key(key),
            Self::Words(words, ..) => Credential::Passphrase(words),
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Key(key) => key.as_bytes(),
            Self::Words(_, _, words) => words,
        }
    }

    pub(crate) const fn is_key(&self) -> bool {
        matches!(self, Self::Key(_))
    }

    /// Bytes of its slot.
    pub(crate) const fn slot_len(&self) -> usize {
        match self {
            Self::Key(_) => 115,
            Self::Words(..) => 132,
        }
    }

    /// Whether one opens what the other does.
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.is_key() == other.is_key() && self.bytes() == other.bytes()
    }

    /// The key of a bare stream or, by its bytes, of a message.
    pub(crate) fn as_key(&self) -> &Key {
        match self {
            Self::Key(key) => key,
            Self::Words(..) => panic!("only containers have passphrases"),
        }
    }

    pub(crate) fn as_gcm(&self) -> gcm::Key {
        gcm::Key::from_slice(self.bytes()).expect("16 or 32 bytes")
    }

    /// One that is nearly the same.
    pub(crate) fn other(&self, dice: &mut Dice) -> Self {
        let mut bytes = self.bytes().to_vec();
        let at = dice.below(bytes.len());
        match (self, dice.below(3)) {
            (Self::Key(_), 0) if bytes.len() == 16 => bytes.extend([0; 16]),
            (Self::Key(_), 0) => bytes.truncate(16),
            (Self::Words(..), 0) if bytes.len() > 1 => bytes.truncate(bytes.len() - 1),
            (Self::Words(..), 1) if bytes.len() < 1024 => bytes.push(b'\n'),
            _ => bytes[at] ^= 1 << dice.below(8),
        }
        match self {
            Self::Key(_) => Self::key(&bytes),
            Self::Words(_, cost, _) => Self::words(bytes, *cost),
        }
    }
}
