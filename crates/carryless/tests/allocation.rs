//! M5: no public call asks for memory.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;
use std::alloc::System;

#[cfg(feature = "hazmat")]
#[path = "harness/modes.rs"]
mod modes;

use carryless::{Aes128, Aes128Gcm, Aes192Gcm, Aes256Gcm, Engine, Gmac, RandomNonceSealer, Slot};

/// The system's allocator, which counts what the calls under test ask for.
struct Counting;

thread_local! {
    /// Requests of this thread while it is watched; `None` while it is not.
    static REQUESTS: Cell<Option<usize>> = const { Cell::new(None) };
}

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        REQUESTS.set(REQUESTS.get().map(|count| count + 1));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise; the memory came from there.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `call` asks for memory.
fn requests(call: impl FnOnce()) -> usize {
    REQUESTS.set(Some(0));
    call();
    REQUESTS.take().unwrap_or_default()
}

macro_rules! calls {
    ($Key:ident, $len:literal, $engine:ident, $buffer:ident) => {{
        let made = $Key::with_engine(&[1; $len], $engine).expect("an available engine");
        let mut slot = Slot::new();
        assert!(slot.fill(|| Ok::<_, ()>(made.clone())).is_ok());
        let mut random = RandomNonceSealer::new($Key::from_slice(&[1; $len]).expect("the length"));
        for nonce in [&[7; 12][..], &[7; 5]] {
            let tag = made
                .seal_in_place(nonce, &[2; 99], $buffer)
                .expect("right lengths");
            made.open_in_place(nonce, &[2; 99], $buffer, &tag)
                .expect("the right tag");
            assert!(made.open_in_place(nonce, b"", $buffer, &[0; 16]).is_err());
            let mut sealer = made.sealer(nonce).expect("a nonce");
            assert!(sealer.aad(b"one").is_ok() && sealer.seal_in_place(&mut $buffer[..45]).is_ok());
            core::hint::black_box(sealer.finish());
            assert!(made.seal_in_place(b"", b"", $buffer).is_err());
        }
        random.seal_in_place(b"", $buffer).expect("random bytes");
        let tag = $Key::seal_once(&[1; $len], &[0; 12], b"", $buffer).expect("right lengths");
        $Key::open_once(&[1; $len], &[0; 12], b"", $buffer, &tag).expect("the right tag");
        assert!($Key::from_slice(&[1; 5]).is_err());
    }};
}

#[test]
fn m5_no_public_call_asks_for_memory() {
    for engine in Engine::available() {
        engine.set_default().expect("an available engine");
        let buffer = &mut vec![0; 300][..];
        // The system's random generator may ask at its first call.
        let key = Aes128Gcm::from_slice(&[1; 16]).expect("the length");
        assert!(
            RandomNonceSealer::new(key)
                .seal_in_place(b"", buffer)
                .is_ok()
        );
        let count = requests(|| {
            calls!(Aes128Gcm, 16, engine, buffer);
            calls!(Aes192Gcm, 24, engine, buffer);
            calls!(Aes256Gcm, 32, engine, buffer);
            let mac = Gmac::<Aes128>::with_engine(&[1; 16], engine).expect("an available engine");
            let tag = mac.mac(&[0; 12], b"data").expect("a nonce");
            assert_eq!(mac.verify(&[0; 12], b"data", &tag), Ok(()));
            engine.self_test().expect("it works");
        });
        assert_eq!(count, 0, "{engine}");
        println!("M5 {engine}: {} calls", 3 * 17 + 4);
    }
}

#[cfg(feature = "hazmat")]
#[test]
fn m5_no_call_of_a_mode_asks_for_memory() {
    let (bytes, mut out) = (Vec::from_iter((0..=255).cycle().take(300)), vec![0; 300]);
    let input = |len| &bytes[..len];
    for engine in Engine::available() {
        for (name, call) in modes::CALLS {
            let mut desk = modes::Desk {
                engine,
                input: &input,
                aad: b"header",
                text: &bytes,
                out: &mut out,
                tag: &mut [0; 16],
            };
            let count = requests(|| assert_eq!(call(&mut desk), Some(true), "{engine}: {name}"));
            assert_eq!(count, 0, "{engine}: {name}");
        }
        println!("M5 {engine}: {} modes", modes::CALLS.len());
    }
}

#[test]
fn control_m5_a_call_that_asks_for_memory_is_noticed() {
    let count = requests(|| drop(core::hint::black_box(vec![0u8; 16])));
    assert_ne!(count, 0, "it passed unnoticed");
    println!("a call that makes a vector: caught: {count} request");
}
