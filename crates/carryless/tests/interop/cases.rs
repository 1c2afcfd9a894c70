//! Cases that are the same in every run, and what either side takes and gives.

use core::fmt;

use carryless::Engine;

use crate::asked::is_asked;
use crate::modes::{MODES, Mode, Way};

/// A message of a mode: a text and room for its tag, or a ciphertext and its tag.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) mode: &'static Mode,
    /// On our side.
    pub(crate) engine: Engine,
    pub(crate) key: Vec<u8>,
    /// Or IV, counter block, tweak.
    pub(crate) nonce: Vec<u8>,
    /// What a MAC is of.
    pub(crate) aad: Vec<u8>,
    pub(crate) text: Vec<u8>,
    pub(crate) tag: Vec<u8>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [key, nonce, aad, text, tag] = self.fields().map(Vec::len);
        let (engine, mode) = (self.engine, self.mode.name);
        write!(
            f,
            "{engine}, {mode}: key of {key} bytes, nonce of {nonce}, AAD of {aad}, text of {text}, tag of {tag}"
        )
    }
}

impl Case {
    fn fields(&self) -> [&Vec<u8>; 5] {
        [&self.key, &self.nonce, &self.aad, &self.text, &self.tag]
    }

    /// The line that the script reads.
    pub(crate) fn line(&self) -> String {
        let fields = self.fields().map(|field| to_hex(field));
        format!("{} {}\n", self.mode.name, fields.join(" "))
    }

    /// As carryless seals it.
    pub(crate) fn sealed(&self) -> Self {
        let mut case = self.clone();
        assert!((self.mode.run)(&mut case, Way::Seal), "{self}");
        case
    }

    /// The text of what is sealed, unless carryless refuses it.
    pub(crate) fn opened(&self) -> Option<Vec<u8>> {
        let mut case = self.clone();
        (self.mode.run)(&mut case, Way::Open).then_some(case.text)
    }

    /// With a bit of the tag changed; as it is in a mode without tags.
    pub(crate) fn forged(&self, seed: u64) -> Self {
        let mut case = self.clone();
        if !case.tag.is_empty() {
            let bit = Draw(seed).below(8 * case.tag.len());
            case.tag[bit / 8] ^= 1 << (bit % 8);
        }
        case
    }
}

/// One in `share` of the cases of all modes, not sealed yet: the engines take turns.
pub(crate) fn cases(seed: u64, share: usize) -> Vec<Case> {
    let engines: Vec<_> = Engine::available().filter(is_asked).collect();
    let mut draw = Draw(seed);
    let mut cases = Vec::new();
    for mode in MODES {
        for key in mode.keys {
            for number in 0..mode.cases / share {
                cases.push(Case {
                    mode,
                    engine: engines[number % engines.len()],
                    key: draw.bytes(*key),
                    nonce: (mode.nonce)(&mut draw),
                    aad: (mode.aad)(&mut draw),
                    text: (mode.text)(&mut draw),
                    tag: vec![0; draw.one_of(mode.tags)],
                });
            }
        }
    }
    cases
}

/// In hexadecimal, and `-` for nothing.
fn to_hex(bytes: &[u8]) -> String {
    match bytes {
        [] => "-".into(),
        _ => hex::encode(bytes),
    }
}

/// What [`to_hex`] makes.
pub(crate) fn from_hex(word: &str) -> Vec<u8> {
    hex::decode(word.trim_matches('-')).unwrap()
}

/// Draws that look random (splitmix64).
pub(crate) struct Draw(u64);

impl Draw {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.word() % end as u64) as usize
    }

    pub(crate) fn one_of(&mut self, numbers: &[usize]) -> usize {
        numbers[self.below(numbers.len())]
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.word().to_le_bytes()[0]).collect()
    }

    /// As many bytes as one of the numbers says.
    pub(crate) fn bytes_of(&mut self, lens: &[usize]) -> Vec<u8> {
        let len = self.one_of(lens);
        self.bytes(len)
    }
}
