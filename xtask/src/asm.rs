//! `cargo xtask asm`: what the compiler made of the kernels.
//!
//! Each entry point (a function of one engine with its CPU features enabled) must not call anything:
//! an intrinsic that is not inlined becomes a call, and the loop thirty times slower. Its vector
//! stores to the stack, each a secret that nobody wipes or a spill, stay within `asm.toml`; so do
//! the counts of AES and carry-less multiply instructions, which show unrolling gone wrong. Its frame is
//! no larger than what is overwritten after the call (`cpu!` in `simd/x86_64`).

use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::assure::instructions;
use crate::run::{Outcome, exclusive, output, root};

/// What is counted in an entry point.
#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
struct Counts {
    calls: usize,
    stack_stores: usize,
    aes: usize,
    clmul: usize,
    /// Bytes pushed and reserved.
    frame: usize,
    /// Bytes that are used below it, in the red zone.
    below: usize,
}

/// Bytes of the return address, which lies below the caller's frame as well.
const RETURN_ADDRESS: usize = 8;

/// Compilers differ a little: so many stack stores more than committed are no fault, but an entry
/// point without any stays so.
const fn allowed(committed: usize) -> usize {
    if committed == 0 { 0 } else { committed + 6 }
}

/// Checks the entry points against `asm.toml`.
pub(crate) fn check() -> Outcome {
    if !supported() {
        return Ok(());
    }
    control()?;
    let limits = limits()?;
    let entries = entries(&assembly(&["--features", "hazmat"], "release")?);
    let mut faults = compare(&entries, &limits);
    faults.extend(forbidden(&entries, &burnt()?));
    if entries.is_empty() {
        faults.push("  no entry point found".into());
    }
    if !faults.is_empty() {
        return Err(format!(
            "entry points differ from asm.toml:\n{}\nif that is meant: cargo xtask asm --update",
            faults.join("\n")
        ));
    }
    let stores: usize = entries.values().map(|counts| counts.stack_stores).sum();
    println!(
        "asm: {} entry points, no calls, {stores} vector stores to the stack, all within asm.toml",
        entries.len()
    );
    Ok(())
}

/// Writes `asm.toml` from the entry points as they are, and the list of T4.
pub(crate) fn update() -> Outcome {
    if !supported() {
        return Err("the committed counts are those of x86-64".into());
    }
    let mut text = String::from(
        "# Vector stores to the stack, AES and carry-less multiply instructions of each entry point of the\n\
         # kernels, as `cargo xtask asm --update` found them. `cargo xtask asm` fails if there are more\n\
         # stores, other counts, or any call.\n\n",
    );
    let entries = entries(&assembly(&["--features", "hazmat"], "release")?);
    let faults = forbidden(&entries, &burnt()?);
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    for (name, counts) in entries {
        let Counts {
            stack_stores,
            aes,
            clmul,
            ..
        } = counts;
        let _ = writeln!(
            text,
            "\"{name}\" = {{ stack_stores = {stack_stores}, aes = {aes}, clmul = {clmul} }}"
        );
    }
    fs::write(path(), text).map_err(|error| format!("asm.toml: {error}"))?;
    instructions::update()
}

fn supported() -> bool {
    let here = cfg!(target_arch = "x86_64");
    if !here {
        println!("asm: not run: the committed counts are those of x86-64");
    }
    here
}

fn path() -> PathBuf {
    root().join("asm.toml")
}

/// The seeded faults that the check must catch: a call, a spill, and a frame that is too large, reaches too far
/// below or is aligned.
fn control() -> Outcome {
    let clean = "_ZN9carryless6engine46_$LT$impl$u20$carryless..simd..x86_64..Avx$GT$3one5entry17hE:\n\tvaesenc\t%xmm0, %xmm1, %xmm1\n.Lfunc_end0:\n";
    let call = clean.replace("\tvaesenc", "\tcallq\t_ZN4core9aesenc\n\tvaesenc");
    let spill = clean.replace(
        "\tvaesenc",
        &"\tvmovdqa\t%xmm3, 16(%rsp)\n\tvaesenc".repeat(2),
    );
    let limits = entries(clean);
    let large = clean.replace("\tvaesenc", "\tsubq\t$249, %rsp\n\tvaesenc");
    let below = clean.replace("\tvaesenc", "\tmovq\t%rax, -249(%rsp)\n\tvaesenc");
    let burnt = BTreeMap::from([("Avx".into(), 256)]);
    let aligned = clean.replace("\tvaesenc", "\tandq\t$-256, %rsp\n\tvaesenc");
    let caught = |text: &str| {
        let found = entries(text);
        !compare(&found, &limits).is_empty() || !forbidden(&found, &burnt).is_empty()
    };
    if [call, spill, large, below, aligned]
        .iter()
        .all(|text| caught(text))
        && !caught(clean)
    {
        Ok(())
    } else {
        Err("the assembly check does not catch its controls".into())
    }
}

/// The assembly of the library, built with further arguments into this folder of the target's.
pub(crate) fn assembly(further: &[&str], folder: &str) -> Result<String, String> {
    assembly_of(
        "carryless",
        "carryless",
        &[&["--lib"], further].concat(),
        folder,
    )
}

/// The assembly of one crate of a package, without those below it.
pub(crate) fn assembly_of(
    package: &str,
    name: &str,
    further: &[&str],
    folder: &str,
) -> Result<String, String> {
    // What the compiler wrote last is read below.
    let _lock = exclusive("asm")?;
    let target = root().join("target/asm");
    let target = target.to_string_lossy().into_owned();
    let args = [
        "rustc",
        "--quiet",
        "--release",
        "--package",
        package,
        "--target-dir",
        &target,
    ];
    let flags = [
        "--",
        "--emit",
        "asm",
        "-C",
        "codegen-units=1",
        "-C",
        "debuginfo=0",
    ];
    output("cargo", &[&args[..], further, &flags[..]].concat())?;
    let deps = root().join("target/asm").join(folder).join("deps");
    let entries = fs::read_dir(&deps).map_err(|error| format!("{}: {error}", deps.display()))?;
    let newest = entries
        .filter_map(Result::ok)
        .filter(|entry| {
            let file = entry.file_name();
            let file = file.to_string_lossy();
            file.starts_with(&format!("{name}-")) && file.ends_with(".s")
        })
        .max_by_key(|entry| entry.metadata().and_then(|data| data.modified()).ok())
        .ok_or("the compiler left no assembly")?;
    fs::read_to_string(newest.path()).map_err(|error| error.to_string())
}

/// Each function's symbol and instructions (`MNEMONIC\tOPERANDS`).
pub(crate) fn functions(assembly: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found = Vec::new();
    let mut current: Option<(&str, Vec<&str>)> = None;
    for line in assembly.lines() {
        if let Some(symbol) = line
            .strip_suffix(':')
            .filter(|symbol| symbol.starts_with("_ZN"))
        {
            current = Some((symbol, Vec::new()));
        } else if line.starts_with(".Lfunc_end") {
            found.extend(current.take());
        } else if let (Some((_, instructions)), Some(instruction)) =
            (&mut current, line.strip_prefix('\t'))
        {
            // Neither directives nor the remarks around inline assembly.
            if instruction.starts_with(|c: char| c.is_ascii_lowercase()) {
                instructions.push(instruction);
            }
        }
    }
    found
}

/// The counts of each entry point, by `engine entry`.
fn entries(assembly: &str) -> BTreeMap<String, Counts> {
    let entry = |(symbol, instructions): (&str, Vec<&str>)| {
        let mut counts = Counts::default();
        for instruction in instructions {
            count(instruction, &mut counts);
        }
        Some((entry_name(symbol)?, counts))
    };
    functions(assembly).into_iter().filter_map(entry).collect()
}

/// `Avx gcm_seal_aes128` of `..simd..x86_64..Avx$GT$15gcm_seal_aes1285entry17h..`.
pub(crate) fn entry_name(symbol: &str) -> Option<String> {
    let (head, _) = symbol.rsplit_once("5entry17h")?;
    let (_, tail) = head.rsplit_once("..x86_64..")?;
    let (token, function) = tail.split_once("$GT$")?;
    Some(format!(
        "{token} {}",
        function.trim_start_matches(|c: char| c.is_ascii_digit())
    ))
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

fn limits() -> Result<BTreeMap<String, Counts>, String> {
    let text = fs::read_to_string(path()).map_err(|error| format!("asm.toml: {error}"))?;
    let mut limits = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with('"')) {
        let (name, values) = line[1..]
            .split_once("\" = ")
            .ok_or_else(|| format!("asm.toml: {line}"))?;
        let value = |key: &str| -> Result<usize, String> {
            let rest = values
                .split_once(&format!("{key} = "))
                .ok_or_else(|| format!("asm.toml: no {key}: {line}"))?
                .1;
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().map_err(|_| format!("asm.toml: {line}"))
        };
        let counts = Counts {
            calls: 0,
            frame: 0,
            below: 0,
            stack_stores: value("stack_stores")?,
            aes: value("aes")?,
            clmul: value("clmul")?,
        };
        limits.insert(name.to_owned(), counts);
    }
    Ok(limits)
}

fn compare(entries: &BTreeMap<String, Counts>, limits: &BTreeMap<String, Counts>) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, counts) in entries {
        let Some(limit) = limits.get(name) else {
            faults.push(format!("  {name}: not in asm.toml"));
            continue;
        };
        if counts.stack_stores > allowed(limit.stack_stores) {
            faults.push(format!(
                "  {name}: {} vector stores to the stack, at most {} are allowed",
                counts.stack_stores,
                allowed(limit.stack_stores)
            ));
        }
        if counts.aes != limit.aes {
            faults.push(format!(
                "  {name}: {} AES instructions, {} expected",
                counts.aes, limit.aes
            ));
        }
        if counts.clmul > limit.clmul + limit.clmul / 8 {
            faults.push(format!(
                "  {name}: {} carry-less multiplies, {} expected",
                counts.clmul, limit.clmul
            ));
        }
    }
    for name in limits.keys().filter(|name| !entries.contains_key(*name)) {
        faults.push(format!("  {name}: in asm.toml, but not there"));
    }
    faults
}

/// For each token the bytes that are overwritten after a call of its entry points: the number in
/// `Token, token_entry, LINES: ..`, times 64.
fn burnt() -> Result<BTreeMap<String, usize>, String> {
    let path = root().join("crates/carryless/src/simd/x86_64/mod.rs");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let tokens = text.lines().filter_map(|line| {
        let (token, rest) = line.split_once(", ")?;
        let (lines, _) = rest.split_once("_entry, ")?.1.split_once(':')?;
        Some((token.to_owned(), 64 * lines.parse::<usize>().ok()?))
    });
    let mut burnt: BTreeMap<_, _> = tokens.collect();
    for (part, name) in NAMED {
        burnt.insert(part.into(), constant(name)?);
    }
    burnt.extend(fours()?);
    Ok(burnt)
}

/// What names of entry points for four messages have in them.
const FOUR: &str = "_four_";

/// For each token the bytes that are overwritten after four messages: the last number in
/// `engine!(name, Token, token_entry, .. BYTES, "name");`.
fn fours() -> Result<BTreeMap<String, usize>, String> {
    let path = root().join("crates/carryless/src/engine/x86_64.rs");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let tokens = text.lines().filter_map(|line| {
        let mut words = line.strip_prefix("engine!(")?.split(", ");
        let (token, numbers) = (words.nth(1)?, words.nth(1)?);
        let bytes = numbers.split_whitespace().last()?.parse().ok()?;
        Some((format!("{token}{FOUR}"), bytes))
    });
    Ok(tokens.collect())
}

/// Parts of names of entry points that name the bytes overwritten behind them, and the constants that say how many.
const NAMED: [(&str, &str); 6] = [
    (" once_", "SMALL_FRAME"),
    ("_seal_short_", "SMALL_FRAME"),
    ("_open_short_", "SAVED_FRAME"),
    ("_tiny_", "SAVED_FRAME"),
    (" expand_", "SMALL_FRAME"),
    (" encrypt_", "SMALL_FRAME"),
];

/// The number in `const NAME: usize = BYTES;` of the engines.
fn constant(name: &str) -> Result<usize, String> {
    let start = format!("const {name}: usize = ");
    for file in ["mod.rs", "x86_64.rs"] {
        let path = root().join("crates/carryless/src/engine").join(file);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let line = |line: &str| {
            let (_, bytes) = line.split_once(&start)?;
            bytes.strip_suffix(';')?.parse().ok()
        };
        if let Some(bytes) = text.lines().find_map(line) {
            return Ok(bytes);
        }
    }
    Err(format!("no {name} among the engines"))
}

/// What no committed count allows: calls, and frames that are not overwritten whole.
fn forbidden(entries: &BTreeMap<String, Counts>, burnt: &BTreeMap<String, usize>) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, counts) in entries {
        if counts.calls > 0 {
            faults.push(format!("  {name}: {} calls", counts.calls));
        }
        let token = name.split(' ').next().unwrap_or_default();
        let named = NAMED.iter().find(|(part, _)| name.contains(part));
        let token = if name.contains(FOUR) {
            format!("{token}{FOUR}")
        } else {
            named.map_or(token, |(part, _)| *part).to_owned()
        };
        let frame = counts.frame + counts.below + RETURN_ADDRESS;
        let burnt = burnt.get(&token).copied();
        if burnt.is_none_or(|burnt| frame > burnt) {
            faults.push(format!(
                "  {name}: a frame of {frame} bytes, of which {} are overwritten",
                burnt.unwrap_or_default()
            ));
        }
    }
    faults
}
