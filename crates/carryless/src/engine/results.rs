//! What the self-tests said of the engines: each runs once.

use core::sync::atomic::{AtomicU8, Ordering};

use super::list::Engine;

/// What is known of the engines by one of the self-tests.
pub struct Tests {
    /// The engine that is chosen by it, as a mark; 0 if none is yet.
    pub(super) selected: AtomicU8,
    /// For each engine: not tested yet, passed, or failed.
    results: [AtomicU8; Engine::ALL.len()],
}

const PASSED: u8 = 1;
const FAILED: u8 = 2;

impl Tests {
    /// Nothing yet.
    pub(super) const fn new() -> Self {
        Self {
            selected: AtomicU8::new(0),
            results: [const { AtomicU8::new(0) }; Engine::ALL.len()],
        }
    }

    /// Whether the engine at `position` of the list passes `test`, which runs at the first question.
    pub(super) fn passed(&self, position: usize, test: impl FnOnce() -> bool) -> bool {
        let state = &self.results[position];
        if state.load(Ordering::Relaxed) == 0 {
            let result = if test() { PASSED } else { FAILED };
            state.store(result, Ordering::Relaxed);
        }
        state.load(Ordering::Relaxed) == PASSED
    }
}

/// `tests! { name .. }`: methods that give what is known of the engines, each by a self-test of its own.
macro_rules! tests {
    ($($name:ident)+) => {$(
        #[inline]
        fn $name() -> &'static Tests {
            static TESTS: Tests = Tests::new();
            &TESTS
        }
    )+};
}
pub(super) use tests;
