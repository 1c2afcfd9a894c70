//! Slots of types that later versions may define, among those there are.

use carryless_file::container::{Header, MAX_SLOTS, MAX_SLOTS_LEN, Slot};

use crate::case::Case;
use crate::dice::Dice;
use crate::model;
use crate::rekey::opened;

/// They are covered by the MAC, and skipped by who opens.
pub(crate) fn skipped(case: &Case, sealed: &[u8], dice: &mut Dice) {
    let mut slots: Vec<_> = model::slots(case, sealed)
        .into_iter()
        .map(<[u8]>::to_vec)
        .collect();
    let known = slots.len();
    while slots.len() < MAX_SLOTS && !(slots.len() > known && dice.once_in(3)) {
        let Some(room) = MAX_SLOTS_LEN.checked_sub(3 + slots.concat().len()) else {
            break;
        };
        let len = dice.one(&[0, 0, 1, 112, 129, 2048]).min(room);
        let at = dice.below(slots.len() + 1);
        slots.insert(at, unknown(len, dice));
    }
    let len = u16::try_from(slots.concat().len()).expect("at most 20480");
    let covered = [&sealed[..26], &len.to_be_bytes(), &slots.concat()].concat();
    let mac = model::mac_of(&model::file_key(case, sealed), &covered);
    let mut file = [&covered, &mac, &sealed[case.header_len()..]].concat();
    let header = Header::parse(&file).expect("slots within the limits");
    assert_eq!(header.as_bytes().len(), covered.len() + mac.len());
    for (slot, bytes) in header.slots().zip(&slots) {
        let number = match slot {
            Slot::Key { .. } => 1,
            Slot::Passphrase { .. } => 2,
            Slot::Unknown { number } => number,
            other => panic!("{other:?}"),
        };
        assert_eq!(number, bytes[0], "{header:?}");
    }
    for secret in &case.secrets {
        let unlocked = header.unlock(&secret.credential());
        assert!(unlocked.is_ok(), "{secret:?}: {unlocked:?}");
    }
    let (text, end) = opened_by_any(case, &file, dice);
    assert!(end && text == case.text, "{header:?}");
    if let Some(number) = slots.iter().position(|slot| !(1..=4).contains(&slot[0])) {
        // A type that is as unknown.
        let at = 28 + slots[..number].concat().len();
        file[at] = if slots[number][0] == 7 { 8 } else { 7 };
        assert!(
            !opened_by_any(case, &file, dice).1,
            "slot {number} is not covered"
        );
    }
}

fn opened_by_any(case: &Case, file: &[u8], dice: &mut Dice) -> (Vec<u8>, bool) {
    opened(case, case.a_secret(dice), file, dice)
}

fn unknown(len: usize, dice: &mut Dice) -> Vec<u8> {
    let number = dice.one(&[0, 5, 6, 127, 128, 255]);
    let body_len = u16::try_from(len).expect("at most 2048");
    [&[number], &body_len.to_be_bytes()[..], &dice.bytes(len)].concat()
}
