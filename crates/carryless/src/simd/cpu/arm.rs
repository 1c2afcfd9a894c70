//! What the system says of an Arm CPU, on which a program may not ask itself.
//!
//! AES and PMULL are two questions: a CPU may have one of them (Arm Architecture Reference Manual, ID_AA64ISAR0_EL1.AES).

#[cfg(any(target_os = "linux", target_os = "android"))]
use core::ffi::c_ulong;

use super::{Features, of_build};

/// The features of this CPU that a program may use.
pub(super) fn probe() -> Features {
    of_build().union(of_system())
}

/// What the kernel says.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn of_system() -> Features {
    const AT_HWCAP: c_ulong = 16;
    const AT_HWCAP2: c_ulong = 26;
    unsafe extern "C" {
        fn getauxval(kind: c_ulong) -> c_ulong;
    }
    // SAFETY: it takes any number, and changes nothing.
    of_hwcap([AT_HWCAP, AT_HWCAP2].map(|kind| unsafe { getauxval(kind) }))
}

/// Linux's tables of what the CPU has (`asm/hwcap.h` of the architecture).
#[cfg(any(target_os = "linux", target_os = "android"))]
fn of_hwcap([first, second]: [c_ulong; 2]) -> Features {
    let bit = |n: u32| first >> n & 1 == 1;
    let bit_of_second = |n: u32| second >> n & 1 == 1;
    if cfg!(target_arch = "arm") {
        return Features::present([
            (bit(12), Features::NEON),
            (bit_of_second(0), Features::AES),
            (bit_of_second(1), Features::PMULL),
        ]);
    }
    Features::present([
        (bit(1), Features::NEON),
        (bit(3), Features::AES),
        (bit(4), Features::PMULL),
        (bit(17), Features::SHA3),
        (bit(24), Features::DIT),
    ])
}

/// The kernel's variables.
#[cfg(target_vendor = "apple")]
fn of_system() -> Features {
    use core::ffi::{CStr, c_char, c_int, c_void};
    use core::ptr::null_mut;

    unsafe extern "C" {
        fn sysctlbyname(
            name: *const c_char,
            old: *mut c_void,
            old_len: *mut usize,
            new: *mut c_void,
            new_len: usize,
        ) -> c_int;
    }
    let says = |name: &CStr| {
        let mut value: c_int = 0;
        let mut len = size_of::<c_int>();
        let place: *mut c_int = &mut value;
        // SAFETY: the name ends with a zero, and the value has as many bytes as `len` says.
        let status = unsafe { sysctlbyname(name.as_ptr(), place.cast(), &mut len, null_mut(), 0) };
        status == 0 && value != 0
    };
    Features::present([
        (says(c"hw.optional.AdvSIMD"), Features::NEON),
        (says(c"hw.optional.arm.FEAT_AES"), Features::AES),
        (says(c"hw.optional.arm.FEAT_PMULL"), Features::PMULL),
        (says(c"hw.optional.arm.FEAT_SHA3"), Features::SHA3),
        (says(c"hw.optional.arm.FEAT_DIT"), Features::DIT),
    ])
}

/// What Windows says, for which AES and PMULL are one feature (`winnt.h`).
#[cfg(windows)]
fn of_system() -> Features {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn IsProcessorFeaturePresent(feature: u32) -> i32;
    }
    // SAFETY: it takes any number, and changes nothing.
    let has = |feature| unsafe { IsProcessorFeaturePresent(feature) } != 0;
    let crypto = has(30);
    Features::present([
        (has(19), Features::NEON),
        (crypto, Features::AES),
        (crypto, Features::PMULL),
        (has(64), Features::SHA3),
    ])
}

/// What `std` finds out.
#[cfg(all(
    feature = "std",
    target_arch = "aarch64",
    not(any(
        target_os = "linux",
        target_os = "android",
        target_vendor = "apple",
        windows
    ))
))]
fn of_system() -> Features {
    use std::arch::is_aarch64_feature_detected;

    Features::present([
        (is_aarch64_feature_detected!("neon"), Features::NEON),
        (is_aarch64_feature_detected!("aes"), Features::AES),
        (is_aarch64_feature_detected!("pmull"), Features::PMULL),
        (is_aarch64_feature_detected!("sha3"), Features::SHA3),
        (is_aarch64_feature_detected!("dit"), Features::DIT),
    ])
}

/// Nobody to ask; `std` knows how on AArch64 alone.
#[cfg(not(any(
    all(feature = "std", target_arch = "aarch64"),
    target_os = "linux",
    target_os = "android",
    target_vendor = "apple",
    windows
)))]
fn of_system() -> Features {
    Features::NONE
}

#[cfg(all(
    test,
    any(carryless_a64, carryless_a32),
    any(target_os = "linux", target_os = "android")
))]
mod tests;
