//! Two inputs of a call and one target: what was made of the first would be lost.

mod common;

use common::Place;

/// Of four the last two, the first and last, any two: the first keeps the target, and the others have theirs.
#[test]
fn no_two_inputs_have_one_target() {
    const FOUR: usize = 4;
    let pairs = (0..FOUR).flat_map(|first| (first + 1..FOUR).map(move |second| (first, second)));
    for (first, second) in pairs {
        let place = Place::new();
        for (name, verb, ending) in [("sealed", "seal", ""), ("opened", "open", ".cless")] {
            std::fs::create_dir(place.path(name)).expect("a directory");
            let input = |number: usize| {
                let name = if number == second { first } else { number };
                format!("in{number}/text{name}{ending}")
            };
            let inputs: [String; FOUR] = core::array::from_fn(input);
            for (number, input) in inputs.iter().enumerate() {
                let directory = place.path(&format!("in{number}"));
                std::fs::create_dir_all(directory).expect("a directory");
                place.write(input.trim_end_matches(".cless"), &[number.to_le_bytes()[0]]);
                if verb == "open" {
                    place.ok(&["seal", "-k", "key", input.trim_end_matches(".cless")]);
                }
            }
            // Not by force either: the first would be lost.
            let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
            let args = [&[verb, "-f", "-k", "key", "-o", name], &inputs[..]].concat();
            let run = place.fails(2, &args);
            assert!(run.stderr.contains("two inputs"), "{}", run.stderr);
            for number in (0..FOUR).filter(|number| *number != second) {
                let text = if verb == "seal" {
                    let sealed = format!("sealed/text{number}.cless");
                    place.ok(&["open", "-k", "key", &sealed, "-o", "-"])
                } else {
                    place.read(&format!("opened/text{number}"))
                };
                assert_eq!(
                    text,
                    [number.to_le_bytes()[0]],
                    "{verb}, {first} and {second}"
                );
            }
        }
    }
}

/// However the names are written, and whatever links lead there.
#[cfg(unix)]
#[test]
fn no_two_inputs_lead_to_one_target() {
    use std::os::unix::fs::symlink;

    let place = Place::new();
    for directory in ["one", "out"] {
        std::fs::create_dir(place.path(directory)).expect("a directory");
    }
    for name in ["first", "second"] {
        place.write(name, name.as_bytes());
    }
    place.write("out/second.cless", b"old");
    symlink("second.cless", place.path("out/first.cless")).expect("a link");
    symlink("one", place.path("two")).expect("a link");
    place.write("one/text", b"text");
    let key = ["-k", "key", "--force"];
    for (inputs, kept, text) in [
        (
            &["first", "second", "-o", "out"][..],
            "out/second.cless",
            "first",
        ),
        (&["first", "one/../first"], "first.cless", "first"),
        (&["one/text", "two/text"], "one/text.cless", "text"),
    ] {
        let run = place.fails(2, &[&["seal"], &key[..], inputs].concat());
        assert!(run.stderr.contains("two inputs"), "{}", run.stderr);
        let opened = place.ok(&["open", "-k", "key", kept, "-o", "-"]);
        assert_eq!(opened, text.as_bytes(), "{inputs:?}");
    }
    // What the link leads to is made by the call itself.
    symlink("new.cless", place.path("link.cless")).expect("a link");
    for (name, text) in [("new", "new"), ("link", "link")] {
        place.write(name, text.as_bytes());
    }
    let run = place.fails(2, &[&["seal"], &key[..], &["new", "link"]].concat());
    assert!(run.stderr.contains("two inputs"), "{}", run.stderr);
    let opened = place.ok(&["open", "-k", "key", "new.cless", "-o", "-"]);
    assert_eq!(opened, b"new");
    let twice = ["first.cless", "one/../first.cless"];
    for verb in [
        &["open", "-k", "key", "--force"][..],
        &["rekey", "-k", "key", "--new-key-file", "key"],
    ] {
        let run = place.fails(2, &[verb, &twice].concat());
        assert!(run.stderr.contains("two inputs"), "{}", run.stderr);
    }
    place.ok(&["verify", "-k", "key", "first.cless"]);
}

/// Nothing becomes of what is not there: another gets the target.
#[test]
fn an_absent_input_keeps_no_target_from_another() {
    let place = Place::new();
    for directory in ["one", "two", "two/three", "out"] {
        std::fs::create_dir(place.path(directory)).expect("a directory");
    }
    place.write("two/text", b"text");
    place.write("one/three", b"text");
    let inputs = ["one/text", "two/text", "two/three", "one/three"];
    let run = place.fails(
        5,
        &[&["seal", "-k", "key", "-o", "out"], &inputs[..]].concat(),
    );
    assert_eq!(run.stderr.matches("error:").count(), 2, "{}", run.stderr);
    assert!(place.has("out/text.cless") && place.has("out/three.cless"));
    // Not even if the call itself makes it.
    place.write("x", b"x");
    place.write("two/x.cless", b"two");
    let inputs = ["x", "x.cless", "two/x.cless"];
    let run = place.run(&[&["seal", "-f", "-k", "key", "-o", "."], &inputs[..]].concat());
    assert!(
        [2, 5].contains(&run.code.expect("a code")),
        "{}",
        run.stderr
    );
    let opened = place.ok(&["open", "-k", "key", "x.cless.cless", "-o", "-"]);
    assert_eq!(opened, b"two");
}
