//! New slots for the same payload.

use std::io::Read;

use carryless_file::cobblestone::OpenReader;
use carryless_file::container::{Error, Header, MAX_PASSPHRASES, MAX_SLOTS, Malformed, create};

use crate::case::Case;
use crate::dice::Dice;
use crate::io::Source;
use crate::model;
use crate::open::{self, Reading};
use crate::secret::Secret;

/// Twice, by any of the secrets there are then; the header before stays good.
pub(crate) fn rekeyed(case: &Case, sealed: &[u8], dice: &mut Dice) {
    let (new, first) = once(case, sealed, dice);
    let (_, second) = once(&new, &first, dice);
    let ends = [sealed, &first, &second].map(|file| &file[file.len() - 16..]);
    assert!(
        ends[0] == ends[1] && ends[1] == ends[2],
        "the payload is the same"
    );
    // It revokes nothing.
    let (text, end) = opened(case, case.a_secret(dice), sealed, dice);
    assert!(end && text == case.text, "the earlier header");
    impossible_locks(case);
}

/// The new file, and what it is.
fn once(case: &Case, sealed: &[u8], dice: &mut Dice) -> (Case, Vec<u8>) {
    let mut source = Source::behind(sealed, dice);
    let header = Header::read(&mut source).expect("a header");
    assert_eq!(source.taken(), header.as_bytes().len(), "not a byte more");
    let unlocked = header
        .unlock(&case.a_secret(dice).credential())
        .expect("its secret");
    let new = case.with_others(dice);
    let header = unlocked
        .rekey(&new.locks())
        .expect("locks within the limits");
    assert_eq!(
        header.as_bytes()[..26],
        sealed[..26],
        "the prefix never changes"
    );
    let payload = &sealed[case.header_len()..];
    let file = [header.as_bytes(), payload].concat();
    model::check(&new, &file);
    let salts = [model::salts(&new, &file), model::salts(case, sealed)];
    model::all_differ(salts.concat());

    let payload_header = payload.first_chunk().expect("a payload has a header");
    let opener = unlocked.opener(payload_header).expect("its payload");
    let mut text = Vec::new();
    let mut reader = OpenReader::with_opener(opener, &payload[56..]);
    reader.read_to_end(&mut text).expect("authentic");
    assert!(text == case.text, "by what was unlocked");
    let mut changed = *payload_header;
    changed[dice.below(56)] ^= 1 << dice.below(8);
    let refused = unlocked.opener(&changed);
    assert!(matches!(refused, Err(Error::Payload)), "{refused:?}");

    for secret in &new.secrets {
        let (text, end) = opened(&new, secret, &file, dice);
        assert!(end && text == case.text, "{secret:?} is new");
    }
    for secret in &case.secrets {
        let kept = new.secrets.iter().any(|new| new.same(secret));
        let (text, end) = opened(&new, secret, &file, dice);
        assert_eq!(end, kept, "{secret:?} was there before");
        assert!(kept || text.is_empty(), "{secret:?}: text");
    }
    (new, file)
}

pub(crate) fn opened(
    case: &Case,
    secret: &Secret,
    file: &[u8],
    dice: &mut Dice,
) -> (Vec<u8>, bool) {
    let way = dice.one(Reading::of(case.format));
    let (text, end) = open::open(case, secret, way, Source::behind(file, dice), dice);
    (text, end.is_ok())
}

fn impossible_locks(case: &Case) {
    let locks = case.locks();
    let many: Vec<_> = locks.iter().cycle().take(MAX_SLOTS + 1).copied().collect();
    for wrong in [&[][..], &many] {
        let made = create(case.cipher, wrong).map(drop);
        let refused = matches!(made, Err(Error::Locks(Malformed::SlotCount)));
        assert!(refused, "{} locks: {made:?}", wrong.len());
    }
    let words = case.secrets.iter().find(|secret| !secret.is_key());
    if let Some(words) = words {
        let made = create(case.cipher, &[words.lock(); MAX_PASSPHRASES + 1]).map(drop);
        assert!(
            matches!(made, Err(Error::Locks(Malformed::Passphrases))),
            "{made:?}"
        );
    }
}
