//! C7: every length of tag with every class of AAD, each way, on every path; a table says what each path has run.

mod batches;
mod entries;
mod others;
mod table;

use carryless::Engine;

use self::table::{Call, Table};
use crate::harness::reference::{Gcm, Prefixes};
use crate::harness::scheme::{
    Case, Cuts, Input, Path, Refused, Scheme, cut_subject, key_len_of_tags,
};
use crate::harness::{Checked, caught, engines, ensure, is_portable, quick};

/// All lengths of tags that this build has.
const TAG_LENS: &[usize] = if cfg!(feature = "hazmat") {
    &[4, 8, 12, 13, 14, 15, 16]
} else {
    &[12, 13, 14, 15, 16]
};
/// None, within a block, blocks, the most that a message hashes by itself, more, and several turns of the hash.
const AAD_LENS: [usize; 8] = [0, 1, 13, 16, 17, 48, 49, 700];
/// None, one block, the entry of short messages, last passes, turns and a last pass.
const TEXT_LENS: [usize; 7] = [0, 1, 16, 40, 64, 300, 2100];
/// With its first rounds from a table, and of two or three threads.
const LONG: usize = (256 << 10) + 37;
/// The AAD of the long text.
const LONG_AAD: usize = 49;
const NONCE_LENS: [usize; 3] = [12, 8, 60];

/// A case with what the reference makes of it.
struct Known<'g> {
    case: &'g Case,
    expected: Prefixes<'g>,
}

/// Seals and opens the first `len` bytes of the text on one path, opens them with the last bit of the tag changed, and
/// with a tag that lacks a byte.
fn check(known: &Known<'_>, len: usize, tag_len: usize, scheme: &dyn Scheme) -> Checked {
    let case = known.case;
    let (text, ciphertext) = (&case.text[..len], &known.expected.ciphertext[..len]);
    let tag = &known.expected.tag(len)[..tag_len];
    let what = format!("{scheme}, {case}: {len} bytes, tag of {tag_len}");
    let mut out = vec![0xa5; len];
    let input = |text| Input {
        text,
        ..case.input()
    };
    let made = scheme
        .seal(input(text), &mut out)
        .map_err(|error| format!("{what}: {error:?}"))?;
    ensure!(out == ciphertext, "{what}: another ciphertext");
    ensure!(made[..] == *tag, "{what}: another tag");
    out.fill(0xa5);
    let opened = scheme.open(input(ciphertext), tag, &mut out);
    ensure!(
        opened.is_ok() && out == text,
        "{what}: not opened: {opened:?}"
    );
    out.fill(0xa5);
    let mut forged = tag.to_vec();
    forged[tag_len - 1] ^= 1;
    let opened = scheme.open(input(ciphertext), &forged, &mut out);
    ensure!(
        matches!(opened, Err(Refused::Unauthentic(_))),
        "{what}: a forgery: {opened:?}"
    );
    ensure!(
        out.iter().all(|byte| *byte == 0),
        "{what}: something is left of a forgery"
    );
    let size = scheme.open(input(ciphertext), &tag[1..], &mut out);
    ensure!(
        matches!(size, Err(Refused::Input(_))),
        "{what}: a shorter tag: {size:?}"
    );
    Ok(4)
}

/// The cases: one for each key size, length of AAD and length of nonce, and a long one for each key size.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for key_len in [16, 24, 32] {
        for aad_len in AAD_LENS {
            for nonce_len in NONCE_LENS {
                cases.push(Case::new(0x9a, key_len, nonce_len, aad_len, TEXT_LENS[6]));
            }
        }
        cases.push(Case::new(0x9b, key_len, 12, LONG_AAD, LONG));
    }
    cases
}

/// Runs all cells of a path on an engine: tags by AAD, with texts and nonces that change from cell to cell.
fn path(engine: Engine, path: Path, known: &[Known<'_>], table: &mut Table) -> Checked {
    let row = format!("{path:?}");
    let at = Path::ALL
        .iter()
        .position(|other| *other == path)
        .unwrap_or_default();
    let find = |key_len, aad_len, nonce_len, text_len| {
        let is_it = |known: &&Known<'_>| {
            let case = known.case;
            (
                case.key.len(),
                case.aad.len(),
                case.nonce.len(),
                case.text.len(),
            ) == (key_len, aad_len, nonce_len, text_len)
        };
        known.iter().find(is_it).ok_or("no such case")
    };
    let mut count = 0;
    for (i, tag_len) in TAG_LENS.iter().copied().enumerate() {
        let key_len = key_len_of_tags(tag_len);
        for (j, aad_len) in AAD_LENS.into_iter().enumerate() {
            let nonce_len = NONCE_LENS[(i + j) % 3];
            let text_len = TEXT_LENS[(at + 3 * i + j) % 7];
            let key = &find(key_len, aad_len, 12, TEXT_LENS[6])?.case.key;
            let scheme = cut_subject(engine, path, key, tag_len, Cuts::default());
            let scheme = scheme.ok_or(format!("{row}: no tags of {tag_len} bytes"))?;
            let nonce_len = if scheme.takes_nonce(nonce_len) {
                nonce_len
            } else {
                12
            };
            let known = find(key_len, aad_len, nonce_len, TEXT_LENS[6])?;
            count += check(known, text_len, tag_len, &*scheme)?;
            table.run(&row, tag_len, aad_len, &Call::ALL);
            table.met(&row, format!("{text_len} B of text"));
            table.met(&row, format!("{nonce_len} B of nonce"));
        }
        // Portable code takes its time; its code is the same for all tags.
        let once = quick() || is_portable(engine);
        if !once || i == at % TAG_LENS.len() {
            let known = find(key_len, LONG_AAD, 12, LONG)?;
            let scheme = cut_subject(engine, path, &known.case.key, tag_len, Cuts::default());
            count += check(known, LONG, tag_len, &*scheme.ok_or("no such tags")?)?;
            table.met(&row, format!("{LONG} B of text"));
        }
    }
    Ok(count)
}

#[test]
fn c7_every_tag_length_and_aad_is_right_on_every_path() {
    let cases = cases();
    let keys: Vec<Gcm> = cases.iter().map(|case| Gcm::new(&case.key)).collect();
    let known = cases.iter().zip(&keys).map(|(case, gcm)| Known {
        case,
        expected: gcm.prefixes(&case.nonce, &case.aad, &case.text),
    });
    let known: Vec<Known<'_>> = known.collect();
    let mut shown = Vec::new();
    for engine in engines() {
        let mut table = Table::default();
        let mut count = 0;
        for way in Path::ALL.iter().copied() {
            count +=
                path(engine, way, &known, &mut table).unwrap_or_else(|error| panic!("{error}"));
        }
        count += batches::run(engine, &mut table).unwrap_or_else(|error| panic!("{error}"));
        count += others::gmac(engine, &mut table).unwrap_or_else(|error| panic!("{error}"));
        #[cfg(feature = "getrandom")]
        {
            let drawn = others::random_nonces(engine, &mut table);
            count += drawn.unwrap_or_else(|error| panic!("{error}"));
        }
        let rows = table
            .complete(TAG_LENS, &AAD_LENS)
            .unwrap_or_else(|error| panic!("{engine}: {error}"));
        println!(
            "C7 {engine}: {count} messages with all tags and AADs on {} paths",
            rows.len()
        );
        if rows != shown {
            println!("{}", rows.join("\n"));
            shown = rows;
        }
    }
}

/// A path with a fault that a tag of 16 bytes or a short AAD does not show.
struct Faulty {
    inner: Box<dyn Scheme>,
    fault: Fault,
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The last byte of a tag is not compared.
    LastByte,
    /// Of the AAD the first block alone counts.
    FirstBlock,
    /// A forged text stays.
    Kept,
    /// Tags of any length are taken.
    AnyLength,
}

impl core::fmt::Display for Faulty {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} with the fault {:?}", self.inner, self.fault)
    }
}

impl Faulty {
    fn input<'a>(&self, input: Input<'a>) -> Input<'a> {
        match self.fault {
            Fault::FirstBlock => Input {
                aad: &input.aad[..input.aad.len().min(16)],
                ..input
            },
            _ => input,
        }
    }
}

impl Scheme for Faulty {
    fn seal(
        &self,
        input: Input<'_>,
        out: &mut [u8],
    ) -> Result<crate::harness::scheme::Tag, Refused> {
        self.inner.seal(self.input(input), out)
    }

    fn open(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused> {
        let open = |tag: &[u8], out: &mut [u8]| self.inner.open(self.input(input), tag, out);
        match (self.fault, open(tag, out)) {
            (Fault::LastByte, Err(Refused::Unauthentic(why))) => {
                let mut other = tag.to_vec();
                other[tag.len() - 1] ^= 1;
                open(&other, out).map_err(|_| Refused::Unauthentic(why))
            }
            (Fault::Kept, Err(error)) => {
                out.fill(0x5a);
                Err(error)
            }
            (Fault::AnyLength, Err(Refused::Input(_))) => Ok(()),
            (_, result) => result,
        }
    }
}

#[test]
fn control_c7_faults_of_short_tags_and_long_aads_are_noticed() {
    let case = Case::new(0x9c, key_len_of_tags(13), 12, 17, 40);
    let gcm = Gcm::new(&case.key);
    let expected = gcm.prefixes(&case.nonce, &case.aad, &case.text);
    let known = Known {
        case: &case,
        expected,
    };
    for fault in [
        Fault::LastByte,
        Fault::FirstBlock,
        Fault::Kept,
        Fault::AnyLength,
    ] {
        let inner =
            cut_subject(Engine::Soft64, Path::Batch, &case.key, 13, Cuts::default()).unwrap();
        caught(check(&known, 40, 13, &Faulty { inner, fault }));
    }
}

/// A path that was forgotten, one that lacks a tag, and one that nobody listed.
#[test]
fn control_c7_a_path_that_the_table_lacks_is_noticed() {
    table::control(TAG_LENS, &AAD_LENS);
    entries::control();
}
