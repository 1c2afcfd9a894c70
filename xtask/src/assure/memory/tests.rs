//! That M6 names each engine that leaves a secret, on faked outputs of its program.

use super::*;

const CAUGHT: &str = "a key that is not wiped: caught: 11 windows of a key\n";

fn ran(well: bool, ended: &str, said: &str) -> Ran {
    Ran {
        text: format!("{CAUGHT}neon: not run: no NEON\n{said}"),
        well,
        ended: ended.into(),
    }
}

/// An engine that leaves more than the end of its output shows, a crash, a clean one, a silent one, one that
/// can't be run.
fn program(engine: &str) -> Result<Ran, Failure> {
    let left: String = (0..40)
        .map(|i| format!("  call {i}: round key: 2 windows\n"))
        .collect();
    Ok(match engine {
        "vaes256" => ran(
            false,
            "exit status: 1",
            &format!("M6 vaes256: 9 calls, 40 left\n{left}"),
        ),
        "avx" => ran(false, "signal: 11", ""),
        "aesni" => ran(true, "exit status: 0", "M6 aesni: 9 calls, 0 left\n"),
        "soft32" => ran(true, "exit status: 0", ""),
        _ => return Err(Failure::Failed(format!("{engine}: cannot run it"))),
    })
}

#[test]
fn every_engine_that_leaves_a_secret_is_named() {
    let mut evidence = Evidence::default();
    let engines = ["vaes256", "avx", "aesni", "soft32", "soft64"];
    let faults = on_each(&mut evidence, engines.into_iter(), "", program);
    let Err(Failure::Failed(all)) = faults.none() else {
        panic!("four engines failed");
    };
    for expected in [
        "4 faults:",
        "vaes256: exit status: 1\nM6 vaes256: 9 calls, 40 left",
        "avx: signal: 11",
        "soft32: the program says nothing of it",
        "soft64: cannot run it",
    ] {
        assert!(all.contains(expected), "`{expected}` is not in\n{all}");
    }
    assert_eq!(Vec::from_iter(&evidence.engines), ["aesni"]);
    assert_eq!(evidence.lines, ["aesni: 9 calls, 0 left"]);
    assert_eq!(evidence.controls.len(), 1);
}
