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
