//! Tokens and vectors of x86-64.

#[macro_use]
mod together;
mod v128;
mod v256;
mod v512;

cpu! { $ /// AES-NI and PCLMULQDQ in their first encoding (Westmere and later).
Aesni, aesni_entry, 8: "ssse3" SSSE3, "sse4.1" SSE41, "aes" AES, "pclmulqdq" PCLMULQDQ }

cpu! { $ /// The same in the three-operand VEX encoding (Sandy Bridge, Bulldozer and later).
Avx, avx_entry, 8: "ssse3" SSSE3, "sse4.1" SSE41, "aes" AES, "pclmulqdq" PCLMULQDQ, "avx" AVX }

cpu! { $ /// AES and carry-less multiplication on two lanes (Zen 3, Alder Lake, Ice Lake and later).
Vaes256, vaes256_entry, 8: "ssse3" SSSE3, "sse4.1" SSE41, "aes" AES, "pclmulqdq" PCLMULQDQ, "avx" AVX,
    "avx2" AVX2, "vaes" VAES, "vpclmulqdq" VPCLMULQDQ }

// All of those have the last two as well: with AVX512VL the narrower vectors have 32 registers, with BMI2 a mask is one
// instruction.
cpu! { $ /// The same on four lanes (Ice Lake, Zen 4, Sapphire Rapids and later).
Vaes512, vaes512_entry, 7: "ssse3" SSSE3, "sse4.1" SSE41, "aes" AES, "pclmulqdq" PCLMULQDQ, "avx" AVX,
    "avx2" AVX2, "vaes" VAES, "vpclmulqdq" VPCLMULQDQ, "avx512f" AVX512F, "avx512bw" AVX512BW,
    "avx512vl" AVX512VL, "bmi2" BMI2 }

#[cfg(feature = "lea")]
cpu! { $ /// Integers on 256-bit registers (Haswell, Zen and later).
Avx2, avx2_entry, 8: "avx" AVX, "avx2" AVX2 }

impl From<Vaes512> for Vaes256 {
    /// A CPU with all of that has the narrower form as well.
    #[inline(always)]
    fn from(_: Vaes512) -> Self {
        Self::proven()
    }
}

impl From<Vaes512> for Avx {
    /// As above.
    #[inline(always)]
    fn from(_: Vaes512) -> Self {
        Self::proven()
    }
}

impl From<Vaes256> for Avx {
    /// A CPU with AVX2 and VAES has AVX and AES-NI.
    #[inline(always)]
    fn from(_: Vaes256) -> Self {
        Self::proven()
    }
}

#[cfg(feature = "lea")]
impl From<Vaes256> for Avx2 {
    /// As above.
    #[inline(always)]
    fn from(_: Vaes256) -> Self {
        Self::proven()
    }
}
