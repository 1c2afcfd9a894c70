//! Seeded faults that the tests must notice.

use super::*;
use crate::simd::tests::clmul;

/// The reduction in plain integers, with any constant.
fn scalar(constant: u64) -> impl Fn([Parts; 2]) -> Vec<u128> {
    move |input| {
        input
            .iter()
            .map(|[r, f, _]| r ^ f.rotate_left(64) ^ clmul(*f as u64, constant))
            .collect()
    }
}

#[test]
fn control_p1_a_shift_by_56_is_noticed_as_57_would_be() {
    reduces(2, &scalar(0xc2 << 56)).unwrap_or_else(|error| panic!("{error}"));
    for wrong in [0xc2 << 55, 0xc1 << 56, 0x42 << 56, 0x82 << 56] {
        println!(
            "caught: {}",
            reduces(2, &scalar(wrong)).expect_err("a wrong constant")
        );
    }
}

#[test]
fn control_p1_a_sum_with_carries_is_noticed() {
    // Right on all unit vectors: only the pairs tell.
    let adds = |input: [Parts; 2]| -> Vec<u128> {
        let each =
            |[r, f, _]: &Parts| r.wrapping_add(f.rotate_left(64)) ^ clmul(*f as u64, 0xc2 << 56);
        input.iter().map(each).collect()
    };
    println!("caught: {}", reduces(2, &adds).expect_err("an addition"));
}

#[cfg(carryless_fused)]
#[test]
fn control_p2_a_key_without_its_twist_is_noticed() {
    fn test<S: Simd>(name: &str, s: S) {
        let untwisted = product(s, |h| h);
        println!(
            "{name}: caught: {}",
            multiplies(&untwisted).expect_err("no twist")
        );
    }
    each_cpu_token!(test);
}

#[cfg(carryless_fused)]
#[test]
fn control_p3_a_flipped_bit_and_swapped_powers_are_noticed_in_the_table() {
    fn test<S: Simd>(name: &str, s: S) {
        let h = 0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2e_u128;
        type Table = Powers<22, 16, 52>;
        let faults: [&dyn Fn(&mut Table); 6] = [
            &|powers| powers.rows[22 - 7].0[3] ^= 1,
            &|powers| powers.rows[44 - 7].0[3] ^= 1,
            &|powers| powers.rows[52 - 4].0[3] ^= 1,
            &|powers| powers.rows.swap(4, 5),
            &|powers| powers.rows.swap(22, 23),
            &|powers| powers.rows.swap(46, 47),
        ];
        for fault in faults {
            let mut powers = Table::new(s, &h.to_be_bytes());
            assert!(holds_the_powers(&powers, h, S::LANES, [22, 16]).is_ok());
            fault(&mut powers);
            println!(
                "{name}: caught: {}",
                holds_the_powers(&powers, h, S::LANES, [22, 16]).expect_err("a fault")
            );
        }
    }
    each_cpu_token!(test);
}
