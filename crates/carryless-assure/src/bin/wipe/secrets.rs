//! What must not be left: 8-byte windows of everything that a key is made of or makes.

use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashMap;

/// Bytes of a window: shorter ones turn up by chance.
const WINDOW: usize = 8;
/// Windows with fewer different bytes are masks, counts and lengths,
const DISTINCT: usize = 3;
/// and those with more zeros hold a part of an address, which says nothing of the key.
const ZEROS: usize = 1;

/// Memory is first looked at by so many bytes, as most of it is zeros.
const LINE: usize = 64;

/// Windows of secrets and what they belong to.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    windows: HashMap<u64, &'static str, BuildHasherDefault<Mixed>>,
}

/// The hash of one word, fast, as every byte of memory is looked up: a multiplication and its upper half.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let word = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = word ^ word >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
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

    /// Adds four bytes before four zeros, as they stand and reversed; not if one of them is zero, as lengths and halves of
    /// addresses look so.
    pub(crate) fn add_column(&mut self, what: &'static str, column: [u8; 4]) {
        if column.contains(&0) {
            return;
        }
        let word = u64::from(u32::from_ne_bytes(column));
        for window in [word, word.swap_bytes()] {
            self.windows.entry(window).or_insert(what);
        }
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

    /// Takes out what is public.
    pub(crate) fn forget(&mut self, public: &[u8]) {
        for window in public.windows(WINDOW).filter_map(window) {
            self.windows.remove(&window);
        }
    }

    /// How many windows.
    pub(crate) fn len(&self) -> usize {
        self.windows.len()
    }

    /// The windows of `memory` that are secret.
    pub(crate) fn find(&self, memory: &[u8]) -> Vec<Found> {
        let mut found = Vec::new();
        for start in (0..memory.len()).step_by(LINE) {
            let end = memory.len().min(start + LINE + WINDOW - 1);
            let line = &memory[start..end];
            if line == &[0; LINE + WINDOW - 1][..line.len()] {
                continue;
            }
            for (i, bytes) in line.windows(WINDOW).enumerate() {
                let Ok(word) = bytes.try_into().map(u64::from_ne_bytes) else {
                    continue;
                };
                if let Some(what) = self.windows.get(&word)
                    && !by_chance(word, start + i)
                {
                    let at = start + i;
                    found.push(Found { what, at });
                }
            }
        }
        found
    }
}

/// Whether what looks as [`Secrets::add_column`] has a column is none: it lies across words, or is an address of this process beside a
/// word of zeros, as there are on 32 bits. Of so many columns one looks like that now and then. No other window has a word of zeros.
fn by_chance(window: u64, at: usize) -> bool {
    let [low, high] = [window & 0xffff_ffff, window >> 32];
    let is_column = low == 0 || high == 0;
    is_column && (!at.is_multiple_of(4) || is_address(low | high))
}

/// Whether a word is an address of this process; never of 64 bits, whose addresses have two.
fn is_address(word: u64) -> bool {
    if cfg!(target_pointer_width = "64") {
        return false;
    }
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut ranges = maps.lines().filter_map(mapped);
    ranges.any(|range| range.contains(&word))
}

/// The range of a line of `/proc/self/maps`.
fn mapped(line: &str) -> Option<core::ops::Range<u64>> {
    let (start, end) = line.split_once(' ')?.0.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    Some(number(start)?..number(end)?)
}
