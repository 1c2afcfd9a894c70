//! What is counted in the machine code of an entry point.

use std::collections::BTreeMap;

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
}

/// The counts of each entry point, by `engine entry`.
pub(super) fn entries(assembly: &str) -> BTreeMap<String, Counts> {
    let entry = |(symbol, instructions): (&str, Vec<&str>)| {
        let mut counts = Counts::default();
        for instruction in instructions {
            count(instruction, &mut counts);
        }
        Some((entry_name(symbol)?, counts))
    };
    functions(assembly).into_iter().filter_map(entry).collect()
}

fn count(instruction: &str, counts: &mut Counts) {
    let (mnemonic, operands) = instruction.split_once('\t').unwrap_or((instruction, ""));
    if mnemonic.starts_with("call") {
        counts.calls += 1;
    }
    if mnemonic.starts_with("push") {
        counts.frame += 8;
    }
    if let Some(bytes) = operands
        .strip_prefix('$')
        .and_then(|rest| rest.strip_suffix(", %rsp"))
        .filter(|_| mnemonic.starts_with("sub"))
    {
        counts.frame += bytes.parse().unwrap_or(usize::MAX / 2);
    }
    // An alignment takes up to so much.
    if let Some(bytes) = operands
        .strip_prefix("$-")
        .and_then(|rest| rest.strip_suffix(", %rsp"))
    {
        counts.frame += bytes.parse().unwrap_or(usize::MAX / 2);
    }
    for place in operands.split(", ") {
        if let Some((bytes, _)) = place
            .strip_prefix('-')
            .and_then(|rest| rest.split_once("(%rsp"))
        {
            counts.below = counts.below.max(bytes.parse().unwrap_or(usize::MAX / 2));
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
