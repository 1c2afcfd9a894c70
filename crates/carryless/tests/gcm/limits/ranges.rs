//! U3: ranges within a buffer.

use carryless::Aes128Gcm;
use carryless::error::{InputError, OpenError};

use crate::harness::engines;

#[test]
fn u3_ranges_that_overlap_or_lie_outside_are_refused_and_nothing_is_written() {
    let gcm = Aes128Gcm::from_slice(&[1; 16]).unwrap();
    let mut sealed = *b"sixteen bytes!!!";
    let tag = gcm.seal_in_place(&[0; 12], b"", &mut sealed).unwrap();
    let before: Vec<u8> = sealed.iter().copied().cycle().take(64).collect();
    #[allow(
        clippy::reversed_empty_ranges,
        reason = "a range that the caller got wrong"
    )]
    let wrong = [
        (0..16, 1),
        (0..16, 15),
        (16..32, 1),
        (16..32, 17),
        (0..16, 49),
        (0..16, usize::MAX),
        (60..76, 0),
        (64..80, 0),
        (usize::MAX - 8..usize::MAX, 0),
        (16..0, 32),
        (1..0, 0),
        (5..usize::MAX, 5),
    ];
    for (range, to) in wrong {
        let mut buffer = before.clone();
        let result = gcm.open_within(&[0; 12], b"", &mut buffer, range.clone(), to, &tag);
        assert_eq!(
            result.err(),
            Some(OpenError::Input(InputError::Overlap)),
            "{range:?} to {to}"
        );
        assert_eq!(buffer, before, "{range:?} to {to}");
    }
    for (range, to) in [
        (0..16, 0),
        (0..16, 16),
        (0..16, 48),
        (16..32, 0),
        (48..64, 32),
        (48..64, 48),
    ] {
        let mut buffer = before.clone();
        let opened = gcm.open_within(&[0; 12], b"", &mut buffer, range.clone(), to, &tag);
        assert_eq!(
            opened.map(|text| text.to_vec()),
            Ok(b"sixteen bytes!!!".to_vec()),
            "{range:?} to {to}"
        );
    }
    // Nothing overlaps with an empty range, wherever it lies within the buffer.
    let empty = gcm.seal_in_place(&[0; 12], b"", &mut []).unwrap();
    for (range, to) in [
        (0..0, 0),
        (0..0, 64),
        (64..64, 0),
        (30..30, 31),
        (64..64, 64),
    ] {
        let mut buffer = before.clone();
        assert_eq!(
            gcm.open_within(&[0; 12], b"", &mut buffer, range, to, &empty)
                .unwrap()
                .len(),
            0
        );
        assert_eq!(buffer, before);
    }
    let mut buffer = before.clone();
    assert!(
        gcm.open_within(&[0; 12], b"", &mut buffer, 65..65, 0, &empty)
            .is_err()
    );
}

/// With a wrong tag the destination is zeroed and nothing else: the ciphertext stays.
#[test]
fn u3_a_failed_opening_within_a_buffer_zeroes_the_destination_only() {
    for engine in engines() {
        let gcm = Aes128Gcm::with_engine(&[1; 16], engine).unwrap();
        let mut buffer = vec![0xa5; 100];
        let result = gcm.open_within(&[0; 12], b"", &mut buffer, 10..40, 50, &[0; 16]);
        assert!(matches!(result, Err(OpenError::Unauthentic(_))));
        let zeros = |at: usize| (50..80).contains(&at);
        assert!(
            buffer
                .iter()
                .enumerate()
                .all(|(at, byte)| *byte == if zeros(at) { 0 } else { 0xa5 }),
            "{engine}"
        );
    }
}
