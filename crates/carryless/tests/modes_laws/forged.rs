//! C7, U1 to U3: whatever is changed in a message, it is refused with one error, and nothing is left of it.

use core::fmt;

use carryless::Engine;
use carryless::error::InputError;

use crate::harness::faulty::{Fault, Faulty};
use crate::harness::forgeries::{self, LENS, Sealed, flipped};
use crate::harness::scheme::{Case, Cuts, Input, Refused, Scheme, Tag};
use crate::harness::{Checked, caught, engines, ensure, quick};
use crate::modes::Mode;

/// A case as a portable engine seals it in one call.
fn by_mode(mode: &Mode, case: Case) -> Sealed {
    let scheme = mode.scheme(Engine::Soft32, &case.key, None);
    let mut ciphertext = vec![0; case.text.len()];
    let tag = scheme.seal(case.input(), &mut ciphertext).unwrap().to_vec();
    Sealed {
        case,
        ciphertext,
        tag,
    }
}

/// Two or three blocks of text, and AAD; of a code 50 bytes.
fn short(mode: &Mode) -> Sealed {
    by_mode(mode, mode.case(0xf11b, 17, 33))
}

#[test]
fn c7_every_flipped_bit_is_noticed() {
    // Each place within a byte is met in the short form too.
    let step = if quick() { 5 } else { 1 };
    let cuts = Cuts::default();
    for engine in engines() {
        let mut count = 0;
        for mode in Mode::authentic() {
            let sealed = short(mode);
            for cuts in mode.ways(&cuts) {
                let make = |key: &[u8]| mode.scheme(engine, key, cuts);
                count += forgeries::every_flip_fails(&sealed, step, &make)
                    .unwrap_or_else(|error| panic!("{error}"));
            }
        }
        println!("C7 {engine}: {count} forgeries of other modes refused");
    }
}

#[test]
fn c7_flipped_bits_of_long_messages_are_noticed() {
    let step = if quick() { 3 * 331 } else { 331 };
    for engine in engines() {
        let mut count = 0;
        for mode in Mode::sealing() {
            // Longer than what any engine opens in one call of AES-GCM-SIV.
            let sealed = by_mode(mode, mode.case(0xf11b, 17, 1700));
            let make = |key: &[u8]| mode.scheme(engine, key, None);
            count += forgeries::every_flip_fails(&sealed, step, &make)
                .unwrap_or_else(|error| panic!("{error}"));
        }
        println!("C7 {engine}: {count} forgeries of long messages of other modes refused");
    }
}

#[test]
fn u1_whatever_is_wrong_the_error_is_the_same() {
    let (cuts, engines) = (Cuts::default(), engines());
    let mut texts = Vec::new();
    for mode in Mode::authentic() {
        let sealed = LENS.map(|(aad, text)| by_mode(mode, mode.case(0xe770, aad, text)));
        for engine in engines.iter().copied() {
            for cuts in mode.ways(&cuts) {
                let make = |key: &[u8]| mode.scheme(engine, key, cuts);
                let text =
                    forgeries::is_uniform(&sealed, &make).unwrap_or_else(|error| panic!("{error}"));
                texts.push(text);
                println!("U1 {engine}: 1 ways into other modes with one error");
            }
        }
    }
    texts.dedup();
    assert!(texts.len() <= 1, "modes differ: {texts:?}");
}

/// Lengths of texts; the longest are beyond what any engine seals in one call of AES-GCM-SIV.
fn lens() -> impl Iterator<Item = usize> {
    let lens = (0..=100).chain((105..=600).step_by(5));
    let step = if quick() { 7 } else { 1 };
    lens.chain([1500, 1700, 4201]).step_by(step)
}

#[test]
fn u2_nothing_is_left_of_a_message_that_is_not_authentic() {
    for engine in engines() {
        let mut count = 0;
        for mode in Mode::sealing() {
            let case = mode.case(0x0172, 11, 4201);
            let scheme = mode.scheme(engine, &case.key, None);
            let sealed = |len: usize| {
                let text = &case.text[..len];
                let mut out = vec![0; len];
                let input = Input {
                    text,
                    ..case.input()
                };
                let tag = scheme.seal(input, &mut out).unwrap().to_vec();
                (out, tag)
            };
            count += forgeries::is_wiped(&*scheme, &case, lens(), sealed)
                .unwrap_or_else(|error| panic!("{error}"));
        }
        println!("U2 {engine}: {count} outputs of other modes wiped");
    }
}

/// Whether tags of other lengths are refused as such, and nothing is written.
fn refuses_other_tags(scheme: &dyn Scheme, sealed: &Sealed) -> Checked {
    let expected = sealed.tag.len();
    let lens = (0..=20).filter(|len| *len != expected);
    let mut count = 0;
    for got in lens {
        let input = Input {
            text: &sealed.ciphertext,
            ..sealed.case.input()
        };
        let mut out = vec![0xa5; input.text.len()];
        let result = scheme.open(input, &vec![0; got], &mut out);
        let error = InputError::Tag { got, expected };
        ensure!(
            result == Err(Refused::Input(error)),
            "{scheme}: a tag of {got} bytes: {result:?}"
        );
        ensure!(
            out.iter().all(|byte| *byte == 0xa5),
            "{scheme}: a tag of {got} bytes: the output was written to"
        );
        count += 1;
    }
    Ok(count)
}

#[test]
fn u3_a_tag_of_another_size_is_refused_and_nothing_is_written() {
    for engine in engines() {
        let mut count = 0;
        for mode in Mode::authentic() {
            let sealed = short(mode);
            let scheme = mode.scheme(engine, &sealed.case.key, None);
            count +=
                refuses_other_tags(&*scheme, &sealed).unwrap_or_else(|error| panic!("{error}"));
        }
        println!("U3 {engine}: {count} tags of other modes refused");
    }
}

#[test]
fn control_u3_a_tag_of_any_length_and_a_byte_that_is_written_are_noticed() {
    let case = Case::new(0xf11b, 16, 12, 17, 33);
    let right = Faulty::boxed(&case.key, Fault::None);
    let mut ciphertext = vec![0; case.text.len()];
    let tag = right.seal(case.input(), &mut ciphertext).unwrap().to_vec();
    let sealed = Sealed {
        case,
        ciphertext,
        tag,
    };
    refuses_other_tags(&*right, &sealed).unwrap();
    for fault in [Fault::AnyTagLength, Fault::WritesWhenRefused] {
        let faulty = Faulty::boxed(&sealed.case.key, fault);
        caught(refuses_other_tags(&*faulty, &sealed));
    }
}

/// What is wrong with a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// The last bit of one of these may be as it likes.
    Nonce,
    Aad,
    Text,
    Tag,
    /// A byte of what is refused is left.
    Left,
    /// The error says whether there was AAD.
    Said,
}

/// A mode that is right but for that.
struct Almost {
    mode: Box<dyn Scheme>,
    wrong: Wrong,
}

impl fmt::Display for Almost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, wrong: {:?}", self.mode, self.wrong)
    }
}

impl Scheme for Almost {
    fn seal(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused> {
        self.mode.seal(input, out)
    }

    fn open(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused> {
        let said = match self.mode.open(input, tag, out) {
            Err(Refused::Unauthentic(said)) => said,
            other => return other,
        };
        let other = |wrong: Wrong, bytes: &[u8]| match bytes.len() {
            len if len > 0 && self.wrong == wrong => flipped(bytes, 8 * len - 1),
            _ => bytes.to_vec(),
        };
        let (nonce, aad) = (
            &other(Wrong::Nonce, input.nonce),
            &other(Wrong::Aad, input.aad),
        );
        let (text, tag) = (&other(Wrong::Text, input.text), &other(Wrong::Tag, tag));
        let again = self.mode.open(Input { nonce, aad, text }, tag, out);
        if self.wrong == Wrong::Left {
            out.iter_mut().take(1).for_each(|byte| *byte = 1);
        }
        let more = self.wrong == Wrong::Said && input.aad.is_empty();
        again.map_err(|_| Refused::Unauthentic(said + if more { ", no AAD" } else { "" }))
    }
}

/// What makes a mode that is wrong.
fn almost(mode: &'static Mode, wrong: Wrong) -> impl Fn(&[u8]) -> Box<dyn Scheme> {
    move |key| {
        let mode = mode.scheme(Engine::selected(), key, None);
        Box::new(Almost { mode, wrong })
    }
}

#[test]
fn control_c7_a_bit_that_may_be_as_it_likes_is_noticed() {
    let mode = Mode::authentic().next().unwrap();
    let sealed = short(mode);
    let check = |wrong| forgeries::every_flip_fails(&sealed, 1, &almost(mode, wrong));
    check(Wrong::Nothing).unwrap();
    for wrong in [
        Wrong::Nonce,
        Wrong::Aad,
        Wrong::Text,
        Wrong::Tag,
        Wrong::Left,
    ] {
        print!("{wrong:?}: ");
        caught(check(wrong));
    }
    // A key of which a bit is not used.
    let make = |key: &[u8]| {
        let mut key = key.to_vec();
        key[3] |= 4;
        mode.scheme(Engine::selected(), &key, None)
    };
    let mut case = mode.case(0xf11b, 17, 33);
    case.key[3] |= 4;
    let sealed = by_mode(mode, case);
    caught(forgeries::every_flip_fails(&sealed, 1, &make));
}

#[test]
fn control_u1_an_error_that_says_more_is_noticed() {
    let mode = Mode::authentic().next().unwrap();
    let sealed = LENS.map(|(aad, text)| by_mode(mode, mode.case(0xe770, aad, text)));
    let check = |wrong| forgeries::is_uniform(&sealed, &almost(mode, wrong)).map(|text| text.len());
    check(Wrong::Nothing).unwrap();
    caught(check(Wrong::Said));
}

#[test]
fn control_u2_a_byte_that_is_left_is_noticed() {
    let mode = Mode::sealing().next().unwrap();
    let case = mode.case(0x0172, 11, 40);
    let check = |wrong| {
        let scheme = almost(mode, wrong)(&case.key);
        let sealed = |len: usize| (case.text[..len].to_vec(), vec![0; 16]);
        forgeries::is_wiped(&*scheme, &case, 0..=40, sealed)
    };
    check(Wrong::Nothing).unwrap();
    caught(check(Wrong::Left));
}
