//! The multiplications of the portable engines for 32-bit CPUs, as they stand in the assembly for a
//! Cortex-M3: `soft32:narrow` is for CPUs whose long product takes a varying time, so it may have no
//! long one, and `soft32` has nothing else; neither may call a routine that multiplies.

use std::collections::BTreeMap;

use super::evidence::{Evidence, Failure, Faults, Verdict};
use crate::{asm, run};

const TARGET: &str = "thumbv7m-none-eabi";

/// The functions that multiply, by a part of their symbols, and the one multiplication each may have.
const FUNCTIONS: [(&str, &str, &str); 3] = [
    ("soft32", "..By32$", "umull"),
    ("soft32:narrow", "..By16$", "mul"),
    (
        "soft32:narrow",
        "u16$u20$as$u20$carryless..soft..prime",
        "mul",
    ),
];

/// The multiplications and calls of each function that the assembly names.
pub(super) fn check() -> Verdict {
    if !run::succeeds("rustup", &["target", "add", TARGET]) {
        return Err(Failure::NotRun(format!(
            "the target {TARGET} is missing: rustup target add {TARGET}"
        )));
    }
    let further = [
        &["--no-default-features", "--features", "sgcm"][..],
        &["--target", TARGET],
    ]
    .concat();
    let assembly = asm::assembly(&further, &format!("{TARGET}/release"))?;
    check_in(&assembly)
}

fn check_in(assembly: &str) -> Verdict {
    let mut evidence = Evidence::default();
    let mut faults = Faults::default();
    for (engine, symbol, allowed) in FUNCTIONS {
        let found = multiplications(assembly, symbol);
        let count = judge(&found, allowed).map_err(|fault| format!("{engine}: {fault}"));
        let Some(count) = faults.keep(count) else {
            continue;
        };
        evidence.engines.insert(engine.into());
        evidence.lines.push(format!(
            "{engine}: {count} {allowed}, no other multiplication and no call of one"
        ));
        for fault in ["umlal\tr0, r1, r2, r3", "bl\t__aeabi_lmul"] {
            let faulty =
                assembly.replace(&format!("\t{allowed}"), &format!("\t{fault}\n\t{allowed}"));
            let noticed = judge(&multiplications(&faulty, symbol), allowed)
                .err()
                .ok_or_else(|| format!("{engine}: nothing notices `{fault}`"));
            evidence
                .controls
                .extend(faults.keep(noticed).map(|noticed| {
                    let fault = fault.replace('\t', " ");
                    format!("{engine} with {fault}: caught: {noticed}")
                }));
        }
    }
    faults.none().map(|()| evidence)
}

/// How many of each instruction that multiplies, or calls what does, the functions have whose symbols
/// contain `symbol`.
fn multiplications(assembly: &str, symbol: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let mut inside = false;
    for line in assembly.lines() {
        if let Some(name) = line
            .strip_suffix(':')
            .filter(|name| name.starts_with("_ZN"))
        {
            inside = name.contains(symbol);
        } else if let (true, Some(instruction)) = (inside, line.strip_prefix('\t'))
            && let Some(what) = multiplication(instruction)
        {
            *found.entry(what).or_default() += 1;
        }
    }
    found
}

/// What multiplies: the mnemonic, without the `s` and `.w` of its encodings, or the routine called.
fn multiplication(instruction: &str) -> Option<String> {
    let (mnemonic, operands) = instruction.split_once('\t')?;
    if mnemonic.starts_with("bl") && operands.contains("mul") {
        return Some(operands.into());
    }
    let mnemonic = mnemonic.trim_end_matches(".w");
    let multiplies = ["mul", "mla", "mls", "umaal", "smmu", "smua", "smus"];
    let known = multiplies.iter().any(|part| mnemonic.contains(part));
    known.then(|| if mnemonic == "muls" { "mul" } else { mnemonic }.into())
}

/// How many of the allowed multiplication there are; fails if there are none, or others.
fn judge(found: &BTreeMap<String, usize>, allowed: &str) -> Result<usize, String> {
    if let Some((what, count)) = found.iter().find(|(what, _)| *what != allowed) {
        return Err(format!(
            "{count} {what}, where there may be {allowed} alone"
        ));
    }
    found
        .get(allowed)
        .copied()
        .ok_or_else(|| format!("no {allowed}: is it there?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_engines_that_multiply_wrongly_are_named() {
        let right: String = FUNCTIONS
            .iter()
            .map(|(_, symbol, allowed)| format!("_ZN{symbol}x:\n\t{allowed}\tr0, r1, r2, r3\n"))
            .collect();
        assert!(check_in(&right).is_ok());
        let wrong = right
            .replace("umull", "umlal")
            .replace("\tmul\t", "\tumull\t");
        let Err(Failure::Failed(all)) = check_in(&wrong) else {
            panic!("both multiply wrongly");
        };
        assert!(all.contains("soft32: 1 umlal"), "{all}");
        assert!(all.contains("soft32:narrow: 1 umull"), "{all}");
    }
}
