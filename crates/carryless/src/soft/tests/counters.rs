//! Counter mode against blocks one by one.

#[cfg(carryless_a64)]
use super::super::Neon;
use super::super::{Enc, Form, Soft32, Soft32Narrow, Soft64, Soft64Words};
use super::{Block, Counter, InOut, Vec, bytes, each_form};

/// The key stream of `len` bytes block by block, with `step` to the next counter block.
fn stream<const K: usize>(
    keys: &Enc<u64, K>,
    first: Counter,
    len: usize,
    step: impl Fn(Counter) -> Counter,
) -> Vec<u8> {
    let mut blocks: Vec<Block> = core::iter::successors(Some(first), |c| Some(step(*c)))
        .take(len.div_ceil(16))
        .map(Counter::to_block)
        .collect();
    for block in &mut blocks {
        keys.encrypt::<Soft64Words>(InOut::in_place(block));
    }
    blocks.as_flattened()[..len].to_vec()
}

fn counter(count: u32) -> Counter {
    let mut block: Block = bytes(7, 16).try_into().expect("16 bytes");
    block[12..].copy_from_slice(&count.to_be_bytes());
    Counter::from_block(&block)
}

fn ctr_is_right<F: Form, const K: usize>() {
    let key = bytes(5, 4 * (K - 7));
    let (keys, other) = (Enc::<F::Word, K>::new(&key), Enc::new(&key));
    for count in [1, 0xff, u32::MAX, u32::MAX - 1, u32::MAX - 5, u32::MAX - 13] {
        let first = counter(count);
        let expected = stream::<K>(&other, first, 320, |c| c.add(1));
        for len in 0..=300 {
            let text = bytes(len as u64, len);
            let xored: Vec<u8> = text.iter().zip(&expected).map(|(a, b)| a ^ b).collect();
            let mut in_place = text.clone();
            keys.ctr::<F>(first, InOut::in_place(&mut in_place));
            assert_eq!(in_place, xored, "{len} bytes, counter {count:#x}");
            let mut to = std::vec![0; len];
            keys.ctr::<F>(
                first,
                InOut::between(&text, &mut to).expect("equal lengths"),
            );
            assert_eq!(
                to, xored,
                "{len} bytes to another place, counter {count:#x}"
            );
        }
    }
}

/// The mask of a tag and the key stream behind it, of short and of long texts: those of 15 and of 31 groups of eight blocks too.
fn mask_and_ctr_are_right<F: Form, const K: usize>() {
    let key = bytes(5, 4 * (K - 7));
    let (keys, other) = (Enc::<F::Word, K>::new(&key), Enc::new(&key));
    let j0 = counter(1);
    let expected = stream::<K>(&other, j0, 9000, |c| c.add(1));
    let around = |len: usize| len - 17..=len + 17;
    let long = [8, 15, 16, 17, 31, 32, 33, 63, 64].map(|groups| around(96 + 128 * groups));
    for len in (0..=300).chain(long.into_iter().flatten()) {
        let text = bytes(len as u64, len);
        let xored: Vec<u8> = text
            .iter()
            .zip(&expected[16..])
            .map(|(a, b)| a ^ b)
            .collect();
        let mut to = std::vec![0; len];
        let between = InOut::between(&text, &mut to).expect("equal lengths");
        let mask = keys.mask_and_ctr::<F>(j0, between);
        assert_eq!(
            (&mask[..], &to),
            (&expected[..16], &xored),
            "mask and {len} bytes"
        );
        let mut in_place = text.clone();
        keys.mask_and_ctr::<F>(j0, InOut::in_place(&mut in_place));
        assert_eq!(in_place, xored, "{len} bytes in place");
    }
}

#[test]
fn counter_mode_is_right_at_every_length_and_as_the_counter_wraps() {
    fn test<F: Form>(_: &str) {
        ctr_is_right::<F, 11>();
        ctr_is_right::<F, 13>();
        ctr_is_right::<F, 15>();
    }
    each_form!(test);
}

#[test]
fn the_mask_and_the_key_stream_behind_it_are_right_at_every_length() {
    fn test<F: Form>(_: &str) {
        mask_and_ctr_are_right::<F, 11>();
        mask_and_ctr_are_right::<F, 13>();
        mask_and_ctr_are_right::<F, 15>();
    }
    each_form!(test);
}

/// A counter that carries beyond its 32 bits differs within these lengths.
#[test]
fn a_counter_that_carries_too_far_is_noticed() {
    let carry = |c: Counter| {
        Counter::from_block(
            &u128::from_be_bytes(c.to_block())
                .wrapping_add(1)
                .to_be_bytes(),
        )
    };
    let keys = Enc::<u64, 11>::new(&[1; 16]);
    let right = |first, len| stream(&keys, first, len, |c| c.add(1));
    assert_eq!(
        stream(&keys, counter(1), 300, carry),
        right(counter(1), 300)
    );
    assert_ne!(
        stream(&keys, counter(u32::MAX - 13), 300, carry),
        right(counter(u32::MAX - 13), 300)
    );
}
