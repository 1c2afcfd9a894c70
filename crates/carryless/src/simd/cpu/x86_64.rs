//! What an x86-64 CPU says of itself.

use super::Features;

/// The features of this CPU that a program may use.
pub(super) fn probe() -> Features {
    Report::read().features()
}

/// What CPUID and XGETBV say (Intel SDM volume 1, 13.2 and 14.3; volume 2, CPUID leaves 0, 1 and 7).
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
        Features::present(all)
    }
}

#[cfg(test)]
mod tests;
