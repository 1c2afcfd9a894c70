//! The parts by themselves: blocks encrypted and hashed on each engine, by the reference.

use carryless::hazmat::{BlockCipher, Ghash};
use carryless::{Aes128, Aes192, Aes256, Engine};

use crate::harness::reference::{self, Aes, Poly};
use crate::harness::{Checked, KEY_LENS, Random, caught, engines, key, quick};

/// More than the turns of any engine and its last pass.
const MOST: usize = 70;

/// Whether what encrypts blocks where they stand does so, in any number.
fn encrypts(key: &[u8], encrypt: &dyn Fn(&mut [reference::Block])) -> Checked {
    let aes = Aes::new(key);
    let mut random = Random::new(0xecb);
    let blocks: Vec<reference::Block> = (0..MOST)
        .map(|_| *random.bytes(16).first_chunk().expect("16 bytes"))
        .collect();
    let expected: Vec<_> = blocks.iter().map(|block| aes.encrypt(block)).collect();
    for count in 0..=MOST {
        let mut made = blocks.clone();
        encrypt(&mut made[..count]);
        if made[..count] != expected[..count] || made[count..] != blocks[count..] {
            return Err(format!("{count} blocks under a key of {} bytes", key.len()));
        }
    }
    Ok(MOST + 1)
}

/// Encrypts blocks where they stand.
type Encrypt = Box<dyn Fn(&mut [reference::Block])>;

/// What encrypts blocks on an engine, all at once and each by itself.
fn both(engine: Engine, key: &[u8]) -> [Encrypt; 2] {
    macro_rules! of {
        ($Cipher:ident) => {{
            let cipher = BlockCipher::<$Cipher>::with_engine(key, engine).unwrap();
            let one = cipher.clone();
            [
                Box::new(move |blocks: &mut [_]| cipher.encrypt_blocks(blocks)),
                Box::new(move |blocks: &mut [_]| {
                    blocks.iter_mut().for_each(|block| one.encrypt_block(block));
                }),
            ]
        }};
    }
    match key.len() {
        16 => of!(Aes128),
        24 => of!(Aes192),
        _ => of!(Aes256),
    }
}

#[test]
fn c2_blocks_of_any_number_are_encrypted() {
    for engine in engines() {
        for len in KEY_LENS {
            let key = key(len);
            for encrypt in both(engine, &key) {
                let count =
                    encrypts(&key, &*encrypt).unwrap_or_else(|error| panic!("{engine}: {error}"));
                println!("C2 {engine}: {count} numbers of blocks");
            }
        }
    }
}

#[test]
fn control_c2_a_block_that_is_left_is_noticed() {
    let key = key(16);
    let [all, _] = both(Engine::Soft64, &key);
    caught(encrypts(&key, &|_| ()));
    caught(encrypts(&key, &|blocks| {
        let most = blocks.len().min(64);
        all(&mut blocks[..most]);
    }));
}

/// Whether the hash of data that comes in pieces is that of all of it, each piece filled up to whole blocks.
fn hashes(h: &reference::Block, hash: &dyn Fn(&[&[u8]]) -> reference::Block) -> Checked {
    let data = Random::new(0x9a54).bytes(16 * MOST + 15);
    let lens: Vec<usize> = if quick() {
        (0..data.len()).step_by(7).collect()
    } else {
        (0..=data.len()).collect()
    };
    let key = Poly::from_block(h);
    let step = |y: Poly, block: reference::Block| y.add(Poly::from_block(&block)).times(key);
    let mut count = 0;
    for len in lens {
        let (first, second) = data[..len].split_at(len / 3);
        for pieces in [&[&data[..len]][..], &[first, second]] {
            let blocks = pieces.iter().flat_map(|piece| reference::blocks(piece));
            if hash(pieces) != blocks.fold(Poly(0), step).to_block() {
                return Err(format!("{len} bytes in {} pieces", pieces.len()));
            }
            count += 1;
        }
    }
    Ok(count)
}

fn on(engine: Engine, h: &reference::Block) -> impl Fn(&[&[u8]]) -> reference::Block {
    move |pieces| {
        let mut hash = Ghash::with_engine(h, engine).unwrap();
        assert_eq!(hash.engine(), engine);
        pieces.iter().for_each(|piece| hash.update(piece));
        hash.finish()
    }
}

#[test]
fn c2_hashes_of_any_length_are_right() {
    let h = *key(16).first_chunk().expect("16 bytes");
    for engine in engines() {
        let count = hashes(&h, &on(engine, &h)).unwrap_or_else(|error| panic!("{engine}: {error}"));
        println!("C2 {engine}: {count} hashes");
    }
}

#[test]
fn control_c2_a_piece_that_is_not_filled_up_is_noticed() {
    let h = *key(16).first_chunk().expect("16 bytes");
    let hash = on(Engine::Soft64, &h);
    caught(hashes(&h, &|pieces| hash(&[&pieces.concat()])));
}
