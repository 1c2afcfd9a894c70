//! Which choice holds, and what is said of engines that can't be used.

use core::sync::atomic::AtomicU8;
use std::string::ToString;

use super::{Engine, Unavailable};
use crate::simd::Features;

#[test]
fn the_first_choice_holds() {
    for first in Engine::ALL.iter().copied() {
        for second in Engine::ALL.iter().copied() {
            let selected = AtomicU8::new(0);
            assert_eq!(first.remember_first(&selected), first);
            assert_eq!(second.remember_first(&selected), first);
            assert_eq!(Engine::of_mark(&selected), Some(first));
        }
    }
}

#[test]
fn an_engine_that_is_not_there_says_why() {
    assert_eq!(Unavailable::SelfTest.to_string(), "its self-test failed");
    for engine in Engine::ALL.iter().copied() {
        if let Err(missing) = engine.missing(Features::NONE) {
            let said = Unavailable::Missing(missing).to_string();
            assert_eq!(said, missing.to_string());
            assert!(!said.is_empty(), "{engine}");
        }
    }
}
