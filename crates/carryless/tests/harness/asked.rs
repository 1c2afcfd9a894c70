//! What the environment asks of a suite, for those too that share no more of the harness.

use carryless::Engine;

/// Whether it runs on an engine: `CARRYLESS_TEST_ENGINE=avx,aesni` names some alone, `-avx,aesni` all others.
pub(crate) fn is_asked(engine: &Engine) -> bool {
    let is_named = |names: &str| names.split(',').any(|name| engine.name() == name);
    match std::env::var("CARRYLESS_TEST_ENGINE").as_deref() {
        Ok(asked) => match asked.strip_prefix('-') {
            Some(others) => !is_named(others),
            None => is_named(asked),
        },
        Err(_) => true,
    }
}

/// Whether `CARRYLESS_TEST_QUICK` asks for fewer cases: on slow compilations, emulated CPUs, and
/// where minutes count.
pub(crate) fn quick() -> bool {
    std::env::var_os("CARRYLESS_TEST_QUICK").is_some()
}
