//! U3: a key seals at most 2^32 messages with random nonces.

use carryless::error::{InputError, RandomNonceError};
use carryless::{Aes128, Aes128Gcm, RandomNonceSealer};

use crate::harness::{Checked, engines, ensure};

/// Seals until it is refused.
pub(crate) trait Counted {
    fn seal(&mut self, text: &mut [u8]) -> Result<(), RandomNonceError>;
    fn remaining(&self) -> u64;
}

impl Counted for RandomNonceSealer<Aes128> {
    fn seal(&mut self, text: &mut [u8]) -> Result<(), RandomNonceError> {
        self.seal_in_place(b"", text).map(|_| ())
    }
    fn remaining(&self) -> u64 {
        Self::remaining(self)
    }
}

/// Whether a sealer that has sealed as many messages before stops at 2^32, for good, and leaves the
/// text it refuses as it is.
pub(crate) fn stops_at_the_limit(resume: &dyn Fn(u64) -> Box<dyn Counted>) -> Checked {
    for (before, left) in [
        ((1u64 << 32) - 1, 1),
        ((1 << 32) - 3, 3),
        (1 << 32, 0),
        ((1 << 32) + 1, 0),
        (u64::MAX, 0),
    ] {
        let mut sealer = resume(before);
        for i in 0..left {
            ensure!(
                sealer.remaining() == left - i,
                "{before} sealed, {i} more: {} remain",
                sealer.remaining()
            );
            let result = sealer.seal(&mut [0; 4]);
            ensure!(result.is_ok(), "{before} sealed, {i} more: {result:?}");
        }
        for _ in 0..3 {
            let mut text = [0xa5; 20];
            let result = sealer.seal(&mut text);
            ensure!(
                result == Err(RandomNonceError::Exhausted),
                "{before} sealed, {left} more: {result:?}"
            );
            ensure!(text == [0xa5; 20], "a refused text was changed");
            ensure!(sealer.remaining() == 0, "{} remain", sealer.remaining());
        }
    }
    Ok(5)
}

#[test]
fn u3_random_nonces_end_after_two_to_the_32_messages() {
    for engine in engines() {
        let gcm = || Aes128Gcm::with_engine(&[1; 16], engine).unwrap();
        stops_at_the_limit(&|sealed| Box::new(RandomNonceSealer::resume(gcm(), sealed)))
            .unwrap_or_else(|error| panic!("{error}"));
        let mut sealer = RandomNonceSealer::resume(gcm(), 1 << 32);
        let mut out = [0xa5; 3];
        assert_eq!(
            sealer.seal_into(b"", b"abc", &mut out),
            Err(RandomNonceError::Exhausted)
        );
        assert_eq!(out, [0xa5; 3]);
        // A message that is refused for its size does not count.
        let mut sealer = RandomNonceSealer::new(gcm());
        let error = InputError::Output {
            got: 2,
            expected: 3,
        };
        assert_eq!(
            sealer.seal_into(b"", b"abc", &mut out[..2]),
            Err(RandomNonceError::Input(error))
        );
        assert_eq!((out, sealer.remaining()), ([0xa5; 3], 1 << 32));
    }
}
