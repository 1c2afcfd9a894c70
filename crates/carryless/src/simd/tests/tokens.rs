//! Tests for each token.

use std::println;

use crate::simd::{Missing, Simd};

/// Runs the test for a token, if there is one.
pub(crate) fn with<S: Simd>(name: &str, token: Result<S, Missing>, test: impl Fn(&str, S)) {
    match token {
        Ok(s) => test(name, s),
        Err(missing) => println!("{name}: not run: {missing}"),
    }
}

/// `each_cpu_token!(test)`: runs the test for each token that this CPU gives.
macro_rules! each_cpu_token {
    ($test:ident) => {{
        use $crate::simd::tests::tokens::with;
        #[cfg(target_arch = "aarch64")]
        {
            use $crate::simd::aarch64::{Armce, Armce3};
            with("armce", Armce::detect(), $test);
            with("armce3", Armce3::detect(), $test);
        }
        #[cfg(target_arch = "x86_64")]
        {
            use $crate::simd::x86_64::{Aesni, Avx, Vaes256, Vaes512};
            with("aesni", Aesni::detect(), $test);
            with("avx", Avx::detect(), $test);
            with("vaes256", Vaes256::detect(), $test);
            with("vaes512", Vaes512::detect(), $test);
        }
    }};
}
pub(crate) use each_cpu_token;

/// `each_token!(test)`: the same, and without optimization for those of any CPU, whose rounds add the key first:
/// plain integers in place of vectors take long to optimize.
macro_rules! each_token {
    ($test:ident) => {{
        $crate::simd::tests::tokens::each_cpu_token!($test);
        #[cfg(all(target_arch = "x86_64", carryless_rolled))]
        {
            use $crate::simd::tests::{key_first::KeyFirst, tokens::with};
            with("key first", KeyFirst::<1>::detect(), $test);
            with("key first on two lanes", KeyFirst::<2>::detect(), $test);
            with("key first on four lanes", KeyFirst::<4>::detect(), $test);
        }
    }};
}
pub(crate) use each_token;
