//! LEA through the public API: every engine, against published vectors, the crate `lea`, and itself one block at a time.
#![cfg(feature = "hazmat")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "test data")]

#[path = "../harness/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the suite of GCM uses all of it")]
mod harness;

/// `with_lea! { bytes of a key, C Peer => code }`: the code with the cipher of such keys, ours and that of the crate `lea`.
macro_rules! with_lea {
    ($key_len:expr, $C:ident $Peer:ident => $code:expr) => {
        match $key_len {
            16 => with_lea!(@Lea128 $C $Peer $code),
            24 => with_lea!(@Lea192 $C $Peer $code),
            32 => with_lea!(@Lea256 $C $Peer $code),
            other => panic!("a key of {other} bytes"),
        }
    };
    (@$Name:ident $C:ident $Peer:ident $code:expr) => {{
        #[allow(dead_code, reason = "as the code needs")]
        type $C = carryless::$Name;
        #[allow(dead_code, reason = "as the code needs")]
        type $Peer = lea::$Name;
        $code
    }};
}

mod lanes;
#[cfg(feature = "cipher")]
mod modes;
mod peer;
mod vectors;
mod ways;
