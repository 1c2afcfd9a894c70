//! What the programs share.

use core::hint::black_box;

use carryless::Engine;

/// `with_cipher! { bytes of a key, C of ciphers => code, else other code }`: the code with the cipher of such keys. The
/// library keeps the trait of its ciphers to itself.
#[macro_export]
macro_rules! with_cipher {
    ($key_len:expr, $C:ident of $($len:literal $Cipher:ident)+ => $code:expr, else $other:expr) => {
        match $key_len {
            $($len => { type $C = carryless::$Cipher; $code })+
            _ => $other,
        }
    };
}

/// Prints each engine of this build, and whether it runs here.
pub fn list_engines() {
    for engine in Engine::ALL {
        match engine.availability() {
            Ok(()) => println!("{engine}: available"),
            Err(reason) => println!("{engine}: {reason}"),
        }
    }
}

/// Bytes that look random and are the same in every run (splitmix64).
pub struct Random(u64);

impl Random {
    /// Begins at `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next word.
    pub const fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Fills `bytes` with the next words.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let word = self.word().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}

/// Compares the first `len` bytes as a beginner writes it, and stops at the first that differs: a
/// seeded fault.
///
/// `len` is to go through `black_box`, as each byte does: a comparison of a length known to the compiler
/// may become one vector comparison, which leaks nothing, and rightly nothing would be found.
#[inline(never)]
pub fn early_exit_equal(a: &[u8], b: &[u8], len: usize) -> bool {
    let mut i = 0;
    while i < len {
        if black_box(a[i]) != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
