//! Killed at random moments: nothing torn under the target's name, what is left is recognisable.
#![cfg(unix)]

mod common;

use core::time::Duration;
use std::process::{Command, Stdio};
use std::time::Instant;

use common::hidden::ways;
use common::{KINDS_AND_SLOTS, Kind, Place, count, text};

/// Rounds of each verb and format; `CARRYLESS_KILLS=200` for the thorough ones.
fn rounds() -> usize {
    let given = std::env::var("CARRYLESS_KILLS").ok();
    given.map_or(20, |given| given.parse().expect("a number of kills"))
}

const SIGNALS: [(&str, Option<i32>); 4] = [
    ("KILL", None),
    ("INT", Some(130)),
    ("TERM", Some(143)),
    ("HUP", Some(129)),
];

/// A source and what its name becomes.
struct Victim {
    place: Place,
    kind: Kind,
    text: Vec<u8>,
}

impl Victim {
    fn new(kind: Kind) -> Self {
        let (place, text) = (Place::of(kind), text(3_000_000));
        place.write("text", &text);
        place.ok(&kind.args("seal", &["text", "-o", "sealed"]));
        Self { place, kind, text }
    }

    /// Whether the target is whole: absent, old, or what it should become.
    fn is_whole(&self, target: &str, verb: &str) -> bool {
        if !self.place.has(target) {
            return true;
        }
        let found = self.place.read(target);
        found == b"old"
            || match verb {
                "open" => found == self.text,
                _ => {
                    let opened = self
                        .place
                        .run(&self.kind.args("open", &[target, "-o", "-"]));
                    opened.code == Some(0) && opened.stdout == self.text
                }
            }
    }

    fn args(&self, verb: &'static str) -> Vec<&'static str> {
        let source = if verb == "seal" { "text" } else { "sealed" };
        self.kind
            .args(verb, &[source, "-o", "target", "--force", "-t", "2"])
    }

    /// One run that is killed after `delay`; whether that was before its end.
    fn kill(
        &self,
        verb: &'static str,
        delay: Duration,
        (signal, code): (&str, Option<i32>),
        way: &[&str],
    ) -> bool {
        let mut command = self.place.command_through(way, &self.args(verb));
        let mut child = command
            .stdin(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(delay);
        let id = child.id().to_string();
        Command::new("kill")
            .args(["-s", signal, &id])
            .status()
            .expect("kill");
        let end = child.wait().expect("it ends");
        count(end.code(), 1);
        let case = format!("{} {verb}, {signal} after {delay:?}: {end}", self.kind.name);
        // Before the program listens, a signal does what it does to any program.
        let unheard = end.code().is_none();
        assert!(unheard || end.success() || end.code() == code, "{case}");
        assert!(self.is_whole("target", verb), "{case}: torn");
        assert_eq!(self.place.read("text"), self.text, "{case}: the source");
        let left = self.place.temporaries();
        if unheard && signal == "KILL" {
            assert!(left.len() <= 1, "{case}: {left:?}");
            for name in left {
                let place = &self.place;
                place.assert_hidden(&name, "text", |name| self.is_whole(name, verb));
                std::fs::remove_file(self.place.path(&name)).expect("a file");
            }
        } else {
            assert!(left.is_empty(), "{case}: {left:?}");
        }
        !end.success()
    }
}

#[test]
fn nothing_is_torn_by_kills_at_random_moments() {
    let ways = ways();
    for kind in KINDS_AND_SLOTS {
        let victim = Victim::new(kind);
        for verb in ["seal", "open"] {
            // What a way takes from its start to its end.
            let whole = ways.iter().map(|way| {
                let began = Instant::now();
                let run = victim.place.through(way, &victim.args(verb));
                assert_eq!(run.code, Some(0), "{}", run.stderr);
                began.elapsed()
            });
            let whole = Vec::from_iter(whole);
            let mut random = text(rounds()).into_iter();
            let mut killed = 0;
            for round in 0..rounds() {
                match round % 3 {
                    0 => victim.place.write("target", b"old"),
                    1 => {
                        let _ = std::fs::remove_file(victim.place.path("target"));
                    }
                    _ => {}
                }
                let way = round / SIGNALS.len() % ways.len();
                let delay =
                    whole[way].mul_f64(f64::from(random.next().unwrap_or_default()) / 255.0);
                let signal = SIGNALS[round % SIGNALS.len()];
                killed += usize::from(victim.kill(verb, delay, signal, ways[way]));
            }
            println!(
                "{} {verb}: {killed} of {} before the end",
                kind.name,
                rounds()
            );
            assert!(killed > 0, "{} {verb}: all came too late", kind.name);
            victim.place.ok(&victim.args(verb));
            assert!(victim.is_whole("target", verb) && victim.place.temporaries().is_empty());
        }
    }
}
