//! What the environment asks of a suite, for those too that share no more of the harness.

use carryless::Engine;

/// Whether it runs on an engine: `CARRYLESS_TEST_ENGINE=avx,aesni` names some alone.
pub(crate) fn is_asked(engine: &Engine) -> bool {
    let only = std::env::var("CARRYLESS_TEST_ENGINE");
    only.map_or(true, |only| {
        only.split(',').any(|name| engine.name() == name)
    })
}

/// Whether `CARRYLESS_TEST_QUICK` asks for fewer cases: on slow compilations, emulated CPUs, and
/// where minutes count.
pub(crate) fn quick() -> bool {
    std::env::var_os("CARRYLESS_TEST_QUICK").is_some()
}
