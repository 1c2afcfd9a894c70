//! What is wrong with a header that was spoilt.

use carryless_file::cobblestone::{HEADER_LEN, Tampering};
use carryless_file::container::{Error, KeyId, Malformed};

use crate::case::{Case, Format};
use crate::dice::Dice;
use crate::fault::Fault;
use crate::secret::Secret;
use crate::spoil::Spoiling;

/// What is wrong with the header of a bare stream.
pub(crate) const fn bare(what: Spoiling, at: usize) -> Tampering {
    match what {
        Spoiling::HeaderCut => Tampering::TooShort { got: at as u64 },
        _ => Tampering::Header,
    }
}

/// The slot in which a byte of a container lies, and which of its bytes it is.
fn slot_at(case: &Case, at: usize) -> Option<(usize, usize)> {
    let mut start = 28;
    for (number, secret) in case.secrets.iter().enumerate() {
        let end = start + secret.slot_len();
        if (start..end).contains(&at) {
            return Some((number, at - start));
        }
        start = end;
    }
    None
}

/// Not in what Argon2id is to take, which could be much.
pub(crate) fn header_place(case: &Case, dice: &mut Dice) -> usize {
    let ends = [0, 8, 9, 10, 26, 28, case.header_len(), case.body_at()];
    let from = dice.one(&ends).min(case.body_at() - 1);
    let at = from + dice.below(case.body_at() - from);
    match slot_at(case, at).filter(|_| case.format == Format::Container) {
        Some((number, 3..12)) if !case.secrets[number].is_key() => header_place(case, dice),
        _ => at,
    }
}

/// Whether that is the error for a container that ends before its chunks.
pub(crate) fn cut(case: &Case, secret: &Secret, at: usize, fault: &Fault) -> bool {
    match fault {
        Fault::Stream(_) => {
            at < 8 && secret.is_key() && fault.tampering() == Some(bare(Spoiling::HeaderCut, at))
        }
        Fault::Container(Error::BareStream) => at < 8 && !secret.is_key(),
        Fault::Container(Error::Malformed(Malformed::TooShort { got, needed })) => {
            let whole = if at < 28 { 28 } else { case.header_len() };
            (8..whole).contains(&at) && (*got, *needed) == (at, whole)
        }
        Fault::Container(Error::Payload) => {
            (case.header_len()..case.header_len() + HEADER_LEN).contains(&at)
        }
        _ => false,
    }
}

/// Whether that is the error for a container in whose header a byte was changed.
pub(crate) fn changed(case: &Case, secret: &Secret, at: usize, fault: &Fault) -> bool {
    let error = match fault {
        Fault::Container(error) => error,
        // Without its magic it is taken for a bare stream.
        _ => return at < 8 && secret.is_key() && fault.tampering() == Some(Tampering::Header),
    };
    let key = match secret {
        Secret::Key(key) => Some(KeyId::of(key)),
        Secret::Words(..) => None,
    };
    let no_slot = |error: &Error| match error {
        Error::NoSlot { id } => Some(*id) == key,
        Error::NoPassphrase | Error::Passphrase => key.is_none(),
        _ => false,
    };
    let does_not_open = |error: &Error| match error {
        Error::Slot { id } => Some(*id) == key,
        Error::Passphrase => key.is_none(),
        _ => false,
    };
    // A type that there is has another length.
    let wrong_length = |number| matches!(error, Error::Malformed(Malformed::SlotLength { slot }) if *slot == number);
    let opens_by = case.secrets.iter().filter(|one| one.same(secret)).count();
    match (at, slot_at(case, at)) {
        (..8, _) => matches!(error, Error::BareStream) && key.is_none(),
        (8, _) => matches!(error, Error::Malformed(Malformed::Version { .. })),
        (9, _) => matches!(error, Error::Malformed(Malformed::Cipher { .. })),
        (10..26, _) => does_not_open(error),
        // Less of the slots, or more than there are.
        (26..28, _) => error.is_unauthentic(),
        (_, Some((number, within @ 0..3))) if within > 0 || wrong_length(number) => {
            wrong_length(number)
        }
        (_, Some((number, within))) if case.secrets[number].same(secret) && opens_by == 1 => {
            if within == 0 || key.is_some() && within < 11 {
                no_slot(error)
            } else {
                does_not_open(error)
            }
        }
        (_, Some(_)) => matches!(error, Error::Mac),
        _ if at < case.header_len() => matches!(error, Error::Mac),
        _ => matches!(error, Error::Payload),
    }
}
