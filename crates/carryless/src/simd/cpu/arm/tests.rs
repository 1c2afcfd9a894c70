//! U4: what the kernel's word on CPUs leads to, without any of them at hand.

use core::ffi::c_ulong;
use std::format;
use std::println;
use std::string::String;

use super::of_hwcap;
use crate::engine::Engine;
use crate::simd::Features;

/// A CPU, the two words that Linux says of it, what a program may use there, and the engine that it gets.
type Row = (&'static str, [c_ulong; 2], &'static str, &'static str);

#[cfg(carryless_a64)]
#[rustfmt::skip]
const TABLE: &[Row] = &[
    ("Cortex-A53 of a Raspberry Pi 3", [0x0000_0083, 0], "neon", "neon"),
    ("Cortex-A72 of a Raspberry Pi 4", [0x0000_0887, 0], "neon", "neon"),
    ("Cortex-A53, A57, A72 with the extension", [0x0000_08fb, 0], "aes neon pmull", "armce"),
    ("Cortex-A76, Neoverse N1", [0x0011_9ffb, 0], "aes neon pmull", "armce"),
    ("A64FX", [0x0041_5ffb, 0], "aes neon pmull", "armce"),
    ("with SHA3", [0xecff_fffb, 0], "aes neon pmull sha3", "armce3"),
    ("with SHA3 and DIT, Neoverse V1", [0xefff_fffb, 0], "aes dit neon pmull sha3", "armce3"),
    ("AES without PMULL", [0x0000_088f, 0], "aes neon", "neon"),
    ("PMULL without AES", [0x0000_0897, 0], "neon pmull", "neon"),
    ("nothing", [0, 0], "", "soft64"),
];

/// Bit 12 of the first word is NEON, bits 0 and 1 of the second are AES and PMULL; the others are what such cores have as well.
#[cfg(carryless_a32)]
#[rustfmt::skip]
const TABLE: &[Row] = &[
    ("Cortex-A9", [0x0007_b0d7, 0], "neon", "neon32"),
    ("Cortex-A7, A15", [0x007f_b0d6, 0], "neon", "neon32"),
    ("Cortex-A53 of a Raspberry Pi 3, 32 bits", [0x003f_b0d6, 0x10], "neon", "neon32"),
    ("Cortex-A53, A57, A72 with the extension", [0x003f_b0d6, 0x1f], "aes neon pmull", "armce32"),
    ("AES without PMULL", [0x003f_b0d6, 0x01], "aes neon", "neon32"),
    ("PMULL without AES", [0x003f_b0d6, 0x02], "neon pmull", "neon32"),
    ("Tegra 2, a Cortex-A9 without NEON", [0x0000_20d7, 0], "", "soft32"),
    ("nothing", [0, 0], "", "soft32"),
];

/// Whether every row comes out as the table has it.
fn check(mapping: &dyn Fn([c_ulong; 2]) -> Features) -> Result<(), String> {
    for (name, hwcap, features, engine) in TABLE {
        let found = mapping(*hwcap);
        let names = features.split_whitespace().map(Features::from_name);
        let expected = names.flatten().fold(Features::NONE, Features::union);
        let chosen = Engine::automatic_on(found).name();
        if found != expected || chosen != *engine {
            return Err(format!("{name}: {found:?}, {chosen}"));
        }
    }
    Ok(())
}

#[test]
fn u4_features_and_engine_follow_from_what_the_kernel_says() {
    check(&of_hwcap).unwrap_or_else(|error| panic!("{error}"));
    println!("U4: {} CPUs of Arm", TABLE.len());
}

#[test]
fn control_u4_pmull_taken_for_aes_is_noticed() {
    // Bit 3 of the first word of AArch64, bit 0 of the second of AArch32.
    let wrong = |[first, second]: [c_ulong; 2]| {
        of_hwcap([first | (first >> 1 & 1 << 3), second | (second >> 1 & 1)])
    };
    let error = check(&wrong).expect_err("noticed");
    println!("PMULL taken for AES: caught: {error}");
}
