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
    faults.extend(forbidden(&entries, &Overwritten::read()?));
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
    let faults = forbidden(&entries, &Overwritten::read()?);
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
    let clean = "_ZN9carryless6engine6x86_643avx_$LT$impl$u20$carryless..engine..entries..HashEntries$u20$for$u20$carryless..simd..x86_64..Avx$GT$3one5entry17hE:\n\tvaesenc\t%xmm0, %xmm1, %xmm1\n.Lfunc_end0:\n";
    let call = clean.replace("\tvaesenc", "\tcallq\t_ZN4core9aesenc\n\tvaesenc");
    let spill = clean.replace(
        "\tvaesenc",
        &"\tvmovdqa\t%xmm3, 16(%rsp)\n\tvaesenc".repeat(2),
    );
    let limits = entries(clean);
    let large = clean.replace("\tvaesenc", "\tsubq\t$249, %rsp\n\tvaesenc");
    let below = clean.replace("\tvaesenc", "\tmovq\t%rax, -249(%rsp)\n\tvaesenc");
    let overwritten = Overwritten::of("Avx, avx_entry, 4: \"avx\" AVX", "");
    let aligned = clean.replace("\tvaesenc", "\tandq\t$-256, %rsp\n\tvaesenc");
    let caught = |text: &str| {
        let found = entries(text);
        !compare(&found, &limits).is_empty() || !forbidden(&found, &overwritten).is_empty()
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

/// `Avx tiny Aes128 Seal` of `..MessageEntries$LT$..Aes128$C$..Seal$GT$$u20$for$u20$..x86_64..Avx$GT$4tiny5entry17h..`.
pub(crate) fn entry_name(symbol: &str) -> Option<String> {
    let (head, _) = symbol.rsplit_once("5entry17h")?;
    let (implemented, tail) = head.rsplit_once("..x86_64..")?;
    let (token, function) = tail.split_once("$GT$")?;
    let function = function.trim_start_matches(|c: char| c.is_ascii_digit());
    let (_, arguments) = implemented.rsplit_once("Entries")?;
    let arguments = arguments.strip_prefix("$LT$").unwrap_or_default();
    let (arguments, _) = arguments.split_once("$GT$").unwrap_or_default();
    let last = |path: &str| path.rsplit("..").next().unwrap_or(path).to_owned();
    let words = arguments.split("$C$").filter(|path| !path.is_empty());
    let name = [token.to_owned(), function.to_owned()];
    Some(
        name.into_iter()
            .chain(words.map(last))
            .collect::<Vec<_>>()
            .join(" "),
    )
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

/// What is overwritten after a call of an entry point.
struct Overwritten {
    /// For each token the number in `Token, token_entry, LINES: ..`, times 64.
    tokens: BTreeMap<String, usize>,
    /// For each of [`NAMED`] its bytes; of those that are a token's, by `Token CONSTANT`.
    named: BTreeMap<String, usize>,
}

/// Entry points that name the bytes overwritten behind them, the direction if only that one does, and the constant of
/// `engine/tuning.rs` that says how many.
const NAMED: [(&str, &str, &str); 7] = [
    ("once", "", "SMALL_FRAME"),
    ("pass", "Seal", "SMALL_FRAME"),
    ("pass", "Open", "SAVED_FRAME"),
    ("tiny", "", "SAVED_FRAME"),
    ("expand", "", "SMALL_FRAME"),
    ("encrypt", "", "SMALL_FRAME"),
    ("four", "", "FOUR_FRAME"),
];

impl Overwritten {
    fn read() -> Result<Self, String> {
        let read = |file: &str| {
            let path = root().join("crates/carryless/src").join(file);
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        Ok(Self::of(
            &read("simd/x86_64/mod.rs")?,
            &read("engine/tuning.rs")?,
        ))
    }

    /// From the lines that declare tokens and constants.
    fn of(tokens: &str, tuning: &str) -> Self {
        let token = |line: &str| {
            let (token, rest) = line.split_once(", ")?;
            let (lines, _) = rest.split_once("_entry, ")?.1.split_once(':')?;
            Some((token.to_owned(), 64 * lines.parse::<usize>().ok()?))
        };
        let tokens = tokens.lines().filter_map(token).collect();
        let mut named = BTreeMap::new();
        let mut of = "";
        for line in tuning.lines() {
            if let Some(token) = line.strip_prefix("impl Tuning for ") {
                of = token.trim_end_matches(" {");
            }
            let constant = line.trim_start().trim_start_matches("pub const ");
            let constant = constant.trim_start_matches("const ");
            let Some((name, bytes)) = constant.split_once(": usize = ") else {
                continue;
            };
            let scope = if line.starts_with(' ') { of } else { "" };
            if let Ok(bytes) = bytes.trim_end_matches(';').parse() {
                named.insert(format!("{scope} {name}").trim_start().to_owned(), bytes);
            }
        }
        Self { tokens, named }
    }

    /// Bytes behind the entry point `name`.
    fn behind(&self, name: &str) -> Option<usize> {
        let mut words = name.split(' ');
        let (token, entry) = (words.next()?, words.next()?);
        let direction = words.next_back().unwrap_or_default();
        let named = NAMED
            .iter()
            .find(|(of, way, _)| *of == entry && (way.is_empty() || *way == direction));
        let Some((_, _, constant)) = named else {
            return self.tokens.get(token).copied();
        };
        let own = self.named.get(&format!("{token} {constant}"));
        own.or_else(|| self.named.get(*constant)).copied()
    }
}

/// What no committed count allows: calls, and frames that are not overwritten whole.
fn forbidden(entries: &BTreeMap<String, Counts>, overwritten: &Overwritten) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, counts) in entries {
        if counts.calls > 0 {
            faults.push(format!("  {name}: {} calls", counts.calls));
        }
        let frame = counts.frame + counts.below + RETURN_ADDRESS;
        let bytes = overwritten.behind(name);
        if bytes.is_none_or(|bytes| frame > bytes) {
            faults.push(format!(
                "  {name}: a frame of {frame} bytes, of which {} are overwritten",
                bytes.unwrap_or_default()
            ));
        }
    }
    faults
}
