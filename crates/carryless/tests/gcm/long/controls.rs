//! Long messages with a fault that lengths below do not show.

use core::fmt;

use carryless::error::InputError;

use super::calls::{Calls, Library, Pieces, Way};
use super::reference::Reference;
use super::{ACROSS_256_MIB, ACROSS_512_MIB, check, check_streamed};
use crate::harness::reference::{Block, Poly, xor};
use crate::harness::{Checked, caught};

/// What is kept in too few bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// One call counts the blocks of the text behind the turns in 24 bits.
    Counter24,
    /// A piece or segment does, of where it begins.
    Place24(Way),
    /// The lengths in bits are those of 32 bits, in one call,
    Lengths32,
    /// or in pieces.
    LengthsOfPieces32(Way),
    /// They are signed, and extended.
    LengthsSigned,
}

/// The library with a fault.
struct Narrow<'r> {
    library: Library,
    reference: &'r Reference,
    fault: Fault,
}

impl fmt::Display for Narrow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "imitation with {:?}", self.fault)
    }
}

/// What a length in bits becomes.
fn narrowed(fault: Fault, len: u64) -> u64 {
    match fault {
        Fault::LengthsSigned => i64::from((8 * len) as i32) as u64,
        _ => u64::from((8 * len) as u32),
    }
}

impl Narrow<'_> {
    /// By how much the tag is wrong whose lengths are narrowed.
    fn off(&self, aad_len: usize, text_len: u64) -> Block {
        let wrong = [aad_len as u64, text_len].map(|len| (8 * len) ^ narrowed(self.fault, len));
        let wrong = (u128::from(wrong[0]) << 64 | u128::from(wrong[1])).to_be_bytes();
        Poly::from_block(&wrong)
            .times(self.reference.gcm.h)
            .to_block()
    }

    /// In one call.
    fn tag(&self, tag: &Block, aad_len: usize, text_len: usize) -> Block {
        match self.fault {
            Fault::Lengths32 | Fault::LengthsSigned => {
                xor(tag, &self.off(aad_len, text_len as u64))
            }
            _ => *tag,
        }
    }
}

/// Text behind 2^24 blocks gets the key stream of the beginning.
fn repeat(reference: &Reference, at: u64, text: &mut [u8]) {
    const BLOCKS: u64 = 1 << 24;
    for (i, byte) in text.iter_mut().enumerate() {
        let place = at + i as u64;
        if place / 16 >= BLOCKS {
            let n = (place % 16) as usize;
            let [a, b] = [place / 16, place / 16 - BLOCKS].map(|n| reference.key_stream(n));
            *byte ^= a[n] ^ b[n];
        }
    }
}

/// Bytes of 2^24 blocks.
const BEFORE: usize = 1 << 28;

impl Calls for Narrow<'_> {
    fn seal(&self, hashed: bool, aad: &[u8], text: &mut [u8]) -> Block {
        let tag = self.library.seal(hashed, aad, text);
        if self.fault == Fault::Counter24 {
            repeat(self.reference, BEFORE as u64, &mut text[BEFORE..]);
        }
        self.tag(&tag, aad.len(), text.len())
    }

    fn open(&self, hashed: bool, aad: &[u8], text: &mut [u8], tag: &Block) -> bool {
        let tag = self.tag(tag, aad.len(), text.len());
        self.library.open(hashed, aad, text, &tag)
    }

    fn begin(&self, way: Way) -> Box<dyn Pieces + '_> {
        let right = self.library.begin(way);
        match self.fault {
            Fault::Place24(wrong) | Fault::LengthsOfPieces32(wrong) if wrong == way => {
                Box::new(NarrowPieces {
                    right,
                    narrow: self,
                    at: 0,
                })
            }
            _ => right,
        }
    }
}

struct NarrowPieces<'n> {
    right: Box<dyn Pieces + 'n>,
    narrow: &'n Narrow<'n>,
    at: u64,
}

impl Pieces for NarrowPieces<'_> {
    fn aad(&mut self, aad: &[u8]) {
        self.right.aad(aad);
    }

    fn text(&mut self, text: &mut [u8]) -> Result<(), InputError> {
        self.right.text(text)?;
        if matches!(self.narrow.fault, Fault::Place24(_)) && self.at >= BEFORE as u64 {
            repeat(self.narrow.reference, self.at, text);
        }
        self.at += text.len() as u64;
        Ok(())
    }

    fn ends_with(self: Box<Self>, aad: &[u8], tag: &Block) -> bool {
        let off = match self.narrow.fault {
            Fault::LengthsOfPieces32(_) => self.narrow.off(aad.len(), self.at),
            _ => [0; 16],
        };
        self.right.ends_with(aad, &xor(tag, &off))
    }
}

fn with(fault: Fault, len: usize, streamed: bool) -> Checked {
    let reference = Reference::new();
    let library = Library::new(crate::harness::engines()[0]);
    let narrow = Narrow {
        library,
        reference: &reference,
        fault,
    };
    if streamed {
        check_streamed(&reference, &narrow, len as u64)
    } else {
        check(&reference, &narrow, &mut vec![0; len])
    }
}

#[test]
#[ignore = "seconds: cargo xtask assure L1"]
fn control_l1_counts_and_lengths_in_too_few_bits_are_noticed() {
    // Where they still fit.
    for fault in [Fault::None, Fault::Lengths32] {
        with(fault, ACROSS_256_MIB, false).unwrap_or_else(|error| panic!("{error}"));
    }
    for (fault, len) in [
        (Fault::Counter24, ACROSS_256_MIB),
        (Fault::Place24(Way::Sealer), ACROSS_512_MIB),
        (Fault::Place24(Way::SealedSegments), ACROSS_512_MIB),
        (Fault::LengthsSigned, ACROSS_256_MIB),
        (Fault::Lengths32, ACROSS_512_MIB),
        (Fault::LengthsOfPieces32(Way::Sealer), ACROSS_512_MIB),
        (
            Fault::LengthsOfPieces32(Way::SealedSegments),
            ACROSS_512_MIB,
        ),
    ] {
        print!("{fault:?}: ");
        caught(with(fault, len, false));
    }
}

#[test]
#[ignore = "seconds: cargo xtask assure L2"]
fn control_l2_pieces_and_segments_counted_in_too_few_bits_are_noticed() {
    with(Fault::None, ACROSS_512_MIB, true).unwrap_or_else(|error| panic!("{error}"));
    for fault in [
        Fault::Place24(Way::Sealer),
        Fault::Place24(Way::Opener),
        Fault::Place24(Way::SealedSegments),
        Fault::Place24(Way::OpenedSegments),
        Fault::LengthsOfPieces32(Way::Opener),
        Fault::LengthsOfPieces32(Way::OpenedSegments),
    ] {
        print!("{fault:?}: ");
        caught(with(fault, ACROSS_512_MIB, true));
    }
}
