//! Several files and several keys in one call.

mod common;

use common::{CONTAINER, Place};

#[test]
fn of_several_files_the_worst_gives_the_code() {
    let place = Place::of(CONTAINER);
    place.write("text", b"attack at dawn");
    place.ok(&CONTAINER.args("seal", &["text", "-o", "right"]));
    let mut changed = place.read("right");
    *changed.last_mut().expect("a byte") ^= 1;
    place.write("changed", &changed);
    for files in [
        ["right", "changed", "absent"],
        ["absent", "right", "changed"],
        ["changed", "absent", "right"],
    ] {
        place.fails(3, &CONTAINER.args("verify", &files));
    }
    place.fails(5, &CONTAINER.args("verify", &["right", "absent", "right"]));
}

/// Enough short files that several threads work on them, and more than wait for each other.
const MANY: usize = 300;

/// Threads come to an end in any order; what is said does not, nor which of two comes first.
#[test]
fn what_is_said_of_many_files_is_said_in_their_order() {
    let place = Place::of(CONTAINER);
    let names = Vec::from_iter((0..MANY).map(|i| format!("text{i}")));
    for name in &names {
        place.write(name, name.as_bytes());
    }
    for absent in [3, 277] {
        std::fs::remove_file(place.path(&names[absent])).expect("it exists");
    }
    let mut inputs = Vec::from_iter(names.iter().map(String::as_str));
    inputs.insert(290, "./text80");
    let args = [&["--json", "-t", "4"], &inputs[..]].concat();
    let run = place.run(&CONTAINER.args("seal", &args));
    assert_eq!(run.code, Some(5), "{}", run.stderr);
    let answers = String::from_utf8(run.stdout).expect("JSON");
    let named = answers.lines().map(|line| {
        let file = line.split('"').nth(3).expect("a name");
        (file, line.contains("\"error\":"))
    });
    let expected = inputs.iter().enumerate();
    let expected = expected.map(|(i, file)| (*file, [3, 277, 290].contains(&i)));
    assert!(named.eq(expected), "{answers}");
    let failed: Vec<_> = (run.stderr.lines())
        .filter_map(|line| line.strip_prefix("carryless: error: "))
        .map(|line| line.split(':').next().unwrap_or_default())
        .collect();
    assert_eq!(failed, ["text3", "text277", "./text80.cless"]);
    let sealed = names.iter().map(|name| format!("{name}.cless"));
    let sealed = Vec::from_iter(sealed.filter(|name| place.has(name)));
    assert_eq!(sealed.len(), MANY - 2);
    let sealed = Vec::from_iter(sealed.iter().map(String::as_str));
    let verified = place.run(&CONTAINER.args("verify", &[&["-t", "4"], &sealed[..]].concat()));
    let files = verified
        .stderr
        .lines()
        .filter_map(|line| line.split(": ").nth(1));
    assert!(files.eq(sealed), "{}", verified.stderr);
}

/// Directories are flushed and closed before there are too many of them.
#[cfg(unix)]
#[test]
fn files_of_many_directories_need_few_open_at_once() {
    let place = Place::of(CONTAINER);
    let names = Vec::from_iter((0..MANY).map(|i| format!("place{i}/text")));
    for name in &names {
        let path = place.path(name);
        std::fs::create_dir(path.parent().expect("a directory")).expect("it is new");
        place.write(name, name.as_bytes());
    }
    let inputs = Vec::from_iter(names.iter().map(String::as_str));
    for limit in [20, 60] {
        let limit = format!("ulimit -n {limit}; exec \"$@\"");
        let limit = ["sh", "-c", &limit, "sh"];
        let run = place.through(&limit, &CONTAINER.args("seal", &inputs));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        for name in &names {
            std::fs::remove_file(place.path(&format!("{name}.cless"))).expect("it was made");
        }
    }
}

#[test]
fn a_key_that_is_given_twice_is_refused() {
    let place = Place::new();
    place.write("text", b"attack at dawn");
    place.ok(&["seal", "-k", "key", "text"]);
    let run = place.fails(
        2,
        &["seal", "-k", "key", "-k", "key", "text", "-o", "twice"],
    );
    assert!(run.stderr.contains("given twice"), "{}", run.stderr);
    let new = ["--new-key-file", "key", "--new-key-file", "key"];
    place.fails(
        2,
        &[&["rekey", "-k", "key"], &new[..], &["text.cless"]].concat(),
    );
    assert!(!place.has("twice") && place.temporaries().is_empty());
}

/// Its memory is a piece of its own, of which the system is asked for once.
#[cfg(target_os = "linux")]
#[test]
fn a_passphrase_is_stretched_once_for_all_files_of_a_call() {
    const MEMORY: u64 = 64 << 20;
    if !common::has_strace() {
        return;
    }
    let place = Place::new();
    place.write_key("words", b"correct horse");
    let names = ["one", "two", "three"];
    for name in names {
        place.write(name, name.as_bytes());
    }
    let sealed = names.map(|name| format!("{name}.cless"));
    let sealed = sealed.each_ref().map(String::as_str);
    let opens = ["verify", "--passphrase-file", "words"];
    for (verb, files) in [
        (&["seal", "--passphrase-file", "words"][..], names),
        (&opens, sealed),
        (
            &[
                "rekey",
                "--passphrase-file",
                "words",
                "--new-key-file",
                "key",
            ],
            sealed,
        ),
    ] {
        let strace = ["strace", "-f", "-qq", "-o", "trace", "-e", "trace=mmap"];
        let run = place.through(&strace, &[verb, &files].concat());
        assert_eq!(run.code, Some(0), "{verb:?}: {}", run.stderr);
        let trace = String::from_utf8(place.read("trace")).expect("ASCII");
        // Those that are only reserved are the allocator's.
        let usable = (trace.lines()).filter(|line| line.contains("PROT_READ|PROT_WRITE"));
        let sizes = usable.filter_map(|line| line.split(", ").nth(1));
        let sizes = sizes.filter_map(|size| size.parse::<u64>().ok());
        let of_argon2id = sizes.filter(|size| (MEMORY..MEMORY + (1 << 16)).contains(size));
        assert_eq!(of_argon2id.count(), 1, "{verb:?}");
    }
    place.fails(3, &[&opens[..], &sealed].concat());
}
