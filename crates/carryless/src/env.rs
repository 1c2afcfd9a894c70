//! Engines by name, and from the environment for programs that want that.
#![forbid(unsafe_code)]

use crate::engine::Engine;
use crate::error::EngineError;

/// The variable that [`Engine::from_env`] reads.
const VARIABLE: &str = "CARRYLESS_ENGINE";

impl Engine {
    /// The engine that the environment variable `CARRYLESS_ENGINE` names; `None` if it is not set
    /// or `auto`.
    ///
    /// The library never reads the environment by itself: a program that wants users to choose calls
    /// this, and [`Engine::set_default`].
    ///
    /// # Errors
    /// [`EngineError`] for an empty or unknown name, or an engine that this machine can't use. Its
    /// message lists those that it can.
    ///
    /// # Examples
    /// ```
    /// use carryless::Engine;
    ///
    /// if let Some(engine) = Engine::from_env()? {
    ///     engine.set_default()?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_env() -> Result<Option<Self>, EngineError> {
        match std::env::var(VARIABLE) {
            Ok(name) if name == "auto" => Ok(None),
            Ok(name) => Self::from_name(&name).map(Some),
            Err(std::env::VarError::NotPresent) => Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => Err(EngineError::Unknown),
        }
    }
}

#[cfg(all(test, not(miri)))]
mod tests;
