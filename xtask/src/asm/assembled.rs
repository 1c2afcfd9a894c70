//! What is written in assembly (`crates/carryless/src/asm`): its bytes, that it calls nothing and refers to nothing outside
//! itself, and that AESE and AESMC stand together, as AESD and AESIMC.

use std::fs;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};

use super::bytes::Bytes;
use super::library;

/// Modules, and the engines that they are for as `asm.toml` calls them.
const MODULES: [(&str, &str); 4] = [
    ("3asm7armce32", "Armce32"),
    ("3asm6neon32", "Neon32"),
    ("3asm3lea", "Neon32-lea"),
    ("3asm5prime", "Neon32-sgcm"),
];

/// A target in Arm state, whose instructions have four bytes.
pub(crate) const TARGET: &str = "armv7-unknown-linux-gnueabihf";

/// A function of an engine.
struct Function {
    engine: &'static str,
    name: String,
    code: Vec<u8>,
    /// Whether the linker has to put addresses into it.
    refers: bool,
}

/// The bytes of all functions, and the faults of each.
pub(super) fn look() -> Result<(Bytes, Vec<String>), String> {
    if !control() {
        return Err("the check of assembly does not catch its controls".into());
    }
    let path = library(Some(TARGET), None)?.with_extension("o");
    let object = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let functions = functions(&object)?;
    let faults = functions.iter().flat_map(faults).collect();
    let bytes = |function: &Function| (function.name.clone(), function.code.len() as u64);
    Ok((Bytes::of_entries_alone(functions.iter().map(bytes)), faults))
}

/// The functions in an object file.
fn functions(object: &[u8]) -> Result<Vec<Function>, String> {
    let file = object::File::parse(object).map_err(|error| format!("object file: {error}"))?;
    let mut found = Vec::new();
    for symbol in file
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text)
    {
        let Some((engine, name)) = place(symbol.name().unwrap_or_default()) else {
            continue;
        };
        let section = symbol
            .section_index()
            .and_then(|index| file.section_by_index(index).ok())
            .ok_or_else(|| format!("{engine} {name}: no code"))?;
        let code = section.data_range(symbol.address(), symbol.size());
        let code = code
            .ok()
            .flatten()
            .ok_or_else(|| format!("{engine} {name}: no code"))?;
        found.push(Function {
            engine,
            name: format!("{engine} {name}"),
            code: code.to_vec(),
            refers: section
                .relocations()
                .any(|(_, relocation)| leads_away(&file, &section, &relocation)),
        });
    }
    Ok(found)
}

/// Whether an address is of another section, where other functions and all data lie: of this one are labels.
fn leads_away(
    file: &object::File<'_>,
    section: &object::Section<'_, '_>,
    relocation: &object::Relocation,
) -> bool {
    let object::RelocationTarget::Symbol(index) = relocation.target() else {
        return true;
    };
    let symbol = file.symbol_by_index(index);
    symbol.map_or(true, |symbol| {
        symbol.section_index() != Some(section.index())
    })
}

/// `Armce32 ctr` of `_ZN9carryless3asm7armce323ctr17h..`.
pub(crate) fn function_name(symbol: &str) -> Option<String> {
    place(symbol).map(|(engine, name)| format!("{engine} {name}"))
}

/// Engine and name of a function.
fn place(symbol: &str) -> Option<(&'static str, &str)> {
    let of =
        |(module, engine): &(&str, &'static str)| Some((*engine, symbol.split_once(module)?.1));
    let (engine, rest) = MODULES.iter().find_map(of)?;
    Some((engine, named(rest)?))
}

/// `ctr` of `3ctr17h..`; none of what is within a function or an implementation.
fn named(rest: &str) -> Option<&str> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let len: usize = rest.get(..digits)?.parse().ok()?;
    let (name, tail) = rest.get(digits..)?.split_at_checked(len)?;
    let whole = tail.is_empty() || tail == "E" || tail.starts_with("17h");
    (whole && !name.starts_with('_')).then_some(name)
}

/// What is wrong with a function.
fn faults(function: &Function) -> Vec<String> {
    let name = &function.name;
    let mut faults = Vec::new();
    if function.refers {
        faults.push(format!("  {name}: calls, or refers to what is outside"));
    }
    let words: Vec<u32> = function
        .code
        .as_chunks()
        .0
        .iter()
        .map(|word| u32::from_le_bytes(*word))
        .collect();
    let has_aes = words.iter().any(|word| aes(*word).is_some());
    if has_aes && function.engine != "Armce32" {
        faults.push(format!("  {name}: an instruction of AES"));
    }
    for pair in words.windows(2) {
        let [first, second] = pair else { continue };
        let (wanted, state, from) = match aes(*second) {
            Some((Aes::MixColumns, state, from)) => (Aes::Encrypt, state, from),
            // Those that make keys stand alone.
            Some((Aes::InverseMixColumns, state, from)) if !name.ends_with(" invert") => {
                (Aes::Decrypt, state, from)
            }
            _ => continue,
        };
        let before = aes(*first).map(|(kind, state, _)| (kind, state));
        if state != from || before != Some((wanted, state)) {
            faults.push(format!("  {name}: AESMC without its AESE before it"));
        }
    }
    faults
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Aes {
    Encrypt,
    Decrypt,
    MixColumns,
    InverseMixColumns,
}

/// An instruction of AES with its destination and its source, in Arm state (Arm Architecture Reference Manual, A1 encodings).
const fn aes(word: u32) -> Option<(Aes, u32, u32)> {
    if word & 0xffbf_0f10 != 0xf3b0_0300 {
        return None;
    }
    let kind = match word >> 6 & 0b11 {
        0 => Aes::Encrypt,
        0b01 => Aes::Decrypt,
        0b10 => Aes::MixColumns,
        _ => Aes::InverseMixColumns,
    };
    let to = (word >> 22 & 1) << 4 | word >> 12 & 0xf;
    let from = (word >> 5 & 1) << 4 | word & 0xf;
    Some((kind, to, from))
}

/// The seeded faults: a call, AESMC without its AESE, with that of another state, and AES where there must be none.
fn control() -> bool {
    const AESE_Q0_Q1: u32 = 0xf3b0_0302;
    const AESMC_Q0: u32 = 0xf3b0_0380;
    const AESMC_Q1: u32 = 0xf3b0_2382;
    const AESD_Q0_Q1: u32 = 0xf3b0_0342;
    const AESIMC_Q0: u32 = 0xf3b0_03c0;
    let function = |words: &[u32], engine, refers| Function {
        engine,
        name: "one".into(),
        code: words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        refers,
    };
    let right = [AESE_Q0_Q1, AESMC_Q0, AESD_Q0_Q1, AESIMC_Q0];
    let wrong = [
        function(&right, "Armce32", true),
        function(&[AESE_Q0_Q1, 0, AESMC_Q0], "Armce32", false),
        function(&[AESE_Q0_Q1, AESMC_Q1], "Armce32", false),
        function(&[AESE_Q0_Q1, AESIMC_Q0], "Armce32", false),
        function(&right, "Neon32", false),
    ];
    wrong.iter().all(|function| !faults(function).is_empty())
        && faults(&function(&right, "Armce32", false)).is_empty()
}
