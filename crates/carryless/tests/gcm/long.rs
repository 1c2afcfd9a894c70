//! L1 and L2: lengths across 2^24 blocks, 512 MiB and 4 GiB, and the longest message of the standard.
//!
//! Counts and lengths that are kept in 24 or 28 bits of blocks, or in 32 bits of bits or bytes, are right
//! up to there. A ciphertext that repeats a pattern has a hash that the reference knows without hashing all
//! of it, as a geometric series: so a tag is held against plain integers at any length. What such a
//! ciphertext opens to is looked at in many places, and is sealed again, in other pieces.

mod calls;
mod controls;
mod reference;

use std::fs;

use carryless::error::InputError;

use self::calls::{Calls, Library, Pieces, Way};
use self::reference::{PATTERN, Reference};
use crate::harness::{Checked, engines, ensure, is_portable, quick};

const MIB: usize = 1 << 20;
const GIB: usize = 1 << 30;
const MAX_TEXT: u64 = (1 << 36) - 32;

/// Across 2^24 blocks, where a length in bits is 2^31 and more, and with a tail behind them.
const ACROSS_256_MIB: usize = 256 * MIB + 16 * 23 + 7;
/// Where a length in bits does not fit 32 bits.
const ACROSS_512_MIB: usize = 512 * MIB + 16 * 5 + 1;
/// Where a length in bytes does not.
const ACROSS_4_GIB: usize = 4 * GIB + 16 * 31 + 9;

/// Lengths of the pieces of a stream, again and again, and of segments.
const PIECES: [usize; 5] = [MIB, MIB + 5, MIB / 4 * 3 + 11, 16, 1];
const SEGMENTS: [usize; 3] = [MIB + 48, MIB / 2, MIB / 4 * 3 + 16];

/// The places and lengths of the pieces of a text.
fn cut(sizes: &'static [usize], len: u64) -> impl Iterator<Item = (u64, usize)> {
    let mut at = 0;
    sizes.iter().cycle().map_while(move |size| {
        let start = at;
        at = len.min(at + *size as u64);
        (at > start).then_some((start, (at - start) as usize))
    })
}

/// The two ways in pieces: opened by, sealed by, cut where.
const WAYS: [(Way, Way, &[usize]); 2] = [
    (Way::Opener, Way::Sealer, &PIECES),
    (Way::OpenedSegments, Way::SealedSegments, &SEGMENTS),
];

/// Whether a text of the length is right in one call, in pieces and in segments; the count of calls.
fn check(reference: &Reference, calls: &dyn Calls, text: &mut [u8]) -> Checked {
    let (aad, len) = (&reference.pattern[..20], text.len());
    let tag = reference.tag(aad.len(), len as u64);
    let mut count = 0;
    reference.fill(0, text);
    for hashed in [false, true] {
        let what = format!("{calls}: {len} bytes in one call, hashed nonce: {hashed}");
        ensure!(calls.open(hashed, aad, text, &tag), "{what}: not opened");
        reference.check_plain(0, text)?;
        if !hashed {
            for (_, way, sizes) in WAYS {
                count += again(reference, calls, (way, sizes), text, &tag)?;
            }
        }
        let made = calls.seal(hashed, aad, text);
        ensure!(made == tag, "{what}: wrong tag");
        reference.check_sealed(0, text)?;
        count += 2;
    }
    Ok(count)
}

/// Whether a plaintext in pieces becomes the ciphertext and the tag.
fn again(
    reference: &Reference,
    calls: &dyn Calls,
    (way, sizes): (Way, &'static [usize]),
    plain: &[u8],
    tag: &[u8; 16],
) -> Checked {
    let (aad, len) = (&reference.pattern[..20], plain.len() as u64);
    let mut message = calls.begin(way);
    let mut buffer = vec![0; 2 * MIB];
    let mut count = 0;
    message.aad(aad);
    for (at, len) in cut(sizes, len) {
        let piece = &mut buffer[..len];
        piece.copy_from_slice(&plain[at as usize..][..len]);
        message
            .text(piece)
            .map_err(|error| format!("{calls}, {way:?}: {at}: {error}"))?;
        reference
            .check_sealed(at, piece)
            .map_err(|error| format!("{calls}, {way:?}: {error}"))?;
        count += 1;
    }
    ensure!(
        message.ends_with(aad, tag),
        "{calls}, {way:?}: wrong tag of {len} bytes"
    );
    Ok(count)
}

/// Whether a text of the length is right in pieces and in segments, opened and at once sealed again.
fn check_streamed(reference: &Reference, calls: &dyn Calls, len: u64) -> Checked {
    let aad = &reference.pattern[..20];
    let tag = reference.tag(aad.len(), len);
    let (mut buffer, mut count) = (vec![0; 2 * MIB], 0);
    for (opener, sealer, sizes) in WAYS {
        let what = format!("{calls}, {opener:?}, {sealer:?}");
        let mut both = [opener, sealer].map(|way| calls.begin(way));
        both.iter_mut().for_each(|message| message.aad(aad));
        for (at, len) in cut(sizes, len) {
            let piece = &mut buffer[..len];
            let fail = |error: InputError| format!("{what}: {len} bytes at {at}: {error}");
            reference.fill(at, piece);
            both[0].text(piece).map_err(fail)?;
            let checked = reference.check_plain(at, piece);
            checked.map_err(|error| format!("{what}: {error}"))?;
            both[1].text(piece).map_err(fail)?;
            let checked = reference.check_sealed(at, piece);
            checked.map_err(|error| format!("{what}: {error}"))?;
            count += 2;
        }
        for mut message in both {
            if len == MAX_TEXT {
                refuses_more(&mut *message)?;
            }
            let right = message.ends_with(aad, &tag);
            ensure!(right, "{what}: wrong tag of {len} bytes");
        }
    }
    Ok(count)
}

/// Whether the longest text takes not a byte more.
fn refuses_more(message: &mut dyn Pieces) -> Result<(), String> {
    let mut more = [0xa5];
    let refused = message.text(&mut more);
    let got = MAX_TEXT + 1;
    ensure!(
        (refused, more) == (Err(InputError::TextTooLong { got }), [0xa5]),
        "a byte behind the longest text: {refused:?}"
    );
    Ok(())
}

/// Whether an AAD, a beginning of the pattern repeated, is right in one call, in pieces and with segments.
#[cfg(target_os = "linux")]
fn check_aad(reference: &Reference, calls: &dyn Calls, aad: &[u8]) -> Checked {
    let mut count = 0;
    for (text_len, way) in [(0, Way::Opener), (40, Way::SealedSegments)] {
        let (mut text, len) = (vec![0; text_len], aad.len());
        let tag = reference.tag(len, text_len as u64);
        let what = format!("{calls}: {len} bytes of AAD, {text_len} of text");
        reference.fill(0, &mut text);
        for hashed in [false, true] {
            // A text that is empty has an entry of its own under a nonce of 12 bytes alone.
            if hashed && text_len == 0 {
                continue;
            }
            ensure!(
                calls.open(hashed, aad, &mut text, &tag),
                "{what}, hashed nonce: {hashed}: not opened"
            );
            reference.check_plain(0, &text)?;
            let made = calls.seal(hashed, aad, &mut text);
            ensure!(made == tag, "{what}, hashed nonce: {hashed}: wrong tag");
            count += 2;
        }
        let mut message = calls.begin(way);
        for (at, len) in cut(&PIECES, len as u64) {
            message.aad(&aad[at as usize..][..len]);
            count += 1;
        }
        // Sealed, it is the plaintext that the ciphertext opens to.
        if way == Way::SealedSegments {
            let opened = calls.open(false, aad, &mut text, &tag);
            ensure!(opened, "{what}: not opened again");
        }
        let done = message.text(&mut text);
        ensure!(done.is_ok(), "{what}, {way:?}: {done:?}");
        let right = message.ends_with(aad, &tag);
        ensure!(right, "{what}, {way:?}: wrong tag");
    }
    Ok(count)
}

/// Bytes that the system can give without swapping.
fn memory() -> usize {
    let known = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse().ok()
    });
    known.map_or(0, |kib: usize| kib << 10)
}

/// The engines of this machine that are asked for, one of each family of portable code.
fn subjects(portable: bool) -> impl Iterator<Item = Library> {
    let wanted = move |engine: &carryless::Engine| {
        is_portable(*engine) == portable && !engine.name().contains(':')
    };
    engines().into_iter().filter(wanted).map(Library::new)
}

fn texts(portable: bool, lengths: &[usize]) {
    let reference = Reference::new();
    for library in subjects(portable) {
        for len in lengths.iter().copied() {
            // With a gigabyte or two for whatever else runs.
            let whole = len < GIB || memory() > len + 2 * GIB;
            let (count, how) = if whole {
                let count = check(&reference, &library, &mut vec![0; len]);
                (count, "in one call, in pieces and in segments")
            } else {
                let count = check_streamed(&reference, &library, len as u64);
                (count, "in pieces and in segments: no memory for one call")
            };
            let count = count.unwrap_or_else(|error| panic!("{error}"));
            let mib = len / MIB;
            println!("L1 {library}: {count} calls on texts of {mib} MiB and a tail {how}");
        }
    }
}

#[test]
#[ignore = "minutes: cargo xtask assure L1"]
fn l1_texts_across_2_24_blocks_512_mib_and_4_gib_are_right() {
    let all = [ACROSS_256_MIB, ACROSS_512_MIB, ACROSS_4_GIB];
    texts(false, if quick() { &all[..2] } else { &all });
}

#[test]
#[ignore = "minutes: cargo xtask assure L1"]
fn l1_texts_of_portable_engines_across_2_24_blocks_and_512_mib_are_right() {
    texts(true, &[ACROSS_256_MIB, ACROSS_512_MIB]);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "minutes: cargo xtask assure L1"]
fn l1_aads_across_2_24_blocks_512_mib_and_4_gib_are_right() {
    let reference = Reference::new();
    let mapped = crate::harness::repeated::Repeated::new(&reference.pattern, ACROSS_4_GIB);
    for portable in [false, true] {
        let all = [ACROSS_256_MIB, ACROSS_512_MIB, ACROSS_4_GIB];
        let lengths = &all[..if portable || quick() { 2 } else { 3 }];
        for library in subjects(portable) {
            for len in lengths {
                let count = check_aad(&reference, &library, &mapped.bytes()[..*len])
                    .unwrap_or_else(|error| panic!("{error}"));
                let mib = len / MIB;
                println!("L1 {library}: {count} calls on AADs of {mib} MiB and a tail");
            }
        }
    }
}

#[test]
#[ignore = "minutes: cargo xtask assure L2"]
fn l2_the_longest_text_of_the_standard_is_right_in_pieces_and_in_segments() {
    let reference = Reference::new();
    let len = if quick() {
        ACROSS_4_GIB as u64
    } else {
        MAX_TEXT
    };
    // The fastest that is here: the bookkeeping around the kernels is that of all.
    let library = subjects(false).chain(subjects(true)).next();
    let library = library.expect("an engine");
    let count = check_streamed(&reference, &library, len);
    let count = count.unwrap_or_else(|error| panic!("{error}"));
    println!("L2 {library}: {count} calls on a text of {len} bytes, and a byte more refused");
}

// The pattern is a beginning of itself, so that pieces may begin anywhere in it.
const _: () = assert!(PATTERN > 2 * MIB);
