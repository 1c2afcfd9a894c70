//! The list of engines, the choice among them, and the dispatch: once per message.
//!
//! `engines!` makes the public [`Engine`], and for each kind of mode the enum whose variants hold an
//! engine's token and its keys together. Everything else iterates over [`Engine::ALL`].

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

use super::aead_keys::{AeadOn, KeysOn, Running};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::fused::Fused;
#[cfg(feature = "hazmat")]
use super::part_keys::{CipherOn, HashOn};
use super::{
    Aead, Backend, Block, Cipher, Counter, Direction, Features, Four, Hash, InOut, Message,
    Missing, Spec, Tag, self_test,
};
#[cfg(feature = "hazmat")]
use super::{Field, KEY_FRAMES};
use crate::secret::{self, Choice, Failures};

/// Why an engine can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unavailable {
    /// The CPU lacks features, or the system does not enable them.
    Missing(Missing),
    /// The engine gave a wrong answer to its self-test.
    SelfTest,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(missing) => missing.fmt(f),
            Self::SelfTest => f.write_str("its self-test failed"),
        }
    }
}

impl core::error::Error for Unavailable {}

/// An engine that was asked for by name and can't be used; its message lists those that can.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineError {
    /// No engine of this build has the name.
    Unknown,
    /// This machine can't use it.
    Unavailable(Engine, Unavailable),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("this build has no engine of that name")?,
            Self::Unavailable(engine, reason) => {
                write!(f, "engine {engine} is unavailable: {reason}")?
            }
        }
        f.write_str("; available here:")?;
        for engine in Engine::available() {
            write!(f, " {engine}")?;
        }
        Ok(())
    }
}

impl core::error::Error for EngineError {}

/// Whether an engine may be chosen automatically.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Preference {
    #[cfg_attr(
        not(all(target_arch = "x86_64", target_feature = "sse2")),
        expect(dead_code, reason = "the other engines of such targets are to come")
    )]
    Automatic,
    /// If it is [`PORTABLE`].
    Portable,
    /// Only by name: a variant, or one not yet tuned.
    ByName,
}

macro_rules! engines {
    (on x86_64 { $($x86_64:tt)* } everywhere { $($everywhere:tt)* }) => {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        engines! { $($x86_64)* $($everywhere)* }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
        engines! { $($everywhere)* }
    };
    ($($(#[$doc:meta])* $Name:ident($Token:ty) $preference:ident $description:expr;)+) => {
        /// An implementation of everything for one family of CPUs.
        ///
        /// Names are stable. [`Engine::ALL`] lists them in the order of preference; those with a
        /// colon are variants of an engine, which are tested like the others but chosen by name only.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Engine {
            $($(#[$doc])* $Name,)+
        }

        impl Engine {
            /// All that this build has, preferred ones first, whether or not this CPU can run them.
            pub const ALL: &[Self] = &[$(Self::$Name,)+];

            /// The name, for tables, logs and `CARRYLESS_ENGINE`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Name => <$Token as Backend>::NAME,)+ }
            }

            /// What it is made of, in a line.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$Name => $description,)+ }
            }

            const fn preference(self) -> Preference {
                match self { $(Self::$Name => Preference::$preference,)+ }
            }

            fn missing(self, cpu: Features) -> Result<(), Missing> {
                match self { $(Self::$Name => cpu.require(<$Token as Backend>::FEATURES),)+ }
            }
        }

        aead_keys! { $($Name($Token))+ }
        #[cfg(feature = "hazmat")]
        part_keys! { $($Name($Token))+ }
    };
}

engines! {
    on x86_64 {
        /// AES and carry-less multiplication on 512-bit vectors, 32 blocks a turn.
        Vaes512(Fused<crate::simd::x86_64::Vaes512>) Automatic "VAES and VPCLMULQDQ, 512-bit vectors";
        /// AES and carry-less multiplication on 256-bit vectors.
        Vaes256(Fused<crate::simd::x86_64::Vaes256>) Automatic "VAES and VPCLMULQDQ, 256-bit vectors";
        /// AES-NI and PCLMULQDQ in the three-operand encoding.
        Avx(Fused<crate::simd::x86_64::Avx>) Automatic "AES-NI and PCLMULQDQ, VEX encoding";
        /// AES-NI and PCLMULQDQ in the first encoding.
        Aesni(Fused<crate::simd::x86_64::Aesni>) Automatic "AES-NI and PCLMULQDQ, SSE encoding";
    }
    everywhere {
        /// Portable code; the AES on 128-bit vectors, eight blocks at a time, where the target always has them.
        Soft64(crate::soft::Soft64) Portable SOFT64;
        /// Portable code on 64-bit words alone, four blocks at a time.
        Soft64Words(crate::soft::Soft64Words) ByName "portable: fixsliced AES on 4 blocks in 64-bit words, integer GHASH";
        /// Portable code on 32-bit words, two blocks at a time; the products of GHASH have 64 bits.
        Soft32(crate::soft::Soft32) Portable "portable: fixsliced AES on 2 blocks in 32-bit words, integer GHASH";
        /// The same with products of 16-bit words, for CPUs whose 64-bit product takes a varying time.
        Soft32Narrow(crate::soft::Soft32Narrow) Portable "portable: fixsliced AES on 2 blocks in 32-bit words, GHASH by short products";
    }
}

/// What `soft64` is made of.
const SOFT64: &str = if cfg!(all(target_arch = "x86_64", target_feature = "sse2")) {
    "portable: fixsliced AES on 8 blocks, integer GHASH"
} else {
    "portable: fixsliced AES, integer GHASH"
};

/// The portable engine that is chosen, there on every CPU: that of the target's registers.
const PORTABLE: Engine = if cfg!(carryless_narrow) {
    Engine::Soft32Narrow
} else if cfg!(any(
    target_pointer_width = "64",
    // Their registers are longer than their pointers.
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "wasm32",
)) {
    Engine::Soft64
} else {
    Engine::Soft32
};
/// 0: not chosen yet; otherwise the position in [`Engine::ALL`], plus one.
static SELECTED: AtomicU8 = AtomicU8::new(0);
/// For each engine: not tested yet, passed, or failed.
static TESTED: [AtomicU8; Engine::ALL.len()] = [const { AtomicU8::new(0) }; Engine::ALL.len()];
const PASSED: u8 = 1;
const FAILED: u8 = 2;

impl Engine {
    /// The engine that new keys take: the one set by [`Engine::set_default`], otherwise the first of
    /// [`Engine::ALL`] that this CPU runs and that passes its self-test.
    ///
    /// # Panics
    /// If the portable engine fails its self-test: the one documented abort, as nothing that this
    /// build computes can be trusted then.
    #[inline]
    pub fn selected() -> Self {
        match SELECTED.load(Ordering::Relaxed) {
            0 => Self::select(),
            position => Self::ALL[usize::from(position) - 1],
        }
    }

    #[cold]
    fn select() -> Self {
        let choice = Self::automatic(|engine| engine.availability().is_ok());
        assert!(
            choice.availability().is_ok(),
            "the portable engine failed its self-test: this build or machine is broken"
        );
        choice.remember_first()
    }

    /// What [`Engine::selected`] would take on a CPU with these features.
    pub fn automatic_on(cpu: Features) -> Self {
        Self::automatic(|engine| engine.missing(cpu).is_ok())
    }

    fn automatic(usable: impl Fn(Self) -> bool) -> Self {
        let mut candidates = Self::ALL
            .iter()
            .copied()
            .filter(|engine| engine.is_automatic());
        candidates
            .find(|engine| usable(*engine))
            .unwrap_or(PORTABLE)
    }

    fn remember(self) {
        SELECTED.store(self.mark(), Ordering::Relaxed);
    }

    /// Remembers the automatic choice, unless another thread has set an engine meanwhile; what holds.
    fn remember_first(self) -> Self {
        #[cfg(target_has_atomic = "8")]
        if let Err(other) =
            SELECTED.compare_exchange(0, self.mark(), Ordering::Relaxed, Ordering::Relaxed)
        {
            return Self::ALL[usize::from(other) - 1];
        }
        // Without compare-and-swap there is one core.
        #[cfg(not(target_has_atomic = "8"))]
        self.remember();
        self
    }

    /// What [`SELECTED`] holds for it.
    fn mark(self) -> u8 {
        #[expect(clippy::cast_possible_truncation, reason = "a handful of engines")]
        let mark = self.position() as u8 + 1;
        mark
    }

    fn position(self) -> usize {
        self as usize
    }

    /// Whether it may be chosen automatically; if not, only by name.
    pub fn is_automatic(self) -> bool {
        match self.preference() {
            Preference::Automatic => true,
            Preference::Portable => self == PORTABLE,
            Preference::ByName => false,
        }
    }

    /// Whether this CPU runs it and its self-test passes; the test runs at the first question.
    ///
    /// # Errors
    /// The reason why not.
    pub fn availability(self) -> Result<(), Unavailable> {
        self.missing(Features::detect())
            .map_err(Unavailable::Missing)?;
        let state = &TESTED[self.position()];
        if state.load(Ordering::Relaxed) == 0 {
            // Under Miri it takes a minute, and the tests there compare the same things.
            let passed = cfg!(miri) || self_test::run(self);
            let result = if passed { PASSED } else { FAILED };
            state.store(result, Ordering::Relaxed);
        }
        if state.load(Ordering::Relaxed) == PASSED {
            Ok(())
        } else {
            Err(Unavailable::SelfTest)
        }
    }

    /// Whether a CPU with these features lacks some.
    #[cfg(all(test, feature = "std"))]
    pub(crate) fn missing_on(self, cpu: Features) -> bool {
        self.missing(cpu).is_err()
    }

    /// Those that can be used here, preferred ones first.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL
            .iter()
            .copied()
            .filter(|engine| engine.availability().is_ok())
    }

    /// Runs the known-answer test again: each key size, sealing and opening.
    ///
    /// # Errors
    /// [`Unavailable::Missing`] if this CPU can't run the engine, [`Unavailable::SelfTest`] if an
    /// answer was wrong.
    pub fn self_test(self) -> Result<(), Unavailable> {
        self.missing(Features::detect())
            .map_err(Unavailable::Missing)?;
        if self_test::run(self) {
            Ok(())
        } else {
            Err(Unavailable::SelfTest)
        }
    }

    /// The engine of this name, if this machine can use it.
    ///
    /// # Errors
    /// [`EngineError`], whose message lists the engines that can be used.
    ///
    /// # Examples
    /// ```
    /// use carryless::Engine;
    ///
    /// assert_eq!(Engine::from_name("soft64")?, Engine::Soft64);
    /// assert!(Engine::from_name("abacus").is_err());
    /// # Ok::<(), carryless::error::EngineError>(())
    /// ```
    pub fn from_name(name: &str) -> Result<Self, EngineError> {
        let engine = Self::ALL
            .iter()
            .copied()
            .find(|engine| engine.name() == name)
            .ok_or(EngineError::Unknown)?;
        engine
            .availability()
            .map_err(|reason| EngineError::Unavailable(engine, reason))?;
        Ok(engine)
    }

    /// Makes new keys of this process take this engine. Keys that exist keep theirs.
    ///
    /// # Errors
    /// The reason why the engine can't be used; the choice stays as it was.
    pub fn set_default(self) -> Result<(), Unavailable> {
        self.availability()?;
        self.remember();
        Ok(())
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
