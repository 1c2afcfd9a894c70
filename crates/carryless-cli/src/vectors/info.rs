//! What this build and machine can do.

use carryless::{Engine, Features};
use serde_json::{Map, Value, json};

use super::algorithm::ALGORITHMS;
use super::answer::{Answer, Error};
use super::request::Common;

/// Features of the library that this program is built with.
const FEATURES: &[&str] = &[
    "std",
    "alloc",
    "aead",
    "getrandom",
    "hazmat",
    "lea",
    "rayon",
    "sgcm",
];

pub fn answer(common: &Common<'_>) -> Result<Answer, Error> {
    let engine = common.engine()?;
    let algorithms = ALGORITHMS.each_ref().map(|algorithm| algorithm.name);
    let engines: Vec<Value> = Engine::ALL
        .iter()
        .map(|engine| {
            let reason = engine.availability().err().map(|reason| reason.to_string());
            json!({"name": engine.name(), "available": reason.is_none(), "reason": reason, "algs": algorithms})
        })
        .collect();
    let selected: Map<String, Value> = algorithms
        .iter()
        .map(|alg| ((*alg).into(), Engine::selected().name().into()))
        .collect();
    Ok(Answer::success(engine)
        .with("protocol", 1)
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("features", FEATURES)
        .with("algs", algorithms.to_vec())
        .with("cpu", Features::detect().names().collect::<Vec<_>>())
        .with("engines", engines)
        .with("selected", selected))
}
