//! C2: however many blocks there are, the bytes are those of one block at a time.

use carryless::Engine;
use carryless::hazmat::{BlockCipher, CbcDecryptor, CbcEncryptor, Ctr};

use crate::harness::{Checked, KEY_LENS, Random, caught, engines, ensure, key};

/// Blocks up to which every number is tried: four batches of the widest vectors, and one.
const MOST: usize = 65;

/// One block in plain integers.
fn one(key: &[u8], block: &[u8; 16], inverse: bool) -> [u8; 16] {
    let mut block = *block;
    with_lea!(key.len(), C Peer => {
        let lea = BlockCipher::<C>::with_engine(key, Engine::Soft32).unwrap();
        if inverse {
            lea.decrypt_block(&mut block);
        } else {
            lea.encrypt_block(&mut block);
        }
    });
    block
}

fn each(key: &[u8], text: &[[u8; 16]], inverse: bool) -> Vec<[u8; 16]> {
    text.iter().map(|block| one(key, block, inverse)).collect()
}

fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// Whether `run` makes of any number of first blocks what is expected, and leaves those behind them.
fn any_number(text: &[[u8; 16]], expected: &[[u8; 16]], run: impl Fn(&mut [[u8; 16]])) -> Checked {
    for count in 0..=MOST {
        let mut blocks = text.to_vec();
        run(&mut blocks[..count]);
        ensure!(blocks[..count] == expected[..count], "{count} blocks");
        ensure!(blocks[count..] == text[count..], "behind {count} blocks");
    }
    Ok(MOST + 1)
}

#[test]
fn c2_any_number_of_blocks_is_one_block_so_many_times() {
    for key in KEY_LENS.map(key) {
        let text = Random::new(3).bytes(16 * MOST);
        let text = text.as_chunks().0;
        let (sealed, opened) = (each(&key, text, false), each(&key, text, true));
        for engine in engines() {
            with_lea!(key.len(), C Peer => {
                let lea = BlockCipher::<C>::with_engine(&key, engine).unwrap();
                let counts = [
                    any_number(text, &sealed, |blocks| lea.encrypt_blocks(blocks)),
                    any_number(text, &opened, |blocks| lea.decrypt_blocks(blocks)),
                ]
                .map(|checked| checked.unwrap_or_else(|error| panic!("{engine}: {error}")));
                println!("C2 {engine}: {} numbers of blocks of LEA", counts[0] + counts[1]);
            });
        }
    }
}

#[test]
fn control_c2_a_block_of_lea_in_the_lane_of_another_is_noticed() {
    let text = Random::new(3).bytes(16 * MOST);
    let text = text.as_chunks().0;
    let sealed = each(&key(16), text, false);
    caught(any_number(text, &sealed, |blocks| {
        blocks.copy_from_slice(&sealed[..blocks.len()]);
        for batch in blocks.as_chunks_mut::<4>().0 {
            batch.swap(2, 3);
        }
    }));
}

#[test]
fn c2_cbc_of_any_number_of_blocks_is_a_chain() {
    let iv = [0x3c; 16];
    for key in KEY_LENS.map(key) {
        let text = Random::new(5).bytes(16 * MOST);
        // The chain by definition.
        let (mut chain, mut sealed) = (iv, vec![]);
        for block in text.as_chunks::<16>().0 {
            chain = one(&key, &xor(&chain, block).try_into().unwrap(), false);
            sealed.extend_from_slice(&chain);
        }
        for engine in engines() {
            with_lea!(key.len(), C Peer => for len in (0..=16 * MOST).step_by(16) {
                let mut enc = CbcEncryptor::<C>::with_engine(&key, &iv, engine).unwrap();
                let mut out = text.clone();
                enc.encrypt_in_place(&mut out[..len]).unwrap();
                enc.encrypt_in_place(&mut out[len..]).unwrap();
                assert_eq!(out, sealed, "{engine}, {len}");
                let mut dec = CbcDecryptor::<C>::with_engine(&key, &iv, engine).unwrap();
                dec.decrypt_in_place(&mut out[..len]).unwrap();
                dec.decrypt_in_place(&mut out[len..]).unwrap();
                assert_eq!(out, text, "{engine}, {len}");
                let (first, rest) = out.split_at_mut(len);
                dec.restart(&iv);
                dec.decrypt_into(&sealed[..len], first).unwrap();
                dec.decrypt_into(&sealed[len..], rest).unwrap();
                assert_eq!(out, text, "{engine}, {len}");
            });
            println!("C2 {engine}: {} texts in CBC of LEA", MOST + 1);
        }
    }
}

#[test]
fn c2_ctr_of_any_length_is_the_key_stream_of_single_blocks() {
    ctr::<32>(|first, i| first >> 32 << 32 | u128::from((first as u32).wrapping_add(i as u32)));
    ctr::<128>(|first, i| first.wrapping_add(i));
}

/// Counters of so many bits, which carry out of 32 bits in the middle of a batch; `counter` gives those behind the first.
fn ctr<const BITS: u32>(counter: impl Fn(u128, u128) -> u128) {
    let mut start = [0xff; 16];
    start[15] = 0xf9;
    for key in KEY_LENS.map(key) {
        let text = Random::new(7).bytes(16 * MOST);
        let first = u128::from_be_bytes(start);
        let counters: Vec<[u8; 16]> = (0..MOST as u128)
            .map(|i| counter(first, i).to_be_bytes())
            .collect();
        let expected = xor(&text, each(&key, &counters, false).as_flattened());
        for engine in engines() {
            with_lea!(key.len(), C Peer => {
                let mut ctr = Ctr::<C, BITS>::with_engine(&key, &start, engine).unwrap();
                let mut count = 0;
                for len in (0..200).chain((200..=16 * MOST).step_by(7)) {
                    let mut out = vec![0xa5; text.len()];
                    ctr.restart(&start);
                    ctr.apply_into(&text[..len], &mut out[..len]).unwrap();
                    assert_eq!(out[..len], expected[..len], "{engine}, {BITS}, {len}");
                    assert!(out[len..].iter().all(|byte| *byte == 0xa5), "{engine}, {BITS}, {len}");
                    ctr.apply_in_place(&mut out[len..]).unwrap();
                    let rest = xor(&out[len..], &text[len..]);
                    assert_eq!(rest, xor(&expected[len..], &vec![0xa5; rest.len()]), "{engine}, {BITS}, {len}");
                    count += 1;
                }
                println!("C2 {engine}: {count} texts in CTR of LEA with {BITS} bits");
            });
        }
    }
}
