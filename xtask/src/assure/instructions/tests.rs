//! What the list of T4 refuses.

use super::*;

fn kinds(groups: &[(&str, &[&str])]) -> Kinds {
    let of = |kinds: &[&str]| kinds.iter().copied().map(String::from).collect();
    let group = |(name, kinds): &(&str, &[&str])| ((*name).to_owned(), of(kinds));
    groups.iter().map(group).collect()
}

/// Two engines with a kind that is not allowed, one without a list, a list without an engine.
#[test]
fn every_engine_with_a_fault_is_named() {
    let allowed = kinds(&[
        ("avx", &["vpxor"]),
        ("aesni", &["pxor"]),
        ("gone", &["pxor"]),
    ]);
    let found = Found {
        kinds: kinds(&[
            ("avx", &["vpxor", "fsin"]),
            ("aesni", &["pxor", "divq"]),
            ("vaes256", &["vpxor"]),
        ]),
        ..Found::new(&X86_64)
    };
    let faults = differences(&[found], &allowed);
    for expected in [
        "avx: `fsin` is not in the list",
        "aesni: `divq` is forbidden: its time depends on the operands",
        "vaes256: `vpxor` is not in the list",
        "gone: in the list, but not there",
    ] {
        assert!(faults.iter().any(|fault| fault == expected), "{faults:?}");
    }
    assert_eq!(faults.len(), 4, "{faults:?}");
}

#[test]
fn every_control_that_goes_unnoticed_is_named() {
    let code = Code {
        library: String::new(),
        modes: String::new(),
        aarch64: String::new(),
        aarch32: String::new(),
    };
    let Err(Failure::Failed(all)) = controls(&code, &Kinds::new()) else {
        panic!("there is nothing to notice");
    };
    for what in [
        "divides by a secret",
        "pext",
        "gather",
        "nobody looked up",
        "addition",
        "a division in a kernel",
    ] {
        assert!(all.contains(what), "{all}");
    }
}

/// Data behind code is none, and of a function of assembly the name is that of an entry point.
#[test]
fn objdump_is_read_as_a_compiler_writes() {
    let printed = "\nDisassembly of section .text._ZN:\n\n\
        00000000 <_ZN9carryless3asm6neon324hash17h0123456789abcdefE>:\n   \
        0:\tvmull.p8\tq0, d1, d2\n   4:\tvadd.i32\tq0, q1, q2\n   8:\t.word\t0x00000001\n";
    let found = Found::of(&AARCH32, &[&as_assembly(printed)]);
    assert_eq!(found.kinds, kinds(&[("neon32", &["vmull.p8", "vadd.i32"])]));
    let faults = found.faults(&found.kinds);
    assert_eq!(
        faults,
        ["neon32 hash: `vadd.i32` in a hash: it is not linear over GF(2)"]
    );
}
