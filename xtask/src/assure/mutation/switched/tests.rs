//! What becomes of the code, by the genre of its change.

use super::*;

/// The code with all changes of its only line as switches, by their genre, text and column.
fn switches(code: &str, changes: &[(Genre, u64, &str)]) -> String {
    let place =
        |(genre, column, text): &(Genre, u64, &str)| Place::at("a.rs", *genre, (1, *column), text);
    let places: Vec<Place> = changes.iter().map(place).collect();
    let numbered: Vec<_> = (1..).zip(&places).collect();
    let made = switched(code, &numbered).unwrap_or_else(|error| panic!("{code}: {error}"));
    for (number, range) in &made.parts {
        assert!(made.code[range.clone()].contains(&chosen(*number)));
    }
    made.code.replace("crate::chosen_change::is", "is")
}

#[test]
fn each_genre_becomes_a_switch() {
    use Genre::*;
    for (code, changes, expected) in [
        (
            "fn f() -> u8 { 7 }",
            &[(FnValue, 16, "0"), (FnValue, 16, "1")][..],
            "fn f() -> u8 { if is(1) { return 0; } if is(2) { return 1; } 7 }",
        ),
        (
            "fn f() { a + b == c }",
            &[(BinaryOperator, 12, "-"), (BinaryOperator, 16, "!=")],
            "fn f() { (if is(2) { a + b != c } else { (if is(1) { a - b } else { a + b }) == c }) }",
        ),
        (
            "fn f() { !a }",
            &[(UnaryOperator, 10, "")],
            "fn f() { (if is(1) { a } else { !a }) }",
        ),
        (
            "fn f() { match a { 1 => 2, _ => 3 } }",
            &[(MatchArm, 20, "")],
            "fn f() { match a { 1 if !is(1) => 2, _ => 3 } }",
        ),
        (
            "fn f() { match a { n if n < b => 2, _ => 3 } }",
            &[
                (MatchArm, 20, ""),
                (MatchArmGuard, 25, "true"),
                (MatchArmGuard, 25, "false"),
                (BinaryOperator, 27, ">"),
            ],
            "fn f() { match a { n if !is(1) && (is(2) || (!is(3) && (\
             (if is(4) { n > b } else { n < b })))) => 2, _ => 3 } }",
        ),
    ] {
        assert_eq!(switches(code, changes), expected);
    }
}

#[test]
fn what_the_compiler_computes_or_a_condition_binds_is_left() {
    for code in [
        "const fn f() -> u8 { 1 + 2 }",
        "const A: u8 = 1      + 2;   ",
        "fn f() { [0; 3 *     2 + 2]; }",
        "fn f() { if a && let b = 2 + c {} }",
    ] {
        let at = 1 + code.find(['+', '&']).unwrap_or_default() as u64;
        let changes = [(Genre::BinaryOperator, at, "-")];
        assert_eq!(switches(code, &changes), code);
    }
}

#[test]
fn an_error_is_of_the_change_that_it_points_at_or_of_that_before() {
    let file = Switched {
        code: String::new(),
        parts: vec![(3, 10..20), (4, 30..40)],
    };
    let files = BTreeMap::from([("a.rs".to_owned(), file)]);
    for (start, end, expected) in [
        (12, 14, vec![3]),
        (19, 31, vec![3, 4]),
        (20, 30, vec![3]),
        (50, 60, vec![4]),
        (5, 10, vec![]),
    ] {
        let span = serde_json::json!({"file_name": "a.rs", "byte_start": start, "byte_end": end});
        let error = serde_json::json!({"spans": [span]});
        assert_eq!(Vec::from_iter(at_fault(&error, &files)), expected);
    }
}
