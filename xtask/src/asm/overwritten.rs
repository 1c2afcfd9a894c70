//! Frames of entry points, and what is overwritten behind their calls.

use std::collections::BTreeMap;
use std::fs;

use super::Architecture;
use super::counts::Counts;
use crate::run::root;

/// Bytes of the return address, which lies below the caller's frame as well.
const RETURN_ADDRESS: usize = 8;

/// What is overwritten after a call of an entry point.
pub(super) struct Overwritten {
    /// For each token the number in `Token, token_entry, LINES: ..`, times 64.
    tokens: BTreeMap<String, usize>,
    /// For each of [`NAMED`] its bytes; of those that are a token's, by `TOKEN constant`.
    named: BTreeMap<String, usize>,
}

/// Entry points that name the bytes overwritten behind them, the direction if only that one does, and the constant of
/// `simd/tuning.rs` that says how many.
const NAMED: [(&str, &str, &str); 21] = [
    ("set", "", "SMALL_FRAME"),
    ("once", "", "SMALL_FRAME"),
    ("pass", "Seal", "SMALL_FRAME"),
    ("pass", "Open", "SAVED_FRAME"),
    ("tiny", "", "SAVED_FRAME"),
    ("expand", "", "SMALL_FRAME"),
    ("encrypt", "", "SMALL_FRAME"),
    ("inverse", "", "SMALL_FRAME"),
    ("decrypt", "", "SMALL_FRAME"),
    ("encrypt_cbc", "", "SMALL_FRAME"),
    ("mac_cbc", "", "SMALL_FRAME"),
    ("encrypt_cbc_each", "", "SMALL_FRAME"),
    ("mac_cbc_each", "", "SMALL_FRAME"),
    ("decrypt_cbc", "", "SMALL_FRAME"),
    ("encrypt_xts", "", "SMALL_FRAME"),
    ("decrypt_xts", "", "SMALL_FRAME"),
    ("ccm", "", "SMALL_FRAME"),
    ("ctr_little", "", "SMALL_FRAME"),
    ("siv", "", "SIV_FRAME"),
    ("set_polyval", "", "SMALL_FRAME"),
    ("four", "", "four_frame"),
];

impl Overwritten {
    pub(super) fn read() -> Result<Self, String> {
        let read = |file: &str| {
            let path = root().join("crates/carryless/src").join(file);
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let tokens_of =
            |architecture: &Architecture| read(&format!("simd/{}/mod.rs", architecture.name()));
        let tokens: String = Architecture::ALL
            .iter()
            .map(tokens_of)
            .collect::<Result<_, _>>()?;
        Ok(Self::of(&tokens, &read("simd/tuning.rs")?))
    }

    /// From the lines that declare tokens and constants.
    pub(super) fn of(tokens: &str, tuning: &str) -> Self {
        let token = |line: &str| {
            let (token, rest) = line.split_once(", ")?;
            let (lines, _) = rest.split_once("_entry, ")?.1.split_once(':')?;
            Some((token.to_owned(), 64 * lines.parse::<usize>().ok()?))
        };
        let tokens = tokens.lines().filter_map(token).collect();
        let mut named = BTreeMap::new();
        let mut of = String::new();
        for line in tuning.lines() {
            let line = line.trim_end_matches([';', ',']);
            if let Some((name, _)) = line
                .strip_prefix("pub const ")
                .and_then(|rest| rest.split_once(": Tuning = "))
            {
                of = format!("{name} ");
            }
            let constant = line.strip_prefix("pub const ");
            let constant = constant.and_then(|rest| rest.split_once(": usize = "));
            let field = line
                .strip_prefix("    ")
                .and_then(|rest| rest.split_once(": "));
            let found = constant.map(|(name, bytes)| (name.to_owned(), bytes));
            let found = found.or_else(|| field.map(|(name, bytes)| (of.clone() + name, bytes)));
            if let Some((name, Ok(bytes))) = found.map(|(name, bytes)| (name, bytes.parse())) {
                named.insert(name, bytes);
            }
        }
        Self { tokens, named }
    }

    /// Bytes behind the entry point `name`.
    fn behind(&self, name: &str) -> Option<usize> {
        let mut words = name.split(' ');
        let (token, entry) = (words.next()?, words.next()?);
        let token = token.trim_end_matches("-modes").trim_end_matches("-lea");
        let direction = words.next_back().unwrap_or_default();
        let named = NAMED
            .iter()
            .find(|(of, way, _)| *of == entry && (way.is_empty() || *way == direction));
        let Some((_, _, constant)) = named else {
            return self.tokens.get(token).copied();
        };
        let own = self
            .named
            .get(&format!("{} {constant}", token.to_uppercase()));
        own.or_else(|| self.named.get(*constant)).copied()
    }
}

/// What no committed count allows: calls, and frames that are not overwritten whole.
pub(super) fn forbidden(
    entries: &BTreeMap<String, Counts>,
    overwritten: &Overwritten,
) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, counts) in entries {
        if counts.calls > 0 {
            faults.push(format!("  {name}: {} calls", counts.calls));
        }
        if counts.apart > 0 {
            faults.push(format!(
                "  {name}: {} AESMC apart from their AESE",
                counts.apart
            ));
        }
        let frame = counts.frame.saturating_add(counts.below + RETURN_ADDRESS);
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
