//! The engines of x86-64.

use super::entries::of_engines::*;
use crate::simd::x86_64::{
    Aesni, Avx, Vaes256, Vaes512, aesni_entry, avx_entry, vaes256_entry, vaes512_entry,
};

engine!(vaes512: Vaes512, vaes512_entry, "vaes512");
engine!(vaes256: Vaes256, vaes256_entry, "vaes256");
engine!(avx: Avx, avx_entry, "avx");
engine!(aesni: Aesni, aesni_entry, "aesni");
