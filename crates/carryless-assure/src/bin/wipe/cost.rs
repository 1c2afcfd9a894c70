//! What wiping costs: cycles of calls on a short message, for a comparison of a build that wipes with
//! one that does not.

use core::hint::black_box;

use carryless::error::InputError;
use carryless::{Aes128Gcm, Engine};

const AAD: [u8; 13] = [0x31; 13];
const NONCE: [u8; 12] = [7; 12];
const TEXT: [u8; 16] = [0x7a; 16];
const KEY: [u8; 16] = [0x42; 16];
/// Calls that are timed together, and how often: the fastest counts, which nothing disturbed.
const CALLS: u32 = 64;
const ROUNDS: u32 = 1500;

/// Prints `ENGINE CALL: CYCLES` for each engine of this machine, in cycles of the time-stamp counter.
pub(crate) fn print() {
    for engine in Engine::available() {
        if engine.set_default().is_ok() {
            of(engine);
        }
    }
}

fn of(engine: Engine) {
    let key = Aes128Gcm::with_engine(&KEY, engine).expect("an available engine");
    let mut sealed = TEXT;
    let tag = key.seal_in_place(&NONCE, &AAD, &mut sealed);
    let tag = tag.expect("lengths within the limits");
    let mut text = TEXT;
    let say = |call: &str, cycles: u64| println!("{engine} {call}: {cycles}");
    let made = cycles(|| Aes128Gcm::with_engine(black_box(&KEY), engine));
    say("key", made);
    let seal = cycles(|| key.seal_in_place(black_box(&NONCE), &AAD, &mut text));
    say("seal", seal);
    let mut open = |tag| {
        cycles(|| {
            text = sealed;
            key.open_in_place(black_box(&NONCE), &AAD, &mut text, tag)
        })
    };
    say("open", open(&tag));
    say("forgery", open(&TEXT));
    let once = cycles(|| Aes128Gcm::seal_once(&KEY, black_box(&NONCE), &AAD, &mut text));
    say("seal_once", once);
    let hashed = cycles(|| key.seal_in_place(black_box(&[7; 20]), &AAD, &mut text));
    say("hashed nonce", hashed);
    let pieces = cycles(|| {
        let mut sealer = key.sealer(black_box(&NONCE))?;
        sealer.aad(&AAD)?;
        sealer.seal_in_place(&mut text)?;
        Ok::<_, InputError>(sealer.finish())
    });
    say("Sealer", pieces);
}

/// The fewest cycles of one call.
fn cycles<T>(mut call: impl FnMut() -> T) -> u64 {
    let mut fewest = u64::MAX;
    for _ in 0..ROUNDS {
        let start = now();
        for _ in 0..CALLS {
            black_box(call());
        }
        fewest = fewest.min(now() - start);
    }
    fewest / u64::from(CALLS)
}

#[cfg(target_arch = "x86_64")]
fn now() -> u64 {
    // SAFETY: every x86-64 has the counter.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Elsewhere nanoseconds stand for cycles.
#[cfg(not(target_arch = "x86_64"))]
fn now() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    let elapsed = BEGAN.get_or_init(Instant::now).elapsed();
    u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX)
}
