//! Names that people try for verbs, from other programs.

use clap::Error;
use clap::error::{ContextKind, ContextValue};

/// What they mean here.
const NAMES: [(&[&str], &str); 5] = [
    (&["encrypt", "enc", "lock", "-e", "--encrypt"], "seal"),
    (&["decrypt", "dec", "unlock", "-d", "--decrypt"], "open"),
    (&["genkey", "gen-key", "key", "--gen-key"], "keygen"),
    (&["check", "test"], "verify"),
    (&["info", "list", "show"], "inspect"),
];

/// Adds a tip to an error if it is about such a name.
pub fn with_tip(mut error: Error) -> Error {
    let tried = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg];
    let name = tried.iter().find_map(|kind| match error.get(*kind) {
        Some(ContextValue::String(name)) => Some(name.as_str()),
        _ => None,
    });
    let verb = name.and_then(|name| NAMES.iter().find(|(names, _)| names.contains(&name)));
    if let Some((_, verb)) = verb {
        let tip = format!("that is `carryless {verb}`: see `carryless {verb} --help`");
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
    }
    error
}
