//! Everything with everything: formats, ciphers, keys and passphrases, contexts, lengths, ways of writing and of
//! reading, sources and sinks drawn together, and what then becomes of the file, against simple models.
//! `CARRYLESS_CASES` many instead of the few of every day.

mod case;
mod chunks;
mod dice;
mod fail;
mod fault;
mod header;
mod io;
mod later;
mod model;
mod open;
mod refuse;
mod rekey;
mod seal;
mod secret;
mod seek;
mod segments;
mod spoil;

use std::collections::BTreeMap;

use case::{Case, Format};
use dice::Dice;
use open::Reading;
use seal::Writing;
use spoil::Spoiling;

/// How often what was done to which format.
#[derive(Default)]
struct Counts(BTreeMap<(&'static str, String), usize>);

impl Counts {
    fn add(&mut self, format: Format, what: String) {
        *self.0.entry((format.name(), what)).or_default() += 1;
    }

    /// Prints it; there is some of everything.
    fn finish(&self) {
        for format in Format::ALL {
            let writing = Writing::ALL.map(|way| format!("{way:?}"));
            let reading = Reading::of(format).iter().map(|way| format!("{way:?}"));
            let spoiling = Spoiling::ALL.map(|what| format!("{what:?}"));
            let others = ["SourceFails", "SinkFails"].map(String::from);
            for what in reading.chain(writing).chain(spoiling).chain(others) {
                let count = self.0.get(&(format.name(), what.clone())).unwrap_or(&0);
                println!("{}, {what}: {count}", format.name());
                assert_ne!(*count, 0, "{what} never happened to a {}", format.name());
            }
        }
    }
}

/// What is done to every case.
fn all(case: &Case, dice: &mut Dice, counts: &mut Counts) {
    let sealed = Writing::ALL.map(|way| {
        counts.add(case.format, format!("{way:?}"));
        seal::seal(case, way, dice)
    });
    for sealed in &sealed {
        model::check(case, sealed);
    }
    model::have_nothing_in_common(case, [&sealed[0], &sealed[1]]);
    for sealed in &sealed {
        opened(case, sealed, dice, counts);
    }
    refuse::others_are_refused(case, &sealed[0], dice);
    let [sealed, foreign] = &sealed;
    for what in Spoiling::ALL {
        counts.add(case.format, format!("{what:?}"));
        spoil::spoilt(case, what, sealed, foreign, dice, counts);
    }
    for way in Reading::of(case.format) {
        counts.add(case.format, "SourceFails".into());
        fail::source(case, sealed, *way, dice);
    }
    for _ in 0..3 {
        counts.add(case.format, "SinkFails".into());
        fail::sink(case, dice);
    }
    match case.format {
        Format::Message => segments::are_held_together(case, dice),
        Format::Stream => seek::like_a_cursor(case, sealed, dice),
        Format::Container => {
            seek::like_a_cursor(case, sealed, dice);
            later::skipped(case, sealed, dice);
            rekey::rekeyed(case, sealed, dice);
        }
    }
}

/// Each secret opens it, one way or another, and each way with one secret or another.
fn opened(case: &Case, sealed: &[u8], dice: &mut Dice, counts: &mut Counts) {
    let ways = Reading::of(case.format);
    for turn in 0..ways.len().max(case.secrets.len()) {
        let (way, secret) = (ways[turn % ways.len()], turn % case.secrets.len());
        counts.add(case.format, format!("{way:?}"));
        let source = io::Source::behind(sealed, dice);
        let (text, end) = open::open(case, &case.secrets[secret], way, source, dice);
        assert!(end.is_ok(), "{way:?}, secret {secret}: {end:?}");
        assert!(text == case.text, "{way:?}, secret {secret}: another text");
    }
}

#[test]
fn whatever_is_combined_does_what_each_does_alone() {
    let cases = std::env::var("CARRYLESS_CASES").map_or(16, |text| text.parse().expect("a number"));
    let mut counts = Counts::default();
    for number in 0..cases {
        let mut dice = Dice::new(number);
        let case = Case::draw(&mut dice);
        println!("case {number}: {case}");
        all(&case, &mut dice, &mut counts);
    }
    counts.finish();
}
