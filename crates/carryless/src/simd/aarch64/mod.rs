//! Tokens and vectors of AArch64.

pub mod bytes;
mod v128;

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
