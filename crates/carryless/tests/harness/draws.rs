//! What random values have in common, for tests of everything that is drawn, in any crate.

use std::collections::{HashMap, HashSet};

/// So many draws are enough for all bounds below.
pub(crate) const DRAWS: usize = 256;

/// Bytes in a row that a random value does not have alike.
const RUN: usize = 8;

/// Whether values look as if they were drawn: how many there are, or what is wrong with them.
///
/// Each has every bit in both states, no bit always that of another or always its opposite, no value comes twice, no
/// 8 bytes of one are 8 bytes of another or others of its own, no 8 bytes in a row are alike, and no byte keeps to a
/// few values. Of [`DRAWS`] random values of at most 512 bytes one of the six fails with a probability below 2^-36:
/// 2^-255 for each of 2^12 bits and 2^23 pairs of them; 2^27 pairs of windows that are equal with 2^-64 each; 2^17
/// places where a run may begin, 2^-56 each; a byte that takes fewer than 96 of some 162 expected values, ten
/// standard deviations off.
pub(crate) fn look_drawn(values: &[Vec<u8>]) -> Result<usize, String> {
    let count = values.len();
    let len = values.first().map_or(0, Vec::len);
    if count < 64 || len < RUN || values.iter().any(|value| value.len() != len) {
        return Err(format!("{count} values, not all of {len} bytes"));
    }
    for at in 0..len {
        column(values, at)?;
    }
    bits_are_apart(values, 8 * len)?;
    let mut windows = HashSet::new();
    for (i, value) in values.iter().enumerate() {
        if value
            .windows(RUN)
            .any(|run| run.iter().all(|byte| *byte == run[0]))
        {
            return Err(format!(
                "value {i} has {RUN} equal bytes in a row: {value:02x?}"
            ));
        }
        // The last one overlaps the one before it where the length is no multiple.
        let starts = (0..=len - RUN)
            .step_by(RUN)
            .chain((!len.is_multiple_of(RUN)).then_some(len - RUN));
        for at in starts {
            if !windows.insert(&value[at..at + RUN]) {
                return Err(format!("value {i} repeats 8 bytes, at {at}: {value:02x?}"));
            }
        }
    }
    Ok(count)
}

/// Whether no bit follows another, as where a part is the copy of a part that is drawn.
fn bits_are_apart(values: &[Vec<u8>], bits: usize) -> Result<(), String> {
    let mut first: HashMap<Vec<bool>, usize> = HashMap::new();
    for at in 0..bits {
        let bit = |value: &Vec<u8>| value[at / 8] >> (at % 8) & 1 == 1;
        // The same for a bit and its opposite.
        let course = values
            .iter()
            .map(|value| bit(value) != bit(&values[0]))
            .collect();
        if let Some(before) = first.insert(course, at) {
            return Err(format!(
                "bit {} of byte {} follows bit {} of byte {}",
                at % 8,
                at / 8,
                before % 8,
                before / 8
            ));
        }
    }
    Ok(())
}

/// Looks at one byte of all values.
fn column(values: &[Vec<u8>], at: usize) -> Result<(), String> {
    let bytes = || values.iter().map(|value| value[at]);
    let (ones, zeros) = bytes().fold((0, 0), |(ones, zeros), byte| (ones | byte, zeros | !byte));
    if ones & zeros != 0xff {
        return Err(format!(
            "byte {at} has bits that never change: {:08b}",
            !(ones & zeros)
        ));
    }
    let taken = bytes().collect::<HashSet<u8>>().len();
    if taken < values.len().min(DRAWS) * 3 / 8 {
        return Err(format!(
            "byte {at} takes only {taken} values of {}",
            values.len()
        ));
    }
    Ok(())
}

/// [`look_drawn`] of [`DRAWS`] values.
pub(crate) fn drawn(mut draw: impl FnMut() -> Vec<u8>) -> Result<usize, String> {
    look_drawn(&Vec::from_iter((0..DRAWS).map(|_| draw())))
}

/// Whether none of many draws comes twice: so many that values which are made of 32 drawn bits do with a probability
/// of 0.9996.
pub(crate) fn never_twice(mut draw: impl FnMut() -> Vec<u8>) -> Result<usize, String> {
    const MANY: usize = 1 << 18;
    let mut seen = HashSet::with_capacity(MANY);
    for i in 0..MANY {
        let value = draw();
        let start = *value.first_chunk::<8>().ok_or("fewer than 8 bytes")?;
        if !seen.insert(start) {
            return Err(format!("value {i} begins like one before it: {value:02x?}"));
        }
    }
    Ok(MANY)
}
