//! What the CPU can do, found out once per process, with or without `std`.

use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

/// The CPU features that some engine asks for, as a set.
///
/// A feature that the operating system does not enable (AVX without saved registers) is absent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Features(u32);

/// An engine's features that this CPU lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing(pub Features);

macro_rules! features {
    ($($bit:literal $constant:ident $name:literal,)*) => {
        impl Features {
            $(#[doc = concat!("The feature `", $name, "`, by its name in Rust's target features.")]
            pub const $constant: Self = Self(1 << $bit);)*
            const NAMES: &[(Self, &str)] = &[$((Self::$constant, $name),)*];
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

#[cfg(not(target_arch = "x86_64"))]
fn probe() -> Features {
    Features::NONE
}

/// Miri has no CPUID: what the build is for.
#[cfg(all(target_arch = "x86_64", miri))]
fn probe() -> Features {
    let all = [
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
    ];
    let present = all.into_iter().filter(|(present, _)| *present);
    present.fold(Features::NONE, |found, (_, feature)| found.union(feature))
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn probe() -> Features {
    Report::read().features()
}

/// What CPUID and XGETBV say (Intel SDM volume 1, 13.2 and 14.3; volume 2, CPUID leaves 0, 1 and 7).
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[derive(Clone, Copy, Default)]
struct Report {
    /// Leaf 0, EAX: the highest leaf.
    highest: u32,
    /// Leaf 1, ECX.
    ecx1: u32,
    /// Leaf 7, EBX, if there is that leaf.
    ebx7: u32,
    /// Leaf 7, ECX.
    ecx7: u32,
    /// The registers that the system saves, if it says so.
    xcr0: u64,
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl Report {
    /// That of this CPU under this system.
    fn read() -> Self {
        use core::arch::x86_64::{__cpuid, __cpuid_count};

        #[target_feature(enable = "xsave")]
        fn xcr0() -> u64 {
            // SAFETY: reading XCR0 changes nothing.
            unsafe { core::arch::x86_64::_xgetbv(0) }
        }

        #[allow(unused_unsafe, reason = "safe since Rust 1.94, unsafe before")]
        // SAFETY: every x86-64 CPU has CPUID with leaves 0 and 1.
        let (highest, ecx1) = unsafe { (__cpuid(0).eax, __cpuid(1).ecx) };
        let mut report = Self {
            highest,
            ecx1,
            ..Self::default()
        };
        if report.has_leaf_7() {
            #[allow(unused_unsafe, reason = "safe since Rust 1.94, unsafe before")]
            // SAFETY: leaf 7 exists.
            let seven = unsafe { __cpuid_count(7, 0) };
            (report.ebx7, report.ecx7) = (seven.ebx, seven.ecx);
        }
        if report.has_xgetbv() {
            // SAFETY: OSXSAVE says that the system has enabled XGETBV.
            report.xcr0 = unsafe { xcr0() };
        }
        report
    }

    const fn has_leaf_7(self) -> bool {
        self.highest >= 7
    }

    /// OSXSAVE.
    const fn has_xgetbv(self) -> bool {
        self.ecx1 >> 27 & 1 == 1
    }

    /// What a program may use.
    fn features(self) -> Features {
        let bit = |word: u32, n: u32| word >> n & 1 == 1;
        let (ebx7, ecx7) = if self.has_leaf_7() {
            (self.ebx7, self.ecx7)
        } else {
            (0, 0)
        };
        let saved = if self.has_xgetbv() { self.xcr0 } else { 0 };
        // XMM and YMM; with them opmasks, the upper halves of ZMM0 to 15, and ZMM16 to 31.
        let (ymm_saved, zmm_saved) = (saved & 0x06 == 0x06, saved & 0xe6 == 0xe6);
        let avx = ymm_saved && bit(self.ecx1, 28);
        let avx2 = avx && bit(ebx7, 5);
        let avx512 = avx2 && zmm_saved;
        let all = [
            (bit(self.ecx1, 9), Features::SSSE3),
            (bit(self.ecx1, 19), Features::SSE41),
            (bit(self.ecx1, 25), Features::AES),
            (bit(self.ecx1, 1), Features::PCLMULQDQ),
            (avx, Features::AVX),
            (avx2, Features::AVX2),
            (avx2 && bit(ecx7, 9), Features::VAES),
            (avx2 && bit(ecx7, 10), Features::VPCLMULQDQ),
            (avx512 && bit(ebx7, 16), Features::AVX512F),
            (avx512 && bit(ebx7, 30), Features::AVX512BW),
            (avx512 && bit(ebx7, 31), Features::AVX512VL),
            // Without AVX some report it and lack it (Intel, erratum SKL052).
            (avx && bit(ebx7, 8), Features::BMI2),
        ];
        let present = all.into_iter().filter(|(present, _)| *present);
        present.fold(Features::NONE, |found, (_, feature)| found.union(feature))
    }
}

#[cfg(all(test, target_arch = "x86_64", not(miri)))]
mod tests;
