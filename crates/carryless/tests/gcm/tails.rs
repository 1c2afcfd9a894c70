//! C2: every length of a tail, and the lengths around every turn.

use carryless::Engine;

use crate::harness::reference::{Gcm, Prefixes};
use crate::harness::scheme::{Case, Input, Path, Scheme, subject};
use crate::harness::{Checked, KEY_LENS, Share, engines, ensure, is_portable, quick};

/// Longest text of the exhaustive part: more than eight turns of the portable engines, and four of
/// the widest.
pub(crate) const LONGEST: usize = 1100;
/// Lengths of AAD: around a block and around what is hashed beforehand.
const AADS: [usize; 10] = [0, 1, 15, 16, 17, 31, 33, 48, 49, 255];

/// Whether texts of these lengths, prefixes of one, are sealed by `seal` as by the reference, and
/// opened again by `open`.
pub(crate) fn check(
    case: &Case,
    lengths: impl IntoIterator<Item = usize>,
    seal: &dyn Scheme,
    open: &dyn Scheme,
) -> Checked {
    let gcm = Gcm::new(&case.key);
    let expected = gcm.prefixes(&case.nonce, &case.aad, &case.text);
    check_against(&expected, case, lengths, seal, open)
}

/// [`check`] with what the reference makes of the case.
pub(crate) fn check_against(
    expected: &Prefixes<'_>,
    case: &Case,
    lengths: impl IntoIterator<Item = usize>,
    seal: &dyn Scheme,
    open: &dyn Scheme,
) -> Checked {
    let mut buffer = vec![0; case.text.len()];
    let mut count = 0;
    for len in lengths {
        let (text, ciphertext) = (&case.text[..len], &expected.ciphertext[..len]);
        let out = &mut buffer[..len];
        let tag = seal
            .seal(
                Input {
                    text,
                    ..case.input()
                },
                out,
            )
            .map_err(|error| format!("{seal}: {error:?}"))?;
        ensure!(
            out == ciphertext,
            "{seal}, {case}: wrong ciphertext of {len} bytes"
        );
        ensure!(
            tag[..] == expected.tag(len),
            "{seal}, {case}: wrong tag of {len} bytes"
        );
        let opened = open.open(
            Input {
                text: ciphertext,
                ..case.input()
            },
            &tag,
            out,
        );
        ensure!(
            opened.is_ok(),
            "{open}, {case}: {len} bytes are not opened: {opened:?}"
        );
        ensure!(
            out == text,
            "{open}, {case}: wrong plaintext of {len} bytes"
        );
        count += 2;
    }
    Ok(count)
}

fn every_tail(key_len: usize) {
    for engine in engines() {
        let mut count = 0;
        let step = if quick() { 3 } else { 1 };
        for (i, aad_len) in AADS.into_iter().enumerate().step_by(step) {
            let case = Case::new(0xc2 + i as u64, key_len, 12, aad_len, LONGEST);
            let [a, b] = [Path::Into, Path::InPlace].map(|path| subject(engine, path, &case.key));
            let (seal, open) = if i % 2 == 0 { (a, b) } else { (b, a) };
            count +=
                check(&case, 0..=LONGEST, &*seal, &*open).unwrap_or_else(|error| panic!("{error}"));
        }
        println!("C2 {engine}: {count} messages of every length to {LONGEST}");
    }
}

#[test]
fn c2_every_tail_is_right_with_keys_of_16_bytes() {
    every_tail(16);
}

#[test]
fn c2_every_tail_is_right_with_keys_of_24_bytes() {
    every_tail(24);
}

#[test]
fn c2_every_tail_is_right_with_keys_of_32_bytes() {
    every_tail(32);
}

/// Behind the length from which on counter blocks come with their first round done, by more than the turn of every kernel.
const LONG: usize = 66 << 10;

/// `n * w - 1`, `n * w`, `n * w + 1` up to [`LONG`]; a step of eight 16-byte blocks is a multiple of
/// what every kernel takes at once, or its divisor.
fn around_turns(engine: Engine, key_len: usize, aad_len: usize, step: usize) {
    let case = Case::new(0x64 + key_len as u64, key_len, 12, aad_len, LONG + 1);
    let lengths = (step..=LONG)
        .step_by(step)
        .flat_map(|len| [len - 1, len, len + 1]);
    let [seal, open] = [Path::InPlace, Path::Into].map(|path| subject(engine, path, &case.key));
    let count = check(&case, lengths, &*seal, &*open).unwrap_or_else(|error| panic!("{error}"));
    println!("C2 {engine}: {count} messages around every turn to {LONG} bytes");
}

#[test]
fn c2_lengths_around_every_turn_are_right_up_to_66_kib() {
    for engine in engines() {
        // Portable code has the same kernel for all key sizes.
        for (key_len, step) in KEY_LENS.into_iter().zip(if is_portable(engine) {
            [256, 1024, 1024]
        } else {
            [64, 128, 128]
        }) {
            let step = if quick() { 4 * step } else { step };
            // AAD that is hashed inside the kernel, and before.
            let aad_len = if key_len == 24 { 70 } else { 21 };
            around_turns(engine, key_len, aad_len, step);
        }
    }
}

/// Once-keys, pieces and the rest share the kernels, but not the bookkeeping around them.
#[test]
fn c2_every_tail_is_right_on_every_path() {
    for engine in engines() {
        for (way, path) in Path::ALL.iter().copied().enumerate() {
            let mut count = 0;
            for (size, aad_len) in [0, 20, 70].into_iter().enumerate() {
                let case = Case::new(0x7a, KEY_LENS[size], 12, aad_len, 600);
                let scheme = subject(engine, path, &case.key);
                let share = Share::of(engine, size).turned(way);
                let lengths = (0..=600).step_by(if quick() { 7 } else { 1 });
                let lengths = lengths.filter(|len| share.has(*len));
                count += check(&case, lengths, &*scheme, &*scheme)
                    .unwrap_or_else(|error| panic!("{error}"));
            }
            println!("C2 {engine}: {count} messages on all paths");
        }
    }
}

#[test]
fn c2_nonces_of_every_length_to_150_bytes_are_right() {
    for engine in engines() {
        let scheme = |path, case: &Case| subject(engine, path, &case.key);
        for (nonce_len, key_len) in (1..=150).zip(KEY_LENS.into_iter().cycle()) {
            let case = Case::new(nonce_len as u64, key_len, nonce_len, 13, 40);
            for path in [Path::Into, Path::StreamInPlace, Path::Within, Path::Scatter] {
                check(&case, [0, 40], &*scheme(path, &case), &*scheme(path, &case))
                    .unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}

/// Where a length in bytes, bits or blocks needs one bit more.
#[test]
fn c2_lengths_around_every_power_of_two_are_right() {
    let most = if quick() { 14 } else { 17 };
    let lens = (3..=most).flat_map(|power| (1 << power) - 1..=(1 << power) + 1);
    let lens: Vec<usize> = lens.collect();
    for engine in engines() {
        for (&len, key_len) in lens.iter().zip(KEY_LENS.into_iter().cycle()) {
            for [nonce_len, aad_len, text_len] in [[len, 13, 40], [12, len, 40], [12, 13, len]] {
                let case = Case::new(len as u64, key_len, nonce_len, aad_len, text_len);
                for path in [Path::Into, Path::Stream] {
                    let scheme = subject(engine, path, &case.key);
                    check(&case, [text_len], &*scheme, &*scheme)
                        .unwrap_or_else(|error| panic!("{error}"));
                }
            }
        }
        println!("C2 {engine}: {} lengths around powers of two", lens.len());
    }
}

#[test]
fn c2_aad_of_every_length_to_600_bytes_is_right() {
    for engine in engines() {
        for (aad_len, key_len) in (0..=600).zip(KEY_LENS.into_iter().cycle()) {
            let case = Case::new(0xaad, key_len, 12, aad_len, 33);
            for path in [Path::Into, Path::Stream] {
                let scheme = subject(engine, path, &case.key);
                check(&case, [0, 33], &*scheme, &*scheme).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}
