//! C2: texts and AADs of more than 2^16 blocks, with every kind of tail behind them.
//!
//! A count of blocks that is kept in 16 bits somewhere is right up to 1 MiB; from there on a tail has the
//! key stream of the beginning, or a hash leaves blocks out. The nonce of 16 bytes is solved for, so that
//! the long entry of nonces of 12 bytes and the hashed ones share what the reference makes of a text.

use core::fmt;

use carryless::{Aes128, Engine, Gmac};

use crate::harness::reference::{Block, Gcm, Poly, Prefixes, length_block, xor};
use crate::harness::scheme::{Case, Cuts, Input, Path, Refused, Scheme, Tag, cut_subject, subject};
use crate::harness::{Checked, KEY_LENS, Share, caught, engines, ensure, is_portable, quick};
use crate::tails;

/// Bytes of 2^16 blocks.
const MIB: usize = 1 << 20;
/// Longest text and AAD: behind 2^16 blocks a turn of the widest vectors, and some.
const LONGEST: usize = MIB + 34 * 16;

/// Ends around 2^16 blocks: on the bytes of blocks and turns, and behind them each count of blocks that a
/// turn may leave, alone and with a partial one.
///
/// Portable engines take at most eight blocks at a time. Of rests each key size has one, so that a way that takes a [`Share`] with each
/// size meets every count of blocks once and every rest three times.
fn lengths(portable: bool, size: usize) -> Vec<usize> {
    let rests = [0, 1, 15];
    let (blocks, rests) = if portable {
        (0..=8, &rests[size..=size])
    } else {
        (0..=33, &rests[..])
    };
    let behind = blocks.flat_map(|n| rests.iter().map(move |rest| MIB + 16 * n + rest));
    let all = [MIB - 128, MIB - 17, MIB - 1].into_iter().chain(behind);
    all.collect()
}

/// This share of those for an engine, or few of all where minutes count.
fn lengths_for(engine: Engine, size: usize, share: Share) -> Vec<usize> {
    let all = lengths(is_portable(engine), size);
    if quick() {
        // Beyond the edge, each size from another place on; a step that is no multiple of the rests meets all of them.
        let first = 4 + (all.len() - 4) * size / KEY_LENS.len();
        return all.into_iter().skip(first).step_by(25).collect();
    }
    let numbered = all.into_iter().enumerate();
    // 2^16 blocks and nothing behind in every way: the edge itself.
    let shared = numbered.filter(|(number, len)| share.has(*number) || *len == MIB);
    shared.map(|(_, len)| len).collect()
}

/// Whether a way of taking a message is left to another key size: where minutes count each way has one.
fn is_left_out(way: usize, size: usize) -> bool {
    quick() && way != size
}

/// A text, and what the reference makes of it under a nonce of 12 bytes and one that is hashed.
struct Text<'g> {
    cases: [Case; 2],
    expected: Prefixes<'g>,
}

impl<'g> Text<'g> {
    fn new(gcm: &'g Gcm, key: &[u8], aad_len: usize) -> Self {
        let mut cases = [0; 2].map(|_| Case::new(0x10_0000, key.len(), 12, aad_len, LONGEST));
        for case in &mut cases {
            case.key = key.to_vec();
        }
        let [case, hashed] = &mut cases;
        hashed.nonce = gcm.nonce_for(&gcm.j0(&case.nonce)).to_vec();
        let expected = gcm.prefixes(&case.nonce, &case.aad, &case.text);
        Self { cases, expected }
    }

    /// Whether `seal` and `open` do what the reference does, under the nonce of 12 bytes or the other.
    fn check(&self, hashed: bool, lengths: &[usize], [seal, open]: [&dyn Scheme; 2]) -> Checked {
        let case = &self.cases[usize::from(hashed)];
        tails::check_against(&self.expected, case, lengths.iter().copied(), seal, open)
    }
}

/// Where pieces and segments are cut: at 2^16 blocks, before and behind.
const PIECES: [&[usize]; 3] = [&[MIB], &[1, MIB], &[MIB / 2 + 8, MIB / 2 + 40, 5]];
const SEGMENTS: [&[usize]; 3] = [&[MIB + 16], &[MIB - 48, 48, 32], &[16 * 37, MIB]];

/// Pieces or segments that are cut in this way, text and AAD alike.
fn cut(engine: Engine, path: Path, key: &[u8], cuts: &[usize]) -> Box<dyn Scheme> {
    let (aad, text) = (cuts.to_vec(), cuts.to_vec());
    cut_subject(engine, path, key, 16, Cuts { aad, text }).expect("16 bytes are a tag length")
}

#[test]
fn c2_texts_over_two_to_the_16_blocks_are_right_in_one_call_in_pieces_and_in_segments() {
    for (size, key) in KEY_LENS.map(crate::harness::key).iter().enumerate() {
        let gcm = Gcm::new(key);
        let text = Text::new(&gcm, key, 20);
        for engine in engines() {
            let one = [Path::Into, Path::InPlace].map(|path| subject(engine, path, key));
            let [a, b] = [&*one[0], &*one[1]];
            let both = if size == 1 { [b, a] } else { [a, b] };
            let stream = cut(engine, Path::Stream, key, PIECES[size]);
            let in_place = cut(engine, Path::StreamInPlace, key, PIECES[(size + 1) % 3]);
            let segments = cut(engine, Path::Segments, key, SEGMENTS[size]);
            let share = Share::of(engine, size);
            let check = |way, what, hashed, schemes| {
                if is_left_out(way, size) {
                    return;
                }
                let checked = text.check(
                    hashed,
                    &lengths_for(engine, size, share.turned(way)),
                    schemes,
                );
                let count = checked.unwrap_or_else(|error| panic!("{error}"));
                println!("C2 {engine}: {count} messages around 1 MiB {what}");
            };
            check(0, "in one call", false, both);
            check(1, "in pieces", false, [&*stream, &*in_place]);
            check(2, "in segments", false, [&*segments, &*segments]);
            check(0, "with a hashed nonce", true, [&*in_place, b]);
            check(1, "with a hashed nonce", true, [a, &*stream]);
        }
    }
}

/// Bytes of text with a long AAD: none, the last pass alone, turns, and the long entry.
const TEXTS: [usize; 6] = [0, 20, 16, 300, 1, 66 << 10];

/// AADs of more than 2^16 blocks, and the hash of what all of them have in common.
struct Aads<'g> {
    gcm: &'g Gcm,
    /// Its AAD is the longest.
    case: Case,
    ciphertext: Vec<u8>,
    common: Poly,
    mask: Block,
}

impl<'g> Aads<'g> {
    /// Bytes that all have.
    const COMMON: usize = MIB - 1024;

    fn new(gcm: &'g Gcm, key: &[u8]) -> Self {
        let mut case = Case::new(0x10_0aad, key.len(), 12, LONGEST, 66 << 10);
        case.key = key.to_vec();
        let j0 = gcm.j0(&case.nonce);
        Self {
            ciphertext: gcm.ctr(&j0, &case.text),
            common: gcm.hash(Poly(0), &case.aad[..Self::COMMON]),
            mask: gcm.aes.encrypt(&j0),
            gcm,
            case,
        }
    }

    /// The tag of the first bytes of AAD and text.
    fn tag(&self, aad_len: usize, text_len: usize) -> Block {
        let rest = &self.case.aad[Self::COMMON..aad_len];
        let y = self.gcm.hash(self.common, rest);
        let y = self.gcm.hash(y, &self.ciphertext[..text_len]);
        let y = self.gcm.hash(y, &length_block(aad_len, text_len));
        xor(&y.to_block(), &self.mask)
    }

    /// Whether messages with AADs of these lengths, each with the next of the texts from this one on, are sealed as by the reference,
    /// and opened.
    fn check(&self, lengths: &[usize], first: usize, scheme: &dyn Scheme) -> Checked {
        let mut buffer = vec![0; self.case.text.len()];
        let texts = TEXTS.into_iter().cycle().skip(first);
        for (aad_len, text_len) in lengths.iter().zip(texts) {
            let (plain, sealed) = (&self.case.text[..text_len], &self.ciphertext[..text_len]);
            let input = |text| Input {
                nonce: &self.case.nonce,
                aad: &self.case.aad[..*aad_len],
                text,
            };
            let out = &mut buffer[..text_len];
            let what = input(plain);
            let tag = scheme
                .seal(what, out)
                .map_err(|error| format!("{scheme}, {what}: {error:?}"))?;
            ensure!(out == sealed, "{scheme}, {what}: wrong ciphertext");
            let right = self.tag(*aad_len, text_len);
            ensure!(tag[..] == right, "{scheme}, {what}: wrong tag");
            let opened = scheme.open(input(sealed), &right, out);
            ensure!(
                opened.is_ok() && out == plain,
                "{scheme}, {what}: not opened: {opened:?}"
            );
        }
        Ok(2 * lengths.len())
    }
}

#[test]
fn c2_aads_over_two_to_the_16_blocks_are_right_in_one_call_in_pieces_and_in_segments() {
    for (size, key) in KEY_LENS.map(crate::harness::key).iter().enumerate() {
        let gcm = Gcm::new(key);
        let aads = Aads::new(&gcm, key);
        for engine in engines() {
            let one = subject(engine, [Path::Into, Path::InPlace][size % 2], key);
            let stream = cut(engine, Path::Stream, key, PIECES[size]);
            let segments = cut(engine, Path::Segments, key, &[64]);
            for (way, (what, scheme)) in [
                ("in one call", one),
                ("in pieces", stream),
                ("with segments", segments),
            ]
            .into_iter()
            .enumerate()
            {
                if is_left_out(way, size) {
                    continue;
                }
                let lengths = lengths_for(engine, size, Share::of(engine, size).turned(way));
                // Each key size brings an end together with other texts, and a third of the ends with all of them, where none is
                // left out.
                let checked = aads.check(&lengths, 4 * size, &*scheme);
                let count = checked.unwrap_or_else(|error| panic!("{error}"));
                println!("C2 {engine}: {count} messages with AAD around 1 MiB {what}");
            }
        }
    }
}

#[test]
fn c2_gmac_of_more_than_two_to_the_16_blocks_is_right() {
    let key = crate::harness::key(16);
    let gcm = Gcm::new(&key);
    let aads = Aads::new(&gcm, &key);
    let nonce = &aads.case.nonce;
    for engine in engines() {
        let gmac = Gmac::<Aes128>::with_engine(&key, engine).unwrap();
        let lengths = lengths_for(engine, 0, Share::WHOLE);
        for len in &lengths {
            let (data, right) = (&aads.case.aad[..*len], aads.tag(*len, 0));
            let tag = gmac.mac(nonce, data).unwrap();
            assert_eq!(tag, right, "{engine}: GMAC of {len} bytes");
            gmac.verify(nonce, data, &right).unwrap();
        }
        println!("C2 {engine}: {} GMACs around 1 MiB", lengths.len());
    }
}

#[test]
fn c2_text_and_aad_over_two_to_the_16_blocks_are_right_on_every_path() {
    let key = crate::harness::key(32);
    let gcm = Gcm::new(&key);
    let text = Text::new(&gcm, &key, MIB + 21);
    for engine in engines() {
        let portable = is_portable(engine);
        let lengths = [MIB + 16 * 7 + 5, MIB + 16 * 33, MIB + 1, MIB + 16 * 16];
        let lengths = &lengths[..if portable || quick() { 1 } else { 4 }];
        let mut count = 0;
        for path in Path::ALL {
            let scheme = subject(engine, *path, &key);
            for hashed in [false, true] {
                if hashed && (portable || quick() || !scheme.takes_nonce(16)) {
                    continue;
                }
                count += text
                    .check(hashed, lengths, [&*scheme, &*scheme])
                    .unwrap_or_else(|error| panic!("{error}"));
            }
        }
        println!("C2 {engine}: {count} messages of text and AAD over 1 MiB on every path");
    }
}

/// What a count in 16 bits leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Narrow {
    /// Nothing: the scheme as it is.
    None,
    /// The text behind 2^16 blocks has the key stream of its beginning.
    KeyStream,
    /// Only a tail of so many blocks has it.
    KeyStreamOfTail(usize),
    /// Of the AAD only what is behind the last 2^16 blocks is hashed.
    Aad,
    /// A partial block behind so many is not hashed.
    PartialBlock,
}

/// A scheme of the library, right up to 2^16 blocks.
struct Narrowed(Box<dyn Scheme>, Narrow);

impl fmt::Display for Narrowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "imitation with {:?}", self.1)
    }
}

impl Narrowed {
    fn input<'a>(&self, input: Input<'a>) -> Input<'a> {
        let cut = |aad: &'a [u8]| match self.1 {
            Narrow::Aad => &aad[aad.len() / MIB * MIB..],
            Narrow::PartialBlock if aad.len() > MIB => &aad[..aad.len() & !15],
            _ => aad,
        };
        Input {
            aad: cut(input.aad),
            ..input
        }
    }
}

impl Scheme for Narrowed {
    fn seal(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused> {
        let tag = self.0.seal(self.input(input), out)?;
        let tail = input.text.len().saturating_sub(MIB);
        let repeats = match self.1 {
            Narrow::KeyStream => true,
            Narrow::KeyStreamOfTail(blocks) => tail.div_ceil(16) == blocks,
            _ => false,
        };
        if repeats {
            let (head, behind) = out.split_at_mut(MIB.min(input.text.len()));
            let (plain_head, plain) = input.text.split_at(head.len());
            for (i, byte) in behind.iter_mut().enumerate() {
                *byte = plain[i] ^ head[i] ^ plain_head[i];
            }
        }
        Ok(tag)
    }

    fn open(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused> {
        self.0.open(self.input(input), tag, out)
    }
}

#[test]
fn control_c2_a_count_of_blocks_in_16_bits_is_noticed() {
    let key = crate::harness::key(16);
    let gcm = Gcm::new(&key);
    let (text, aads) = (Text::new(&gcm, &key, 20), Aads::new(&gcm, &key));
    let engine = engines()[0];
    let mut all = lengths(false, 0);
    if quick() {
        all.retain(|len| [1, 16, 17, 16 * 22 + 1, 16 * 23, 16 * 33].contains(&len.abs_diff(MIB)));
    }
    let check = |fault| {
        let imitation = Narrowed(subject(engine, Path::Into, &key), fault);
        let texts = text.check(false, &all, [&imitation, &imitation])?;
        Ok(texts + aads.check(&all, 0, &imitation)?)
    };
    check(Narrow::None).unwrap_or_else(|error: String| panic!("without a fault: {error}"));
    for fault in [
        Narrow::KeyStream,
        Narrow::KeyStreamOfTail(1),
        Narrow::KeyStreamOfTail(23),
        Narrow::Aad,
        Narrow::PartialBlock,
    ] {
        print!("{fault:?}: ");
        caught(check(fault));
    }
}
