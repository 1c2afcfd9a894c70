//! C3: random cases; all engines and paths agree with the reference in bytes and in errors.

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::test_runner::{
    Config, FileFailurePersistence, RngAlgorithm, TestCaseError, TestRng, TestRunner,
};

use crate::harness::reference::Gcm;
use crate::harness::scheme::{Case, Cuts, Input, Path, Refused, Scheme, cut_subject};
use crate::harness::{Checked, KEY_LENS, engines, ensure};

/// Sizes, and the seed of the bytes: what shrinks.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    seed: u64,
    pub(crate) key_len: usize,
    nonce_len: usize,
    aad_len: usize,
    text_len: usize,
    offset: usize,
    pub(crate) tag_len: usize,
    pub(crate) cuts: Cuts,
}

/// Lengths of tags that this build has.
const TAG_LENS: &[usize] = if cfg!(feature = "hazmat") {
    &[4, 8, 12, 13, 14, 15, 16]
} else {
    &[12, 13, 14, 15, 16]
};

fn plans(tag_lens: &'static [usize]) -> impl Strategy<Value = Plan> {
    let nonce_len = prop_oneof![Just(12usize), 1..=64usize];
    let text_len = prop_oneof![0..=40usize, 0..=300usize, 0..=2500usize];
    let cuts =
        (vec(0..80usize, 0..4), vec(0..400usize, 0..6)).prop_map(|(aad, text)| Cuts { aad, text });
    let key_len = proptest::sample::select(&KEY_LENS);
    let tag_len = proptest::sample::select(tag_lens);
    (
        any::<u64>(),
        key_len,
        nonce_len,
        0..=300usize,
        text_len,
        0..=63usize,
        tag_len,
        cuts,
    )
        .prop_map(
            |(seed, key_len, nonce_len, aad_len, text_len, offset, tag_len, cuts)| Plan {
                seed,
                key_len,
                nonce_len,
                aad_len,
                text_len,
                offset,
                tag_len,
                cuts,
            },
        )
}

/// Bytes at a distance from a multiple of 64.
struct Misaligned {
    bytes: Vec<u8>,
    start: usize,
    len: usize,
}

impl Misaligned {
    fn new(content: &[u8], offset: usize) -> Self {
        let mut bytes = vec![0; content.len() + 128];
        let start = bytes.as_ptr().align_offset(64) + offset;
        bytes[start..start + content.len()].copy_from_slice(content);
        Self {
            bytes,
            start,
            len: content.len(),
        }
    }

    fn get(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.len]
    }

    fn get_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + self.len]
    }
}

/// The schemes for a key that a plan is run on.
type Make<'m> = &'m dyn Fn(&[u8], &Plan) -> Vec<Box<dyn Scheme>>;

/// Whether the schemes do with the case of `plan` what the reference does.
pub(crate) fn agree(plan: &Plan, make: Make<'_>) -> Checked {
    let case = Case::new(
        plan.seed,
        plan.key_len,
        plan.nonce_len,
        plan.aad_len,
        plan.text_len,
    );
    let (ciphertext, tag) = Gcm::new(&case.key).seal(&case.nonce, &case.aad, &case.text);
    let place = |bytes: &[u8]| Misaligned::new(bytes, plan.offset);
    let (nonce, aad, text, sealed) = (
        place(&case.nonce),
        place(&case.aad),
        place(&case.text),
        place(&ciphertext),
    );
    let mut tag = place(&tag[..plan.tag_len]);
    let plain = Input {
        nonce: nonce.get(),
        aad: aad.get(),
        text: text.get(),
    };
    let cipher = Input {
        text: sealed.get(),
        ..plain
    };
    let schemes = make(&case.key, plan);
    let mut count = 0;
    let mut errors = Vec::new();
    for scheme in schemes
        .iter()
        .filter(|scheme| scheme.takes_nonce(plan.nonce_len))
    {
        let mut out = Misaligned::new(&vec![0xa5; plan.text_len], (plan.offset * 5 + 3) % 64);
        let made = scheme
            .seal(plain, out.get_mut())
            .map_err(|error| format!("{scheme}: {error:?}"))?;
        ensure!(out.get() == ciphertext, "{scheme}: wrong ciphertext");
        ensure!(made[..] == *tag.get(), "{scheme}: wrong tag");
        out.get_mut().fill(0xa5);
        let opened = scheme.open(cipher, tag.get(), out.get_mut());
        ensure!(
            opened.is_ok() && out.get() == case.text,
            "{scheme}: not opened: {opened:?}"
        );
        let bit = plan.seed as usize % (8 * plan.tag_len);
        tag.get_mut()[bit / 8] ^= 1 << (bit % 8);
        let forged = scheme.open(cipher, tag.get(), out.get_mut());
        ensure!(
            matches!(forged, Err(Refused::Unauthentic(_))),
            "{scheme}: bit {bit} of the tag: {forged:?}"
        );
        ensure!(
            out.get().iter().all(|byte| *byte == 0),
            "{scheme}: output left after a forgery"
        );
        tag.get_mut()[bit / 8] ^= 1 << (bit % 8);
        let size = scheme.open(cipher, &tag.get()[1..], out.get_mut());
        ensure!(
            matches!(size, Err(Refused::Input(_))),
            "{scheme}: a tag of {} bytes: {size:?}",
            plan.tag_len - 1
        );
        errors.push(size);
        count += 4;
    }
    ensure!(
        errors.windows(2).all(|two| two[0] == two[1]),
        "different errors: {errors:?}"
    );
    Ok(count)
}

/// Runs `cases` random plans and saves what fails; without `save`, for controls, with whole tags
/// only: an imitation has no others. The error has the shrunk plan.
pub(crate) fn run(cases: u32, save: bool, make: Make<'_>) -> Checked {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/gcm/differential.regressions"
    );
    let persistence: Option<Box<dyn proptest::test_runner::FailurePersistence>> = if save {
        Some(Box::new(FileFailurePersistence::Direct(file)))
    } else {
        None
    };
    let config = Config {
        cases,
        failure_persistence: persistence,
        ..Config::default()
    };
    // What a control finds must not depend on luck. The cases still differ with the size of
    // `usize`: there must be enough for every fault.
    let (mut runner, tag_lens) = if save {
        (TestRunner::new(config), TAG_LENS)
    } else {
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        (TestRunner::new_with_rng(config, rng), &[16][..])
    };
    let count = core::cell::Cell::new(0);
    let result = runner.run(&plans(tag_lens), |plan| {
        count.set(count.get() + agree(&plan, make).map_err(TestCaseError::fail)?);
        Ok(())
    });
    result
        .map(|()| count.get())
        .map_err(|error| error.to_string())
}

#[test]
fn c3_engines_and_paths_agree_on_random_cases() {
    let engines = engines();
    let make = |key: &[u8], plan: &Plan| {
        let each = engines
            .iter()
            .flat_map(|engine| Path::ALL.iter().map(move |path| (*engine, *path)));
        each.filter_map(|(engine, path)| {
            cut_subject(engine, path, key, plan.tag_len, plan.cuts.clone())
        })
        .collect()
    };
    let count = run(400, true, &make).unwrap_or_else(|error| panic!("{error}"));
    for engine in engines {
        println!("C3 {engine}: its share of {count} calls that agree with the reference");
    }
}
