//! Each check is handed an imitation with a fault that it must catch, and one without.

use crate::harness::faulty::{Fault, Faulty};
use crate::harness::reference::Gcm;
use crate::harness::scheme::{Case, Cuts, Scheme};
use crate::harness::vectors::files;
use crate::harness::{Checked, KEY_LENS, Share, caught, is_portable};
use crate::{counters, differential, errors, laws, limits, tails, vectors};

/// Runs a check with a key and what makes the imitation.
fn control(faults: &[Fault], check: impl Fn(Fault) -> Checked) {
    let fine = check(Fault::None)
        .unwrap_or_else(|error| panic!("the check fails without a fault: {error}"));
    assert!(fine > 0, "the check checks nothing");
    for fault in faults {
        print!("{fault:?}: ");
        caught(check(*fault));
    }
}

#[test]
fn control_c1_a_wrong_power_fails_published_vectors() {
    control(
        &[
            Fault::PowerBit(7),
            Fault::PowerBit(1),
            Fault::PowersSwapped(2, 3),
            Fault::CompareSkipsLastByte,
        ],
        |fault| {
            let make = |key: &[u8], tag_len| (tag_len == 16).then(|| Faulty::boxed(key, fault));
            let mut count = 0;
            for (_, vectors) in files() {
                // A forged tag differs anywhere; the comparison's fault needs the laws, or luck.
                count += vectors::check(&vectors, &make)?;
            }
            if fault == Fault::CompareSkipsLastByte {
                count += laws::every_flip_fails(16, 12, &|key| Faulty::boxed(key, fault))?;
            }
            Ok(count)
        },
    );
}

fn tails_of(fault: Fault) -> Checked {
    let mut count = 0;
    for aad_len in [0, 15, 33] {
        let case = Case::new(0xc2, 16, 12, aad_len, 300);
        let scheme = Faulty::boxed(&case.key, fault);
        count += tails::check(&case, 0..=300, &*scheme, &*scheme)?;
    }
    Ok(count)
}

#[test]
fn control_c2_garbage_in_a_tail_and_too_few_powers_fail_tails() {
    control(
        &[
            Fault::Tail15,
            Fault::BlocksBeyondPowers,
            Fault::PowerBit(8),
            Fault::PowersSwapped(7, 8),
            Fault::PowerBit(9),
        ],
        tails_of,
    );
}

/// Passes unnoticed where most code is written.
#[test]
fn control_c8_words_in_the_order_of_the_machine_fail_on_big_endian_ones() {
    let result = tails_of(Fault::NativeOrder);
    if cfg!(target_endian = "big") {
        print!("{:?}: ", Fault::NativeOrder);
        caught(result);
    } else {
        assert!(result.is_ok(), "{result:?}");
    }
}

#[test]
fn control_c3_an_engine_that_differs_fails_random_cases() {
    control(
        &[
            Fault::PowerBit(7),
            Fault::Tail15,
            Fault::NotWiped,
            Fault::AnyTagLength,
            Fault::AadLastByte,
        ],
        |fault| differential::run(200, false, &|key, _plan| vec![Faulty::boxed(key, fault)]),
    );
}

#[test]
fn control_c4_a_carry_and_a_signed_comparison_fail_counters() {
    let key = crate::harness::key(16);
    let gcm = Gcm::new(&key);
    let prepared = counters::prepare(&gcm, &key);
    control(&[Fault::CarryIntoByte11, Fault::SignedCounter], |fault| {
        counters::check(&prepared, Share::WHOLE, &*Faulty::boxed(&key, fault))
    });
}

#[test]
fn c4_a_counter_that_is_not_near_a_wrap_hides_the_carry() {
    // Why the nonces are solved for: the exhaustive tails do not see these faults.
    for fault in [Fault::CarryIntoByte11, Fault::SignedCounter] {
        assert!(tails_of(fault).is_ok(), "{fault:?}");
    }
}

#[test]
fn control_c6_limits_in_bits_that_overflow_are_noticed() {
    use carryless::check_lengths;
    use carryless::error::InputError;

    // Lengths in bits wrap before they are compared.
    let wraps = |nonce: u64, aad: u64, text: u64| {
        check_lengths(nonce, aad.wrapping_mul(8) / 8, text.wrapping_mul(8) / 8)
    };
    // 2^39 - 256 taken for bytes.
    let bits = |nonce, aad, text| check_lengths(nonce, aad, text / 8);
    let unnamed = |nonce, aad, text| {
        check_lengths(nonce, aad, text).map_err(|_| InputError::TextTooLong { got: text })
    };
    caught(limits::keeps_the_limits(&wraps));
    caught(limits::keeps_the_limits(&bits));
    caught(limits::keeps_the_limits(&unnamed));
}

#[test]
fn control_c7_a_comparison_that_skips_a_byte_fails_flips() {
    control(
        &[
            Fault::CompareSkipsLastByte,
            Fault::AadLastByte,
            Fault::NotWiped,
        ],
        |fault| laws::every_flip_fails(32, 12, &|key| Faulty::boxed(key, fault)),
    );
}

#[test]
fn control_c7_a_piece_that_begins_a_block_fails_splits() {
    let key = crate::harness::key(16);
    control(&[Fault::PieceBeginsBlock], |fault| {
        laws::every_split_is_the_whole(&key, &|cuts: Cuts| Box::new(Faulty::new(&key, fault, cuts)))
    });
}

#[cfg(unix)]
#[test]
fn control_m1_a_byte_read_beyond_a_buffer_kills_the_child() {
    use crate::harness::guard::Flush;
    use crate::memory;

    let key = crate::harness::key(16);
    let check = |fault, flush| {
        memory::stays_inside(
            &memory::Plan::new(&key, true, flush),
            Share::WHOLE,
            &*Faulty::boxed(&key, fault),
        )
    };
    let in_front = [Fault::ReadsBeforeText, Fault::WritesBeforeOnFailure];
    let behind = [
        Fault::ReadsBehindText,
        Fault::ReadsBehindAad,
        Fault::ReadsBehindNonce,
        Fault::ReadsBehindTag,
        Fault::WritesBehind,
        Fault::WritesToText,
    ];
    for (flush, faults) in [(Flush::Front, &in_front[..]), (Flush::Behind, &behind[..])] {
        for fault in faults {
            print!("{fault:?}: ");
            let result = check(*fault, flush);
            assert!(
                result
                    .as_ref()
                    .is_err_and(|error| error.contains("killed by signal")),
                "{fault:?}: {result:?}"
            );
            caught(result);
        }
        check(Fault::None, flush).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[cfg(unix)]
#[test]
fn control_m2_a_byte_written_beside_the_output_changes_a_canary() {
    let key = crate::harness::key(16);
    control(
        &[Fault::WritesBehind, Fault::WritesBeforeOnFailure],
        |fault| {
            let scheme = Faulty::boxed(&key, fault);
            crate::memory::writes_only_the_output(&*scheme, Share::WHOLE, &key)
        },
    );
}

#[test]
fn control_u1_an_error_that_says_more_is_noticed() {
    control(&[Fault::TalkativeError], |fault| {
        KEY_LENS.into_iter().try_fold(0, |count, key_len| {
            errors::is_uniform(key_len, &|key| Faulty::boxed(key, fault))
                .map(|text| count + text.len())
        })
    });
}

#[test]
fn control_u2_plaintext_that_stays_is_noticed() {
    let key = crate::harness::key(16);
    control(&[Fault::NotWiped, Fault::TailNotWiped], |fault| {
        errors::is_wiped(&*Faulty::boxed(&key, fault), &key)
    });
}

#[test]
fn control_u3_sizes_that_are_not_refused_are_noticed() {
    let key = crate::harness::key(16);
    control(
        &[
            Fault::EmptyNonce,
            Fault::AnyTagLength,
            Fault::WritesWhenRefused,
        ],
        |fault| {
            let scheme: Box<dyn Scheme> = Faulty::boxed(&key, fault);
            limits::refuses(&*scheme)
        },
    );
}

#[cfg(feature = "getrandom")]
#[test]
fn control_u3_a_count_that_is_off_by_one_or_wraps_is_noticed() {
    use carryless::error::RandomNonceError;
    use carryless::{Aes128, Aes128Gcm, RandomNonceSealer};

    /// A sealer with a limit of its own.
    struct Off {
        inner: RandomNonceSealer<Aes128>,
        sealed: u64,
        limit: u64,
    }
    impl limits::random_nonces::Counted for Off {
        fn seal(&mut self, text: &mut [u8]) -> Result<(), RandomNonceError> {
            if self.sealed >= self.limit {
                return Err(RandomNonceError::Exhausted);
            }
            self.sealed += 1;
            self.inner.seal_in_place(b"", text).map(|_| ())
        }
        fn remaining(&self) -> u64 {
            self.limit.saturating_sub(self.sealed)
        }
    }
    let gcm = || Aes128Gcm::from_slice(&[1; 16]).unwrap();
    let check = |limit: u64, kept: u64| {
        limits::random_nonces::stops_at_the_limit(&|sealed| {
            Box::new(Off {
                inner: RandomNonceSealer::new(gcm()),
                sealed: sealed & kept,
                limit,
            })
        })
    };
    check(1 << 32, u64::MAX).unwrap_or_else(|error| panic!("{error}"));
    caught(check((1 << 32) + 1, u64::MAX));
    caught(check((1 << 32) - 1, u64::MAX));
    // A count kept in 32 bits.
    caught(check(1 << 32, u32::MAX.into()));
}

#[test]
fn control_the_shares_of_the_key_sizes_are_all_cases() {
    for engine in carryless::Engine::ALL {
        for (way, case) in (0..7).flat_map(|way| (0..12).map(move |case| (way, case))) {
            let sizes = 0..KEY_LENS.len();
            let has = sizes.filter(|size| Share::of(*engine, *size).turned(way).has(case));
            let expected = if is_portable(*engine) { 1 } else { 3 };
            assert_eq!(has.count(), expected, "{engine}, way {way}, case {case}");
        }
    }
}
