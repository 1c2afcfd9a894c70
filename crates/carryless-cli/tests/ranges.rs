//! `--range`.

mod common;

use common::{CHUNK, CHUNKED, MESSAGE, Place, SEALED, text};

#[test]
fn ranges_are_what_they_are_of_the_whole_text() {
    let place = Place::new();
    let len = 40 * CHUNK + 100;
    let text = text(len);
    place.write("text", &text);
    for kind in CHUNKED {
        place.ok(&kind.args("seal", &["text", "-o", "sealed", "--force"]));
        for (offset, wanted) in [
            (0, Some(0)),
            (0, Some(1)),
            (0, None),
            (5, Some(CHUNK)),
            (CHUNK - 1, Some(2)),
            (CHUNK, Some(CHUNK)),
            (3 * CHUNK + 7, Some(34 * CHUNK)),
            (40 * CHUNK - 1, Some(2)),
            (40 * CHUNK, Some(100)),
            (len - 1, Some(1)),
            (len - 1, Some(1_000_000)),
            (len - 1, None),
            (len, Some(7)),
            (len, None),
        ] {
            let asked = format!(
                "{offset}:{}",
                wanted.map_or(String::new(), |len| len.to_string())
            );
            let end = wanted.map_or(len, |wanted| len.min(offset + wanted));
            for threads in ["1", "3"] {
                let args = ["sealed", "-o", "-", "--range", &asked, "-t", threads];
                let short = [&args[..], &["--short-range"]].concat();
                let opened = place.ok(&kind.args("open", &short));
                assert!(opened == text[offset..end], "{kind:?}, {asked}");
                let run = place.run(&kind.args("open", &args));
                if wanted.is_none_or(|wanted| offset + wanted <= len) {
                    assert!(run.stdout == opened, "{kind:?}, {asked}: {}", run.stderr);
                } else {
                    assert_eq!((run.code, run.stdout.len()), (Some(2), 0), "{asked}");
                    assert!(run.stderr.contains("--short-range"), "{}", run.stderr);
                }
            }
        }
    }
}

/// The end of a text of whole chunks is where an empty chunk follows, which is in no range.
#[test]
fn ranges_up_to_ends_that_are_those_of_chunks() {
    let place = Place::new();
    let whole = text(33 * CHUNK);
    for kind in CHUNKED {
        for chunks in [0, 1, 2, 31, 32, 33] {
            for len in [chunks * CHUNK, (chunks * CHUNK).saturating_sub(1)] {
                place.write("text", &whole[..len]);
                place.ok(&kind.args("seal", &["text", "-o", "sealed", "--force"]));
                for back in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, len] {
                    let from = len.saturating_sub(back);
                    for wanted in [format!("{from}:"), format!("{from}:{}", len - from)] {
                        let args = ["sealed", "-o", "-", "--range", &wanted];
                        let opened = place.ok(&kind.args("open", &args));
                        assert!(opened == whole[from..len], "{kind:?}, {len}: {wanted}");
                    }
                }
            }
        }
    }
}

#[test]
fn ranges_that_cannot_be_are_usage_errors() {
    let place = Place::new();
    place.write("text", b"text");
    place.ok(&["seal", "-k", "key", "text"]);
    let open = |range| {
        [
            "open",
            "-k",
            "key",
            "text.cless",
            "-o",
            "-",
            "--range",
            range,
        ]
    };
    for range in [
        "5:",
        "5:1",
        "",
        "1",
        ":",
        ":5",
        "1:2:3",
        "-1:2",
        "1:-2",
        "a:b",
        "18446744073709551616:1",
        // What begins behind the end, and would not if it had fewer bits.
        "256:1",
        "65536:1",
        "4294967296:1",
        "4294967297:",
        "9223372036854775809:1",
        "18446744073709551615:",
    ] {
        place.fails(2, &open(range));
    }
    let most = open("1:18446744073709551615");
    place.fails(2, &most);
    let short = [&most[..], &["--short-range"]].concat();
    assert_eq!(place.ok(&short), b"ext");
    place.fails(2, &["open", "-k", "key", "text.cless", "--short-range"]);
    let message = Place::of(MESSAGE);
    message.write("text", b"text");
    message.ok(&MESSAGE.args("seal", &["text"]));
    message.fails(
        2,
        &MESSAGE.args("open", &["text.cless", "-o", "-", "--range", "0:1"]),
    );
    let sealed = place.read("text.cless");
    let piped = place.run_with(&["open", "-k", "key", "--range", "0:1"], &sealed);
    assert_eq!(
        (piped.code, piped.stdout.len()),
        (Some(2), 0),
        "{}",
        piped.stderr
    );
}

#[test]
fn a_range_is_authentic_and_so_is_the_length() {
    for kind in CHUNKED {
        let place = Place::new();
        place.write("text", &text(5 * CHUNK + 100));
        place.ok(&kind.args("seal", &["text", "-o", "good"]));
        let good = place.read("good");
        let chunk = |number: usize| kind.header + number * SEALED;
        let range = format!("{}:10", 2 * CHUNK);
        let args = kind.args("open", &["bad", "-o", "-", "--range", &range]);
        let refused = |bad: &[u8], what: &str| {
            place.write("bad", bad);
            let run = place.run(&args);
            assert_eq!(
                (run.code, run.stdout.len()),
                (Some(3), 0),
                "{what}: {run:?}"
            );
        };
        let mut flipped = good.clone();
        flipped[chunk(2) + 9] ^= 1;
        refused(&flipped, "the chunk itself");
        let mut flipped = good.clone();
        flipped[chunk(5) + 9] ^= 1;
        refused(&flipped, "the last chunk");
        refused(&good[..good.len() - 1], "a byte less");
        refused(&good[..chunk(4)], "whole chunks less");
        refused(&good[..chunk(3) + 16], "an end that is none");
        let mut moved = good.clone();
        moved.copy_within(chunk(1)..chunk(2), chunk(2));
        refused(&moved, "another chunk in its place");
        // Elsewhere nothing is looked at: that is what makes it quick.
        let mut flipped = good.clone();
        flipped[chunk(1) + 9] ^= 1;
        place.write("bad", &flipped);
        assert_eq!(place.ok(&args).len(), 10);
    }
}
