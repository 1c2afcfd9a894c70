//! Whatever is done to a sealed stream: exit code 3, no target, whole authentic chunks on stdout.

mod common;

use common::{
    CHUNK, CONTAINER, HEADER, HYBRID, KINDS_AND_SLOTS, Kind, MESSAGE, Place, RECIPIENT, SEALED,
    STREAM, broken_pipe, count, full_device, text,
};

/// Formats of chunks, and slots.
const CHUNKED: [Kind; 4] = [STREAM, CONTAINER, RECIPIENT, HYBRID];

/// A sealed text, by default of three whole chunks and a short one, and ways to open what was made of it.
struct Victim {
    kind: Kind,
    place: Place,
    text: Vec<u8>,
    sealed: Vec<u8>,
    /// Names of what was refused from a pipe, and is to be refused as files.
    bad: Vec<String>,
}

impl Victim {
    fn new(kind: Kind) -> Self {
        Self::of(kind, 3 * CHUNK + 100)
    }

    fn of(kind: Kind, len: usize) -> Self {
        let (place, text) = (Place::of(kind), text(len));
        place.write("text", &text);
        let sealed = place.ok(&kind.args("seal", &["text", "-o", "-"]));
        Self {
            kind,
            place,
            text,
            sealed,
            bad: Vec::new(),
        }
    }

    /// Opens to standard output: fails, and gives out that many chunks.
    fn refuses(&mut self, sealed: &[u8], chunks: usize, what: &str) {
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
        self.keep_bad(sealed);
    }

    /// Writes a file for `refuses_files`.
    fn keep_bad(&mut self, sealed: &[u8]) {
        let name = format!("{}.cless", self.bad.len());
        self.place.write(&name, sealed);
        self.bad.push(name);
    }

    /// Opens or verifies all of that as files in one call: each fails, none leaves anything.
    fn refuses_files(&self, verbs: &[&'static str]) {
        let before = self.place.names();
        for verb in verbs {
            let bad = self.bad.iter().map(String::as_str);
            let rest: Vec<&str> = core::iter::once("--json").chain(bad).collect();
            let run = self.place.fails(3, &self.kind.args(verb, &rest));
            let answers = String::from_utf8_lossy(&run.stdout);
            assert_eq!(answers.lines().count(), self.bad.len(), "{verb}");
            count(Some(3), self.bad.len() - 1);
            for answer in answers.lines() {
                assert!(answer.contains("\"code\":3"), "{verb}: {answer}");
                assert!(!answer.contains("only the beginning"), "{verb}: {answer}");
            }
        }
        assert_eq!(self.place.names(), before);
    }
}

#[test]
fn changed_bytes_of_every_region() {
    for mut victim in CHUNKED.map(Victim::new) {
        let tag = |chunk: usize| victim.kind.header + (chunk + 1) * SEALED - 1;
        let start = victim.kind.header;
        // Of the long header of the hybrid kind some bytes: the library's tests have all of them.
        let header = (0..start).step_by(1 + start / 400).map(|at| (at, 0));
        let bodies = [
            (start, 0),
            (tag(0), 0),
            (tag(0) + 1, 1),
            (tag(1), 1),
            (tag(1) + 1000, 2),
            (tag(2), 2),
            (tag(2) + 1, 3),
            (victim.sealed.len() - 1, 3),
        ];
        for (at, chunks) in header.chain(bodies) {
            let mut sealed = victim.sealed.clone();
            sealed[at] ^= 1 << (at % 8);
            victim.refuses(&sealed, chunks, &format!("byte {at}"));
        }
        victim.refuses_files(&["open", "verify"]);
    }
}

#[test]
fn every_bit_of_a_short_file() {
    for kind in KINDS_AND_SLOTS {
        let mut victim = Victim::of(kind, 20);
        for bit in 0..8 * victim.sealed.len() {
            let mut sealed = victim.sealed.clone();
            sealed[bit / 8] ^= 1 << (bit % 8);
            victim.keep_bad(&sealed);
        }
        victim.refuses_files(&["open"]);
    }
}

#[test]
fn cut_at_every_boundary_and_beside_it() {
    for mut victim in CHUNKED.map(Victim::new) {
        let sealed = victim.sealed.clone();
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
                victim.refuses(&sealed[..cut], chunks, &format!("cut at {cut}"));
            }
        }
        victim.refuses_files(&["open", "verify"]);
    }
}

#[test]
fn chunks_swapped_repeated_dropped_added_or_from_another_stream() {
    for mut victim in CHUNKED.map(Victim::new) {
        let good = victim.sealed.clone();
        let other = victim
            .place
            .ok(&victim.kind.args("seal", &["text", "-o", "-"]));
        let (header, chunks) = good.split_at(victim.kind.header);
        let chunks: Vec<&[u8]> = chunks
            .chunks(SEALED)
            .chain(other[victim.kind.header..].chunks(SEALED))
            .collect();
        for (order, whole) in [
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
            victim.refuses(&sealed, whole, &format!("{order:?}"));
        }
        victim.refuses(&[&good[..], b"\0"].concat(), 3, "one byte more");
        victim.refuses(&[&good[..], &good].concat(), 3, "twice");
        victim.refuses_files(&["open", "verify"]);
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
    let mut short = Victim::of(MESSAGE, 2000);
    for at in (0..30).chain(2000..2028) {
        let mut bad = short.sealed.clone();
        bad[at] ^= 1 << (at % 8);
        short.refuses(&bad, 0, &format!("byte {at}"));
    }
    short.refuses_files(&["open", "verify"]);
    // Three segments.
    let mut long = Victim::of(MESSAGE, 1_300_000);
    let sealed = long.sealed.clone();
    let len = sealed.len();
    assert_eq!(len, 12 + 1_300_000 + 16);
    for at in [11, 12, 524_299, 524_300, len - 17, len - 16, len - 1] {
        let mut bad = sealed.clone();
        bad[at] ^= 1;
        long.refuses(&bad, 0, &format!("byte {at}"));
    }
    for cut in [0, 1, 11, 12, 27, 28, 29, len / 2, len - 16, len - 1] {
        long.refuses(&sealed[..cut], 0, &format!("cut at {cut}"));
    }
    long.refuses(&[&sealed[..], b"\0"].concat(), 0, "one byte more");
    let mut swapped = sealed.clone();
    let (first, second) = swapped[12..].split_at_mut(524_288);
    first.swap_with_slice(&mut second[..524_288]);
    long.refuses(&swapped, 0, "two segments swapped");
    long.refuses_files(&["open", "verify"]);
    let place = &long.place;
    place.ok(&["keygen", "--kind", "gcm", "--force", "-o", "gcm.key"]);
    long.refuses(&sealed, 0, "another key");
    long.refuses_files(&["open", "verify"]);
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
    // What is too long for one message is refused before any of it is read.
    let huge = std::fs::File::create(place.path("huge")).expect("a file");
    huge.set_len((1 << 36) - 31).expect("a sparse file");
    let run = place.fails(2, &MESSAGE.args("seal", &["huge", "-o", "-"]));
    assert!(
        run.stdout.is_empty() && run.stderr.contains("68719476704"),
        "{run:?}"
    );
    // A key serves one format.
    place.fails(4, &["open", "-k", "gcm.key", "text.cless", "-o", "-"]);
    place.fails(4, &["seal", "-k", "key", "--format", "gcm", "text", "-f"]);
    place.fails(2, &MESSAGE.args("seal", &["text", "-f", "-p"]));
}

#[test]
fn u9_an_answer_that_nobody_takes_hides_no_failure_and_is_none() {
    let place = Place::new();
    let named = |kind: &str, name: &str| format!("{kind}-{name}.cless");
    for name in ["a", "b"] {
        place.write(name, &text(CHUNK + 1));
        let mut sealed = place.ok(&["seal", "-k", "key", name, "-o", "-"]);
        place.write(&named("good", name), &sealed);
        sealed[HEADER + 300] ^= 1;
        place.write(&named("bad", name), &sealed);
    }
    let codes = [
        (&["good-a.cless"][..], 0, 5),
        (&["bad-a.cless"], 3, 3),
        (&["good-a.cless", "good-b.cless"], 0, 5),
        (&["good-a.cless", "bad-b.cless"], 3, 3),
        (&["bad-a.cless", "good-b.cless"], 3, 3),
        (&["bad-a.cless", "bad-b.cless"], 3, 3),
    ];
    for (inputs, gone, full) in codes {
        let args = [&["verify", "-k", "key", "--json"], inputs].concat();
        let run = place.run_into(&args, broken_pipe());
        let said = run.stderr;
        assert_eq!(run.code, Some(gone), "{inputs:?}, nobody reads: {said}");
        for input in inputs.iter().filter(|input| input.starts_with("bad")) {
            assert!(said.contains(input), "{inputs:?}: {said}");
        }
        if cfg!(target_os = "linux") {
            let run = place.run_into(&args, full_device());
            let said = run.stderr;
            assert_eq!(run.code, Some(full), "{inputs:?}, a full device: {said}");
            assert!(said.contains("standard output"), "{inputs:?}: {said}");
        }
    }
    let run = place.run_into(&["seal", "-k", "key", "--json", "a", "b"], broken_pipe());
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
    assert!(place.has("a.cless") && place.has("b.cless"));
}
