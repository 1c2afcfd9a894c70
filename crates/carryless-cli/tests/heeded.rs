//! U9: the command on engines whose self-test fails. Only in a build with `--cfg carryless_failing`, in which
//! `CARRYLESS_FAILING` says which (`cargo xtask assure S3`).
#![cfg(carryless_failing)]

mod common;

use std::process::Stdio;

use common::{Place, Run, finish};

const ALL: &str = "vaes512 vaes256 avx aesni soft64 soft64:words soft32 soft32:narrow";

/// Runs with these engines failing, and an engine in the environment.
fn run(place: &Place, failing: &str, engine: Option<&str>, args: &[&str]) -> Run {
    let mut command = place.command(args);
    command.env("CARRYLESS_FAILING", failing);
    if let Some(engine) = engine {
        command.env("CARRYLESS_ENGINE", engine);
    }
    finish(
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped()),
        b"",
    )
}

/// The engines of `carryless engines --json`: name, whether it can be used, and whether it is chosen.
fn listed(place: &Place, failing: &str) -> Vec<(String, bool, bool)> {
    let run = run(place, failing, None, &["engines", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let text = String::from_utf8(run.stdout).expect("text");
    let field = |line: &str, name: &str| {
        let start = line.find(&format!("\"{name}\":")).expect("the field") + name.len() + 3;
        let rest = &line[start..];
        rest[..rest.find([',', '}']).expect("its end")]
            .trim_matches('"')
            .to_owned()
    };
    let entry = |line: &str| {
        (
            field(line, "engine"),
            field(line, "available") == "true",
            field(line, "selected") == "true",
        )
    };
    text.lines().map(entry).collect()
}

#[test]
fn u9_the_command_uses_no_engine_whose_self_test_fails() {
    let place = Place::new();
    place.write("text", b"some text");
    let before = listed(&place, "");
    let usable: Vec<&str> = before
        .iter()
        .filter(|(_, usable, _)| *usable)
        .map(|(name, ..)| &**name)
        .collect();
    for engine in &usable {
        let after = listed(&place, engine);
        let (_, available, selected) = after
            .iter()
            .find(|(name, ..)| name == engine)
            .expect("it is listed");
        assert!(
            !available && !selected,
            "{engine} is listed as usable or chosen"
        );
        assert_eq!(
            after.iter().filter(|(.., selected)| *selected).count(),
            1,
            "one engine is chosen"
        );
        // By name it is refused, by whatever way and for whatever verb; never another in silence.
        for args in [
            &["seal", "-k", "key", "text", "-o", "out"][..],
            &["open", "-k", "key", "text", "-o", "out"],
            &["bench", "--lengths", "64", "--rounds", "1"],
            &["engines"],
        ] {
            let named = [&["--engine", engine][..], args].concat();
            for (run, source) in [
                (run(&place, engine, None, &named), "--engine"),
                (run(&place, engine, Some(engine), args), "CARRYLESS_ENGINE"),
            ] {
                assert_eq!(run.code, Some(2), "{engine}: {args:?}: {}", run.stderr);
                let told =
                    run.stderr.contains("its self-test failed") && run.stderr.contains(source);
                assert!(told, "{engine}: {args:?}: {}", run.stderr);
                assert!(!place.has("out"));
            }
        }
        // Without a name the rest does the work.
        let target = format!("{engine}.cless");
        let sealed = run(
            &place,
            engine,
            None,
            &["seal", "-k", "key", "text", "-o", &target],
        );
        assert_eq!(sealed.code, Some(0), "{engine}: {}", sealed.stderr);
        println!("U9 {engine}: 9 answers of the command");
    }
}

#[test]
fn u9_with_no_engine_left_the_command_does_nothing() {
    let place = Place::new();
    place.write("text", b"some text");
    let sealed = run(
        &place,
        ALL,
        None,
        &["seal", "-k", "key", "text", "-o", "out"],
    );
    assert!(!matches!(sealed.code, Some(0 | 2..=5)), "{:?}", sealed.code);
    assert!(
        sealed.stderr.contains("failed its self-test"),
        "{}",
        sealed.stderr
    );
    assert!(!place.has("out") && place.temporaries().is_empty());
    let tested = run(&place, ALL, None, &["selftest"]);
    assert_eq!(tested.code, Some(1), "{}", tested.stderr);
    let usable = listed(&place, "")
        .into_iter()
        .filter(|(_, usable, _)| *usable);
    let names = Vec::from_iter(usable.map(|(name, ..)| name)).join(", ");
    let told = format!("wrong answers from: {names}\n");
    assert!(tested.stderr.contains(&told), "{told}: {}", tested.stderr);
    println!("U9 none: 2 answers of the command");
}
