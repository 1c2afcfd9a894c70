//! Tells the library which targets need the narrow portable engine or have engines of their own, and how it is optimised: for speed, for
//! size, or not at all.

use std::env;

/// Targets, by the start of their names, on whose CPUs a product of 64 bits takes a varying time, or
/// which have no instruction for it. Sources: the technical reference manuals of the cores.
const NARROW: &[&str] = &[
    "thumbv7m-",      // Cortex-M3: UMULL stops early.
    "thumbv6m-",      // Cortex-M0: no UMULL.
    "thumbv8m.base-", // Cortex-M23: no UMULL.
    "armv4t-",        // ARM7 and ARM9: every product stops early.
    "thumbv4t-",
    "armv5te-",
    "thumbv5te-",
    "powerpc-", // PowerPC 603, 750, 7400: every product stops early.
];

/// Targets on whose CPUs NEON may be found, by the start of their names: with the instructions of ARMv7-A, and those that
/// are built for older CPUs but run there as well. Not those of Cortex-R, whose objects can't be linked with others.
const A32: &[&str] = &[
    "arm-",
    "armeb-",
    "armebv7-",
    "armv6-",
    "armv7-",
    "armv7a",
    "thumbv7a",
    "thumbv7neon",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(carryless_narrow)");
    let target = env::var("TARGET").unwrap_or_default();
    if NARROW.iter().any(|start| target.starts_with(start)) {
        println!("cargo::rustc-cfg=carryless_narrow");
    }
    println!("cargo::rustc-check-cfg=cfg(carryless_fused, carryless_a64, carryless_a32)");
    for name in engines(&target) {
        println!("cargo::rustc-cfg={name}");
    }
    println!("cargo::rustc-check-cfg=cfg(carryless_rolled, carryless_small)");
    let level = env::var("OPT_LEVEL").unwrap_or_default();
    let plain = level == "0";
    if plain {
        println!("cargo::rustc-cfg=carryless_rolled");
    }
    // Who does not ask for speed gets what builds sooner, unless tests want all of it: RUSTFLAGS="--cfg carryless_whole".
    let small = plain || level == "s" || level == "z";
    if small && env::var_os("CARGO_CFG_CARRYLESS_WHOLE").is_none() {
        println!("cargo::rustc-cfg=carryless_small");
    }
}

/// What engines of its own the target has: `carryless_fused` where kernels encrypt and hash at once on vectors that are
/// part of the target, with `carryless_a64` those of AArch64; `carryless_a32` those in assembly of AArch32.
fn engines(target: &str) -> &'static [&'static str] {
    let of_target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let features = of_target("FEATURE");
    let has = |feature| features.split(',').any(|this| this == feature);
    // Miri runs no assembly, of which AES and products are made on Arm.
    let miri = env::var_os("CARGO_CFG_MIRI").is_some();
    // Assembly chooses its instructions by directives of ELF.
    let elf = of_target("VENDOR") != "apple" && of_target("OS") != "windows";
    match of_target("ARCH").as_str() {
        "x86_64" if has("sse2") => &["carryless_fused"],
        "aarch64" if has("neon") && !miri => &["carryless_fused", "carryless_a64"],
        "arm" if A32.iter().any(|start| target.starts_with(start)) && elf && !miri => {
            &["carryless_a32"]
        }
        _ => &[],
    }
}
