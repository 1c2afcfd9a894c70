//! LEA in GCM: what a cipher that is not AES needs of the library.
//!
//! A name and sizes ([`BlockCipher`]), the four methods of [`Cipher`] once for all engines, and one line for
//! each engine that fuses AES: nothing of what is there is touched. The mode, its streams and its
//! limits come with it. Throw-away code, one block at a time, as in KS X 3246.

use std::println;
use std::vec;
use std::vec::Vec;

use zeroize::ZeroizeOnDrop;

use super::super::select::Tests;
use super::super::self_test::{KnownAnswer, LENGTHS};
#[cfg(any(carryless_fused, carryless_a32))]
use super::super::{Aead, Gf128};
use super::super::{Backend, BlockCipher, Cipher, Counter, InOut};
use crate::mode::Gcm;

/// The first 256 fraction bits of the square root of 766965.
const DELTA: [u32; 8] = [
    0xc3ef_e9db,
    0x4462_6b02,
    0x79e2_7c8a,
    0x78df_30ec,
    0x715e_a49e,
    0xc785_da0a,
    0xe04e_f22a,
    0xe5c4_0957,
];
const SHIFTS: [u32; 6] = [1, 3, 6, 11, 13, 17];

/// A round key is six words.
#[derive(Clone, Default)]
struct LeaKeys(Vec<[u32; 6]>);

impl Drop for LeaKeys {
    fn drop(&mut self) {
        self.0.fill([0; 6]);
    }
}

impl ZeroizeOnDrop for LeaKeys {}

impl LeaKeys {
    fn new(key: &[u8]) -> Self {
        let mut t: Vec<u32> = key
            .chunks(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect();
        let n = t.len();
        let round = |i: usize| {
            let delta = DELTA[i % n];
            let mut step = |k: usize, j: usize| {
                t[k] = t[k]
                    .wrapping_add(delta.rotate_left((i + j) as u32))
                    .rotate_left(SHIFTS[j]);
                t[k]
            };
            match n {
                4 => {
                    let [a, b, c, d] = core::array::from_fn(|j| step(j, j));
                    [a, b, c, b, d, b]
                }
                6 => core::array::from_fn(|j| step(j, j)),
                _ => core::array::from_fn(|j| step((6 * i + j) % 8, j)),
            }
        };
        Self((0..16 + 2 * n).map(round).collect())
    }

    fn encrypt(&self, block: [u8; 16]) -> [u8; 16] {
        let mut x: [u32; 4] = core::array::from_fn(|i| {
            u32::from_le_bytes(block[4 * i..4 * i + 4].try_into().unwrap())
        });
        for k in &self.0 {
            let mix = |i: usize| (x[i] ^ k[2 * i]).wrapping_add(x[i + 1] ^ k[2 * i + 1]);
            x = [
                mix(0).rotate_left(9),
                mix(1).rotate_right(5),
                mix(2).rotate_right(3),
                x[0],
            ];
        }
        core::array::from_fn(|i| x[i / 4].to_le_bytes()[i % 4])
    }
}

macro_rules! lea {
    ($($Lea:ident $name:literal $key_len:literal)+) => {$(
        #[derive(Clone, Copy)]
        enum $Lea {}

        impl BlockCipher for $Lea {
            const NAME: &'static str = $name;
            const KEY_LEN: usize = $key_len;
        }

        impl KnownAnswer for $Lea {
            /// None: keys of named engines alone are made here.
            const TAGS: [u128; LENGTHS.len()] = [0; LENGTHS.len()];

            fn tests() -> &'static Tests {
                static TESTS: Tests = Tests::new();
                &TESTS
            }
        }

        impl<E: Backend> Cipher<$Lea> for E {
            type Enc = LeaKeys;

            fn expand(self, key: &[u8]) -> LeaKeys {
                LeaKeys::new(key)
            }
            fn encrypt(self, keys: &LeaKeys, mut blocks: InOut<'_>) {
                while let Some(mut block) = blocks.split_to(16) {
                    block.set(0, &keys.encrypt(block.get(0)));
                }
            }
            fn ctr(self, keys: &LeaKeys, mut counter: Counter, mut text: InOut<'_>) {
                while !text.is_empty() {
                    let stream = keys.encrypt(counter.to_block());
                    for byte in stream.iter().take(text.len()) {
                        if let Some(mut one) = text.split_to(1) {
                            let [before] = one.get(0);
                            one.set(0, &[before ^ byte]);
                        }
                    }
                    counter = counter.add(1);
                }
            }
        }

        // The portable engines are there for every cipher that they run; of LEA the others fuse nothing: the default
        // methods do.
        #[cfg(carryless_fused)]
        impl<E: Backend> Aead<$Lea, Gf128> for super::super::fused::Fused<E>
        where
            Self: crate::engine::Hash<Gf128>,
        {
        }
        #[cfg(carryless_a32)]
        impl<A: crate::asm::Assembly> Aead<$Lea, Gf128> for super::super::arm::Assembled<A> {}
    )+};
}

lea! { Lea128 "LEA-128" 16 Lea192 "LEA-192" 24 Lea256 "LEA-256" 32 }

/// Lines of a file of vectors, as words of hexadecimal digits.
fn lines(file: &str) -> impl Iterator<Item = (&str, Vec<Vec<u8>>)> {
    file.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut words = line.split(' ');
            let name = words.next().unwrap();
            let bytes = |word: &str| {
                if word == "-" {
                    vec![]
                } else {
                    hex::decode(word).unwrap()
                }
            };
            (
                name,
                words.filter(|word| *word != "valid").map(bytes).collect(),
            )
        })
}

#[test]
fn the_throw_away_lea_is_lea() {
    let mut count = 0;
    for (name, words) in lines(include_str!("../../../../../vectors/lea_block.txt")) {
        let [key, text, sealed] = &words[..] else {
            panic!("{name}")
        };
        assert_eq!(
            LeaKeys::new(key).encrypt(text[..].try_into().unwrap())[..],
            sealed[..],
            "{name}"
        );
        count += 1;
    }
    println!("{count} blocks of LEA");
    assert!(count > 3);
}

#[test]
fn another_cipher_runs_in_gcm_on_every_engine_without_new_plumbing() {
    for engine in super::engines() {
        let mut count = 0;
        for (name, words) in lines(include_str!("../../../../../vectors/lea_gcm.txt")) {
            let [key, nonce, aad, text, sealed, tag] = &words[..] else {
                panic!("{name}")
            };
            macro_rules! gcm {
                ($Lea:ident) => {{
                    let gcm = Gcm::<$Lea>::with_engine(key, engine).unwrap();
                    assert_eq!(gcm.engine(), engine);
                    let mut out = text.clone();
                    assert_eq!(
                        gcm.seal_in_place(nonce, aad, &mut out).unwrap()[..],
                        tag[..],
                        "{engine}, {name}"
                    );
                    assert_eq!(out, *sealed, "{engine}, {name}");
                    gcm.open_in_place(nonce, aad, &mut out, tag).unwrap();
                    assert_eq!(out, *text, "{engine}, {name}");
                    assert!(gcm.open_in_place(nonce, b"other", &mut out, tag).is_err());
                    // Pieces: the default of `segment`.
                    let mut sealer = gcm.sealer(nonce).unwrap();
                    sealer.aad(aad).unwrap();
                    let (first, rest) = text.split_at(text.len() / 3);
                    let mut out = vec![0; text.len()];
                    let (out_first, out_rest) = out.split_at_mut(first.len());
                    sealer.seal_into(first, out_first).unwrap();
                    sealer.seal_into(rest, out_rest).unwrap();
                    assert_eq!(sealer.finish()[..], tag[..], "{engine}, {name}, in pieces");
                    assert_eq!(out, *sealed, "{engine}, {name}, in pieces");
                }};
            }
            match key.len() {
                16 => gcm!(Lea128),
                24 => gcm!(Lea192),
                _ => gcm!(Lea256),
            }
            count += 1;
        }
        println!("{engine}: {count} vectors of LEA-GCM");
        assert!(count > 0);
    }
}
