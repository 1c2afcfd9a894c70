//! Which rows make CI fail, and which it leaves out.

use core::time::Duration;

use super::super::evidence::{Evidence, Verdict};
use super::*;

fn row(id: &'static str, verdict: Verdict) -> Row {
    Row::new(id, "a check", Duration::ZERO, verdict)
}

fn passed(id: &'static str) -> Row {
    row(id, Ok(Evidence::default()))
}

fn failed(id: &'static str) -> Row {
    row(id, Err(Failure::Failed("it leaks".into())))
}

fn not_run(id: &'static str) -> Row {
    row(id, Err(Failure::NotRun("no tool".into())))
}

/// Passed, but for an engine.
fn incomplete(id: &'static str) -> Row {
    let mut evidence = Evidence::default();
    evidence.gaps.insert("neon".into(), "no NEON".into());
    row(id, Ok(evidence))
}

fn without(names: &str) -> Without {
    Without::named(names).unwrap_or_else(|error| panic!("{names}: {error}"))
}

fn fails(names: &str, rows: &[Row], expected: &[&str]) {
    let Err(why) = without(names).judge(rows) else {
        panic!("without {names:?} it passes");
    };
    for expected in expected {
        assert!(why.contains(expected), "`{expected}` is not in\n{why}");
    }
}

#[test]
fn what_has_passed_leaves_nothing_out() {
    let rows = [passed("T1"), passed("U4")];
    assert_eq!(without("").judge(&rows), Ok(Vec::new()));
    assert_eq!(
        without("U4").judge(&rows),
        Ok(Vec::new()),
        "named, but it ran"
    );
}

#[test]
fn what_could_not_run_fails_and_says_how_to_leave_it_out() {
    let rows = [passed("T1"), not_run("U4"), not_run("T2"), incomplete("M6")];
    let all = [
        "U4 could not run: no tool",
        "T2 could not run: no tool",
        "M6 could not run: neon: no NEON",
        "CARRYLESS_CI_WITHOUT=U4,T2,M6",
    ];
    fails("", &rows, &all);
    fails("T1", &rows, &all);
}

#[test]
fn what_is_named_and_could_not_run_is_left_out() {
    let rows = [passed("T1"), not_run("U4"), incomplete("M6")];
    let left_out = without("U4,M6").judge(&rows);
    let expected = [
        "U4 could not run: no tool",
        "M6 could not run: neon: no NEON",
    ];
    assert_eq!(left_out, Ok(expected.map(String::from).into()));
}

#[test]
fn one_that_is_named_excuses_no_other() {
    let rows = [not_run("U4"), not_run("T2"), incomplete("M6")];
    fails("U4", &rows, &["T2 could not run", "M6 could not run"]);
    fails(
        "U4,T2",
        &rows,
        &["M6 could not run", "CARRYLESS_CI_WITHOUT=M6 "],
    );
    fails(
        "M6,U4",
        &rows,
        &["T2 could not run", "CARRYLESS_CI_WITHOUT=T2 "],
    );
}

#[test]
fn a_failure_is_one_even_where_it_is_named() {
    let rows = [failed("U4"), failed("M6"), not_run("T2")];
    fails("", &rows, &["U4 failed", "M6 failed", "T2 could not run"]);
    fails("U4,M6,T2", &rows, &["U4 failed", "M6 failed"]);
}

#[test]
fn names_are_those_of_checks_that_ci_makes() {
    for unknown in ["U5", "T3", "X1", "U4;T2", "U4 T2", "all", "U4,T22", "*"] {
        let error = Without::named(unknown).err();
        let error = error.unwrap_or_else(|| panic!("{unknown} is taken for a check"));
        assert!(
            error.contains(VARIABLE) && error.contains("U4,T1,T2"),
            "{error}"
        );
    }
    let named = Vec::from_iter(without(" u4 ,T2,, C9,").0);
    assert_eq!(named, ["C9", "T2", "U4"]);
    assert!(without("").0.is_empty());
}

#[test]
fn what_several_checks_need_is_missing_unless_all_are_named() {
    let missing = || Err(Failure::NotRun("no emulator".into()));
    let ids = ["U4", "T2"];
    for names in ["", "U4", "T2", "T1,M6"] {
        let Err(Failure::NotRun(why)) = without(names).without(&ids, missing()) else {
            panic!("without {names:?} it passes");
        };
        assert!(
            why.contains("no emulator") && why.contains("=U4,T2 "),
            "{why}"
        );
    }
    let allowed = without("T2,U4").without(&ids, missing());
    assert!(matches!(allowed, Ok(Some(why)) if why.contains("U4, T2 could not run")));
    assert!(matches!(without("").without(&ids, Ok(())), Ok(None)));
    let broken = Err(Failure::Failed("broken".into()));
    assert!(without("T2,U4").without(&ids, broken).is_err());
}
