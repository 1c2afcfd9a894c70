//! What must not be left: 8-byte windows of everything that a key is made of or makes.

use std::collections::HashMap;

/// Bytes of a window: shorter ones turn up by chance.
const WINDOW: usize = 8;
/// Windows with fewer different bytes are masks, counts and lengths,
const DISTINCT: usize = 3;
/// and those with more zeros hold a part of an address, which says nothing of the key.
const ZEROS: usize = 1;

/// Windows of secrets and what they belong to.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    windows: HashMap<u64, &'static str>,
}

/// A secret that was found.
pub(crate) struct Found {
    pub(crate) what: &'static str,
    /// Where its window begins.
    pub(crate) at: usize,
}

fn window(bytes: &[u8]) -> Option<u64> {
    let bytes: [u8; WINDOW] = bytes.try_into().ok()?;
    let distinct = (0..WINDOW)
        .filter(|i| !bytes[..*i].contains(&bytes[*i]))
        .count();
    let zeros = bytes.iter().filter(|byte| **byte == 0).count();
    (distinct >= DISTINCT && zeros <= ZEROS).then(|| u64::from_ne_bytes(bytes))
}

impl Secrets {
    /// Adds all windows of `bytes`.
    pub(crate) fn add(&mut self, what: &'static str, bytes: &[u8]) {
        for window in bytes.windows(WINDOW).filter_map(window) {
            self.windows.entry(window).or_insert(what);
        }
    }

    /// Adds all windows of a block, as it stands and as the little-endian number that kernels hash.
    pub(crate) fn add_block(&mut self, what: &'static str, block: [u8; 16]) {
        let mut reversed = block;
        reversed.reverse();
        self.add(what, &block);
        self.add(what, &reversed);
    }

    /// Adds the windows that two copies of a value have and a third, of another key, has not: what
    /// else is in there is addresses, and whatever lay where the value uses nothing.
    pub(crate) fn add_common(&mut self, what: &'static str, copies: [&[u8]; 2], other: &[u8]) {
        let [mut second, mut common] = [Self::default(), Self::default()];
        second.add(what, copies[1]);
        common.add(what, other);
        for window in copies[0].windows(WINDOW).filter_map(window) {
            if second.windows.contains_key(&window) && !common.windows.contains_key(&window) {
                self.windows.entry(window).or_insert(what);
            }
        }
    }

    /// How many windows.
    pub(crate) fn len(&self) -> usize {
        self.windows.len()
    }

    /// The windows of `memory` that are secret.
    pub(crate) fn find(&self, memory: &[u8]) -> Vec<Found> {
        let mut found = Vec::new();
        // Most of it is zeros, as the system gave it.
        for (at, bytes) in memory
            .windows(WINDOW)
            .enumerate()
            .filter(|(_, bytes)| bytes[0] | bytes[WINDOW - 1] != 0)
        {
            if let Some(what) = window(bytes).and_then(|window| self.windows.get(&window)) {
                found.push(Found { what, at });
            }
        }
        found
    }
}
