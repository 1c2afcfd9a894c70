//! `vectors/keys.txt`: what the command does with several credentials, and which cipher it chooses.

mod common;
#[path = "../../carryless-file/tests/key_vectors/lines.rs"]
mod lines;

use common::Place;
use lines::lines;

/// Files with these credentials, and the options that name them.
fn options(place: &Place, credentials: &str) -> Vec<String> {
    let mut options = Vec::new();
    for (number, credential) in credentials.split(',').enumerate() {
        let (kind, secret) = credential.split_once(':').expect("a kind");
        let name = format!("secret{number}");
        place.write_key(&name, &hex::decode(secret).expect("digits"));
        let option = if kind == "key" {
            "--raw-key-file"
        } else {
            "--passphrase-file"
        };
        options.extend([option.into(), name]);
    }
    options
}

fn args<'a>(first: &[&'a str], options: &'a [String]) -> Vec<&'a str> {
    first
        .iter()
        .copied()
        .chain(options.iter().map(String::as_str))
        .collect()
}

/// What a message says of a credential that does not open.
fn said(result: &str) -> &'static str {
    match result {
        "no-slot" => "no slot for the key",
        "slot" => "opens none of its slots",
        "mac" => "the rest of the header was changed",
        other => panic!("{other}"),
    }
}

#[test]
fn the_first_credential_that_opens_and_has_the_right_mac_counts() {
    let place = Place::new();
    for fields in lines("several", 10) {
        let [name, result, credentials, text_len, file] = &fields[..] else {
            panic!("{fields:?}");
        };
        place.write("sealed", &hex::decode(file).expect("digits"));
        let options = options(&place, credentials);
        let run = place.run(&args(&["open", "sealed", "-o", "-"], &options));
        let code = if result == "ok" { 0 } else { 3 };
        assert_eq!(run.code, Some(code), "{name}: {}", run.stderr);
        assert_eq!(run.stdout.len().to_string(), *text_len, "{name}");
        if code != 0 {
            assert!(run.stderr.contains(said(result)), "{name}: {}", run.stderr);
        }
    }
}

#[test]
fn the_longest_key_chooses_the_cipher() {
    let place = Place::new();
    place.write("text", b"text");
    for fields in lines("cipher", 6) {
        let [name, number, credentials] = &fields[..] else {
            panic!("{fields:?}");
        };
        let options = options(&place, credentials);
        place.ok(&args(&["seal", "text", "-f", "-o", "sealed"], &options));
        assert_eq!(place.read("sealed")[9].to_string(), *number, "{name}");
    }
}
