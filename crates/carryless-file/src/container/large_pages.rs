//! Large pages for the memory of Argon2id, where Linux gives them to those who ask: the only `unsafe` of this crate.
#![expect(
    unsafe_code,
    reason = "no safe interface advises on memory of a vector"
)]

use core::mem::{MaybeUninit, size_of_val};

use argon2::Block;
use rustix::mm::{Advice, madvise};
use rustix::param::page_size;

/// Asks for large pages where `room` will lie. It is the same memory without them, only slower to touch first: what the
/// system answers is passed over.
pub(super) fn advise(room: &mut [MaybeUninit<Block>]) {
    let start = room.as_mut_ptr().cast::<u8>();
    let before = start.align_offset(page_size());
    let Some(within) = size_of_val(room).checked_sub(before) else {
        return;
    };
    let first = start.wrapping_add(before);
    // SAFETY: the pages are those of `room` alone, which is borrowed for writing: `first` is `before` bytes into it, where
    // `within` are left, and of the last page only a whole one counts. This advice changes no content.
    let _ = unsafe {
        madvise(
            first.cast(),
            within - within % page_size(),
            Advice::LinuxHugepage,
        )
    };
}

// Emulators of other processors do not say what they did.
#[cfg(all(test, any(target_arch = "x86", target_arch = "x86_64")))]
mod tests {
    use std::fs;

    use super::*;

    /// Says whether the system marks the mapping at `address` as one for large pages; nothing if it does not say.
    fn marked(address: usize) -> Option<bool> {
        fs::metadata("/sys/kernel/mm/transparent_hugepage/enabled").ok()?;
        let maps = fs::read_to_string("/proc/self/smaps").ok()?;
        let mut inside = false;
        for line in maps.lines() {
            let range = line.split(' ').next()?.split_once('-');
            let hex = |word| usize::from_str_radix(word, 16).ok();
            if let Some((Some(from), Some(to))) = range.map(|(from, to)| (hex(from), hex(to))) {
                inside = (from..to).contains(&address);
            } else if let Some(flags) = line.strip_prefix("VmFlags:").filter(|_| inside) {
                return Some(flags.split(' ').any(|flag| flag == "hg"));
            }
        }
        None
    }

    /// What is asked for arrives, for whole pages within the room and none around it.
    #[test]
    fn pages_of_the_room_are_marked_and_no_others() {
        let mut memory: Vec<Block> = Vec::with_capacity(1 << 14);
        let room = memory.spare_capacity_mut();
        let place = |block: usize, room: &[MaybeUninit<Block>]| room[block..].as_ptr().addr();
        let (quarter, half) = (1 << 12, 1 << 13);
        if marked(place(half, room)) != Some(false) {
            eprintln!("not run: the system marks nothing, or all memory by itself");
            return;
        }
        advise(&mut room[quarter..half]);
        for (block, asked) in [
            (quarter - 4, false),
            (quarter + 4, true),
            (half - 4, true),
            (half + 4, false),
        ] {
            assert_eq!(marked(place(block, room)), Some(asked), "block {block}");
        }
        // Less than a page, and nothing at all.
        advise(&mut room[..1]);
        advise(&mut []);
        assert_eq!(marked(place(1, room)), Some(false));
    }
}
