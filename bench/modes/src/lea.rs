//! The crate `lea`.

use lea::prelude::{NewCipher, StreamCipher, StreamCipherSeek};
use lea::{Lea128Ctr, Lea256Ctr};

use crate::job::{IV, Job, Mode, NO_TAG, one};

/// Its counter has 64 bits, of which the IV leaves enough.
macro_rules! ctr {
    ($Ctr:ident, $key:expr) => {{
        let mut ctr = $Ctr::new_from_slices($key, &IV).unwrap();
        one(move |text| {
            ctr.seek(0);
            ctr.apply_keystream(text);
            NO_TAG
        })
    }};
}

pub fn job(mode: Mode, bits: usize, key: &[u8]) -> Option<Job> {
    match (mode, bits) {
        (Mode::Lea, 128) => ctr!(Lea128Ctr, key),
        (Mode::Lea, 256) => ctr!(Lea256Ctr, key),
        _ => None,
    }
}
