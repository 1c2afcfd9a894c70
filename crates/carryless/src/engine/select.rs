//! Which engine is chosen: by what the CPU has, by its self-test, or by name.

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

use super::list::{Engine, EveryAead, EveryCipher, PORTABLE, Preference};
use super::results::Tests;
use super::siv_test::{self, KnownSiv};
use super::{Aes128, Aes192, Aes256, Features, Missing};
use super::{block_test, self_test};
#[cfg(feature = "sgcm")]
use super::{sgcm_test, sghash};

/// Why an engine can't be used.
///
/// # Examples
/// ```
/// use carryless::{Engine, error::Unavailable};
///
/// for engine in Engine::ALL {
///     match engine.availability() {
///         Ok(()) => println!("{engine}"),
///         Err(Unavailable::Missing(missing)) => println!("{engine}: {missing}"),
///         Err(reason) => panic!("{engine}: {reason}"),
///     }
/// }
/// ```
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
///
/// # Examples
/// ```
/// use carryless::{Engine, error::EngineError};
///
/// let error = Engine::from_name("enigma").unwrap_err();
/// assert_eq!(error, EngineError::Unknown);
/// assert!(error.to_string().contains("available here: "));
/// ```
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

/// What is chosen for keys of any cipher: 0 if nothing yet; otherwise the position in [`Engine::ALL`], plus one.
static SELECTED: AtomicU8 = AtomicU8::new(0);

impl Engine {
    /// The engine that new keys take: the one set by [`Engine::set_default`], otherwise the first of
    /// [`Engine::ALL`] that this CPU runs and that passes its self-test.
    ///
    /// # Panics
    /// If the portable engine fails its self-test: the one documented abort, as nothing that this
    /// build computes can be trusted then.
    #[inline]
    pub fn selected() -> Self {
        Self::of_mark(&SELECTED)
            .unwrap_or_else(|| Self::select(&SELECTED, |engine| engine.availability().is_ok()))
    }

    /// The same where nothing but keys of `C` is wanted: then no other cipher is tested, nor needed in the program.
    #[inline]
    pub(crate) fn selected_for<C: EveryAead>() -> Self {
        Self::tested(&C::tests().selected, Self::runs::<C>)
    }

    /// The same where nothing but a block cipher and its modes is wanted.
    #[inline]
    pub(crate) fn selected_for_blocks<C: EveryCipher>() -> Self {
        Self::tested(&C::block_tests().selected, |engine| {
            engine.runs_blocks::<C>().is_ok()
        })
    }

    /// The same where nothing but chains of a block cipher are wanted, that is CMAC.
    #[inline]
    pub(crate) fn selected_for_chains<C: EveryCipher>() -> Self {
        Self::tested(&C::chain_tests().selected, |engine| {
            engine.runs_chains::<C>().is_ok()
        })
    }

    /// The same where nothing but AES-GCM-SIV is wanted.
    #[inline]
    pub(crate) fn selected_for_siv<C: KnownSiv>() -> Self {
        Self::tested(&C::siv_tests().selected, |engine| {
            engine.runs_siv::<C>().is_ok()
        })
    }

    /// The same where AES-256 is wanted alone and in GCM.
    #[inline]
    pub(crate) fn selected_for_xaes() -> Self {
        static SELECTED_FOR_XAES: AtomicU8 = AtomicU8::new(0);
        Self::tested(&SELECTED_FOR_XAES, |engine| {
            engine.runs::<Aes256>() && engine.runs_blocks::<Aes256>().is_ok()
        })
    }

    /// The same where nothing but SGCM is wanted.
    #[cfg(feature = "sgcm")]
    #[inline]
    pub(crate) fn selected_for_sgcm<C: EveryCipher>() -> Self {
        Self::tested(&C::sgcm_tests().selected, |engine| {
            engine.runs_sgcm::<C>().is_ok()
        })
    }

    /// The same where nothing but the hash of SGCM is wanted.
    #[cfg(all(feature = "sgcm", feature = "hazmat"))]
    #[inline]
    pub(crate) fn selected_for_sghash() -> Self {
        Self::tested(&sghash::TESTS.selected, |engine| {
            engine.runs_sghash().is_ok()
        })
    }

    /// The engine set for keys of any cipher, which passed the tests of AES in GCM, if it is usable here too; or else the one of `selected`, found
    /// if there is none yet.
    #[inline]
    fn tested(selected: &AtomicU8, usable: fn(Self) -> bool) -> Self {
        let set = Self::of_mark(&SELECTED).filter(|engine| usable(*engine));
        let chosen = set.or_else(|| Self::of_mark(selected));
        chosen.unwrap_or_else(|| Self::select(selected, usable))
    }

    /// The first that is usable, remembered unless another thread has set an engine meanwhile; what holds.
    #[cold]
    fn select(selected: &AtomicU8, usable: fn(Self) -> bool) -> Self {
        let choice = Self::automatic(usable);
        assert!(
            usable(choice),
            "the portable engine failed its self-test: this build or machine is broken"
        );
        choice.remember_first(selected)
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

    /// Remembers the automatic choice, unless another thread has set an engine meanwhile; what holds.
    fn remember_first(self, selected: &AtomicU8) -> Self {
        #[cfg(target_has_atomic = "8")]
        if let Err(other) =
            selected.compare_exchange(0, self.mark(), Ordering::Relaxed, Ordering::Relaxed)
        {
            return Self::ALL[usize::from(other) - 1];
        }
        // Without compare-and-swap there is one core.
        #[cfg(not(target_has_atomic = "8"))]
        selected.store(self.mark(), Ordering::Relaxed);
        self
    }

    /// What [`SELECTED`] holds for it.
    fn mark(self) -> u8 {
        #[expect(clippy::cast_possible_truncation, reason = "a handful of engines")]
        let mark = self.position() as u8 + 1;
        mark
    }

    /// The engine whose mark that is.
    #[inline]
    fn of_mark(mark: &AtomicU8) -> Option<Self> {
        let position = usize::from(mark.load(Ordering::Relaxed)).checked_sub(1)?;
        Self::ALL.get(position).copied()
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
        if self.passes::<Aes128>() && self.passes::<Aes192>() && self.passes::<Aes256>() {
            Ok(())
        } else {
            Err(Unavailable::SelfTest)
        }
    }

    /// Whether this CPU runs it, and it passes the self-test of `C`.
    fn runs<C: EveryAead>(self) -> bool {
        self.missing(Features::detect()).is_ok() && self.passes::<C>()
    }

    /// Whether it is available, and passes the self-test of `C` in GCM.
    ///
    /// # Errors
    /// The reason why not.
    pub(crate) fn runs_aead<C: EveryAead>(self) -> Result<(), Unavailable> {
        self.availability()?;
        self.runs_if(C::tests(), self_test::passes::<C>)
    }

    /// Whether this CPU runs it, and it passes the self-test of the block cipher `C`.
    ///
    /// # Errors
    /// The reason why not.
    pub(crate) fn runs_blocks<C: EveryCipher>(self) -> Result<(), Unavailable> {
        self.runs_if(C::block_tests(), block_test::passes::<C>)
    }

    /// Whether this CPU runs it, and it passes the self-test of chains of the block cipher `C`.
    ///
    /// # Errors
    /// The reason why not.
    pub(crate) fn runs_chains<C: EveryCipher>(self) -> Result<(), Unavailable> {
        self.runs_if(C::chain_tests(), block_test::chains_pass::<C>)
    }

    /// Whether this CPU runs it, and it passes the self-test of AES-GCM-SIV with `C`.
    ///
    /// # Errors
    /// The reason why not.
    pub(crate) fn runs_siv<C: KnownSiv>(self) -> Result<(), Unavailable> {
        self.runs_if(C::siv_tests(), siv_test::passes::<C>)
    }

    /// Whether this CPU runs it, and it passes `test`.
    fn runs_if(self, tests: &Tests, test: fn(Self) -> bool) -> Result<(), Unavailable> {
        self.missing(Features::detect())
            .map_err(Unavailable::Missing)?;
        if self.passed(tests, test) {
            Ok(())
        } else {
            Err(Unavailable::SelfTest)
        }
    }

    /// Whether this CPU runs it, and it passes the self-test of the hash of SGCM.
    ///
    /// # Errors
    /// The reason why not.
    #[cfg(feature = "sgcm")]
    pub(crate) fn runs_sghash(self) -> Result<(), Unavailable> {
        self.runs_if(&sghash::TESTS, sghash::passes)
    }

    /// Whether this CPU runs it, and it passes the self-tests of SGCM with `C`: of the cipher, of the hash, and of both together.
    ///
    /// # Errors
    /// The reason why not.
    #[cfg(feature = "sgcm")]
    pub(crate) fn runs_sgcm<C: EveryCipher>(self) -> Result<(), Unavailable> {
        self.runs_blocks::<C>()?;
        self.runs_sghash()?;
        self.runs_if(C::sgcm_tests(), sgcm_test::passes::<C>)
    }

    /// Whether it passes the self-test of `C` in GCM.
    fn passes<C: EveryAead>(self) -> bool {
        self.passed(C::tests(), self_test::passes::<C>)
    }

    /// Whether it passes `test`, which runs at the first question.
    fn passed(self, tests: &Tests, test: fn(Self) -> bool) -> bool {
        // Under Miri it takes a minute, and the tests there compare the same things.
        tests.passed(self.position(), || cfg!(miri) || test(self))
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

    /// Runs the known-answer tests again: each key size, GCM, the modes of the cipher alone, AES-GCM-SIV, with the feature `lea`
    /// GCM and modes of LEA, and with `sgcm` its hash, and SGCM with each cipher.
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
        SELECTED.store(self.mark(), Ordering::Relaxed);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
