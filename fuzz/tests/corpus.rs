//! Replays the committed corpora: no libFuzzer, no nightly.

use std::fs;
use std::path::Path;

/// Inputs of a target, in the order of their names.
fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(name);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut inputs: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("a readable folder").path();
            let content = fs::read(&path).expect("a readable file");
            (path.display().to_string(), content)
        })
        .collect();
    inputs.sort();
    inputs
}

#[test]
fn f1_every_input_of_the_corpora_passes() {
    for (name, target) in carryless_fuzz::TARGETS {
        let inputs = corpus(name);
        assert!(
            inputs.len() >= 10,
            "{name}: a corpus of {} inputs",
            inputs.len()
        );
        for (path, content) in &inputs {
            // A panic names the input.
            println!("{path}");
            target(content);
        }
        println!("F1 {name}: {} inputs replayed", inputs.len());
    }
}
