//! Seeded faults that the tests must notice.

use super::*;

/// The hash in turns of eight with a table of powers, as the kernels have it.
fn model(gcm: &Gcm, fault: impl Fn(&mut [Poly; 10])) -> impl Fn(&[u8]) -> Block + '_ {
    let mut powers: [Poly; 10] = core::array::from_fn(|n| gcm.h.power(n as u128));
    fault(&mut powers);
    move |ciphertext| {
        let mut blocks: Vec<Block> = reference::blocks(ciphertext).collect();
        let mut tail = blocks.split_off((blocks.len() - 1) / 8 * 8);
        tail.push(reference::length_block(0, ciphertext.len()));
        let together = |y: Poly, turn: &[Block]| {
            turn.iter().enumerate().fold(Poly(0), |sum, (i, block)| {
                let x = Poly::from_block(block);
                sum.add(if i == 0 { x.add(y) } else { x }.times(powers[turn.len() - i]))
            })
        };
        let y = blocks.chunks(8).fold(Poly(0), together);
        reference::xor(&together(y, &tail).to_block(), &gcm.aes.encrypt(&J0))
    }
}

#[test]
fn control_p3_a_flipped_bit_swapped_powers_and_a_stale_power_are_noticed() {
    let gcm = Gcm::new(&[3; 16]);
    meets_its_powers(&gcm, &J0, 32, &model(&gcm, |_| ())).unwrap_or_else(|error| panic!("{error}"));
    for n in 1..=9 {
        let error = meets_its_powers(&gcm, &J0, 32, &model(&gcm, |powers| powers[n].0 ^= 1))
            .expect_err("a flipped bit");
        println!("power {n}: caught: {error}");
    }
    for n in 2..=9 {
        let swapped = model(&gcm, |powers| powers.swap(n, n - 1));
        println!(
            "powers {n} and {}: caught: {}",
            n - 1,
            meets_its_powers(&gcm, &J0, 32, &swapped).expect_err("swapped powers")
        );
    }
    let stale = model(&gcm, |powers| powers[9] = powers[8]);
    println!(
        "nine blocks on eight powers: caught: {}",
        meets_its_powers(&gcm, &J0, 32, &stale).expect_err("a stale power")
    );
}
