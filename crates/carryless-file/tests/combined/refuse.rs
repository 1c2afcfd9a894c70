//! Who must not get in.

use carryless_file::cobblestone::Tampering;
use carryless_file::container::{self, KeyId};
use carryless_file::gcm;

use crate::case::{Case, Format};
use crate::dice::Dice;
use crate::fault::Fault;
use crate::io::Source;
use crate::open::{Reading, open};
use crate::secret::Secret;

/// Other secrets and another context give nothing, and the error that says so.
pub(crate) fn others_are_refused(case: &Case, sealed: &[u8], dice: &mut Dice) {
    for secret in &case.secrets {
        let other = secret.other(dice);
        if !case.secrets.iter().any(|secret| secret.same(&other)) {
            refused(case, &other, sealed, dice);
        }
    }
    let words = Secret::draw_words(dice);
    match case.format {
        Format::Container => {
            refused(case, &words, sealed, dice);
            refused(case, &Secret::draw_key(dice), sealed, dice);
        }
        Format::Stream => {
            let bare = container::reader(&words.credential(), sealed).map(drop);
            assert!(
                matches!(bare, Err(container::Error::BareStream)),
                "{bare:?}"
            );
            let mut context = case.context.clone();
            if context.pop().is_none() || dice.once_in(2) {
                context.push(0);
            }
            if context != case.context {
                let other = Case {
                    context,
                    secrets: case.secrets.clone(),
                    text: Vec::new(),
                    ..*case
                };
                refused(&other, &case.secrets[0], sealed, dice);
            }
        }
        Format::Message => {}
    }
}

fn refused(case: &Case, secret: &Secret, sealed: &[u8], dice: &mut Dice) {
    let way = dice.one(Reading::of(case.format));
    let (text, end) = open(case, secret, way, Source::behind(sealed, dice), dice);
    assert!(text.is_empty(), "{way:?}: text for {secret:?}");
    let fault = end.expect_err("another secret or context");
    assert!(fault.is_unauthentic(), "{fault:?}");
    let has_words = case.secrets.iter().any(|secret| !secret.is_key());
    let right = match (case.format, secret, &fault) {
        (Format::Message, _, fault) => matches!(fault, Fault::Message(gcm::Error::Unauthentic)),
        (Format::Stream, _, fault) => fault.tampering() == Some(Tampering::Header),
        (_, Secret::Key(key), Fault::Container(container::Error::NoSlot { id })) => {
            *id == KeyId::of(key)
        }
        (_, Secret::Words(..), Fault::Container(container::Error::Passphrase)) => has_words,
        (_, Secret::Words(..), Fault::Container(container::Error::NoPassphrase)) => !has_words,
        _ => false,
    };
    assert!(right, "{way:?} by {secret:?}: {fault:?}");
}
