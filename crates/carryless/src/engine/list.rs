//! The list of engines, and the dispatch: once per message.
//!
//! `engines!` makes the public [`Engine`], and for each kind of mode the enum whose variants hold an
//! engine's token and its keys together. Everything else iterates over [`Engine::ALL`].

use core::fmt;

#[cfg(any(feature = "hazmat", feature = "sgcm"))]
use super::Field;
use super::aead_keys::{AeadOn, KeysOn, Running};
#[cfg(carryless_a32)]
use super::arm::Assembled;
use super::block_test::KnownBlocks;
#[cfg(carryless_fused)]
use super::fused::Fused;
#[cfg(any(feature = "hazmat", feature = "sgcm"))]
use super::part_keys::HashOn;
use super::part_keys::{Blocks, CipherOn, Work};
use super::self_test::KnownAnswer;
use super::siv_test::KnownSiv;
use super::{
    Aead, Backend, Block, CHAINS, Cipher, Counter, Decrypt, Direction, Features, Hash, InOut,
    KEY_FRAMES, LittleCounter, Message, Missing, Modes, Quad, Tag, Unavailable,
};
use crate::secret::{self, Choice, Failures};
use crate::simd::WORDS_64;

/// Whether an engine may be chosen automatically.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Preference {
    #[cfg_attr(
        not(any(carryless_fused, carryless_a32)),
        expect(dead_code, reason = "such targets have portable engines alone")
    )]
    Automatic,
    /// If it is [`PORTABLE`].
    Portable,
    /// Only by name: a variant, or one not yet tuned.
    ByName,
}

macro_rules! engines {
    (on aarch64 { $($aarch64:tt)* } on arm { $($arm:tt)* } on x86_64 { $($x86_64:tt)* } everywhere { $($everywhere:tt)* }) => {
        #[cfg(carryless_a64)]
        engines! { $($aarch64)* $($everywhere)* }
        #[cfg(carryless_a32)]
        engines! { $($arm)* $($everywhere)* }
        #[cfg(all(carryless_fused, target_arch = "x86_64"))]
        engines! { $($x86_64)* $($everywhere)* }
        #[cfg(not(any(carryless_fused, carryless_a32)))]
        engines! { $($everywhere)* }
    };
    ($($(#[$doc:meta])* $Name:ident($Token:ty) $preference:ident $description:expr;)+) => {
        /// An implementation of everything for one family of CPUs.
        ///
        /// Names are stable. [`Engine::ALL`] lists them in the order of preference; those with a
        /// colon are variants of an engine, which are tested like the others but chosen by name only.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Engine {
            $($(#[$doc])* $Name,)+
        }

        impl Engine {
            /// All that this build has, preferred ones first, whether or not this CPU can run them.
            pub const ALL: &[Self] = &[$(Self::$Name,)+];

            /// The name, for tables, logs and `CARRYLESS_ENGINE`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Name => <$Token as Backend>::NAME,)+ }
            }

            /// What it is made of, in a line.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$Name => $description,)+ }
            }

            pub(super) const fn preference(self) -> Preference {
                match self { $(Self::$Name => Preference::$preference,)+ }
            }

            pub(super) fn missing(self, cpu: Features) -> Result<(), Missing> {
                match self { $(Self::$Name => cpu.require(<$Token as Backend>::FEATURES),)+ }
            }
        }

        aead_keys! { $($Name($Token))+ }
        part_keys! { $($Name($Token))+ }
    };
}

engines! {
    on aarch64 {
        /// The AES and polynomial multiplication instructions of ARMv8, and the XOR of three that came with SHA3.
        Armce3(Fused<crate::simd::aarch64::Armce3>) Automatic "AES, PMULL and EOR3 instructions of ARMv8";
        /// The same without that, eight blocks a turn.
        Armce(Fused<crate::simd::aarch64::Armce>) Automatic "AES and PMULL instructions of ARMv8";
        /// Fixsliced AES on eight blocks, and GHASH by products of bytes.
        Neon(crate::soft::Neon) Automatic "NEON: fixsliced AES, GHASH by products of bytes";
    }
    on arm {
        /// The AES and polynomial multiplication instructions of ARMv8, in AArch32 state.
        Armce32(Assembled<crate::asm::Armce32>) Automatic "AES and PMULL instructions of ARMv8, in AArch32 state";
        /// Bit-sliced AES on eight blocks, and GHASH by products of bytes.
        Neon32(Assembled<crate::asm::Neon32>) Automatic "NEON: bit-sliced AES, GHASH by products of bytes";
    }
    on x86_64 {
        /// AES and carry-less multiplication on 512-bit vectors, 32 blocks a turn.
        Vaes512(Fused<crate::simd::x86_64::Vaes512>) Automatic "VAES and VPCLMULQDQ, 512-bit vectors";
        /// AES and carry-less multiplication on 256-bit vectors.
        Vaes256(Fused<crate::simd::x86_64::Vaes256>) Automatic "VAES and VPCLMULQDQ, 256-bit vectors";
        /// AES-NI and PCLMULQDQ in the three-operand encoding.
        Avx(Fused<crate::simd::x86_64::Avx>) Automatic "AES-NI and PCLMULQDQ, VEX encoding";
        /// AES-NI and PCLMULQDQ in the first encoding.
        Aesni(Fused<crate::simd::x86_64::Aesni>) Automatic "AES-NI and PCLMULQDQ, SSE encoding";
    }
    everywhere {
        /// Portable code; the AES on 128-bit vectors, eight blocks at a time, where the target always has them.
        Soft64(crate::soft::Soft64) Portable SOFT64;
        /// Portable code on 64-bit words alone, four blocks at a time.
        Soft64Words(crate::soft::Soft64Words) ByName "portable: fixsliced AES on 4 blocks in 64-bit words, integer GHASH";
        /// Portable code on 32-bit words, two blocks at a time; the products of GHASH have 64 bits.
        Soft32(crate::soft::Soft32) Portable "portable: fixsliced AES on 2 blocks in 32-bit words, integer GHASH";
        /// The same with products of 16-bit words, for CPUs whose 64-bit product takes a varying time.
        Soft32Narrow(crate::soft::Soft32Narrow) Portable "portable: fixsliced AES on 2 blocks in 32-bit words, GHASH by short products";
    }
}

/// What `soft64` is made of.
const SOFT64: &str = if cfg!(all(target_arch = "x86_64", target_feature = "sse2")) {
    "portable: fixsliced AES on 8 blocks, integer GHASH"
} else {
    "portable: fixsliced AES, integer GHASH"
};

/// The portable engine that is chosen, there on every CPU: that of the target's registers.
pub(super) const PORTABLE: Engine = if cfg!(carryless_narrow) {
    Engine::Soft32Narrow
} else if WORDS_64 {
    Engine::Soft64
} else {
    Engine::Soft32
};

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
