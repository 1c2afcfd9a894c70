//! U4: what the kernel's word on CPUs leads to, without any of them at hand.

use core::ffi::c_ulong;
use std::format;
use std::println;
use std::string::String;

use super::of_hwcap;
use crate::engine::Engine;
use crate::simd::Features;

/// CPUs, what Linux says of them, what a program may use there, and the engine that it gets.
#[rustfmt::skip]
const TABLE: [(&str, c_ulong, &str, &str); 9] = [
    ("Cortex-A53 of a Raspberry Pi 3", 0x0000_0083, "neon", "neon"),
    ("Cortex-A72 of a Raspberry Pi 4", 0x0000_0887, "neon", "neon"),
    ("Cortex-A53, A57, A72 with the extension", 0x0000_08fb, "aes neon pmull", "armce"),
    ("Cortex-A76, Neoverse N1", 0x0011_9ffb, "aes neon pmull", "armce"),
    ("A64FX", 0x0041_5ffb, "aes neon pmull", "armce"),
    ("with SHA3", 0xecff_fffb, "aes neon pmull sha3", "armce3"),
    ("AES without PMULL", 0x0000_088f, "aes neon", "neon"),
    ("PMULL without AES", 0x0000_0897, "neon pmull", "neon"),
    ("nothing", 0, "", "soft64"),
];

/// Whether every row comes out as the table has it.
fn check(mapping: &dyn Fn(c_ulong) -> Features) -> Result<(), String> {
    for (name, hwcap, features, engine) in TABLE {
        let found = mapping(hwcap);
        let names = features.split_whitespace().map(Features::from_name);
        let expected = names.flatten().fold(Features::NONE, Features::union);
        let chosen = Engine::automatic_on(found).name();
        if found != expected || chosen != engine {
            return Err(format!("{name}: {found:?}, {chosen}"));
        }
    }
    Ok(())
}

#[test]
fn u4_features_and_engine_follow_from_what_the_kernel_says() {
    check(&of_hwcap).unwrap_or_else(|error| panic!("{error}"));
    println!("U4: {} CPUs of AArch64", TABLE.len());
}

#[test]
fn control_u4_pmull_taken_for_aes_is_noticed() {
    let wrong = |bits: c_ulong| of_hwcap(bits | (bits >> 1 & 1 << 3));
    let error = check(&wrong).expect_err("noticed");
    println!("PMULL taken for AES: caught: {error}");
}
