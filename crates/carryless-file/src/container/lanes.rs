//! Where the lanes of Argon2id run, and the work on its memory: with the feature `parallel` side by side, else one after the
//! other.

use argon2::Block;
#[cfg(feature = "parallel")]
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use zeroize::Zeroize;

/// Calls `derive` where it finds a thread for each lane, or processor, and overwrites what those leave on their stacks;
/// nothing if the system starts none.
#[cfg(feature = "parallel")]
pub(super) fn side_by_side<T: Send>(lanes: u8, derive: impl FnOnce() -> T + Send) -> Option<T> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool(processors.min(lanes.into()))
        .or_else(|_| pool(1))
        .ok()?;
    let derived = pool.install(derive);
    pool.broadcast(|_| crate::secret::burn_deep());
    Some(derived)
}

/// Calls `derive`.
#[cfg(not(feature = "parallel"))]
#[expect(clippy::unnecessary_wraps, reason = "as with threads")]
pub(super) fn side_by_side<T>(_: u8, derive: impl FnOnce() -> T) -> Option<T> {
    Some(derive())
}

/// Makes a vector that many blocks long, for which it has room. To touch them first is a good part of a derivation.
pub(super) fn fill(memory: &mut Vec<Block>, blocks: usize) {
    #[cfg(feature = "parallel")]
    rayon::iter::repeat_n(Block::new(), blocks).collect_into_vec(memory);
    #[cfg(not(feature = "parallel"))]
    memory.resize(blocks, Block::new());
}

/// Overwrites the blocks.
pub(super) fn wipe(memory: &mut [Block]) {
    #[cfg(feature = "parallel")]
    memory.par_iter_mut().for_each(Zeroize::zeroize);
    #[cfg(not(feature = "parallel"))]
    memory.iter_mut().for_each(Zeroize::zeroize);
}
