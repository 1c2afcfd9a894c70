//! Tokens and vectors of AArch64.

use core::arch::aarch64::{uint8x16_t as V, vextq_u8, vrev64q_u8};

pub mod bytes;
mod v128;

/// The bytes in reverse on a big-endian machine; elsewhere the vector as it is.
///
/// There the first byte in memory is in lane 0 for `asm!`, as for LLVM, and in the last lane for intrinsics, as in
/// Arm's ABI. With a reversal wherever a vector passes from one to the other, all else is the same on both machines.
/// Of two reversals in a row LLVM makes none.
#[inline(always)]
fn in_order(v: V) -> V {
    if cfg!(target_endian = "little") {
        return v;
    }
    // SAFETY: NEON belongs to the targets that have this module.
    let halves = unsafe { vrev64q_u8(v) };
    // SAFETY: as above.
    unsafe { vextq_u8::<8>(halves, halves) }
}

/// The bytes, the first in lane 0. Not by `vld1q_u8`, which on a big-endian machine reverses them with some compilers.
///
/// # Safety
///
/// 16 bytes may be read.
#[inline(always)]
unsafe fn load(src: *const u8) -> V {
    // SAFETY: the caller's promise.
    in_order(unsafe { src.cast::<V>().read_unaligned() })
}

/// Writes them.
///
/// # Safety
///
/// 16 bytes may be written.
#[inline(always)]
unsafe fn store(dst: *mut u8, v: V) {
    // SAFETY: the caller's promise.
    unsafe { dst.cast::<V>().write_unaligned(in_order(v)) }
}

cpu! { $ /// The AES and polynomial multiplication instructions of ARMv8.
Armce, armce_entry, 8: "neon" NEON, "aes" AES, "aes" PMULL }

cpu! { $ /// The same with an XOR of three (Apple M1, Neoverse V1 and N2, and later).
Armce3, armce3_entry, 8: "neon" NEON, "aes" AES, "aes" PMULL, "sha3" SHA3 }

impl From<Armce3> for Armce {
    /// A CPU with all of that has the others as well.
    #[inline(always)]
    fn from(_: Armce3) -> Self {
        Self::proven()
    }
}

/// Makes entry points of [`Armce3`] that are those of [`Armce`]: where an XOR of three saves little.
macro_rules! armce3_by_armce {
    (impl $Trait:path {
        $(type $Type:ident = $type:ty;)*
        $(fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $kernel:expr $(, $frame:expr)?;)*
    }) => {
        impl $Trait for $crate::simd::aarch64::Armce3 {
            $(type $Type = $type;)*
            $(#[inline(always)]
            fn $name(self, $($arg: $ty),*) $(-> $ret)? {
                <$crate::simd::aarch64::Armce as $Trait>::$name(self.into(), $($arg),*)
            })*
        }
    };
}
pub(crate) use armce3_by_armce;
