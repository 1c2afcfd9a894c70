//! Everything with everything: formats, lengths, secrets, contexts, threads, inputs and outputs drawn together, and
//! what then becomes of the file. `CARRYLESS_CASES` many instead of the few of every day.

mod common;
#[allow(dead_code, reason = "shared with another crate")]
#[path = "../../carryless-file/tests/combined/dice.rs"]
mod dice;

use std::fs::File;
use std::io::{Seek, SeekFrom};

use dice::Dice;

use common::{CHUNK, HEADER, Place, Run, SEALED, text};

/// Some of them, one at least, each once, in any order.
fn some<T: Copy>(dice: &mut Dice, of: &[T], most: usize) -> Vec<T> {
    let (mut rest, mut some) = (of.to_vec(), Vec::new());
    for _ in 0..=dice.below(most) {
        some.push(rest.swap_remove(dice.below(rest.len())));
    }
    some
}

/// A secret: the option that takes it, the file it is in.
type Secret = (&'static str, &'static str);

fn is_key(secret: Secret) -> bool {
    ["-k", "--raw-key-file"].contains(&secret.0)
}

const KEYS: [Secret; 5] = [
    ("--raw-key-file", "raw16"),
    ("--raw-key-file", "raw32"),
    ("-k", "key"),
    ("-k", "key256"),
    ("-k", "other"),
];
const WORDS: [Secret; 3] = [
    ("--passphrase-file", "words"),
    ("--passphrase-file", "letter"),
    ("--passphrase-file", "longest"),
];
const GCM: [Secret; 3] = [("-k", "gcm128"), ("-k", "gcm256"), ("-k", "gcm-other")];

fn place() -> Place {
    let place = Place::new();
    for (name, kind, bits) in [
        ("key256", "file", "256"),
        ("other", "file", "128"),
        ("gcm128", "gcm", "128"),
        ("gcm256", "gcm", "256"),
        ("gcm-other", "gcm", "256"),
    ] {
        place.ok(&["keygen", "--kind", kind, "--bits", bits, "-o", name]);
    }
    place.write_key("raw16", &text(16));
    place.write_key("raw32", &text(32));
    place.write_key("words", b"correct horse\n");
    place.write_key("letter", b"c");
    place.write_key("longest", &[b'z'; 1024]);
    place
}

/// What a file is sealed as.
struct Case {
    format: &'static str,
    len: usize,
    secrets: Vec<Secret>,
    context: Vec<String>,
}

impl Case {
    fn draw(dice: &mut Dice) -> Self {
        let format = dice.one(&["container", "container", "cobblestone", "gcm"]);
        let secrets = match format {
            "container" => {
                let mut secrets = some(dice, &KEYS, 4);
                if dice.below(2) == 0 {
                    secrets.truncate(dice.below(secrets.len() + 1));
                    secrets.push(dice.one(&WORDS));
                }
                secrets
            }
            "cobblestone" => vec![dice.one(&KEYS)],
            _ => vec![dice.one(&GCM)],
        };
        let context = match (format, dice.below(3)) {
            ("cobblestone", 0) => vec!["--context".into(), "x".repeat(1 + dice.below(300))],
            ("cobblestone", 1) => vec!["--context-hex".into(), "00ff".repeat(1 + dice.below(300))],
            _ => Vec::new(),
        };
        let chunks = dice.one(&[0, 0, 1, 2, 5, 31, 32, 33, 64]);
        let beside = dice.one(&[0, 1, 15, 16, 17, 100, CHUNK - 1]);
        Self {
            format,
            len: chunks * CHUNK + beside,
            secrets,
            context,
        }
    }

    fn chunked(&self) -> bool {
        self.format != "gcm"
    }

    /// Secrets of its kind that don't open it.
    fn others(&self) -> Vec<Secret> {
        let all = match self.format {
            "container" => [&KEYS[..], &WORDS].concat(),
            "cobblestone" => KEYS.to_vec(),
            _ => GCM.to_vec(),
        };
        all.into_iter()
            .filter(|one| !self.secrets.contains(one))
            .collect()
    }

    /// A command line that names the format, or leaves it to be found out.
    fn args<'a>(&'a self, verb: &'a str, secrets: &[Secret], named: bool) -> Vec<&'a str> {
        let mut args = vec![verb];
        for &(option, file) in secrets {
            args.extend([option, file]);
        }
        if named || self.format == "gcm" {
            args.extend(["--format", self.format]);
        }
        args.extend(self.context.iter().map(String::as_str));
        args
    }

    /// Bytes behind all headers.
    fn body_len(&self) -> usize {
        let tags = if self.chunked() {
            self.len / CHUNK + 1
        } else {
            1
        };
        self.len + 16 * tags
    }

    /// Bytes of text, whole chunks, that are authentic if what is sealed is wrong from there on.
    fn good(&self, sealed: &[u8], at: usize) -> usize {
        if self.chunked() {
            at.saturating_sub(sealed.len() - self.body_len()) / SEALED * CHUNK
        } else {
            0
        }
    }
}

/// Where an input comes from.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    File,
    Pipe,
    /// A redirected file, behind bytes that were read before.
    Behind,
}

/// Runs with the rest of a file as standard input.
fn behind(place: &Place, args: &[&str], input: &[u8], before: usize) -> Run {
    place.write("behind", &[&vec![0x93; before], input].concat());
    let mut file = File::open(place.path("behind")).expect("it was written");
    let start = SeekFrom::Start(before as u64);
    file.seek(start).expect("within the file");
    let mut command = place.command(args);
    command.stdin(file).output().expect("it starts").into()
}

/// Where a case is tried, and what is still to be drawn.
struct Trial<'a> {
    place: &'a Place,
    dice: Dice,
}

impl Trial<'_> {
    fn all(&mut self, case: &Case) {
        let text = &text(case.len);
        let args = || case.args("seal", &case.secrets, true);
        let (run, sealed) = self.through(args(), text);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let (_, again) = self.through(args(), text);
        assert_eq!(again.len(), sealed.len());
        assert!(again[10..26] != sealed[10..26], "two files begin alike");
        self.opens(case, &sealed, text);
        self.spoilt(case, &sealed);
        self.inspected(case, &sealed);
        if case.chunked() {
            self.ranges(case, &sealed, text);
        }
        if case.format == "container" {
            self.rekeyed(case, &sealed, text);
        }
    }

    /// Runs with input from a file, a pipe, or a redirected file of which others have read a part, and output to a new
    /// file, one that is replaced, or a pipe; what came out, if it went well.
    fn through(&mut self, mut args: Vec<&str>, input: &[u8]) -> (Run, Vec<u8>) {
        let place = self.place;
        args.extend(["-t", self.dice.one(&["0", "1", "2", "3", "7"])]);
        let source = self.dice.one(&[Source::File, Source::Pipe, Source::Behind]);
        if source == Source::File {
            place.write("input", input);
            args.push("input");
        }
        let _ = std::fs::remove_file(place.path("output"));
        let output = self.dice.below(3);
        args.extend(["-o", if output == 0 { "-" } else { "output" }]);
        if output == 1 {
            place.write("output", b"what was there");
            args.push("-f");
        }
        let run = match source {
            Source::File => place.run(&args),
            Source::Pipe => place.run_with(&args, input),
            Source::Behind => behind(place, &args, input, 1 + self.dice.below(100)),
        };
        assert!(place.temporaries().is_empty(), "{args:?}");
        let out = match (output, run.code) {
            (0, _) => run.stdout.clone(),
            (_, Some(0)) => place.read("output"),
            (1, _) => {
                assert_eq!(place.read("output"), b"what was there", "{args:?}");
                Vec::new()
            }
            _ => {
                assert!(!place.has("output"), "{args:?}");
                Vec::new()
            }
        };
        (run, out)
    }

    /// Opens and verifies: with each of its secrets the text comes, with others nothing.
    fn opens(&mut self, case: &Case, sealed: &[u8], text: &[u8]) {
        for &secret in &case.secrets {
            let named = self.dice.below(2) == 0;
            let (run, out) = self.through(case.args("open", &[secret], named), sealed);
            assert_eq!(run.code, Some(0), "{secret:?}: {}", run.stderr);
            assert!(out == text, "{secret:?}: another text");
        }
        let known = [case.others()[0], self.dice.one(&case.secrets)];
        if case.format == "container" && is_key(known[0]) {
            // One that opens among others that don't.
            let (run, out) = self.through(case.args("open", &known, true), sealed);
            assert_eq!((run.code, out == text), (Some(0), true), "{known:?}");
        }
        let other = self.dice.one(&case.others());
        self.refused(case, other, sealed, 0, "another secret");
        if case.format == "cobblestone" {
            let other = Case {
                context: vec!["--context".into(), "another".into()],
                secrets: case.secrets.clone(),
                ..*case
            };
            self.refused(&other, case.secrets[0], sealed, 0, "another context");
        }
        self.place.write("sealed", sealed);
        let mut args = case.args("verify", &[self.dice.one(&case.secrets)], true);
        args.push("sealed");
        self.place.ok(&args);
    }

    /// What is wrong has exit status 3 and gives at most so many bytes, whole chunks, on a pipe.
    fn refused(&mut self, case: &Case, secret: Secret, sealed: &[u8], most: usize, what: &str) {
        let (run, out) = self.through(case.args("open", &[secret], true), sealed);
        assert_eq!(run.code, Some(3), "{what}: {}", run.stderr);
        let whole = out.len().is_multiple_of(CHUNK) && out.len() <= most;
        assert!(whole, "{what}: {} bytes of text", out.len());
    }

    /// Changed, cut and extended at places that are drawn.
    fn spoilt(&mut self, case: &Case, sealed: &[u8]) {
        // A key, if there is one: what a changed Argon2id asks for is refused or takes its time.
        let secret = case.secrets[0];
        let header = sealed.len() - case.body_len();
        // Behind the magic and the version, which say what it is.
        let from = if is_key(secret) { 10 } else { header };
        let to = self.dice.one(&[header, sealed.len()]).max(from + 1);
        let at = from + self.dice.below(to - from);
        let good = case.good(sealed, at);
        let mut flipped = sealed.to_vec();
        flipped[at] ^= 1 << self.dice.below(8);
        self.refused(case, secret, &flipped, good, &format!("byte {at} flipped"));
        self.refused(case, secret, &sealed[..at], good, &format!("cut at {at}"));
        let more = self.dice.one(&[1, 15, 16, 17, SEALED]);
        let longer = [sealed, &vec![0; more]].concat();
        let good = case.good(sealed, longer.len());
        self.refused(case, secret, &longer, good, "extended");
    }

    fn ranges(&mut self, case: &Case, sealed: &[u8], text: &[u8]) {
        self.place.write("sealed", sealed);
        for _ in 0..3 {
            let ends = [0, 1, 2, CHUNK - 1, CHUNK, CHUNK + 1, 32 * CHUNK, case.len];
            let edge = self.dice.one(&ends).min(case.len);
            let from = self.dice.one(&[edge, case.len - edge]);
            let wanted = self.dice.one(&ends);
            let range = format!("{from}:{wanted}");
            let mut args = case.args("open", &[self.dice.one(&case.secrets)], false);
            args.extend(["sealed", "-o", "-", "--range", &range, "--short-range"]);
            let part = self.place.ok(&args);
            let end = case.len.min(from + wanted);
            assert!(part == text[from..end], "{range}: {} bytes", part.len());
            // Places in what is redirected are counted from the file's start, so a part of it has none.
            args.retain(|arg| *arg != "sealed");
            let run = behind(self.place, &args, sealed, 1 + self.dice.below(100));
            assert_eq!(run.code, Some(2), "{range}: {}", run.stderr);
        }
    }

    /// What can be seen without a key.
    fn inspected(&self, case: &Case, sealed: &[u8]) {
        self.place.write("sealed", sealed);
        let seen = self.place.inspect("sealed");
        let len = match case.format {
            "container" => {
                let slots = seen["slots"].as_array().expect("slots");
                let types: Vec<_> = slots.iter().map(|slot| slot["type"] == "key").collect();
                let keys: Vec<_> = case.secrets.iter().map(|secret| is_key(*secret)).collect();
                assert_eq!(types, keys, "{seen}");
                let header = sealed.len() - case.body_len() - HEADER;
                assert_eq!(seen["header_len"], header, "{seen}");
                &seen["plaintext_len"]
            }
            "cobblestone" => &seen["as_cobblestone"]["plaintext_len"],
            _ => &seen["as_gcm"]["plaintext_len"],
        };
        assert_eq!(*len, case.len, "{seen}");
    }

    /// The same text under other secrets.
    fn rekeyed(&mut self, case: &Case, sealed: &[u8], text: &[u8]) {
        let place = self.place;
        place.write("sealed", sealed);
        let (option, file) = self.dice.one(&case.secrets);
        let mut secrets = some(&mut self.dice, &KEYS, 3);
        let mut args = vec!["rekey", option, file, "sealed", "-f", "-o", "rekeyed"];
        for (option, file) in &secrets {
            let raw = *option == "--raw-key-file";
            let new = ["--new-key-file", "--new-raw-key-file"][usize::from(raw)];
            args.extend([new, file]);
        }
        if self.dice.below(2) == 0 {
            let words = self.dice.one(&WORDS);
            secrets.push(words);
            args.extend(["--new-passphrase-file", words.1]);
        }
        place.ok(&args);
        assert!(place.read("sealed") == sealed, "the input was changed");
        let case = Case {
            secrets,
            context: Vec::new(),
            ..*case
        };
        let sealed = place.read("rekeyed");
        self.opens(&case, &sealed, text);
        self.inspected(&case, &sealed);
    }
}

#[test]
fn whatever_is_combined_does_what_each_does_alone() {
    let cases = std::env::var("CARRYLESS_CASES").map_or(16, |text| text.parse().expect("a number"));
    let place = place();
    for number in 0..cases {
        let mut dice = Dice::new(number);
        let case = Case::draw(&mut dice);
        println!(
            "case {number}: {} of {} bytes, {:?}, {:?}",
            case.format, case.len, case.secrets, case.context
        );
        let place = &place;
        Trial { place, dice }.all(&case);
    }
}
