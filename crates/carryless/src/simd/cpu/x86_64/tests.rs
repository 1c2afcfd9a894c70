//! U4: what reports of CPUs and systems lead to, without any of them at hand.

use std::format;
use std::println;
use std::string::String;

use super::{Features, Report};
use crate::engine::Engine;

/// What a CPU says, under a system that saves all that it has.
const fn cpu(highest: u32, ecx1: u32, ebx7: u32, ecx7: u32, xcr0: u64) -> Report {
    Report {
        highest,
        ecx1,
        ebx7,
        ecx7,
        xcr0,
    }
}

const OSXSAVE: u32 = 1 << 27;
const ATHLON_64: Report = cpu(1, 0, 0, 0, 0);
const PENRYN: Report = cpu(0xa, 0x0008_e3fd, 0, 0, 0);
const WESTMERE: Report = cpu(0xb, 0x02be_e3ff, 0, 0, 0);
const SANDY_BRIDGE: Report = cpu(0xd, 0x1fba_e3ff, 0, 0, 7);
const HASWELL: Report = cpu(0xd, 0x7ffa_fbff, 0x0000_27ab, 0, 7);
const SKYLAKE: Report = cpu(0x16, 0x7ffa_fbff, 0x029c_67af, 0, 7);
const SKYLAKE_X: Report = cpu(0x16, 0x7ffe_fbff, 0xd39f_fffb, 0, 0xe7);
const ICE_LAKE: Report = cpu(0x1b, 0x7ffa_fbff, 0xf2bf_27ef, 0x4040_5f4e, 0xe7);
const ARROW_LAKE: Report = cpu(0x23, 0x7ffa_fbff, 0x239c_27eb, 0x98c0_07bc, 7);
const SAPPHIRE_RAPIDS: Report = cpu(0x20, 0x7ffe_fbff, 0xf3bf_bffb, 0xfb41_7ffe, 0x6_02e7);
const ZEN_1: Report = cpu(0xd, 0x7ed8_320b, 0x209c_01a9, 0, 7);
const ZEN_3: Report = cpu(0x10, 0x7ef8_320b, 0x219c_97a9, 0x0040_069c, 7);
const ZEN_4: Report = cpu(0x10, 0x7ef8_320b, 0xf1bf_97a9, 0x0040_5fce, 0xe7);

/// The same CPU under a system that saves these registers.
const fn saving(xcr0: u64, report: Report) -> Report {
    Report { xcr0, ..report }
}

/// The same under one that knows nothing of XSAVE.
const fn without_osxsave(report: Report) -> Report {
    Report {
        ecx1: report.ecx1 & !OSXSAVE,
        ..report
    }
}

/// The same under a hypervisor that shows so many leaves.
const fn up_to_leaf(highest: u32, report: Report) -> Report {
    Report { highest, ..report }
}

const SSE: &str = "ssse3 sse4.1";
const AES: &str = "ssse3 sse4.1 aes pclmulqdq";
const AVX: &str = "ssse3 sse4.1 aes pclmulqdq avx";
const AVX2: &str = "ssse3 sse4.1 aes pclmulqdq avx avx2 bmi2";
const VAES: &str = "ssse3 sse4.1 aes pclmulqdq avx avx2 vaes vpclmulqdq bmi2";
const AVX512: &str = "ssse3 sse4.1 aes pclmulqdq avx avx2 avx512f avx512bw avx512vl bmi2";
const ALL: &str =
    "ssse3 sse4.1 aes pclmulqdq avx avx2 vaes vpclmulqdq avx512f avx512bw avx512vl bmi2";

/// CPUs and systems, the features that a program may use there, and the engine that it gets.
#[rustfmt::skip]
const TABLE: &[(&str, Report, &str, &str)] = &[
    ("Athlon 64", ATHLON_64, "", "soft64"),
    ("Penryn", PENRYN, SSE, "soft64"),
    ("Westmere", WESTMERE, AES, "aesni"),
    ("Sandy Bridge", SANDY_BRIDGE, AVX, "avx"),
    ("Haswell", HASWELL, AVX2, "avx"),
    ("Skylake", SKYLAKE, AVX2, "avx"),
    ("Skylake-X", SKYLAKE_X, AVX512, "avx"),
    ("Ice Lake", ICE_LAKE, ALL, "vaes512"),
    ("Arrow Lake", ARROW_LAKE, VAES, "vaes256"),
    ("Sapphire Rapids", SAPPHIRE_RAPIDS, ALL, "vaes512"),
    ("Zen 1", ZEN_1, AVX2, "avx"),
    ("Zen 3", ZEN_3, VAES, "vaes256"),
    ("Zen 4", ZEN_4, ALL, "vaes512"),
    // Systems.
    ("Haswell without XSAVE", without_osxsave(HASWELL), AES, "aesni"),
    ("Zen 4 without XSAVE, whose XCR0 nobody may read", without_osxsave(ZEN_4), AES, "aesni"),
    ("Zen 4, XCR0 0", saving(0, ZEN_4), AES, "aesni"),
    ("Zen 4, XCR0 1: x87", saving(1, ZEN_4), AES, "aesni"),
    ("Zen 4, XCR0 3: XMM", saving(3, ZEN_4), AES, "aesni"),
    ("Zen 4, XCR0 5: YMM without XMM", saving(5, ZEN_4), AES, "aesni"),
    ("Zen 4, XCR0 e1: ZMM without XMM and YMM", saving(0xe1, ZEN_4), AES, "aesni"),
    ("Zen 4, XCR0 e3: ZMM without YMM", saving(0xe3, ZEN_4), AES, "aesni"),
    ("Zen 4, XCR0 7: YMM", saving(7, ZEN_4), VAES, "vaes256"),
    ("Zen 4, XCR0 27: opmasks alone", saving(0x27, ZEN_4), VAES, "vaes256"),
    ("Zen 4, XCR0 67: no ZMM16 to 31", saving(0x67, ZEN_4), VAES, "vaes256"),
    ("Zen 4, XCR0 a7: no upper halves", saving(0xa7, ZEN_4), VAES, "vaes256"),
    ("Zen 4, XCR0 c7: no opmasks", saving(0xc7, ZEN_4), VAES, "vaes256"),
    ("Zen 4, XCR0 e6: no x87, which is always on", saving(0xe6, ZEN_4), ALL, "vaes512"),
    ("Zen 4, all bits of XCR0", saving(u64::MAX, ZEN_4), ALL, "vaes512"),
    ("Zen 4, the upper word of XCR0 alone", saving(0xe7 << 32, ZEN_4), AES, "aesni"),
    // Hypervisors and errata.
    ("Zen 4 with leaves to 6", up_to_leaf(6, ZEN_4), AVX, "avx"),
    ("Zen 4 with leaves to 7", up_to_leaf(7, ZEN_4), ALL, "vaes512"),
    ("Zen 4 with leaf 1 alone", up_to_leaf(1, ZEN_4), AVX, "avx"),
    ("AVX2 and BMI2 without AVX (erratum SKL052)", Report { ecx1: SKYLAKE.ecx1 & !(1 << 28), ..SKYLAKE }, AES, "aesni"),
];

/// What makes features of a report.
type Mapping<'m> = &'m dyn Fn(Report) -> Features;

fn named(names: &str) -> Features {
    let features = names
        .split_whitespace()
        .map(|name| Features::from_name(name).expect("a feature"));
    features.fold(Features::NONE, Features::union)
}

/// Whether every row comes out as the table has it.
fn check(mapping: Mapping<'_>) -> Result<usize, String> {
    for (name, report, features, engine) in TABLE {
        let found = mapping(*report);
        if found != named(features) {
            return Err(format!("{name}: {found:?}, expected {features}"));
        }
        let chosen = Engine::automatic_on(found).name();
        if chosen != *engine {
            return Err(format!("{name}: {chosen}, expected {engine}"));
        }
    }
    Ok(TABLE.len())
}

/// Bits by word (0 ECX of leaf 1, 1 EBX and 2 ECX of leaf 7, 3 XCR0), and what is gone without one of them.
#[rustfmt::skip]
const NEEDED: &[(usize, u32, &str)] = &[
    (0, 1, "pclmulqdq"),
    (0, 9, "ssse3"),
    (0, 19, "sse4.1"),
    (0, 25, "aes"),
    (0, 27, "avx avx2 vaes vpclmulqdq avx512f avx512bw avx512vl bmi2"),
    (0, 28, "avx avx2 vaes vpclmulqdq avx512f avx512bw avx512vl bmi2"),
    (1, 5, "avx2 vaes vpclmulqdq avx512f avx512bw avx512vl"),
    (1, 8, "bmi2"),
    (1, 16, "avx512f"),
    (1, 30, "avx512bw"),
    (1, 31, "avx512vl"),
    (2, 9, "vaes"),
    (2, 10, "vpclmulqdq"),
    (3, 1, "avx avx2 vaes vpclmulqdq avx512f avx512bw avx512vl bmi2"),
    (3, 2, "avx avx2 vaes vpclmulqdq avx512f avx512bw avx512vl bmi2"),
    (3, 5, "avx512f avx512bw avx512vl"),
    (3, 6, "avx512f avx512bw avx512vl"),
    (3, 7, "avx512f avx512bw avx512vl"),
];

/// A report of all bits but one.
fn all_but(word: usize, bit: u32) -> Report {
    let ones = |place| if place == word { !(1 << bit) } else { u64::MAX };
    let [ecx1, ebx7, ecx7] = [0, 1, 2].map(|place| {
        (ones(place) & u64::from(u32::MAX))
            .try_into()
            .expect("32 bits")
    });
    cpu(7, ecx1, ebx7, ecx7, ones(3))
}

/// Whether each bit that is gone takes with it what needs it, and nothing else.
fn each_bit(mapping: Mapping<'_>) -> Result<usize, String> {
    let mut count = 0;
    for word in 0..4 {
        for bit in 0..if word == 3 { 64 } else { 32 } {
            let gone = NEEDED
                .iter()
                .find(|(place, n, _)| (*place, *n) == (word, bit));
            let expected = named(ALL).without(named(gone.map_or("", |(.., names)| names)));
            let found = mapping(all_but(word, bit));
            if found != expected {
                return Err(format!("without bit {bit} of word {word}: {found:?}"));
            }
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn u4_reports_of_cpus_and_systems_lead_to_their_features_and_engine() {
    let rows = check(&Report::features).unwrap_or_else(|error| panic!("{error}"));
    let bits = each_bit(&Report::features).unwrap_or_else(|error| panic!("{error}"));
    println!("U4 reports: {rows} CPUs and systems");
    println!("U4 reports: {bits} single bits gone");
    assert_eq!(Report::read().features(), Features::detect());
}

#[test]
fn control_u4_a_mapping_that_trusts_too_much_is_noticed() {
    let caught = |result: Result<usize, String>| match result {
        Ok(count) => panic!("the fault passed {count} reports unnoticed"),
        Err(message) => println!("caught: {message}"),
    };
    let says = |what: fn(Report) -> Report| move |report: Report| what(report).features();
    // Registers of 512 bits that nobody saves, leaves that are not there, a word of XCR0 that nobody read.
    let zmm = says(|report| Report {
        xcr0: report.xcr0 | 0xe0,
        ..report
    });
    let leaf = says(|report| Report {
        highest: 7,
        ..report
    });
    let osxsave = says(|report| Report {
        ecx1: report.ecx1 | OSXSAVE,
        ..report
    });
    for fault in [&zmm as Mapping<'_>, &leaf, &osxsave] {
        caught(check(fault));
    }
    let opmasks = says(|report| Report {
        xcr0: report.xcr0 | 0x20,
        ..report
    });
    caught(each_bit(&opmasks));
}
