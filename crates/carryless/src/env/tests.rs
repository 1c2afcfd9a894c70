//! U9: a self-test that fails is heeded wherever an engine is chosen, named or used.
//!
//! What an engine passed is known once per process, so each set of failing engines has a process of its own: this
//! program again, told by `CARRYLESS_FAILING`.

use std::collections::BTreeMap;
use std::format;
use std::panic::catch_unwind;
use std::println;
use std::process::Command;
use std::string::{String, ToString};
use std::vec::Vec;

use crate::engine::{Engine, FAILING_NOW};
use crate::error::{EngineError, KeyError, Unavailable};
use crate::{Aes128, Aes128Gcm, Aes192Gcm, Aes256Gcm, Features, Gmac, Slot};

/// What a process answered, by what it was asked.
type Answers = BTreeMap<String, String>;

const USABLE: &str = "usable";
const FAILED: &str = "failed";
const MISSING: &str = "missing";

fn word<T>(result: &Result<T, Unavailable>) -> &'static str {
    match result {
        Ok(_) => USABLE,
        Err(Unavailable::SelfTest) => FAILED,
        Err(Unavailable::Missing(_)) => MISSING,
    }
}

fn key_word<T>(result: Result<T, KeyError>) -> &'static str {
    match result {
        Ok(_) => USABLE,
        Err(KeyError::Engine(reason)) => word::<()>(&Err(reason)),
        Err(KeyError::Input(_)) => "refused the key",
    }
}

fn named<T>(result: &Result<T, EngineError>) -> &'static str {
    match result {
        Ok(_) => USABLE,
        Err(EngineError::Unavailable(_, reason)) => word::<()>(&Err(*reason)),
        Err(_) => "unknown",
    }
}

/// What the process says when it is asked for all there is to ask.
fn ask() -> Answers {
    let mut answers = Answers::new();
    let mut say = |what: String, answer: &str| answers.insert(what, answer.into());
    let selected = catch_unwind(|| Engine::selected().name());
    say("selected".into(), selected.as_ref().unwrap_or(&"panic"));
    let made = catch_unwind(|| {
        Aes128Gcm::from_slice(&[1; 16])
            .expect("a length")
            .engine()
            .name()
    });
    say("a key".into(), made.unwrap_or("panic"));
    say("from_env".into(), named(&Engine::from_env()));
    let names: Vec<&str> = Engine::available().map(Engine::name).collect();
    say("available".into(), &names.join(" "));
    for engine in Engine::ALL.iter().copied() {
        let from_name = Engine::from_name(engine.name());
        if let Err(error) = &from_name {
            let tells = error
                .to_string()
                .ends_with(&format!("available here: {}", names.join(" ")).trim_end());
            assert!(tells, "{error}");
        }
        let mut slot = Slot::new();
        let slotted = slot
            .fill(|| Aes256Gcm::with_engine(&[1; 32], engine))
            .map(|_| ());
        // Before it may become the default.
        let rest = [
            ("availability", word(&engine.availability())),
            ("self_test", word(&engine.self_test())),
            ("from_name", named(&from_name)),
            (
                "Aes128Gcm",
                key_word(Aes128Gcm::with_engine(&[1; 16], engine)),
            ),
            (
                "Aes192Gcm",
                key_word(Aes192Gcm::with_engine(&[1; 24], engine)),
            ),
            ("Slot", key_word(slotted)),
            (
                "Gmac",
                key_word(Gmac::<Aes128>::with_engine(&[1; 16], engine)),
            ),
            #[cfg(feature = "hazmat")]
            (
                "BlockCipher",
                key_word(crate::hazmat::BlockCipher::<Aes128>::with_engine(
                    &[1; 16], engine,
                )),
            ),
            #[cfg(feature = "hazmat")]
            (
                "Ghash",
                word(&crate::hazmat::Ghash::with_engine(&[1; 16], engine)),
            ),
        ];
        for (what, answer) in rest {
            say(format!("{what} of {engine}"), answer);
        }
    }
    for engine in Engine::ALL.iter().copied() {
        let before = catch_unwind(Engine::selected);
        let set = engine.set_default();
        say(format!("set_default of {engine}"), word(&set));
        let after = catch_unwind(Engine::selected);
        let follows = match set {
            Ok(()) => matches!(after, Ok(after) if after == engine),
            Err(_) => {
                matches!((&before, &after), (Ok(before), Ok(after)) if before == after)
                    || before.is_err() && after.is_err()
            }
        };
        say(
            format!("the default after {engine}"),
            if follows { "follows" } else { "strays" },
        );
    }
    answers
}

/// A process that is asked; run by [`answers`] alone.
#[test]
#[ignore = "a child of the tests of U9"]
fn answers_of_a_process() {
    for (what, answer) in ask() {
        println!("answer: {what}: {answer}");
    }
}

/// The cipher with which an engine fails, or all of them.
const FAILING_WITH: [Option<&str>; 4] = [None, Some("AES-128"), Some("AES-192"), Some("AES-256")];

/// A process in which engines fail that passed before, and pass again; run by [`answers_of`] alone.
#[test]
#[ignore = "a child of the tests of U9"]
fn self_tests_of_a_process() {
    let order = |failing| *FAILING_NOW.lock().expect("no test panics with it") = failing;
    for engine in Engine::ALL.iter().copied() {
        println!("answer: {engine} first: {}", word(&engine.self_test()));
        println!("answer: {engine} is: {}", word(&engine.availability()));
        for with in FAILING_WITH {
            order(Some((engine, with)));
            let answer = word(&engine.self_test());
            println!("answer: {engine} failing with {with:?}: {answer}");
        }
        order(None);
        println!("answer: {engine} again: {}", word(&engine.self_test()));
    }
}

/// What a process answers in which these engines fail, and whose environment names `engine`.
fn answers(failing: &str, engine: &str) -> Answers {
    answers_of("answers_of_a_process", failing, engine)
}

/// What such a process answers that is asked by this test.
fn answers_of(test: &str, failing: &str, engine: &str) -> Answers {
    // On another CPU this program starts by way of an emulator.
    let runner = std::env::var("CARRYLESS_TEST_RUNNER").unwrap_or_default();
    let this = std::env::current_exe().expect("this program");
    let mut words = runner
        .split_whitespace()
        .map(String::from)
        .collect::<Vec<_>>();
    words.push(this.to_string_lossy().into_owned());
    let ended = Command::new(&words[0])
        .args(&words[1..])
        .args(["--exact", &format!("env::tests::{test}")])
        .args(["--ignored", "--nocapture"])
        .env("CARRYLESS_FAILING", failing)
        .env("CARRYLESS_ENGINE", engine)
        .output()
        .expect("this program starts again");
    assert!(
        ended.status.success(),
        "{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    let pair = |line: &str| {
        let (what, answer) = line.split_once("answer: ")?.1.split_once(": ")?;
        Some((what.to_string(), answer.to_string()))
    };
    said.lines().filter_map(pair).collect()
}

/// What docs/engines.md promises where these fail: how many answers were right, or the first that was not.
fn heeded(failing: &str, engine: &str, answers: &Answers) -> Result<usize, String> {
    let fails = |engine: Engine| failing.split(' ').any(|name| name == engine.name());
    let lacks = |engine: Engine| engine.missing_on(Features::detect());
    let state = |engine: Engine| {
        if lacks(engine) {
            MISSING
        } else if fails(engine) {
            FAILED
        } else {
            USABLE
        }
    };
    let all = || Engine::ALL.iter().copied();
    let usable: Vec<&str> = all()
        .filter(|e| state(*e) == USABLE)
        .map(Engine::name)
        .collect();
    // The first that may be chosen; if there is none, nothing of this build can be trusted.
    let chosen = all().find(|e| e.is_automatic() && state(*e) == USABLE);
    let chosen = chosen.map_or("panic", Engine::name);
    let mut expected = Answers::new();
    expected.insert("selected".into(), chosen.into());
    expected.insert("a key".into(), chosen.into());
    expected.insert("available".into(), usable.join(" "));
    let of_env = all().find(|e| e.name() == engine).map_or(USABLE, state);
    expected.insert("from_env".into(), of_env.into());
    for engine in all() {
        for what in [
            "availability",
            "self_test",
            "from_name",
            "Aes128Gcm",
            "Aes192Gcm",
            "Slot",
            "Gmac",
            "set_default",
        ] {
            expected.insert(format!("{what} of {engine}"), state(engine).into());
        }
        if cfg!(feature = "hazmat") {
            for what in ["BlockCipher", "Ghash"] {
                expected.insert(format!("{what} of {engine}"), state(engine).into());
            }
        }
        expected.insert(format!("the default after {engine}"), "follows".into());
    }
    for (what, right) in &expected {
        let got = answers.get(what).map_or("nothing", String::as_str);
        if got != right {
            return Err(format!(
                "failing {failing}: {what}: {got}, expected {right}"
            ));
        }
    }
    if answers.len() != expected.len() {
        return Err(format!(
            "{} answers, {} expected",
            answers.len(),
            expected.len()
        ));
    }
    Ok(expected.len())
}

#[test]
fn u9_an_engine_whose_self_test_fails_is_neither_chosen_nor_used() {
    for engine in Engine::ALL.iter().copied() {
        let failing = engine.name();
        let count = heeded(failing, failing, &answers(failing, failing));
        let count = count.unwrap_or_else(|error| panic!("{error}"));
        println!("U9 {engine}: {count} answers of a process in which it fails");
    }
}

#[test]
fn u9_whatever_fails_the_best_of_the_rest_is_chosen_or_nothing() {
    let names: Vec<&str> = Engine::ALL.iter().copied().map(Engine::name).collect();
    let mut count = 0;
    // All that are better than the n-th; in the end all there are.
    for better in 0..=names.len() {
        let failing = names[..better].join(" ");
        let engine = names.get(better).unwrap_or(&"auto");
        let answered = heeded(&failing, engine, &answers(&failing, engine));
        count += answered.unwrap_or_else(|error| panic!("{error}"));
    }
    println!("U9 choice: {count} answers of processes in which better engines fail");
}

/// How often each engine was tested again, whatever it answered before; or where an old answer was given.
fn tested_again(answers: &Answers) -> Result<usize, String> {
    for engine in Engine::ALL.iter().copied() {
        let lacks = engine.missing_on(Features::detect());
        let usable = ["first", "is", "again"].map(|when| (String::from(when), USABLE));
        let failing = FAILING_WITH.map(|with| (format!("failing with {with:?}"), FAILED));
        for (when, right) in usable.into_iter().chain(failing) {
            let what = format!("{engine} {when}");
            let right = if lacks { MISSING } else { right };
            let got = answers.get(&what).map_or("nothing", String::as_str);
            if got != right {
                return Err(format!("{what}: {got}, expected {right}"));
            }
        }
    }
    Ok(answers.len())
}

#[test]
fn u9_a_self_test_that_is_asked_for_is_run_again() {
    let mut answers = answers_of("self_tests_of_a_process", "", "auto");
    let count = tested_again(&answers).unwrap_or_else(|error| panic!("{error}"));
    println!("U9 again: {count} answers of self-tests");
    let engine = Engine::selected();
    answers.insert(
        format!("{engine} failing with {:?}", FAILING_WITH[1]),
        USABLE.into(),
    );
    let why = tested_again(&answers).expect_err("an old answer");
    println!("an old answer is given: caught: {why}");
}

/// A process that heeds no failure, one that chooses well and lets the failed one be named, and one that lists it.
#[test]
fn control_u9_a_self_test_that_nobody_heeds_is_noticed() {
    let caught = |result: Result<usize, String>| match result {
        Ok(count) => panic!("the fault passed {count} answers unnoticed"),
        Err(message) => println!("caught: {message}"),
    };
    caught(heeded("soft64", "auto", &answers("", "auto")));
    let right = answers("soft32", "soft32");
    assert!(heeded("soft32", "soft32", &right).is_ok());
    for what in [
        "from_name of soft32",
        "Gmac of soft32",
        "set_default of soft32",
        "from_env",
        "self_test of soft32",
    ] {
        let mut wrong = right.clone();
        wrong.insert(what.into(), USABLE.into());
        caught(heeded("soft32", "soft32", &wrong));
    }
}
