//! C3: a message in pieces, cut at random, is the message in one call.

use carryless::Engine;

use crate::harness::faulty::{Fault, Faulty};
use crate::harness::scheme::{Case, Cuts, Input, Scheme};
use crate::harness::{Checked, Random, caught, engines, ensure, quick};
use crate::modes::Mode;

/// Whether pieces are sealed and opened as the whole is.
fn same(case: &Case, whole: &dyn Scheme, pieces: &dyn Scheme) -> Result<(), String> {
    let len = case.text.len();
    let (mut expected, mut made) = (vec![0; len], vec![0xa5; len]);
    let tag = whole
        .seal(case.input(), &mut expected)
        .map_err(|error| format!("{whole}: {error:?}"))?;
    let sealed = pieces
        .seal(case.input(), &mut made)
        .map_err(|error| format!("{pieces}: {error:?}"))?;
    ensure!(
        made == expected && sealed[..] == tag[..],
        "{pieces}: sealed differently"
    );
    let input = Input {
        text: &expected,
        ..case.input()
    };
    made.fill(0xa5);
    let opened = pieces.open(input, &tag, &mut made);
    ensure!(
        opened.is_ok() && made == case.text,
        "{pieces}: opened differently: {opened:?}"
    );
    Ok(())
}

/// Makes a scheme of an engine.
type Make<'m> = &'m dyn Fn(&[u8], Option<&Cuts>) -> Box<dyn Scheme>;

/// Whether that holds for cases and cuts that are drawn.
///
/// * `case`: a case of a seed, with about so many bytes of AAD and text.
/// * `make`: a scheme for a key, for messages in one call or in pieces.
fn splits_agree(rounds: u64, case: &dyn Fn(u64, usize, usize) -> Case, make: Make<'_>) -> Checked {
    for seed in 0..rounds {
        let mut random = Random::new(0x59117 + seed);
        let mut below = |most: usize| (random.word() % most as u64) as usize;
        let most = [40, 300, 1500][below(3)];
        let case = case(seed, below(100), below(most));
        let mut lens = |most| Vec::from_iter((0..below(7)).map(|_| below(most)));
        let (aad, text) = (lens(40), lens(200));
        let cuts = Cuts { aad, text };
        let pieces = make(&case.key, Some(&cuts));
        same(&case, &*make(&case.key, None), &*pieces)
            .map_err(|error| format!("{case}, {cuts:?}: {error}"))?;
    }
    Ok(rounds as usize)
}

/// Each engine's pieces are a portable one's whole.
#[test]
fn c3_a_message_cut_at_random_is_the_message() {
    let rounds = if quick() { 8 } else { 40 };
    for engine in engines() {
        let mut count = 0;
        for mode in Mode::in_pieces() {
            let case = |seed, aad, text| mode.case(seed, aad, text);
            let make = |key: &[u8], cuts: Option<&Cuts>| {
                let engine = cuts.map_or(Engine::Soft32, |_| engine);
                mode.scheme(engine, key, cuts)
            };
            count += splits_agree(rounds, &case, &make).unwrap_or_else(|error| panic!("{error}"));
        }
        println!("C3 {engine}: {count} messages of other modes cut at random");
    }
}

/// An imitation that takes pieces, of none of its own where there are no cuts.
fn imitation(fault: Fault) -> impl Fn(&[u8], Option<&Cuts>) -> Box<dyn Scheme> {
    move |key, cuts| {
        let (aad, text) = (vec![], vec![]);
        let cuts = cuts.cloned().unwrap_or(Cuts { aad, text });
        Box::new(Faulty::new(key, fault, cuts))
    }
}

#[test]
fn control_c3_a_piece_that_begins_a_block_is_noticed() {
    let case = |seed, aad, text| Case::new(seed, 16, 12, aad, text);
    splits_agree(20, &case, &imitation(Fault::None)).unwrap();
    caught(splits_agree(20, &case, &imitation(Fault::PieceBeginsBlock)));
}
