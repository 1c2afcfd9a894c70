//! Changes that no test can notice, each with the reason why it is harmless (`xtask/assure/survivors.toml`).

use std::collections::BTreeMap;
use std::fs;

use crate::run::root;

const LIST: &str = "xtask/assure/survivors.toml";

/// Reasons by [`Place::key`](super::places::Place::key).
pub(super) type Reasons = BTreeMap<String, String>;

/// The committed list.
pub(super) fn read() -> Result<Reasons, String> {
    let path = root().join(LIST);
    let text = fs::read_to_string(&path).map_err(|error| format!("{LIST}: {error}"))?;
    parse(&text)
}

/// Lines `'KEY' = "REASON"`: as literals of TOML, keys keep their quotes and backslashes.
fn parse(text: &str) -> Result<Reasons, String> {
    let mut reasons = Reasons::new();
    for line in text.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let entry = line
            .strip_prefix("'")
            .and_then(|line| line.strip_suffix('"'))
            .and_then(|line| line.split_once("' = \""))
            .filter(|(_, reason)| !reason.is_empty());
        let (key, reason) =
            entry.ok_or_else(|| format!("{LIST}: not 'KEY' = \"REASON\": {line}"))?;
        if reasons.insert(key.into(), reason.into()).is_some() {
            return Err(format!("{LIST}: twice: {key}"));
        }
    }
    Ok(reasons)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_a_reason_for_each_key() {
        let reasons = parse("# why\n\n'a.rs: replace | with ^: `x | \"y\"`' = \"disjoint bits\"\n");
        let reasons = reasons.unwrap_or_default();
        assert_eq!(
            reasons
                .get("a.rs: replace | with ^: `x | \"y\"`")
                .map(String::as_str),
            Some("disjoint bits")
        );
        for wrong in ["'a' = \"\"", "a = \"b\"", "'a' = \"b\"\n'a' = \"c\""] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(read().is_ok(), "{:?}", read());
    }
}
