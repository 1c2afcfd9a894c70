//! Functions of an assembly, and the entry points among them.

use super::Architecture;

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

/// `Avx tiny Aes128 Seal` of `..MessageEntries$LT$..Aes128$C$..Seal$GT$$u20$for$u20$..x86_64..Avx$GT$4tiny5entry17h..`.
pub(crate) fn entry_name(symbol: &str) -> Option<String> {
    let (head, _) = symbol.rsplit_once("5entry17h")?;
    let tokens_of =
        |architecture: &Architecture| head.rsplit_once(&format!("..{}..", architecture.name()));
    let (implemented, tail) = Architecture::ALL.iter().find_map(tokens_of)?;
    let (token, function) = tail.split_once("$GT$")?;
    let function = function.trim_start_matches(|c: char| c.is_ascii_digit());
    let (of, arguments) = implemented.rsplit_once("Entries")?;
    let arguments = arguments.strip_prefix("$LT$").unwrap_or_default();
    let (arguments, _) = arguments.split_once("$GT$").unwrap_or_default();
    let last = |path: &str| path.rsplit("..").next().unwrap_or(path).to_owned();
    let words = arguments.split("$C$").filter(|path| !path.is_empty());
    // They have a budget of their own.
    let of_modes = ["Mode", "Polyval", "Siv"];
    let token = if of_modes.iter().any(|entries| of.ends_with(entries)) {
        format!("{token}-modes")
    } else if of.ends_with("Lea") {
        format!("{token}-lea")
    } else {
        token.to_owned()
    };
    let name = [token, function.to_owned()];
    Some(
        name.into_iter()
            .chain(words.map(last))
            .collect::<Vec<_>>()
            .join(" "),
    )
}

/// The module of a function of the library, and the rest of its path: `soft::aes` and `encrypt`. The
/// module of a method is that of its type, of a method of a trait that of the trait's type as well.
pub(crate) fn place(symbol: &str) -> Option<(String, String)> {
    let mut rest = symbol.strip_prefix("_ZN")?;
    let mut parts = Vec::new();
    while let Some(digits) = rest.find(|c: char| !c.is_ascii_digit()).filter(|n| *n > 0) {
        let len: usize = rest[..digits].parse().ok()?;
        parts.push(rest.get(digits..digits + len)?);
        rest = &rest[digits + len..];
    }
    // The last is a hash.
    parts.pop();
    let first = *parts.first()?;
    // Of its own traits for types of the library.
    if first.contains("$as$u20$ct..") {
        return None;
    }
    let words: Vec<&str> = if first == "carryless" {
        parts
    } else {
        let of_type = first.split_once("carryless..")?.1;
        if !first.starts_with("_$LT$carryless..") {
            return None;
        }
        ["carryless"]
            .into_iter()
            .chain(of_type.split("..").chain(parts[1..].iter().copied()))
            .collect()
    };
    let is_module = |word: &&&str| {
        word.bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    // The last word is the function's, unless a type stands before it.
    let modules = words[1..words.len() - 1]
        .iter()
        .take_while(is_module)
        .count();
    let module = words[1..=modules].join("::");
    Some((module, words[modules + 1..].join("::")))
}
