//! What the suites share: engines, seeded cases, the ways through the API, the reference, faults,
//! and memory that faults.

mod asked;
#[cfg(unix)]
pub(crate) mod child;
pub(crate) mod draws;
pub(crate) mod faulty;
pub(crate) mod forgeries;
#[cfg(unix)]
pub(crate) mod guard;
#[cfg(feature = "hazmat")]
pub(crate) mod modes;
pub(crate) mod reference;
#[cfg(all(target_os = "linux", feature = "hazmat", target_pointer_width = "64"))]
pub(crate) mod repeated;
pub(crate) mod scheme;
#[cfg(all(target_os = "linux", feature = "getrandom"))]
pub(crate) mod traced;
pub(crate) mod vectors;

use carryless::Engine;

use asked::is_asked;
pub(crate) use asked::quick;

/// The engines of this build that this machine runs; prints those it skips and why.
///
/// `CARRYLESS_REQUIRE=avx,aesni` makes the test fail if one of the named is among the skipped.
pub(crate) fn engines() -> Vec<Engine> {
    let required = std::env::var("CARRYLESS_REQUIRE").unwrap_or_default();
    for name in required
        .split(',')
        .filter(|name| !name.is_empty() && *name != "pyca")
    {
        Engine::from_name(name).unwrap_or_else(|error| panic!("CARRYLESS_REQUIRE={name}: {error}"));
    }
    let usable = |engine: &Engine| match engine.availability() {
        Ok(()) => true,
        Err(reason) => {
            println!("{engine}: not run: {reason}");
            false
        }
    };
    let engines = Engine::ALL.iter().copied().filter(is_asked);
    engines.filter(usable).collect()
}

/// The key sizes of AES in bytes.
pub(crate) const KEY_LENS: [usize; 3] = [16, 24, 32];

/// Whether an engine is portable: without instructions of a particular CPU, and slow.
pub(crate) fn is_portable(engine: Engine) -> bool {
    engine.name().starts_with("soft")
}

/// The cases of one key size on an engine: all of them, or of a portable engine, whose kernels are the same for all key sizes, a
/// third of them. The thirds of the three sizes together are all.
#[derive(Clone, Copy)]
pub(crate) struct Share(Option<usize>);

impl Share {
    /// All.
    pub(crate) const WHOLE: Self = Self(None);

    /// That of the key size with this number in [`KEY_LENS`].
    pub(crate) fn of(engine: Engine, size: usize) -> Self {
        Self(is_portable(engine).then_some(size))
    }

    /// Another third of them, for what is done in another way; all remain all.
    pub(crate) fn turned(self, way: usize) -> Self {
        Self(self.0.map(|size| size + way))
    }

    /// Whether the case with this number is one of them.
    pub(crate) fn has(self, case: usize) -> bool {
        self.0.is_none_or(|size| case % 3 == size % 3)
    }
}

/// Bytes that look random and are the same in every run (splitmix64).
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(len + 8);
        while bytes.len() < len {
            bytes.extend_from_slice(&self.word().to_le_bytes());
        }
        bytes.truncate(len);
        bytes
    }
}

/// The test key of this many bytes.
pub(crate) fn key(len: usize) -> Vec<u8> {
    Random::new(0x6b65_7900 + len as u64).bytes(len)
}

/// The result of a check that its control must turn into an error: how much was checked, or what
/// went wrong, with enough to run it again.
pub(crate) type Checked = Result<usize, String>;

/// `ensure!(condition, "format", ..)`: returns the message as an error unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(format!($($message)+));
        }
    };
}
pub(crate) use ensure;

/// Fails unless the check failed, and prints what it said.
pub(crate) fn caught(result: Checked) {
    match result {
        Ok(count) => panic!("the fault passed {count} checks unnoticed"),
        Err(message) => println!("caught: {message}"),
    }
}

/// Fails unless the work panics with a message that has this part, and prints how that begins.
pub(crate) fn caught_panic(part: &str, work: impl FnOnce()) {
    let ended = std::panic::catch_unwind(core::panic::AssertUnwindSafe(work));
    let payload = ended.expect_err("the fault went unnoticed");
    let message = payload.downcast_ref::<String>().expect("a message");
    assert!(message.contains(part), "{message}");
    println!("caught: {}", message.lines().next().unwrap_or_default());
}
