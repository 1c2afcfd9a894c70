//! What the modes are to reach.

use crate::job::Mode;

/// A limit on the time over that of another library, or of another mode of ours.
pub struct Goal {
    pub most: f64,
    /// The shortest and the longest message that it is for.
    pub sizes: [usize; 2],
}

/// Core cycles that XAES-256-GCM may take more than a key of GCM that is used once.
pub const XAES_MORE: f64 = 100.0;

/// Core cycles a byte that the hash of SGCM may take, from the length on where what a call takes besides no longer counts.
pub const SGHASH: (f64, usize) = (1.0, 4096);

/// The goal of a mode, there or back, beside `other`.
pub fn goal(mode: Mode, back: bool, other: &str) -> Option<Goal> {
    let (most, sizes) = match (mode, back, other) {
        (Mode::Ctr | Mode::Xts, _, "OpenSSL" | "RustCrypto")
        | (Mode::Cbc, true, "OpenSSL" | "RustCrypto") => (1.0, [4096, 65536]),
        (Mode::Cbc, false, "OpenSSL") | (Mode::Cmac, _, "OpenSSL") => (1.02, [64, 65536]),
        (Mode::CbcEach, _, "CBC, one a call") => (0.2, [1024, 65536]),
        (Mode::Ccm, _, "OpenSSL") => (0.9, [1024, 65536]),
        (Mode::Ccm, _, "CMAC") => (1.1, [1024, 65536]),
        // With AVX2: three times as fast.
        (Mode::Lea, _, "plain integers") => (0.33, [4096, 65536]),
        (Mode::GcmSiv, _, "RustCrypto") => (0.8, [64, 16384]),
        (Mode::GcmSiv, _, "AWS-LC") => (1.0, [64, 16384]),
        _ => return None,
    };
    Some(Goal { most, sizes })
}
