//! The engine that the command line or the environment asks for.

use carryless::Engine;
use carryless::error::EngineError;

use crate::exit::{Code, Failure};

/// Makes the engine of `--engine`, or else of `CARRYLESS_ENGINE`, the default; `None` if both leave
/// the choice to the library.
///
/// An engine that this machine can't use is a usage error that lists those that it can: never
/// another engine in silence.
pub fn choose(option: Option<&str>) -> Result<Option<Engine>, Failure> {
    let refuse = |source: &'static str| {
        move |error: EngineError| Failure::usage(format!("{source}: {error}"))
    };
    let chosen = match option {
        Some("auto") => None,
        Some(name) => Some(Engine::from_name(name).map_err(refuse("--engine"))?),
        None => Engine::from_env().map_err(refuse("CARRYLESS_ENGINE"))?,
    };
    if let Some(engine) = chosen {
        engine
            .set_default()
            .map_err(|error| Failure::new(Code::Usage, error))?;
    }
    Ok(chosen)
}
