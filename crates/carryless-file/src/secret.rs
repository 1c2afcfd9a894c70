//! What is left of secrets, and the places where what depends on them becomes public.

use ctutils::CtEq;

/// Bytes of stack that derivations from a key or passphrase take, with what they call: more where
/// nothing is optimized.
const FRAMES: usize = if cfg!(debug_assertions) { 64 } else { 16 } * 1024;

/// Those that ML-KEM takes, whose keys and matrices lie on the stack.
const DEEP_FRAMES: usize = 6 * FRAMES;

/// Calls `work`, and overwrites the stack that it and what it calls have used: hashes leave their blocks
/// and states there, and Argon2id its own.
///
/// What `work` gives must not be secret, unless it is elsewhere.
#[inline(always)]
pub(crate) fn burning<T>(work: impl FnOnce() -> T) -> T {
    burning_frames::<FRAMES, T>(work)
}

/// The same for what takes much stack.
#[inline(always)]
pub(crate) fn burning_deep<T>(work: impl FnOnce() -> T) -> T {
    burning_frames::<DEEP_FRAMES, T>(work)
}

#[inline(always)]
fn burning_frames<const LEN: usize, T>(work: impl FnOnce() -> T) -> T {
    #[inline(never)]
    fn apart<T>(work: impl FnOnce() -> T) -> T {
        work()
    }
    let given = apart(work);
    burn::<LEN>();
    given
}

/// Overwrites stack of this thread, below what it runs now.
#[cfg(feature = "parallel")]
pub(crate) fn burn_deep() {
    burn::<DEEP_FRAMES>();
}

#[inline(never)]
fn burn<const LEN: usize>() {
    let frame = [0u8; LEN];
    zeroize::optimization_barrier(&frame);
}

/// Whether `a` and `b` are equal, looking at all of both, for where the answer may be known.
///
/// # Constant time
/// Secret: `a` and `b`. Public: their lengths, and whether they are equal.
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    publish([a.ct_eq(b).to_u8()]) != [0]
}

/// Bytes that depend on secrets and may be known all the same; each call says why.
///
/// It does nothing but for the constant-time checker, to which they are undefined until then.
#[cfg(not(carryless_ct))]
pub(crate) const fn publish<const N: usize>(bytes: [u8; N]) -> [u8; N] {
    bytes
}

#[cfg(carryless_ct)]
pub(crate) fn publish<const N: usize>(mut bytes: [u8; N]) -> [u8; N] {
    if let Some(publish) = checker::PUBLISH.get() {
        publish(&mut bytes);
    }
    bytes
}

/// The hook of the constant-time checker (`crates/carryless-assure`). Nothing of this is in a normal build.
#[cfg(carryless_ct)]
pub mod checker {
    use std::sync::OnceLock;

    /// Makes bytes defined.
    pub static PUBLISH: OnceLock<fn(&mut [u8])> = OnceLock::new();
}
