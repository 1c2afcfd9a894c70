//! Cycles of the time stamp counter.

#[cfg(target_arch = "x86_64")]
pub fn ticks() -> u64 {
    use core::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: every such CPU has both.
    unsafe {
        _mm_lfence();
        let ticks = _rdtsc();
        _mm_lfence();
        ticks
    }
}

/// Nanoseconds elsewhere.
#[cfg(not(target_arch = "x86_64"))]
pub fn ticks() -> u64 {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Cycles of the core in one tick, from a chain of additions of one cycle each.
#[cfg(target_arch = "x86_64")]
pub fn core_per_tick() -> f64 {
    let chain = || {
        let start = ticks();
        // SAFETY: it changes two registers.
        unsafe {
            core::arch::asm!(
                "2:", ".rept 100", "add {x}, {y}", ".endr", "dec {n}", "jnz 2b",
                x = inout(reg) 1u64 => _, y = in(reg) 3u64, n = inout(reg) 1000u64 => _,
            );
        }
        ticks() - start
    };
    let least = (0..50).map(|_| chain()).min().unwrap_or(1);
    100_000.0 / least as f64
}
#[cfg(not(target_arch = "x86_64"))]
pub fn core_per_tick() -> f64 {
    1.0
}
