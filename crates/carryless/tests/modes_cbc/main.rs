//! CBC, CTR, XTS and PKCS #7 through the public API: every engine, against published vectors and RustCrypto's crates.
#![cfg(feature = "hazmat")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "test data")]

#[path = "../harness/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the suite of GCM uses all of it")]
mod harness;

/// `with_cipher! { bytes of a key, C => code }`: the code with the cipher of such keys, ours and that of the crate `aes`.
macro_rules! with_cipher {
    ($key_len:expr, $C:ident $Peer:ident => $code:expr) => {
        match $key_len {
            16 => with_cipher!(@Aes128 $C $Peer $code),
            24 => with_cipher!(@Aes192 $C $Peer $code),
            32 => with_cipher!(@Aes256 $C $Peer $code),
            other => panic!("a key of {other} bytes"),
        }
    };
    (@$Name:ident $C:ident $Peer:ident $code:expr) => {{
        #[allow(dead_code, reason = "as the code needs")]
        type $C = carryless::$Name;
        #[allow(dead_code, reason = "as the code needs")]
        type $Peer = aes::$Name;
        $code
    }};
}

mod cbc;
mod ctr;
mod padding;
#[cfg(feature = "cipher")]
mod traits;
mod vectors;
mod xts;

/// A block whose bytes are the seed's.
fn block(seed: u64) -> [u8; 16] {
    harness::Random::new(seed).bytes(16).try_into().unwrap()
}
