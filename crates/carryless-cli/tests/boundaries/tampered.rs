//! Files that were changed at boundaries of groups: exit code 3, no target, whole authentic chunks on a
//! pipe, nothing of a message.

use crate::common::{CONTAINER, Kind, MESSAGE, Place as Directory, STREAM};
use crate::groups;
use crate::model::{CHANGES, Case, Victim, base_len, few, group, is_message, quick, sealed_group};
use crate::table::{Place, Table, subject};
use crate::ways::{End, Opens, Way, command};

/// Ways with numbers of threads: one, two, and more than there are batches.
const RUNS: [(Way, usize); 6] = [
    (Way::Pipe, 1),
    (Way::Pipe, 2),
    (Way::Pipe, 4),
    (Way::FileToPipe, 2),
    (Way::Files, 1),
    (Way::Files, 2),
];

/// What there is of a format: sealed texts, and what was done to each.
struct Cases {
    victims: Vec<(Victim, Vec<Case>)>,
}

impl Cases {
    fn new(directory: &Directory, kind: Kind, groups: usize) -> Self {
        let base = Victim::new(directory, kind, base_len(kind, groups));
        let other = Victim::new(directory, kind, base_len(kind, groups));
        let tampered = (1..=groups)
            .flat_map(|at| base.tampered(at, &other))
            .collect();
        let mut victims = vec![(base, tampered)];
        for ends in 1..=groups {
            for offset in [-1, 0, 1] {
                let len = (ends * group(kind))
                    .checked_add_signed(offset)
                    .expect("not empty");
                let victim = Victim::new(directory, kind, len);
                let extended = victim.extended(offset);
                victims.push((victim, extended));
            }
        }
        Self { victims }
    }

    fn all(&self) -> Vec<(&Victim, &Case)> {
        let each = self.victims.iter();
        each.flat_map(|(victim, cases)| cases.iter().map(move |case| (victim, case)))
            .collect()
    }
}

/// Opens each, and compares with what must come of it.
fn check(
    table: &mut Table,
    cases: &[(&Victim, &Case)],
    way: Way,
    threads: usize,
    open: &Opens<'_>,
) -> Result<(), String> {
    let inputs: Vec<&[u8]> = cases.iter().map(|(_, case)| &case.sealed[..]).collect();
    for ((victim, case), end) in cases.iter().zip(open(way, threads, &inputs)) {
        let (code, text) = victim.expected(&case.sealed);
        let text = if way == Way::Files && code != 0 {
            &[]
        } else {
            text
        };
        if end.code != code || end.text != text || end.target != (code == 0) {
            return Err(format!(
                "{} of {} bytes of text, {} {} bytes from a boundary, {way:?} -t {threads}: exit {} with {} bytes of text, not {}",
                victim.kind.name,
                victim.text.len(),
                case.change,
                case.offset,
                end.code,
                end.text.len(),
                text.len(),
            ));
        }
        let subject = subject(victim.kind.name, way.name(), threads);
        table.add(&subject, case.change, case.place, end.code);
    }
    Ok(())
}

/// All changes by one way, one of each at each place by the others.
fn refused(kind: Kind, groups: usize, whole: Way) {
    let directory = Directory::of(kind);
    let cases = Cases::new(&directory, kind, groups);
    let all = cases.all();
    let few = few(&all);
    let open = command(&directory, kind);
    let (mut table, mut subjects) = (Table::default(), Vec::new());
    for (way, threads) in RUNS {
        let all_here = (way, threads) == (whole, 2) && !quick();
        let cases = if all_here { &all } else { &few };
        check(&mut table, cases, way, threads, &open).unwrap_or_else(|why| panic!("{why}"));
        subjects.push(subject(kind.name, way.name(), threads));
    }
    table.finish(&subjects, &CHANGES);
}

#[test]
fn u8_streams_changed_at_a_boundary_are_refused() {
    refused(STREAM, 2, Way::Pipe);
}

#[test]
fn u8_containers_changed_at_a_boundary_are_refused() {
    refused(CONTAINER, 1, Way::Files);
}

#[test]
fn u8_messages_changed_at_a_boundary_are_refused() {
    refused(MESSAGE, 1, Way::Files);
}

/// More batches than there are workers: places and turns are used again.
#[test]
fn u8_more_batches_than_workers() {
    let (mut table, threads) = (Table::default(), groups::WORKERS);
    for kind in [CONTAINER, MESSAGE] {
        let directory = Directory::of(kind);
        let victim = Victim::new(&directory, kind, base_len(kind, threads + 2));
        let open = command(&directory, kind);
        let [end] = &open(Way::Pipe, threads, &[&victim.sealed])[..] else {
            panic!("one file");
        };
        assert!(end.code == 0 && end.text == victim.text, "{}", kind.name);
        let subject = subject(kind.name, Way::Pipe.name(), threads);
        table.add(&subject, "sealed and opened", Place::Behind, 0);
        let cases = victim.tampered(threads, &victim);
        let cuts = |case: &&Case| case.change == "cut" && (!is_message(kind) || case.offset == 0);
        let cuts: Vec<_> = cases
            .iter()
            .filter(cuts)
            .map(|case| (&victim, case))
            .collect();
        let cuts = few(&cuts);
        check(&mut table, &cuts, Way::Pipe, threads, &open).unwrap_or_else(|why| panic!("{why}"));
    }
    table.finish(
        &[subject(CONTAINER.name, Way::Pipe.name(), threads)],
        &["cut"],
    );
}

/// What opens rightly, but for one fault.
fn flawed<'a>(
    cases: &'a Cases,
    flaw: &'a str,
) -> impl Fn(Way, usize, &[&[u8]]) -> Vec<End> + use<'a> {
    let all = cases.all();
    let boundary = |victim: &Victim, sealed: &[u8]| {
        let body = sealed.len().wrapping_sub(victim.kind.header);
        body.is_multiple_of(sealed_group(victim.kind))
    };
    move |way, _, inputs| {
        let opened = inputs.iter().map(|sealed| {
            let is_it = |(_, case): &&(&Victim, &Case)| core::ptr::eq(&case.sealed[..], *sealed);
            let (victim, case) = all.iter().find(is_it).expect("one of the cases");
            let (mut code, text) = victim.expected(sealed);
            let mut text = text.to_vec();
            let group = group(victim.kind);
            let mut target = false;
            match flaw {
                "an end behind a batch is the end" if boundary(victim, sealed) => code = 0,
                "what follows the end is not read" if case.change == "extended" => {
                    code = 0;
                    text.clone_from(&victim.text);
                }
                "the batch of the bad chunk is lost" => text.truncate(text.len() / group * group),
                "the bad chunk is given out" => {
                    let more = (text.len() + 16).min(victim.text.len());
                    text = victim.text[..more].to_vec();
                }
                "a target is left" => target = true,
                "the first segment comes unverified" => {
                    text = victim.text[..group.min(victim.text.len())].to_vec()
                }
                _ => (),
            }
            if way == Way::Files && !target && code != 0 {
                text.clear();
            }
            End {
                code,
                text,
                target: target || code == 0,
            }
        });
        opened.collect()
    }
}

#[test]
fn control_u8_openers_that_are_wrong_at_a_boundary() {
    for kind in [STREAM, MESSAGE] {
        let directory = Directory::of(kind);
        let cases = Cases::new(&directory, kind, 1);
        let right = flawed(&cases, "nothing");
        check(&mut Table::default(), &cases.all(), Way::Pipe, 1, &right).expect("no fault");
        let flaws: &[(&str, Way)] = if is_message(kind) {
            &[
                ("the first segment comes unverified", Way::Pipe),
                ("what follows the end is not read", Way::Files),
                ("a target is left", Way::Files),
            ]
        } else {
            &[
                ("an end behind a batch is the end", Way::Pipe),
                ("what follows the end is not read", Way::Pipe),
                ("the batch of the bad chunk is lost", Way::Pipe),
                ("the bad chunk is given out", Way::Pipe),
                ("a target is left", Way::Files),
            ]
        };
        for (flaw, way) in flaws {
            match check(
                &mut Table::default(),
                &cases.all(),
                *way,
                1,
                &flawed(&cases, flaw),
            ) {
                Ok(()) => panic!("{flaw}: not noticed"),
                Err(why) => println!("{flaw}: caught: {why}"),
            }
        }
    }
}
