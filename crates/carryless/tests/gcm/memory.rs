//! M1 and M2: no byte is touched that is not the call's own.

#[cfg(feature = "hazmat")]
mod modes;

use crate::harness::child::{self, Ended};
use crate::harness::guard::{Flush, Guarded, ReadOnly};
use crate::harness::reference::{Block, Gcm};
use crate::harness::scheme::{Case, Input, Path, Refused, Scheme, subject};
use crate::harness::{Checked, KEY_LENS, Share, engines, ensure, quick};

/// Longest buffer.
const LONGEST: usize = 600;
/// Lengths of nonces: the short-cut, partial and whole blocks.
const NONCES: [usize; 4] = [12, 1, 16, 37];

/// Messages with every length of text and of AAD, on pages that can only be read, beside pages that
/// can't even be read, and what the reference makes of them.
pub(crate) struct Plan {
    flush: Flush,
    nonces: [ReadOnly; NONCES.len()],
    aad: ReadOnly,
    text: ReadOnly,
    steps: Vec<Step>,
}

struct Step {
    nonce: usize,
    text_len: usize,
    aad_len: usize,
    ciphertext: Vec<u8>,
    tag: Block,
}

impl Plan {
    /// With nonces of any length, or of 12 bytes only.
    pub(crate) fn new(key: &[u8], any_nonce: bool, flush: Flush) -> Self {
        let gcm = Gcm::new(key);
        let case = Case::new(0x9a4d, key.len(), 37, LONGEST, LONGEST);
        let mut plan = Self {
            flush,
            nonces: NONCES.map(|len| Guarded::read_only(&case.nonce[..len], flush)),
            aad: Guarded::read_only(&case.aad, flush),
            text: Guarded::read_only(&case.text, flush),
            steps: Vec::new(),
        };
        // Quickly: each length of a block's rest, by a step that has no factor in common with 16.
        let step = if quick() { 7 } else { 1 };
        for len in (0..=LONGEST).step_by(step) {
            let nonce = if any_nonce { len % NONCES.len() } else { 0 };
            for (text_len, aad_len) in [(len, len % 50), (len % 40, len)] {
                let (aad, text) = (
                    plan.aad.part(aad_len, flush),
                    plan.text.part(text_len, flush),
                );
                let (ciphertext, tag) = gcm.seal(plan.nonces[nonce].all(), aad, text);
                plan.steps.push(Step {
                    nonce,
                    text_len,
                    aad_len,
                    ciphertext,
                    tag,
                });
            }
        }
        plan
    }
}

/// Seals, opens and fails to open the messages of `plan` whose lengths are in this share, with every buffer flush against a page
/// that faults; in a child, whose death tells.
pub(crate) fn stays_inside(plan: &Plan, share: Share, scheme: &dyn Scheme) -> Checked {
    let flush = plan.flush;
    // Two of each length follow one another.
    let steps = || (plan.steps.iter().enumerate()).filter(|(i, _)| share.has(i / 2));
    let (mut sealed, mut out, mut tag_page) = (
        Guarded::new(LONGEST),
        Guarded::new(LONGEST),
        Guarded::new(16),
    );
    let ended = child::run(|notes| {
        for (
            i,
            Step {
                nonce,
                text_len,
                aad_len,
                ciphertext,
                tag,
            },
        ) in steps()
        {
            notes.step(i as u64);
            let text = plan.text.part(*text_len, flush);
            let plain = Input {
                nonce: plan.nonces[*nonce].all(),
                aad: plan.aad.part(*aad_len, flush),
                text,
            };
            let target = out.get(*text_len, flush);
            target.fill(0xa5);
            let Ok(made) = scheme.seal(plain, target) else {
                return false;
            };
            if *target != ciphertext[..] || made[..] != *tag {
                return false;
            }
            let copy = sealed.get(*text_len, flush);
            copy.copy_from_slice(ciphertext);
            let given = tag_page.get(16, flush);
            given.copy_from_slice(tag);
            let cipher = Input {
                text: copy,
                ..plain
            };
            if scheme.open(cipher, given, target).is_err() || target != text {
                return false;
            }
            given[i % 16] ^= 1;
            if scheme.open(cipher, given, target).is_ok() || target.iter().any(|byte| *byte != 0) {
                return false;
            }
        }
        true
    });
    let at = |step: u64| {
        let Step {
            nonce,
            text_len,
            aad_len,
            ..
        } = &plan.steps[step as usize];
        format!(
            "{} bytes of nonce, {text_len} of text, {aad_len} of AAD, flush {flush:?}",
            NONCES[*nonce]
        )
    };
    match ended {
        Ended::Well => Ok(3 * steps().count()),
        Ended::Wrong(step) => Err(format!("{scheme}: wrong result: {}", at(step))),
        Ended::Killed(signal, step) => {
            Err(format!("{scheme}: killed by signal {signal}: {}", at(step)))
        }
    }
}

#[test]
fn m1_no_byte_outside_of_the_buffers_is_touched() {
    for (size, key) in KEY_LENS.map(crate::harness::key).iter().enumerate() {
        for flush in Flush::BOTH {
            let plans = [false, true].map(|any_nonce| Plan::new(key, any_nonce, flush));
            for engine in engines() {
                let mut count = 0;
                for path in Path::ALL.iter().copied() {
                    let scheme = subject(engine, path, key);
                    let plan = &plans[usize::from(scheme.takes_nonce(1))];
                    count += stays_inside(plan, Share::of(engine, size), &*scheme)
                        .unwrap_or_else(|error| panic!("{error}"));
                }
                println!("M1 {engine}: {count} calls between guard pages");
            }
        }
    }
}

/// Keys, ranges of one buffer, and what `hazmat` has, each with its own buffers.
#[test]
fn m1_keys_ranges_blocks_and_hashes_stay_inside_too() {
    use carryless::{Aes128Gcm, Aes192Gcm, Aes256Gcm};

    for engine in engines() {
        for flush in Flush::BOTH {
            let keys = KEY_LENS.map(|len| Guarded::read_only(&crate::harness::key(len), flush));
            let data = Guarded::read_only(&vec![0x77; LONGEST], flush);
            let mut buffer = Guarded::new(3 * LONGEST);
            let ended = child::run(|notes| {
                let [k16, k24, k32] = keys.each_ref().map(|key| key.all());
                notes.step(1_000_000);
                let (Ok(gcm), Ok(_), Ok(_)) = (
                    Aes128Gcm::with_engine(k16, engine),
                    Aes192Gcm::with_engine(k24, engine),
                    Aes256Gcm::with_engine(k32, engine),
                ) else {
                    return false;
                };
                if engine.set_default().is_err()
                    || Aes256Gcm::seal_once(k32, &[0; 12], b"", &mut [0; 33]).is_err()
                {
                    return false;
                }
                for len in 0..=LONGEST {
                    notes.step(2_000_000 + len as u64);
                    // The two ends of a buffer: one flush in front, the other behind.
                    let whole = buffer.get(2 * len + len % 3, flush);
                    let total = whole.len();
                    for (from, to) in [(0, total - len), (total - len, 0)] {
                        let Ok(tag) =
                            gcm.seal_in_place(&[0; 12], b"", &mut whole[from..from + len])
                        else {
                            return false;
                        };
                        if gcm
                            .open_within(&[0; 12], b"", whole, from..from + len, to, &tag)
                            .is_err()
                        {
                            return false;
                        }
                    }
                    #[cfg(feature = "hazmat")]
                    {
                        use carryless::hazmat::{BlockCipher, CounterWidth, Ghash};
                        notes.step(3_000_000 + len as u64);
                        let Ok(mut hash) = Ghash::with_engine(&[3; 16], engine) else {
                            return false;
                        };
                        hash.update(data.part(len, flush));
                        core::hint::black_box(hash.finish());
                        let Ok(cipher) = BlockCipher::<carryless::Aes192>::with_engine(k24, engine)
                        else {
                            return false;
                        };
                        cipher.ctr_in_place(
                            &[0xff; 16],
                            CounterWidth::Bits128,
                            buffer.get(len, flush),
                        );
                        let to = buffer.get(len, flush);
                        if cipher
                            .ctr_into(&[0xff; 16], CounterWidth::Bits32, data.part(len, flush), to)
                            .is_err()
                        {
                            return false;
                        }
                    }
                }
                true
            });
            assert_eq!(ended, Ended::Well, "{engine}, flush {flush:?}");
            core::hint::black_box(data.all());
        }
    }
}

/// Bytes on either side of an output that must not change.
const CANARY: usize = 64;

/// Whether sealing, opening and failing to open texts whose lengths are in this share write the output and nothing beside it.
pub(crate) fn writes_only_the_output(scheme: &dyn Scheme, share: Share, key: &[u8]) -> Checked {
    let case = Case::new(0xca4a, key.len(), 12, 19, LONGEST);
    let gcm = Gcm::new(key);
    let expected = gcm.prefixes(&case.nonce, &case.aad, &case.text);
    let mut count = 0;
    let step = if quick() { 7 } else { 1 };
    for len in (0..=LONGEST).step_by(step).filter(|len| share.has(*len)) {
        let (text, ciphertext, tag) = (
            &case.text[..len],
            &expected.ciphertext[..len],
            expected.tag(len),
        );
        let mut wrong = tag;
        wrong[len % 16] ^= 4;
        let mut buffer = vec![0; len + 2 * CANARY];
        let mut run = |what: &str,
                       call: &dyn Fn(&mut [u8]) -> Result<(), Refused>,
                       content: Option<&[u8]>| {
            buffer.fill(0xc3);
            let result = call(&mut buffer[CANARY..CANARY + len]);
            ensure!(
                result.is_ok() == content.is_some(),
                "{scheme}: {what} {len} bytes: {result:?}"
            );
            let (head, rest) = buffer.split_at(CANARY);
            let (out, tail) = rest.split_at(len);
            let zeros = || out.iter().all(|byte| *byte == 0);
            ensure!(
                content.map_or_else(zeros, |content| content == out),
                "{scheme}: {what} {len} bytes: wrong output"
            );
            ensure!(
                head.iter().chain(tail).all(|byte| *byte == 0xc3),
                "{scheme}: {what} {len} bytes: a canary changed"
            );
            count += 1;
            Ok(())
        };
        let plain = Input {
            text,
            ..case.input()
        };
        let cipher = Input {
            text: ciphertext,
            ..case.input()
        };
        run(
            "sealing",
            &|out| scheme.seal(plain, out).map(|_| ()),
            Some(ciphertext),
        )?;
        run("opening", &|out| scheme.open(cipher, &tag, out), Some(text))?;
        run(
            "failing to open",
            &|out| scheme.open(cipher, &wrong, out),
            None,
        )?;
    }
    Ok(count)
}

#[test]
fn m2_canaries_beside_the_output_stay() {
    for engine in engines() {
        for path in Path::ALL.iter().copied() {
            let mut count = 0;
            for (size, key) in KEY_LENS.map(crate::harness::key).iter().enumerate() {
                let (scheme, share) = (subject(engine, path, key), Share::of(engine, size));
                count += writes_only_the_output(&*scheme, share, key)
                    .unwrap_or_else(|error| panic!("{error}"));
            }
            println!("M2 {engine}: {count} calls between canaries");
        }
    }
}
