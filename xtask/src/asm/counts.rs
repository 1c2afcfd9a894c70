//! What is counted in the machine code of an entry point.

use std::collections::BTreeMap;

use super::Architecture;
use super::symbols::{entry_name, functions};

/// What is counted in an entry point.
#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts {
    pub(super) calls: usize,
    pub(super) stack_stores: usize,
    pub(super) aes: usize,
    pub(super) clmul: usize,
    /// Bytes pushed and reserved.
    pub(super) frame: usize,
    /// Bytes that are used below it, in the red zone.
    pub(super) below: usize,
    /// AESMC that are not directly behind AESE on the same register: CPUs take the two as one only there.
    pub(super) apart: usize,
}

impl Counts {
    /// Adds to the frame; `None` is a number that is not understood.
    fn reserve(&mut self, bytes: Option<usize>) {
        self.frame = self.frame.saturating_add(bytes.unwrap_or(UNKNOWN));
    }
}

/// A number of bytes that is not understood: more than any frame.
const UNKNOWN: usize = usize::MAX / 4;

/// The counts of each entry point, by `engine entry`.
pub(super) fn entries(architecture: Architecture, assembly: &str) -> BTreeMap<String, Counts> {
    let entry = |(symbol, instructions): (&str, Vec<&str>)| {
        let mut counts = Counts::default();
        let mut before = ("", "");
        for instruction in instructions {
            // Inline assembly is as it was written.
            let (mnemonic, operands) = instruction
                .split_once(['\t', ' '])
                .unwrap_or((instruction, ""));
            let this = (mnemonic, operands.trim_start());
            match architecture {
                Architecture::Aarch64 => count_aarch64(before, this, &mut counts),
                Architecture::X86_64 => count_x86_64(this, &mut counts),
            }
            before = this;
        }
        Some((entry_name(symbol)?, counts))
    };
    functions(assembly).into_iter().filter_map(entry).collect()
}

fn count_x86_64((mnemonic, operands): (&str, &str), counts: &mut Counts) {
    if mnemonic.starts_with("call") {
        counts.calls += 1;
    }
    if mnemonic.starts_with("push") {
        counts.reserve(Some(8));
    }
    if let Some(bytes) = operands
        .strip_prefix('$')
        .and_then(|rest| rest.strip_suffix(", %rsp"))
        .filter(|_| mnemonic.starts_with("sub"))
    {
        counts.reserve(bytes.parse().ok());
    }
    // An alignment takes up to so much.
    if let Some(bytes) = operands
        .strip_prefix("$-")
        .and_then(|rest| rest.strip_suffix(", %rsp"))
    {
        counts.reserve(bytes.parse().ok());
    }
    for place in operands.split(", ") {
        if let Some((bytes, _)) = place
            .strip_prefix('-')
            .and_then(|rest| rest.split_once("(%rsp"))
        {
            counts.below = counts.below.max(bytes.parse().unwrap_or(UNKNOWN));
        }
    }
    if mnemonic.contains("aesenc") {
        counts.aes += 1;
    }
    if mnemonic.contains("clmul") {
        counts.clmul += 1;
    }
    let vector_move = mnemonic.contains("mov")
        && operands.starts_with(['%'])
        && ["xmm", "ymm", "zmm"]
            .iter()
            .any(|v| operands[1..].starts_with(v));
    let to_stack = operands.rsplit(", ").next().is_some_and(|last| {
        last.ends_with("(%rsp)") || last.ends_with("(%rbp)") && operands.contains(", -")
    });
    if vector_move && to_stack {
        counts.stack_stores += 1;
    }
}

fn count_aarch64(before: (&str, &str), (mnemonic, operands): (&str, &str), counts: &mut Counts) {
    let first = |operands: &str| operands.split(',').next().map(str::to_owned);
    match mnemonic {
        "bl" | "blr" => counts.calls += 1,
        // Out of the function: its blocks are local.
        "b" if !operands.starts_with('.') => counts.calls += 1,
        "aese" => counts.aes += 1,
        "pmull" | "pmull2" => counts.clmul += 1,
        "aesmc" if before.0 != "aese" || first(before.1) != first(operands) => counts.apart += 1,
        // An alignment takes up to so much.
        "and" if operands.starts_with("sp, ") => {
            let mask = operands.rsplit_once("#0x").map(|(_, mask)| mask);
            let mask = mask.and_then(|mask| u64::from_str_radix(mask, 16).ok());
            counts.reserve(mask.and_then(|mask| usize::try_from(!mask).ok()));
        }
        "sub" => {
            if let Some(bytes) = operands.strip_prefix("sp, sp, #") {
                let (bytes, unit) = bytes
                    .strip_suffix(", lsl #12")
                    .map_or((bytes, 1), |pages| (pages, 4096));
                let bytes: Option<usize> = bytes.parse().ok();
                counts.reserve(bytes.and_then(|bytes| bytes.checked_mul(unit)));
            }
        }
        _ => (),
    }
    if let Some((_, place)) = operands.split_once("[sp, #-") {
        let bytes = place.split(']').next().and_then(|bytes| bytes.parse().ok());
        if place.ends_with('!') {
            counts.reserve(bytes);
        } else {
            counts.below = counts.below.max(bytes.unwrap_or(UNKNOWN));
        }
    }
    let stores = mnemonic.starts_with("st") && operands.starts_with('q');
    if stores && operands.contains("[sp") {
        counts.stack_stores += if mnemonic == "stp" { 2 } else { 1 };
    }
}
