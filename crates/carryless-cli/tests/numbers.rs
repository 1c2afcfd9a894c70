//! More batches and pieces than a byte counts: long files are sealed, opened, read in part and given new slots.

mod common;

use common::{CONTAINER, KINDS, MESSAGE, Place, text};

/// More than 256 batches of 32 chunks, and an end that no part has.
const LEN: usize = 259 * 32 * 16384 + 16384 + 77;

#[test]
fn u8_files_of_more_than_256_batches_are_whole() {
    for kind in KINDS {
        let place = Place::of(kind);
        let text = text(LEN);
        place.write("text", &text);
        place.ok(&kind.args("seal", &["text", "-o", "sealed"]));
        if kind.name == CONTAINER.name {
            place.ok(&["keygen", "-o", "new"]);
            place.ok(&["rekey", "-k", "key", "--new-key-file", "new", "sealed"]);
            std::fs::rename(place.path("new"), place.path("key")).expect("a file");
        }
        place.ok(&kind.args("open", &["sealed", "-o", "opened"]));
        assert!(place.read("opened") == text, "{}", kind.name);
        // A message has no parts.
        if kind.name != MESSAGE.name {
            let from = LEN - 40_000;
            let range = format!("{from}:39000");
            let part = place.ok(&kind.args("open", &["sealed", "-o", "-", "--range", &range]));
            assert!(part == text[from..from + 39_000], "{}", kind.name);
        }
        // Through pipes there is no length to go by.
        let sealed = place.run_with(&kind.args("seal", &[]), &text).stdout;
        let opened = place.run_with(&kind.args("open", &[]), &sealed);
        assert!(opened.stdout == text, "{}: {}", kind.name, opened.stderr);
        println!("U8 {}: {LEN} bytes in files and pipes", kind.name);
    }
}
