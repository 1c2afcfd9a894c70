//! The lines of `vectors/keys.txt`.

/// The fields of the lines of a kind, behind that word.
pub(super) fn lines(kind: &str, count: usize) -> Vec<Vec<String>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/keys.txt");
    let text = std::fs::read_to_string(path).expect("the vectors");
    let of_kind = text
        .lines()
        .filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
    let lines: Vec<Vec<String>> = of_kind
        .map(|line| line.split(' ').map(String::from).collect())
        .collect();
    assert_eq!(lines.len(), count, "{kind}");
    lines
}
