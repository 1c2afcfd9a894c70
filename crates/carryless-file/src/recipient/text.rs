//! A recipient as one word: Bech32m (BIP 350) of its public key.

use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;

use bech32::primitives::decode::{CheckedHrpstring, CheckedHrpstringError};
use bech32::{Bech32m, Checksum, Hrp};

use super::{Kem, Recipient};

/// Why a text is no recipient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecipientError {
    /// Something else.
    #[error("it is no recipient: that is one word, which begins with cless1 or clesspq1")]
    Text,
    /// Nobody seals with an identity: it would have to be on the sealing side for that.
    #[error(
        "it is a key or an identity, which is secret: the recipient is the word cless1.. or clesspq1.. in it"
    )]
    Secret,
    /// Mistyped or cut off.
    #[error("its checksum does not belong to it: it was mistyped or cut off")]
    Checksum,
    /// A checksum that is right, around too much or too little.
    #[error("its key has {got} bytes, which one of {kem} has not")]
    Length {
        /// What it says it is for.
        kem: Kem,
        /// Bytes there are.
        got: usize,
    },
    /// A key that no identity has: what is sealed for it would be open to all, or to nobody.
    #[error("its key is no identity's: a point of small order, or not in its one encoding")]
    Key,
}

/// Bech32m for words of any length. That of an X-Wing recipient has 1960 letters, and the code a cycle of 1023: up to
/// there it notices any four slips, in longer words what docs/format.md says.
enum AnyLength {}

impl Checksum for AnyLength {
    type MidstateRepr = <Bech32m as Checksum>::MidstateRepr;
    type CorrectionField = <Bech32m as Checksum>::CorrectionField;
    const ROOT_GENERATOR: Self::CorrectionField = Bech32m::ROOT_GENERATOR;
    const ROOT_EXPONENTS: RangeInclusive<usize> = Bech32m::ROOT_EXPONENTS;
    const CODE_LENGTH: usize = usize::MAX;
    const CHECKSUM_LENGTH: usize = Bech32m::CHECKSUM_LENGTH;
    const GENERATOR_SH: [Self::MidstateRepr; 5] = Bech32m::GENERATOR_SH;
    const TARGET_RESIDUE: Self::MidstateRepr = Bech32m::TARGET_RESIDUE;
}

impl FromStr for Recipient {
    type Err = RecipientError;

    fn from_str(text: &str) -> Result<Self, RecipientError> {
        if text.contains("carryless-key:") {
            return Err(RecipientError::Secret);
        }
        let (kem, word) = Kem::ALL
            .into_iter()
            .find_map(|kem| Some((kem, checked(kem, text)?)))
            .ok_or(RecipientError::Text)?;
        let recipient = Self::from_slice(kem, &word?)?;
        // Each recipient has one text, if letters of the other case are left aside.
        if recipient.to_string().eq_ignore_ascii_case(text) {
            Ok(recipient)
        } else {
            Err(RecipientError::Text)
        }
    }
}

/// The key in a text that begins as recipients of this kind do.
fn checked(kem: Kem, text: &str) -> Option<Result<Vec<u8>, RecipientError>> {
    let (prefix, _) = text.split_once('1')?;
    if !prefix.eq_ignore_ascii_case(kem.facts().prefix) {
        return None;
    }
    Some(match CheckedHrpstring::new::<AnyLength>(text) {
        Ok(checked) => Ok(checked.byte_iter().collect()),
        Err(CheckedHrpstringError::Checksum(_)) => Err(RecipientError::Checksum),
        Err(_) => Err(RecipientError::Text),
    })
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = Hrp::parse(self.kem.facts().prefix).expect("letters");
        let word = bech32::encode::<AnyLength>(prefix, &self.public).map_err(|_| fmt::Error)?;
        f.pad(&word)
    }
}
