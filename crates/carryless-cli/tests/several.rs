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
