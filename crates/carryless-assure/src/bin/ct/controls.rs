//! Seeded faults: each leaks in a way of its own, and both methods must catch it.
//!
//! They live here and never in the library. Their functions are not inlined, and lengths go through
//! `black_box`, so that the compiler does not make something else of them that leaks nothing.

use core::hint::black_box;

use carryless_assure::early_exit_equal;

use crate::probe::Probe;
use crate::run::fill;

/// A seeded fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// A comparison of tags that stops at the first byte that differs.
    EarlyExit,
    /// A check of a padding that stops at the first byte that is wrong.
    Padding,
    /// An S-box looked up in a table.
    Table,
    /// A branch on a bit of the key.
    Branch,
    /// A division by a byte of the key, whose time varies: T1 and T2 are blind to it, T4 must refuse
    /// its instruction.
    Division,
}

impl Control {
    /// The control of this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "early-exit" => Some(Self::EarlyExit),
            "padding" => Some(Self::Padding),
            "table" => Some(Self::Table),
            "branch" => Some(Self::Branch),
            "division" => Some(Self::Division),
            _ => None,
        }
    }

    /// Makes the faulty call under watch; the leaks found.
    pub(crate) fn run<P: Probe>(self, probe: &mut P) -> Vec<String> {
        probe.case(&format!("control {self:?}"));
        let (mut key, mut tag) = ([0; 16], [0; 16]);
        for value in probe.fills() {
            fill(value, &mut [&mut key, &mut tag]);
            probe.secret(&mut key);
            probe.secret(&mut tag);
            probe.watch(|| match self {
                Self::EarlyExit => {
                    black_box(early_exit_equal(&tag, &[0; 16], black_box(16)));
                }
                Self::Padding => {
                    // Numbers that a padding may have: it is looked at, and not far.
                    let text = tag.map(|byte| byte % 16 + 1);
                    black_box(has_padding(&text, black_box(16)));
                }
                Self::Table => substitute(&mut key, black_box(16)),
                Self::Branch => double_if_odd(&mut key),
                Self::Division => {
                    black_box(remainder(&key));
                }
            });
            probe.public(&mut key);
            probe.public(&mut tag);
        }
        println!("control {self:?}: {} calls", probe.fills().len());
        probe.leaks()
    }
}

/// Whether the bytes end with a PKCS #7 padding, as a beginner looks for it.
#[inline(never)]
fn has_padding(text: &[u8], len: usize) -> bool {
    let count = text[len - 1];
    (1..=16).contains(&count)
        && (len - usize::from(count)..len).all(|at| black_box(text[at]) == count)
}

/// A permutation of the bytes; which does not matter.
static TABLE: [u8; 256] = {
    let mut table = [0x63_u8; 256];
    let mut i = 1;
    while i < 256 {
        table[i] = table[i - 1].wrapping_mul(5).wrapping_add(0x35);
        i += 1;
    }
    table
};

/// SubBytes by a table.
#[inline(never)]
fn substitute(state: &mut [u8], len: usize) {
    for byte in &mut state[..len] {
        *byte = TABLE[usize::from(*byte)];
    }
}

/// Doubles the key, by a branch if its first bit is set.
#[inline(never)]
fn double_if_odd(key: &mut [u8; 16]) {
    // With a call in one arm it can't become a conditional move.
    if key[0] & 1 == 1 {
        double(key);
    }
}

#[inline(never)]
fn double(key: &mut [u8; 16]) {
    *key = u128::from_le_bytes(*key).wrapping_shl(1).to_le_bytes();
    black_box(key);
}

/// The first half of the key modulo the second.
#[inline(never)]
fn remainder(key: &[u8; 16]) -> u64 {
    let [a, b, c, d, e, f, g, h, low @ ..] = *key;
    u64::from_le_bytes([a, b, c, d, e, f, g, h]) % (u64::from_le_bytes(low) | 1)
}
