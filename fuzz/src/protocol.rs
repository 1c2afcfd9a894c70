//! The vectors protocol: any line has an answer that is JSON, and what was sealed opens.

use std::io::Cursor;

use serde_json::Value;

#[path = "../../crates/carryless-cli/src/vectors/mod.rs"]
#[allow(dead_code, unreachable_pub, unused_imports)]
mod vectors;

use vectors::{answer, read_line};

const ERRORS: [&str; 11] = [
    "bad-request",
    "unsupported",
    "engine-unavailable",
    "key-length",
    "iv-length",
    "tag-length",
    "data-length",
    "weak-key",
    "padding",
    "range",
    "auth",
];

/// A chain of block encryptions that is longer takes too long for a fuzzer; so do more lines.
const MOST_REPEATS: u64 = 1000;
const MOST_LINES: usize = 50;

/// See the module.
pub fn vectors_protocol(data: &[u8]) {
    let mut requests = Cursor::new(data);
    let mut line = Vec::new();
    let mut lines = 0;
    while read_line(&mut requests, &mut line).expect("memory") && lines < MOST_LINES {
        let request: Value = serde_json::from_slice(&line).unwrap_or(Value::Null);
        let long = request["repeat"]
            .as_u64()
            .is_some_and(|repeat| repeat > MOST_REPEATS);
        if !long {
            check(&request, &ask(&line));
        }
        lines += 1;
    }
}

fn ask(line: &[u8]) -> Value {
    let text = serde_json::to_string(&answer(line)).expect("answers are JSON");
    assert!(!text.contains('\n'), "an answer is a line");
    serde_json::from_str(&text).expect("answers are JSON")
}

fn check(request: &Value, answer: &Value) {
    let id = &request["id"];
    let echoed = if id.is_number() || id.is_string() {
        id
    } else {
        &Value::Null
    };
    assert_eq!(&answer["id"], echoed, "the id is echoed");
    if answer["ok"] == false {
        let error = answer["error"].as_str().expect("errors have a kind");
        assert!(ERRORS.contains(&error), "{error}");
        let clean = error != "auth" || is_clean(request, answer) || request["op"] == "verify";
        assert!(clean && answer["out"] != "dirty", "{answer}");
        return;
    }
    assert_eq!(answer["ok"], true, "{answer}");
    match request["op"].as_str() {
        Some("seal") => opens(request, answer),
        Some("encrypt") => decrypts(request, answer),
        _ => {}
    }
}

/// Whether nothing is left of a forgery; segments are decrypted once the tag is found right.
fn is_clean(request: &Value, answer: &Value) -> bool {
    answer["out"] == "zero" || request["path"] == "segments" && answer["out"] == "untouched"
}

/// What was encrypted decrypts on the same engine.
fn decrypts(request: &Value, encrypted: &Value) {
    let mut decrypt = request.clone();
    decrypt["op"] = "decrypt".into();
    decrypt["ct"] = encrypted["ct"].clone();
    let chained = decrypt["alg"]
        .as_str()
        .is_some_and(|alg| alg.ends_with("-cbc"));
    if chained && decrypt["path"] == "batch" {
        decrypt["path"] = "stream".into();
    }
    assert_eq!(ask(decrypt.to_string().as_bytes())["pt"], text(request));
}

/// The plaintext of a request as answers have it.
fn text(request: &Value) -> Value {
    let digits = request["pt"].as_str().unwrap_or_default();
    digits.to_ascii_lowercase().into()
}

/// What was sealed opens on the same engine, but not after its tag was changed.
fn opens(request: &Value, sealed: &Value) {
    let mut open = request.clone();
    open["op"] = "open".into();
    for name in ["ct", "tag"] {
        open[name] = sealed[name].clone();
    }
    if open["path"] == "scatter" {
        open["path"] = "stream".into();
    }
    let opened = ask(open.to_string().as_bytes());
    assert_eq!(opened["pt"], text(request), "{opened}");
    let tag = sealed["tag"].as_str().expect("sealing gives a tag");
    let other = if tag.starts_with('0') { "1" } else { "0" };
    open["tag"] = format!("{other}{}", &tag[1..]).into();
    let refused = ask(open.to_string().as_bytes());
    assert_eq!(refused["error"], "auth");
    assert!(is_clean(request, &refused), "{refused}");
}
