//! An imitation of an engine, right but for one seeded fault: what the controls hand to the checks.
//!
//! It hashes in turns of eight blocks with a table of powers, as the kernels do, so that the faults
//! are those that a kernel can have.

use core::fmt;

use carryless::error::InputError;

use super::reference::{self, Block, Gcm, Poly};
use super::scheme::{Cuts, Input, Refused, Scheme, Tag, pieces};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code, reason = "those of memory need its pages"))]
pub(crate) enum Fault {
    /// Nothing: the imitation itself passes every check.
    None,
    /// One bit of this power of H is flipped in the table.
    PowerBit(usize),
    /// These two powers of H have changed places.
    PowersSwapped(usize, usize),
    /// A tail of 15 bytes is hashed with garbage behind it.
    Tail15,
    /// Nine blocks are hashed together with eight powers in the table.
    BlocksBeyondPowers,
    /// The counter's carry runs into byte 11.
    CarryIntoByte11,
    /// The counter stops counting in turns that pass 2^31: a signed comparison.
    SignedCounter,
    /// The counter is read and written in the order of the machine, and swapped: right on
    /// little-endian ones.
    NativeOrder,
    /// The comparison of tags leaves out the last byte.
    CompareSkipsLastByte,
    /// The last byte of the AAD is not hashed.
    AadLastByte,
    /// A piece that does not begin with a block begins a new block of key stream.
    PieceBeginsBlock,
    /// The output of a failed opening stays.
    NotWiped,
    /// Of the output of a failed opening the last partial block stays.
    TailNotWiped,
    /// The error says whether there was AAD.
    TalkativeError,
    /// One byte is written behind the output.
    WritesBehind,
    /// One byte is written before the output, if opening fails.
    WritesBeforeOnFailure,
    /// One byte is read behind the text.
    ReadsBehindText,
    /// One byte is read before the text.
    ReadsBeforeText,
    /// One byte is read behind the AAD.
    ReadsBehindAad,
    /// One byte is read behind the nonce.
    ReadsBehindNonce,
    /// One byte is read behind the tag.
    ReadsBehindTag,
    /// The text is written to, and put back.
    WritesToText,
    /// An empty nonce is taken.
    EmptyNonce,
    /// A refused opening has written to the output.
    WritesWhenRefused,
    /// A tag may be of any length: what is there is compared.
    AnyTagLength,
}

/// See the module.
pub(crate) struct Faulty {
    gcm: Gcm,
    powers: [Poly; 10],
    fault: Fault,
    cuts: Cuts,
}

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "imitation with {:?}", self.fault)
    }
}

impl Faulty {
    pub(crate) fn new(key: &[u8], fault: Fault, cuts: Cuts) -> Self {
        let gcm = Gcm::new(key);
        let mut powers: [Poly; 10] = core::array::from_fn(|n| gcm.h.power(n as u128));
        match fault {
            Fault::PowerBit(n) => powers[n].0 ^= 1 << 77,
            Fault::PowersSwapped(a, b) => powers.swap(a, b),
            Fault::BlocksBeyondPowers => powers[9] = powers[8],
            _ => (),
        }
        Self {
            gcm,
            powers,
            fault,
            cuts,
        }
    }

    /// As a boxed scheme.
    pub(crate) fn boxed(key: &[u8], fault: Fault) -> Box<dyn Scheme> {
        Box::new(Self::new(key, fault, Cuts::default()))
    }

    fn blocks(&self, data: &[u8]) -> Vec<Block> {
        let mut blocks: Vec<Block> = reference::blocks(data).collect();
        if self.fault == Fault::Tail15 && data.len() % 16 == 15 {
            blocks[data.len() / 16][15] = 0x5a;
        }
        blocks
    }

    /// Blocks that are reduced together.
    fn together(&self, y: Poly, blocks: &[Block]) -> Poly {
        blocks.iter().enumerate().fold(Poly(0), |sum, (i, block)| {
            let x = Poly::from_block(block);
            let x = if i == 0 { x.add(y) } else { x };
            sum.add(x.times(self.powers[blocks.len() - i]))
        })
    }

    fn tag(&self, j0: &Block, aad: &[u8], ciphertext: &[u8]) -> Block {
        let mut y = Poly(0);
        let mut hashed = aad.to_vec();
        if let (Fault::AadLastByte, Some(last)) = (self.fault, hashed.last_mut()) {
            *last = 0;
        }
        for turn in self.blocks(&hashed).chunks(8) {
            y = self.together(y, turn);
        }
        let mut blocks = self.blocks(ciphertext);
        let mut tail = if blocks.is_empty() {
            vec![]
        } else {
            blocks.split_off((blocks.len() - 1) / 8 * 8)
        };
        for turn in blocks.chunks(8) {
            y = self.together(y, turn);
        }
        tail.push(reference::length_block(aad.len(), ciphertext.len()));
        reference::xor(
            &self.together(y, &tail).to_block(),
            &self.gcm.aes.encrypt(j0),
        )
    }

    fn ctr(&self, j0: &Block, text: &[u8]) -> Vec<u8> {
        let next = |counter: &Block| {
            let mut next = reference::increment(counter);
            if self.fault == Fault::CarryIntoByte11 && next[12..] == [0; 4] {
                next[11] = next[11].wrapping_add(1);
            }
            if self.fault == Fault::NativeOrder {
                let word = counter.last_chunk().expect("four of sixteen bytes");
                let count = u32::from_ne_bytes(*word).swap_bytes().wrapping_add(1);
                next[12..].copy_from_slice(&count.swap_bytes().to_ne_bytes());
            }
            if self.fault == Fault::SignedCounter && next[12..] == [0x80, 0, 0, 0] {
                return *counter;
            }
            next
        };
        let mut out = Vec::with_capacity(text.len());
        let (mut counter, mut used, mut stream) = (*j0, 16, [0; 16]);
        for piece in pieces(&self.cuts.text, text.len()) {
            if self.fault == Fault::PieceBeginsBlock && !piece.is_empty() {
                used = 16;
            }
            for byte in &text[piece] {
                if used == 16 {
                    counter = next(&counter);
                    stream = self.gcm.aes.encrypt(&counter);
                    used = 0;
                }
                out.push(byte ^ stream[used]);
                used += 1;
            }
        }
        out
    }

    /// The faults that touch memory which is not theirs. They are undefined behaviour, and seeded
    /// for that: into memory that the check owns, or in a child that is to die of them.
    fn touch(&self, input: Input<'_>, tag: &[u8], out: &mut [u8], failed: bool) {
        let peek = |at: *const u8| {
            // SAFETY: none; the fault that is seeded. The caller owns the byte or wants to crash.
            core::hint::black_box(unsafe { at.read_volatile() });
        };
        let poke = |at: *mut u8| {
            // SAFETY: as above.
            let byte = core::hint::black_box(unsafe { at.read_volatile() });
            // SAFETY: as above.
            unsafe { at.write_volatile(!byte) };
        };
        let behind = |bytes: &[u8]| bytes.as_ptr().wrapping_add(bytes.len());
        match self.fault {
            Fault::WritesBehind => poke(out.as_mut_ptr().wrapping_add(out.len())),
            Fault::WritesBeforeOnFailure if failed => poke(out.as_mut_ptr().wrapping_sub(1)),
            Fault::ReadsBehindText => peek(behind(input.text)),
            Fault::ReadsBeforeText => peek(input.text.as_ptr().wrapping_sub(1)),
            Fault::ReadsBehindAad => peek(behind(input.aad)),
            Fault::ReadsBehindNonce => peek(behind(input.nonce)),
            Fault::ReadsBehindTag if !tag.is_empty() => peek(behind(tag)),
            Fault::WritesToText if !input.text.is_empty() => {
                poke(input.text.as_ptr().cast_mut());
                poke(input.text.as_ptr().cast_mut());
            }
            _ => (),
        }
    }

    fn check(&self, input: Input<'_>, out: &mut [u8], tag: Option<&[u8]>) -> Result<(), Refused> {
        if self.fault == Fault::WritesWhenRefused && !out.is_empty() {
            out[0] ^= 1;
        }
        if input.nonce.is_empty() && self.fault != Fault::EmptyNonce {
            return Err(InputError::EmptyNonce.into());
        }
        if out.len() != input.text.len() {
            return Err(InputError::Output {
                got: out.len(),
                expected: input.text.len(),
            }
            .into());
        }
        match tag {
            Some(tag) if tag.len() != 16 && self.fault != Fault::AnyTagLength => {
                Err(InputError::Tag {
                    got: tag.len(),
                    expected: 16,
                }
                .into())
            }
            _ => Ok(()),
        }
    }
}

impl Scheme for Faulty {
    fn seal(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused> {
        self.check(input, out, None)?;
        let j0 = self.gcm.j0(input.nonce);
        out.copy_from_slice(&self.ctr(&j0, input.text));
        self.touch(input, &[], out, false);
        Ok(Tag::new(&self.tag(&j0, input.aad, out)))
    }

    fn open(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused> {
        self.check(input, out, Some(tag))?;
        let j0 = self.gcm.j0(input.nonce);
        let right = self.tag(&j0, input.aad, input.text);
        out.copy_from_slice(&self.ctr(&j0, input.text));
        let compared = if self.fault == Fault::CompareSkipsLastByte {
            tag.len() - 1
        } else {
            tag.len()
        };
        let failed = tag[..compared] != right[..compared.min(16)];
        self.touch(input, tag, out, failed);
        if !failed {
            return Ok(());
        }
        match self.fault {
            Fault::NotWiped => (),
            Fault::TailNotWiped => out[..input.text.len() & !15].fill(0),
            _ => out.fill(0),
        }
        let talk = if self.fault == Fault::TalkativeError && input.aad.is_empty() {
            ", no AAD"
        } else {
            ""
        };
        Err(Refused::Unauthentic(format!("authentication failed{talk}")))
    }
}
