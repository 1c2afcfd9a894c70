//! Tells the library which targets need the narrow portable engine, and whether it is optimised: not at all, or for size.

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

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(carryless_narrow)");
    let target = env::var("TARGET").unwrap_or_default();
    if NARROW.iter().any(|start| target.starts_with(start)) {
        println!("cargo::rustc-cfg=carryless_narrow");
    }
    println!("cargo::rustc-check-cfg=cfg(carryless_rolled, carryless_small)");
    match env::var("OPT_LEVEL").as_deref() {
        Ok("0") => println!("cargo::rustc-cfg=carryless_rolled"),
        Ok("s" | "z") => println!("cargo::rustc-cfg=carryless_small"),
        _ => {}
    }
}
