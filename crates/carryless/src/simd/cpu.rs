//! What the CPU can do, found out once per process, with or without `std`.

use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

/// The CPU features that some engine asks for, and the switch of [`DataIndependentTiming`](crate::DataIndependentTiming), as a set.
///
/// A feature that the operating system does not enable (AVX without saved registers) is absent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Features(u32);

/// An engine's features that this CPU lacks.
///
/// # Examples
/// ```
/// use carryless::{Features, error::Missing};
///
/// let error = Missing(Features::AES);
/// assert_eq!(error.to_string(), "this CPU lacks aes");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing(pub Features);

macro_rules! features {
    ($($bit:literal $constant:ident $name:literal,)*) => {
        impl Features {
            $(#[doc = concat!("The feature `", $name, "`, by its name in Rust's target features.")]
            pub const $constant: Self = Self(1 << $bit);)*
            /// Names of those that builds for this architecture look for.
            const NAMES: &[(Self, &str)] = {
                let all: &[_] = &[$((Self::$constant, $name),)*];
                if cfg!(target_arch = "x86_64") { all.split_at(Self::NEON.0.trailing_zeros() as usize).0 } else { all }
            };
        }
    };
}

features! {
    0 SSSE3 "ssse3",
    1 SSE41 "sse4.1",
    2 AES "aes",
    3 PCLMULQDQ "pclmulqdq",
    4 AVX "avx",
    5 AVX2 "avx2",
    6 VAES "vaes",
    7 VPCLMULQDQ "vpclmulqdq",
    8 AVX512F "avx512f",
    9 AVX512BW "avx512bw",
    10 AVX512VL "avx512vl",
    11 BMI2 "bmi2",
    12 NEON "neon",
    13 PMULL "pmull",
    14 SHA3 "sha3",
    15 DIT "dit",
}

/// Set in the cache once the CPU was asked.
const KNOWN: u32 = 1 << 31;
static CACHE: AtomicU32 = AtomicU32::new(0);

impl Features {
    /// No feature at all: the portable engines ask for nothing else.
    pub const NONE: Self = Self(0);

    /// Those of this CPU.
    pub fn detect() -> Self {
        let known = CACHE.load(Ordering::Relaxed);
        if known & KNOWN != 0 {
            return Self(known & !KNOWN);
        }
        let found = probe();
        CACHE.store(found.0 | KNOWN, Ordering::Relaxed);
        found
    }

    /// Those that are present.
    fn present<const N: usize>(all: [(bool, Self); N]) -> Self {
        let present = all.into_iter().filter(|(present, _)| *present);
        present.fold(Self::NONE, |found, (_, feature)| found.union(feature))
    }

    /// Those in `self` or in `other`.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those in `self` but not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The feature with this name, if some engine asks for it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES
            .iter()
            .find(|(_, n)| *n == name)
            .map(|(bit, _)| *bit)
    }

    /// The names of those in the set, in the order of their introduction.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES
            .iter()
            .filter(move |(bit, _)| self.0 & bit.0 != 0)
            .map(|(_, name)| *name)
    }

    /// Succeeds if all of `needed` are in `self`.
    ///
    /// # Errors
    /// [`Missing`] holds those that are not.
    pub const fn require(self, needed: Self) -> Result<(), Missing> {
        let missing = needed.without(self);
        if missing.0 == 0 {
            Ok(())
        } else {
            Err(Missing(missing))
        }
    }
}

impl fmt::Debug for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this CPU lacks")?;
        for (i, name) in self.0.names().enumerate() {
            write!(f, "{} {name}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// What the build is for.
#[cfg_attr(
    not(any(miri, target_arch = "aarch64", carryless_a32)),
    allow(dead_code, reason = "the CPU is asked")
)]
fn of_build() -> Features {
    Features::present([
        (cfg!(target_feature = "ssse3"), Features::SSSE3),
        (cfg!(target_feature = "sse4.1"), Features::SSE41),
        (cfg!(target_feature = "aes"), Features::AES),
        (cfg!(target_feature = "pclmulqdq"), Features::PCLMULQDQ),
        (cfg!(target_feature = "avx"), Features::AVX),
        (cfg!(target_feature = "avx2"), Features::AVX2),
        (cfg!(target_feature = "vaes"), Features::VAES),
        (cfg!(target_feature = "vpclmulqdq"), Features::VPCLMULQDQ),
        (cfg!(target_feature = "avx512f"), Features::AVX512F),
        (cfg!(target_feature = "avx512bw"), Features::AVX512BW),
        (cfg!(target_feature = "avx512vl"), Features::AVX512VL),
        (cfg!(target_feature = "bmi2"), Features::BMI2),
        (cfg!(target_feature = "neon"), Features::NEON),
        // Rust's feature `aes` of Arm is both.
        (
            cfg!(all(
                any(target_arch = "aarch64", target_arch = "arm"),
                target_feature = "aes"
            )),
            Features::PMULL,
        ),
        (cfg!(target_feature = "sha3"), Features::SHA3),
        (cfg!(target_feature = "dit"), Features::DIT),
    ])
}

/// Miri has neither CPUID nor a system.
#[cfg(any(
    miri,
    not(any(target_arch = "aarch64", target_arch = "x86_64", carryless_a32))
))]
use of_build as probe;

#[cfg(all(any(target_arch = "aarch64", carryless_a32), not(miri)))]
mod arm;
#[cfg(all(any(target_arch = "aarch64", carryless_a32), not(miri)))]
use arm::probe;

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86_64;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use x86_64::probe;
