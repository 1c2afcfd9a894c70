//! What the programs share.

use core::hint::black_box;

use carryless::Engine;

/// A cipher of the library, which has a type for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the library's types")]
pub enum Cipher {
    Aes128,
    Aes192,
    Aes256,
    Lea128,
    Lea192,
    Lea256,
}

impl Cipher {
    /// AES, by growing keys.
    pub const AES: [Self; 3] = [Self::Aes128, Self::Aes192, Self::Aes256];
    /// LEA likewise.
    pub const LEA: [Self; 3] = [Self::Lea128, Self::Lea192, Self::Lea256];

    /// Bytes of a key.
    pub const fn key_len(self) -> usize {
        match self {
            Self::Aes128 | Self::Lea128 => 16,
            Self::Aes192 | Self::Lea192 => 24,
            Self::Aes256 | Self::Lea256 => 32,
        }
    }
}

/// `with_cipher! { cipher, C => code }`: the code with the cipher's type; `with_cipher! { cipher, C of ciphers => code, else
/// other code }`: for these alone. The library keeps the trait of its ciphers to itself.
#[macro_export]
macro_rules! with_cipher {
    ($cipher:expr, $C:ident => $code:expr) => {
        $crate::with_cipher!(@$cipher, $C $code, Aes128 Aes192 Aes256 Lea128 Lea192 Lea256,)
    };
    ($cipher:expr, $C:ident of $($Cipher:ident)+ => $code:expr, else $other:expr) => {
        $crate::with_cipher!(@$cipher, $C $code, $($Cipher)+, _ => $other)
    };
    (@$cipher:expr, $C:ident $code:expr, $($Cipher:ident)+, $($other:tt)*) => {
        match $cipher {
            $($crate::Cipher::$Cipher => { type $C = carryless::$Cipher; $code })+
            $($other)*
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
