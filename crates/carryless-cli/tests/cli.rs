//! The verbs that are about the program itself, and its usage.

mod common;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use common::Place;

const VERBS: [&str; 12] = [
    "keygen",
    "seal",
    "open",
    "verify",
    "inspect",
    "rekey",
    "engines",
    "selftest",
    "bench",
    "vectors",
    "completions",
    "man",
];

fn lines(output: &[u8]) -> Vec<serde_json::Value> {
    String::from_utf8_lossy(output)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn every_verb_has_help_with_examples() {
    let place = Place::new();
    for verb in VERBS {
        let help = String::from_utf8(place.ok(&[verb, "--help"])).expect("text");
        assert!(
            help.contains("Examples:") && help.contains(&format!("carryless {verb}")),
            "{help}"
        );
    }
    let help = String::from_utf8(place.ok(&["--help"])).expect("text");
    assert!(
        VERBS.iter().all(|verb| help.contains(verb)) && help.contains("Exit codes"),
        "{help}"
    );
}

#[test]
fn wrong_usage_has_its_code() {
    let place = Place::new();
    place.fails(2, &[]);
    place.fails(2, &["fold"]);
    place.fails(2, &["seal", "file"]);
    place.fails(2, &["seal", "-k", "key", "--format", "zip"]);
    place.fails(2, &["keygen", "--bits", "192"]);
}

#[test]
fn an_engine_that_is_not_here_is_refused_with_a_list() {
    let place = Place::new();
    for name in ["abacus", "", &"x".repeat(5000)] {
        assert!(
            place
                .fails(2, &["engines", "--engine", name])
                .stderr
                .contains("soft64")
        );
        let mut command = place.command(&["engines"]);
        let run = common::finish(
            command
                .env("CARRYLESS_ENGINE", name)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped()),
            b"",
        );
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains("soft64"), "{}", run.stderr);
    }
}

#[test]
fn every_engine_opens_what_any_other_sealed() {
    let place = Place::new();
    place.write("text", &common::text(50_000));
    let engines = lines(&place.ok(&["engines", "--json"]));
    let names = || {
        engines
            .iter()
            .filter(|engine| engine["available"] == true)
            .filter_map(|engine| engine["engine"].as_str())
    };
    for name in names() {
        let chosen = lines(&place.ok(&["engines", "--json", "--engine", name]));
        assert!(
            chosen
                .iter()
                .all(|engine| engine["selected"] == (engine["engine"] == name)),
            "{name}"
        );
        place.ok(&["seal", "--engine", name, "-k", "key", "text", "--force"]);
        for other in names() {
            assert!(
                place.ok(&[
                    "open",
                    "--engine",
                    other,
                    "-k",
                    "key",
                    "text.cless",
                    "-o",
                    "-"
                ]) == place.read("text"),
                "{name}, {other}"
            );
        }
    }
}

/// docs/engines.md has a row for each member, in a table of its own.
#[test]
fn every_member_of_the_list_of_engines_is_documented() {
    let document = include_str!("../../../docs/engines.md");
    let (_, table) = document.split_once("| member |").expect("a table");
    let rows = table.lines().skip(2).take_while(|line| !line.is_empty());
    let members = rows.map(|line| line.split('`').nth(1).expect("a member"));
    let members: BTreeSet<&str> = members.collect();
    for engine in lines(&Place::new().ok(&["engines", "--json"])) {
        let printed = engine.as_object().expect("an object").keys();
        assert_eq!(
            printed.map(String::as_str).collect::<BTreeSet<_>>(),
            members
        );
    }
}

#[test]
fn the_self_test_passes() {
    let place = Place::new();
    let results = lines(&place.ok(&["selftest", "--json"]));
    assert!(
        results
            .iter()
            .any(|line| line["engine"] == "soft64" && line["result"] == "pass"),
        "{results:?}"
    );
    let engines = lines(&place.ok(&["engines", "--json"]));
    assert_eq!(results.len(), engines.len());
    for (result, engine) in results.iter().zip(&engines) {
        let mut tested = engine["algs"].clone();
        // What has no messages.
        tested
            .as_array_mut()
            .expect("a list")
            .retain(|alg| *alg != "sgcm-field" && *alg != "lea");
        let passed = result["result"] == "pass" && result["algs"] == tested;
        assert!(passed || engine["available"] == false, "{result}");
    }
    assert_eq!(
        lines(&place.ok(&["selftest", "--json", "--engine", "soft64"])).len(),
        1
    );
}

#[test]
fn vectors_answers_before_the_next_request_comes() {
    let place = Place::new();
    let mut command = place.command(&["vectors"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut requests = child.stdin.take().expect("piped");
    let mut answers = BufReader::new(child.stdout.take().expect("piped")).lines();
    for id in 0..3 {
        // Followed by the beginning of the next, which is no request yet.
        write!(
            requests,
            "{}\"id\":{id},\"op\":\"info\"}}\r\n\n{{",
            if id == 0 { "{" } else { "" }
        )
        .expect("a pipe");
        requests.flush().expect("a pipe");
        let answer = answers.next().expect("an answer").expect("a pipe");
        assert!(
            answer.starts_with(&format!("{{\"id\":{id},\"ok\":true")),
            "{answer}"
        );
    }
    drop(requests);
    assert!(
        answers
            .next()
            .expect("for the last brace")
            .expect("a pipe")
            .contains("bad-request")
    );
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn vectors_takes_lines_of_64_mebibytes_and_survives_bad_ones() {
    let place = Place::new();
    let (zeros, text) = ("0".repeat(60 << 20), "0".repeat(4 << 20));
    let requests = format!(
        "{}\n\n{}\n{}\n",
        r#"not JSON"#,
        format_args!(
            r#"{{"id":1,"alg":"aes-gcm","op":"seal","key":"{:032}","iv":"00","aad":"{zeros}","pt":"{text}"}}"#,
            0
        ),
        r#"{"id":2,"alg":"ghash","op":"hash","h":"00000000000000000000000000000000","data":""}"#
    );
    let run = place.run_with(&["vectors"], requests.as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let answers = lines(&run.stdout);
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[1]["ct"].as_str().map(str::len), Some(4 << 20));
    assert_eq!(answers[2]["y"], "00000000000000000000000000000000");
    place.fails(5, &["vectors", "absent"]);
}

#[test]
fn no_message_contains_key_or_text() {
    let place = Place::new();
    let (key, text) = ("00112233445566778899aabbccddeeff", "5ec2e75ec2e75ec2e7");
    let request = format!(
        r#"{{"id":1,"alg":"aes-gcm","op":"open","key":"{key}","iv":"00","ct":"{text}","tag":"{text}00","tag_len":"{text}"}}"#
    );
    let requests = [
        request.replace(r#""iv":"00""#, r#""iv":"0""#),
        request.clone(),
        request.replace(key, &key[1..]),
        request[..50].into(),
    ]
    .join("\n");
    let run = place.run_with(&["vectors"], requests.as_bytes());
    let output = String::from_utf8_lossy(&run.stdout).to_string() + &run.stderr;
    assert!(
        !output.contains(&key[1..]) && !output.contains(text),
        "{output}"
    );
}

#[test]
fn completions_and_man_pages_know_all_verbs() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = String::from_utf8(place.ok(&["completions", shell])).expect("text");
        assert!(VERBS.iter().all(|verb| script.contains(verb)), "{shell}");
    }
    place.fails(2, &["completions", "abacus"]);
    let page = String::from_utf8(place.ok(&["man"])).expect("text");
    assert!(
        page.starts_with(".ie") && page.contains("carryless"),
        "{page}"
    );
    place.fails(2, &["man", "fold"]);
    std::fs::create_dir(place.path("man1")).expect("a directory");
    place.ok(&["man", "--directory", "man1"]);
    for verb in VERBS {
        let page =
            String::from_utf8(place.read(&format!("man1/carryless-{verb}.1"))).expect("text");
        let same = String::from_utf8(place.ok(&["man", verb])).expect("text");
        assert_eq!(page, same);
        assert!(
            page.contains("Examples:") && page.contains("Exit codes"),
            "{page}"
        );
    }
    assert!(place.has("man1/carryless.1"));
}

#[test]
fn names_of_other_programs_get_a_tip() {
    let place = Place::new();
    for (tried, verb) in [
        ("encrypt", "seal"),
        ("-e", "seal"),
        ("decrypt", "open"),
        ("-d", "open"),
        ("genkey", "keygen"),
        ("check", "verify"),
        ("info", "inspect"),
    ] {
        let run = place.fails(2, &[tried, "file"]);
        let tip = format!("tip: that is `carryless {verb}`");
        assert!(run.stderr.contains(&tip), "{tried}: {}", run.stderr);
    }
    let run = place.fails(2, &["frobnicate", "file"]);
    assert!(!run.stderr.contains("that is"), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_can_not_be_written_is_a_failure() {
    let place = Place::new();
    for args in [&["--help"][..], &["seal", "--help"], &["--version"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let run = place.run_into(args, full.expect("it is there"));
        assert_eq!(run.code, Some(5), "{args:?}: {}", run.stderr);
    }
}
