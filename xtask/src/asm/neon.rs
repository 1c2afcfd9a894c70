//! Bytes of `neon`, which has no entry points: it is generic code, whose instances do not say in their names whose they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::symbols::{functions, place};
use super::{AARCH64, bytes, library, text};

/// A part of the symbols of its methods (`engine/soft.rs`).
const METHODS: &str = "for$u20$carryless..soft..Neon$GT$";

/// Parts of those that other modes ask for, which have a budget of their own, as of other engines.
const OF_MODES: [&str; 3] = ["..Decrypt$LT$", "..Modes$LT$", "..Polyval$GT$"];

/// The bytes of each function, as the library has it.
pub(super) fn look() -> Result<BTreeMap<String, u64>, String> {
    if !control() {
        return Err("the sum of `neon` does not catch its control".into());
    }
    let path = library(Some(AARCH64), None)?;
    let object = path.with_extension("o");
    let object = fs::read(&object).map_err(|error| format!("{}: {error}", object.display()))?;
    Ok(reached(&text(&path)?, &bytes::of_symbols(&object)?))
}

/// The bytes of its methods and of all functions of the library that these lead to, shared ones among them, by module and name:
/// instances of one name together. What modes alone lead to is `Neon-modes`.
///
/// Left out are LEA, which is the same for all engines, and what stands around a message, which is inlined into the modes of a program.
fn reached(assembly: &str, sizes: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let functions: BTreeMap<&str, Vec<&str>> = functions(assembly).into_iter().collect();
    // Of functions that are the same, the compiler keeps one.
    let same = assembly.lines().filter_map(|line| line.split_once(" = "));
    let same: BTreeMap<&str, &str> = same.collect();
    let is_method = |symbol: &&str| symbol.contains(METHODS);
    let is_of_modes = |symbol: &&str| OF_MODES.iter().any(|part| symbol.contains(part));
    let symbols = functions.keys().chain(same.keys());
    let methods = symbols.copied().filter(is_method);
    let (of_modes, own): (Vec<_>, Vec<_>) = methods.partition(is_of_modes);
    let mut found = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (engine, mut next) in [("Neon", own), ("Neon-modes", of_modes)] {
        while let Some(symbol) = next.pop() {
            let symbol = same.get(symbol).copied().unwrap_or(symbol);
            let Some((module, path)) = place(symbol) else {
                continue;
            };
            let Some(instructions) = functions.get(symbol) else {
                continue;
            };
            if seen.insert(symbol) {
                let lines = instructions.iter();
                next.extend(lines.flat_map(|line| line.split(['\t', ' ', ',', ':'])));
                let name = path.rsplit("::").next().unwrap_or(&path);
                let bytes = found.entry(format!("{engine} {module} {name}"));
                *bytes.or_default() += sizes.get(symbol).copied().unwrap_or_default();
            }
        }
    }
    found
}

/// Whether a function counts that a method leads to through another and by another name, and none that it does not.
fn control() -> bool {
    let of_neon =
        "_$LT$impl$u20$carryless..engine..Cipher$LT$C$GT$$u20$for$u20$carryless..soft..Neon$GT$";
    let symbol = |path: &str| format!("_ZN9carryless{path}17h0123456789abcdefE");
    let method = symbol(&format!("6engine4soft{}{of_neon}3ctr", of_neon.len()));
    let [alias, between, last, other] = [
        "6secret5apart",
        "4soft3aes5batch",
        "4soft3aes5apart",
        "4soft3aes3ctr",
    ]
    .map(symbol);
    let functions = [
        (&method, &alias),
        (&between, &last),
        (&last, &last),
        (&other, &last),
    ];
    let assembly = functions.map(|(from, to)| format!("{from}:\n\tbl\t{to}\n.Lfunc_end0:\n"));
    let assembly = assembly.concat() + &format!("{alias} = {between}\n");
    let sizes = functions.map(|(symbol, _)| (symbol.clone(), 4));
    let expected = [
        "Neon engine::soft ctr",
        "Neon soft::aes apart",
        "Neon soft::aes batch",
    ];
    let found = reached(&assembly, &BTreeMap::from(sizes));
    found == BTreeMap::from(expected.map(|name| (name.to_owned(), 4)))
}
