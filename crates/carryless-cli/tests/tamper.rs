//! Whatever is done to a sealed stream: exit code 3, no target, whole authentic chunks on stdout.

mod common;

use common::{CHUNK, CHUNKED, Kind, MESSAGE, Place, SEALED, STREAM, text};

/// A sealed text of three whole chunks and a short one, and ways to open what was made of it.
struct Victim {
    kind: Kind,
    place: Place,
    text: Vec<u8>,
    sealed: Vec<u8>,
}

impl Victim {
    fn new(kind: Kind) -> Self {
        let (place, text) = (Place::new(), text(3 * CHUNK + 100));
        place.write("text", &text);
        let sealed = place.ok(&kind.args("seal", &["text", "-o", "-"]));
        Self {
            kind,
            place,
            text,
            sealed,
        }
    }

    /// Opens to standard output and to a file: fails, and gives out that many chunks.
    fn refuses(&self, sealed: &[u8], chunks: usize, what: &str) {
        let run = self.place.run_with(&self.kind.args("open", &[]), sealed);
        assert_eq!(run.code, Some(3), "{what}: {}", run.stderr);
        assert!(
            run.stdout == self.text[..chunks * CHUNK],
            "{what}: {} bytes",
            run.stdout.len()
        );
        assert_eq!(
            chunks > 0,
            run.stderr.contains("only the beginning"),
            "{what}: {}",
            run.stderr
        );
        self.place.write("bad.cless", sealed);
        self.place.fails(3, &self.kind.args("open", &["bad.cless"]));
        assert_eq!(
            self.place.run(&["verify", "-k", "key", "bad.cless"]).code,
            Some(3),
            "{what}"
        );
        assert_eq!(self.place.names(), ["bad.cless", "key", "text"], "{what}");
    }
}

#[test]
fn changed_bytes_of_every_region() {
    for victim in CHUNKED.map(Victim::new) {
        let tag = |chunk: usize| victim.kind.header + (chunk + 1) * SEALED - 1;
        let start = victim.kind.header;
        let header = (0..start).map(|at| (at, 0));
        for (at, chunks) in header.chain([
            (start, 0),
            (tag(0), 0),
            (tag(0) + 1, 1),
            (tag(1), 1),
            (tag(1) + 1000, 2),
            (tag(2), 2),
            (tag(2) + 1, 3),
            (victim.sealed.len() - 1, 3),
        ]) {
            let mut sealed = victim.sealed.clone();
            sealed[at] ^= 1 << (at % 8);
            victim.refuses(&sealed, chunks, &format!("byte {at}"));
        }
    }
}

#[test]
fn cut_at_every_boundary_and_beside_it() {
    for victim in CHUNKED.map(Victim::new) {
        let boundaries = [
            0,
            24,
            victim.kind.header,
            victim.kind.header + 16,
            victim.kind.header + SEALED,
            victim.kind.header + SEALED + 16,
            victim.kind.header + 2 * SEALED,
            victim.kind.header + 3 * SEALED,
            victim.sealed.len(),
        ];
        for boundary in boundaries {
            for cut in boundary.saturating_sub(1)..(boundary + 2).min(victim.sealed.len()) {
                let chunks = cut.saturating_sub(victim.kind.header) / SEALED;
                victim.refuses(&victim.sealed[..cut], chunks, &format!("cut at {cut}"));
            }
        }
    }
}

#[test]
fn chunks_swapped_repeated_dropped_added_or_from_another_stream() {
    for victim in CHUNKED.map(Victim::new) {
        let other = victim
            .place
            .ok(&victim.kind.args("seal", &["text", "-o", "-"]));
        let (header, chunks) = victim.sealed.split_at(victim.kind.header);
        let chunks: Vec<&[u8]> = chunks
            .chunks(SEALED)
            .chain(other[victim.kind.header..].chunks(SEALED))
            .collect();
        for (order, good) in [
            (&[1, 0, 2, 3][..], 0),
            (&[0, 2, 1, 3], 1),
            (&[0, 0, 1, 2, 3], 1),
            (&[0, 1, 3], 2),
            (&[0, 1, 2], 3),
            (&[0, 1, 2, 3, 3], 3),
            (&[0, 1, 2, 2, 3], 3),
            (&[0, 5, 2, 3], 1),
            (&[0, 1, 2, 7], 3),
            (&[4, 5, 6, 7], 0),
        ] {
            let mut sealed = header.to_vec();
            order
                .iter()
                .for_each(|chunk| sealed.extend_from_slice(chunks[*chunk]));
            victim.refuses(&sealed, good, &format!("{order:?}"));
        }
        victim.refuses(&[&victim.sealed[..], b"\0"].concat(), 3, "one byte more");
        victim.refuses(&[&victim.sealed[..], &victim.sealed].concat(), 3, "twice");
    }
}

#[test]
fn another_key_and_no_such_file() {
    for victim in CHUNKED.map(Victim::new) {
        victim.place.ok(&["keygen", "-o", "other"]);
        victim
            .place
            .ok(&["keygen", "--bits", "256", "-o", "longer"]);
        let messages = ["other", "longer"].map(|key| {
            let run = victim.place.run_with(&["open", "-k", key], &victim.sealed);
            assert_eq!((run.code, run.stdout.len()), (Some(3), 0));
            run.stderr
        });
        let mut changed = victim.sealed.clone();
        changed[30] ^= 1;
        let run = victim.place.run_with(&["open", "-k", "key"], &changed);
        assert_eq!((run.code, run.stdout.len()), (Some(3), 0));
        assert!(
            victim.kind.name != STREAM.name
                || messages.iter().all(|message| *message == run.stderr),
            "one message whatever was wrong: {messages:?}"
        );
        for input in [&b""[..], b"hello, world", &[0; 100_000]] {
            let run = victim.place.run_with(&["open", "-k", "key"], input);
            assert_eq!((run.code, run.stdout.len()), (Some(3), 0), "{}", run.stderr);
        }
    }
}

#[test]
fn a_message_that_is_not_the_one_gives_nothing() {
    let place = Place::of(MESSAGE);
    let text = text(1_300_000);
    place.write("text", &text);
    let sealed = place.ok(&MESSAGE.args("seal", &["text", "-o", "-"]));
    assert_eq!(sealed.len(), 12 + text.len() + 16);
    let refuses = |bad: &[u8], what: &str| {
        // From a pipe it goes through a temporary file.
        let run = place.run_with(&MESSAGE.args("open", &[]), bad);
        assert_eq!(
            (run.code, run.stdout.len()),
            (Some(3), 0),
            "{what}: {run:?}"
        );
        place.write("bad.cless", bad);
        place.fails(3, &MESSAGE.args("open", &["bad.cless"]));
        place.fails(3, &MESSAGE.args("verify", &["bad.cless"]));
        assert_eq!(
            place.names(),
            ["bad.cless", "gcm.key", "key", "text"],
            "{what}"
        );
    };
    let len = sealed.len();
    for at in (0..28)
        .chain([524_300, 524_301, len - 17])
        .chain(len - 16..len)
    {
        let mut bad = sealed.clone();
        bad[at] ^= 1 << (at % 8);
        refuses(&bad, &format!("byte {at}"));
    }
    for cut in [0, 1, 11, 12, 27, 28, 29, len / 2, len - 16, len - 1] {
        refuses(&sealed[..cut], &format!("cut at {cut}"));
    }
    refuses(&[&sealed[..], b"\0"].concat(), "one byte more");
    let mut swapped = sealed.clone();
    let (first, second) = swapped[12..].split_at_mut(524_288);
    first.swap_with_slice(&mut second[..524_288]);
    refuses(&swapped, "two segments swapped");
    place.ok(&["keygen", "--kind", "gcm", "--force", "-o", "gcm.key"]);
    refuses(&sealed, "another key");
}

#[test]
fn messages_of_all_lengths_come_back_from_files_and_pipes() {
    let place = Place::of(MESSAGE);
    for len in [
        0,
        1,
        15,
        16,
        17,
        CHUNK,
        (1 << 19) - 1,
        1 << 19,
        (1 << 19) + 1,
        3_000_001,
    ] {
        let text = text(len);
        place.write("text", &text);
        place.ok(&MESSAGE.args("seal", &["text", "-f", "-t", "3"]));
        let opened = place.ok(&MESSAGE.args("open", &["text.cless", "-o", "-", "-t", "2"]));
        assert!(opened == text, "file of {len}");
        let sealed = place.run_with(&MESSAGE.args("seal", &["-t", "2"]), &text);
        let opened = place.run_with(&MESSAGE.args("open", &["-t", "3"]), &sealed.stdout);
        assert_eq!((opened.code, opened.stderr.as_str()), (Some(0), ""));
        assert!(opened.stdout == text, "pipe of {len}");
    }
    // A key serves one format.
    place.fails(4, &["open", "-k", "gcm.key", "text.cless", "-o", "-"]);
    place.fails(4, &["seal", "-k", "key", "--format", "gcm", "text", "-f"]);
    place.fails(2, &MESSAGE.args("seal", &["text", "-f", "-p"]));
}
