//! Messages: opened at once or by segments, and what segments that do not belong together are told.

use std::io::Read;

use carryless_file::gcm::{self, Error, NONCE_LEN, Opener, Sealer, TAG_LEN};

use crate::case::Case;
use crate::dice::Dice;
use crate::fault::Fault;
use crate::io::{Given, Sink, Source, only};
use crate::secret::Secret;

pub(crate) fn open_whole(
    secret: &Secret,
    mut source: Source,
    text: &mut Vec<u8>,
    dice: &mut Dice,
) -> Result<(), Fault> {
    let given = core::cell::RefCell::default();
    let opened = gcm::open(&secret.as_gcm(), &mut source, &mut Sink::new(&given, dice));
    let Given { bytes, flushed } = given.into_inner();
    if let Ok(len) = opened {
        assert_eq!(len, bytes.len() as u64, "bytes of text");
        assert_eq!(flushed, bytes.len(), "not flushed");
    }
    *text = bytes;
    Ok(opened.map(drop)?)
}

/// Hashes segments in any order, and opens them in another; a changed one gives nothing.
pub(crate) fn open(
    secret: &Secret,
    mut source: Source,
    text: &mut Vec<u8>,
    dice: &mut Dice,
) -> Result<(), Fault> {
    let mut sealed = Vec::new();
    source.read_to_end(&mut sealed)?;
    gcm::text_len(sealed.len() as u64)?;
    let (nonce, rest) = sealed
        .split_first_chunk::<NONCE_LEN>()
        .expect("28 bytes or more");
    let (body, tag) = rest
        .split_last_chunk::<TAG_LEN>()
        .expect("16 bytes or more");
    let opener = Opener::new(&secret.as_gcm(), nonce);
    let unit = dice.one(&[16, 80, 16_384]);
    let ranges = dice.parts(body.len(), unit);
    let mut order: Vec<_> = (0..ranges.len()).collect();
    dice.shuffle(&mut order);
    let mut parts = vec![None; ranges.len()];
    for &number in &order {
        let range = ranges[number].clone();
        parts[number] = Some(opener.authenticate(range.start as u64, &body[range])?);
    }
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    let verified = opener.verify(&parts, tag)?;
    dice.shuffle(&mut order);
    let mut opened = body.to_vec();
    for number in order {
        let range = ranges[number].clone();
        let at = range.start as u64;
        if dice.once_in(4) && !range.is_empty() {
            let mut changed = body[range.clone()].to_vec();
            changed[dice.below(range.len())] ^= 1;
            let refused = verified.open(at, &mut changed);
            assert!(matches!(refused, Err(Error::Unauthentic)), "{refused:?}");
            assert!(only(0, &changed), "a changed segment is zeroed");
        }
        if dice.once_in(4) {
            let mut longer = [&body[range.clone()], &[7]].concat();
            let kept = longer.clone();
            let refused = verified.open(at, &mut longer);
            assert!(matches!(refused, Err(Error::Input(_))), "{refused:?}");
            assert!(longer == kept, "a segment that is none was written to");
        }
        verified.open(at, &mut opened[range])?;
    }
    *text = opened;
    Ok(())
}

/// Segments that are missing, repeated, out of order or of another message make none.
pub(crate) fn are_held_together(case: &Case, dice: &mut Dice) {
    let key = case.secrets[0].as_gcm();
    let [sealer, other] = [0; 2].map(|_| Sealer::new(&key).expect("random bytes"));
    let mut text = case.text.clone();
    text.resize(text.len().max(40), 0);
    let cut = 16 * (1 + dice.below(text.len() / 16 - 1));
    let uneven = cut as u64 - 1 - dice.below(15) as u64;
    let kept = text.clone();
    let refused = sealer.seal(uneven, &mut text);
    assert!(
        matches!(refused, Err(Error::Input(_))),
        "at {uneven}: {refused:?}"
    );
    assert!(text == kept, "a segment at {uneven} was sealed");
    let foreign = other.seal(0, &mut kept[..cut].to_vec()).expect("a segment");
    let (head, tail) = text.split_at_mut(cut);
    let first = sealer.seal(0, head).expect("a segment");
    let second = sealer.seal(cut as u64, tail).expect("a segment");
    let parts = [first, second, foreign];
    let tag = sealer.finish(&parts[..2]).expect("both");
    let opener = Opener::new(&key, sealer.nonce());
    assert!(opener.authenticate(uneven, tail).is_err(), "at {uneven}");
    for wrong in [&[1][..], &[1, 0], &[0, 0, 1], &[0, 1, 1], &[2, 1]] {
        let some: Vec<_> = wrong.iter().map(|number| parts[*number].clone()).collect();
        let finished = sealer.finish(&some);
        assert!(
            matches!(finished, Err(Error::Input(_))),
            "{wrong:?}: {finished:?}"
        );
        let verified = opener.verify(&some, &tag).map(drop);
        assert!(
            matches!(verified, Err(Error::Input(_))),
            "{wrong:?}: {verified:?}"
        );
    }
    let verified = opener.verify(&parts[..1], &tag).map(drop);
    assert!(
        matches!(verified, Err(Error::Unauthentic)),
        "a beginning: {verified:?}"
    );
}
