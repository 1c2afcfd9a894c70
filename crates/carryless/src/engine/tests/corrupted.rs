//! U5: one wrong bit in a round key or a power of H, anywhere, fails the self-test.
#![allow(
    unsafe_code,
    reason = "a bit of a key in memory is flipped: no safe code can do that"
)]

use core::ops::Range;
use std::format;
use std::println;
use std::string::String;
use std::vec;
use std::vec::Vec;

use super::super::block_test::{self, Known};
use super::super::self_test::{known_answers, known_keys};
use super::super::siv_test::{self, KnownSiv};
use super::super::{
    Aes192, Aes256, Block, CipherKeys, Counter, EveryAead, EveryCipher, InOut, Message,
};
#[cfg(any(feature = "hazmat", feature = "sgcm"))]
use super::super::{HashKeys, list::EveryHash};
#[cfg(feature = "lea")]
use super::super::{Lea128, Lea192, Lea256};
#[cfg(feature = "sgcm")]
use super::super::{P12451, sgcm_test, sghash};
#[cfg(feature = "hazmat")]
use super::super::{Polyval, siv_test::Prepare};
use super::{AeadKeys, Aes128, engines};

/// Keys of an engine whose bits are flipped.
trait Material: Sized {
    /// Those of a key of 32 bytes, or as many as the cipher takes.
    fn of(engine: super::Engine, key: &[u8; 32]) -> Self;
    /// Where in the value the keys lie; the rest is padding and which engine it is.
    fn places(&self) -> Vec<Range<usize>>;
}

/// Addresses as places in the value.
fn within<T, const N: usize>(value: &T, addresses: [Range<usize>; N]) -> Vec<Range<usize>> {
    let start = core::ptr::from_ref(value).addr();
    let place = |range: Range<usize>| range.start - start..range.end - start;
    addresses.map(place).to_vec()
}

impl<C: EveryAead> Material for AeadKeys<C> {
    fn of(engine: super::Engine, key: &[u8; 32]) -> Self {
        Self::untested(engine, &key[..C::KEY_LEN]).unwrap()
    }
    fn places(&self) -> Vec<Range<usize>> {
        vec![self.place()]
    }
}

impl<C: EveryCipher> Material for CipherKeys<C> {
    fn of(engine: super::Engine, key: &[u8; 32]) -> Self {
        Self::untested(engine, &key[..C::KEY_LEN]).unwrap()
    }
    fn places(&self) -> Vec<Range<usize>> {
        within(self, [self.place()])
    }
}

impl<C: EveryCipher> Material for Known<C> {
    fn of(engine: super::Engine, key: &[u8; 32]) -> Self {
        Self::untested(engine, &key[..C::KEY_LEN]).unwrap()
    }
    fn places(&self) -> Vec<Range<usize>> {
        within(self, [self.enc.place(), self.dec.place()])
    }
}

/// The bytes of a key's memory, padding as it happens to be.
fn bytes<T>(keys: &T) -> Vec<u8> {
    let start: *const u8 = core::ptr::from_ref(keys).cast();
    let byte = |i| {
        // SAFETY: within the value.
        let byte = unsafe { start.add(i) };
        // SAFETY: of the value; volatile, so that nothing is assumed of bytes that were never written.
        unsafe { byte.read_volatile() }
    };
    (0..size_of_val(keys)).map(byte).collect()
}

/// Flips a bit; `at` must be a byte of integers, as all key material is.
fn flip<T>(keys: &mut T, at: usize, bit: usize) {
    assert!(at < size_of_val(keys), "within the keys");
    let start: *mut u8 = core::ptr::from_mut(keys).cast();
    // SAFETY: within the value, by the assertion.
    let byte = unsafe { start.add(at) };
    // SAFETY: the byte belongs to an integer, for which every value is valid.
    let byte = unsafe { &mut *byte };
    *byte ^= 1 << bit;
    core::hint::black_box(byte);
}

/// For each byte of a key's memory the bits that depend on the key: neither padding, nor which engine
/// it is, nor places that stay zero.
fn material<T: Material>(engine: super::Engine) -> Vec<u8> {
    let of = |factor: u8| {
        let key: [u8; 32] = core::array::from_fn(|i| (i as u8).wrapping_mul(factor));
        bytes(&T::of(engine, &key))
    };
    let first = of(1);
    let mut depends: Vec<u8> = first.iter().map(|_| 0).collect();
    let mut padding: Vec<bool> = first.iter().map(|_| false).collect();
    for factor in (3..40).step_by(2) {
        // What is in padding varies with the calls before, and not with the key alone.
        let (other, again) = (of(factor), of(1));
        let same = of(factor);
        for i in 0..first.len() {
            depends[i] |= first[i] ^ other[i];
            padding[i] |= again[i] != first[i] || same[i] != other[i];
        }
    }
    for (depends, padding) in depends.iter_mut().zip(padding) {
        *depends *= u8::from(!padding);
    }
    depends
}

/// Whether the test fails with any bit of the keys flipped; how many bits those were, which must be `least`.
fn notices<T: Material>(
    engine: super::Engine,
    keys: T,
    passes: impl Fn(&T) -> bool,
    least: usize,
) -> Result<usize, String> {
    notices_what_is_read(engine, keys, passes, |_| None, least)
}

/// The same of bits on which anything depends of what `made` gives: an engine that fuses one cipher with the hash has powers that
/// no other cipher reads.
fn notices_what_is_read<T: Material>(
    engine: super::Engine,
    mut keys: T,
    passes: impl Fn(&T) -> bool,
    made: impl Fn(&T) -> Option<Vec<Block>>,
    least: usize,
) -> Result<usize, String> {
    if !passes(&keys) {
        return Err("it fails without a fault".into());
    }
    let mut count = 0;
    let places = keys.places();
    // Not a divisor of the size of a word, whose bytes may depend on the key in one place alone.
    let step = if super::quick() { 5 } else { 1 };
    for (at, bits) in (material::<T>(engine).into_iter().enumerate()).step_by(step) {
        // The lowest bit of each byte: all of them would take minutes.
        if bits == 0 || !places.iter().any(|place| place.contains(&at)) {
            continue;
        }
        let bit = bits.trailing_zeros() as usize;
        flip(&mut keys, at, bit);
        let unnoticed = passes(&keys).then(|| made(&keys));
        flip(&mut keys, at, bit);
        if let Some(with_it) = unnoticed {
            if with_it.is_some() && with_it == made(&keys) {
                continue;
            }
            return Err(format!("bit {bit} of byte {at} of the keys may be wrong"));
        }
        count += 1;
    }
    if count < least / step {
        return Err(format!("only {count} bytes depend on the key"));
    }
    Ok(count)
}

/// Those of texts of up to two turns of the widest vectors.
fn tags<C: EveryAead>(keys: &AeadKeys<C>) -> Vec<Block> {
    let tag = |len: usize| {
        let (mut text, j0) = (vec![0x11; len], Counter::from_nonce(&[1; 12]));
        let text = InOut::in_place(&mut text);
        super::sealed(
            keys,
            Message {
                j0,
                aad: &[3; 20],
                text,
            },
        )
    };
    (0..1100).step_by(15).map(tag).collect()
}

#[test]
fn u5_a_flipped_bit_of_the_keys_fails_the_self_test() {
    for engine in engines() {
        fn size<C: EveryAead>(engine: super::Engine) -> usize {
            let keys = known_keys::<C>(engine).unwrap();
            let made = |keys: &AeadKeys<C>| (!C::NAME.starts_with("AES")).then(|| tags(keys));
            notices_what_is_read(engine, keys, known_answers, made, C::KEY_LEN + 16)
                .unwrap_or_else(|error| panic!("{engine}, {}: {error}", C::NAME))
        }
        let count = size::<Aes128>(engine) + size::<Aes192>(engine) + size::<Aes256>(engine);
        #[cfg(feature = "lea")]
        let count =
            count + size::<Lea128>(engine) + size::<Lea192>(engine) + size::<Lea256>(engine);
        println!("U5 {engine}: {count} flipped bits fail the self-test");
    }
}

#[test]
fn u5_a_flipped_bit_of_the_cipher_s_keys_fails_the_self_test_of_its_modes() {
    for engine in engines() {
        fn size<C: EveryCipher>(engine: super::Engine) -> usize {
            let keys = block_test::known_keys::<C>(engine).unwrap();
            let of_modes = notices(engine, keys, block_test::known_answer, 2 * C::KEY_LEN);
            let keys = block_test::known_key::<C>(engine).unwrap();
            let of_chains = notices(engine, keys, block_test::known_chains, C::KEY_LEN);
            let both = of_modes.and_then(|count| Ok(count + of_chains?));
            both.unwrap_or_else(|error| panic!("{engine}, {}: {error}", C::NAME))
        }
        let count = size::<Aes128>(engine) + size::<Aes192>(engine) + size::<Aes256>(engine);
        #[cfg(feature = "lea")]
        let count =
            count + size::<Lea128>(engine) + size::<Lea192>(engine) + size::<Lea256>(engine);
        println!("U5 {engine}: {count} flipped bits fail the self-test of the modes");
    }
}

#[cfg(any(feature = "hazmat", feature = "sgcm"))]
impl<F: EveryHash> Material for HashKeys<F> {
    fn of(engine: super::Engine, key: &[u8; 32]) -> Self {
        // Those of SGCM have a first byte of zero in common.
        let h = key[1..].first_chunk().unwrap();
        Self::with_engine(engine, h).unwrap()
    }
    fn places(&self) -> Vec<Range<usize>> {
        within(self, [self.place()])
    }
}

/// The key of POLYVAL that takes the place of the one that the self-test made, byte by byte.
#[cfg(feature = "hazmat")]
struct Instead(Vec<u8>);

#[cfg(feature = "hazmat")]
impl Prepare for Instead {
    fn prepare<K>(&self, key: &mut K) {
        assert_eq!(size_of::<K>(), self.0.len(), "a key of the same engine");
        let start: *mut u8 = core::ptr::from_mut(key).cast();
        // SAFETY: as long as each other, and bytes of such a key, which has integers alone.
        unsafe { start.copy_from_nonoverlapping(self.0.as_ptr(), self.0.len()) };
    }
}

#[test]
fn u5_a_flipped_bit_of_the_key_that_makes_keys_fails_the_self_test_of_gcm_siv() {
    fn size<C: KnownSiv>(engine: super::Engine) -> usize {
        let keys = block_test::known_key::<C>(engine).unwrap();
        notices(engine, keys, siv_test::right, C::KEY_LEN)
            .unwrap_or_else(|error| panic!("{engine}, {}: {error}", C::NAME))
    }
    for engine in engines() {
        let count = size::<Aes128>(engine) + size::<Aes256>(engine);
        println!("U5 {engine}: {count} flipped bits fail the self-test of AES-GCM-SIV");
    }
}

/// The hash key of the known texts, and whether the self-test passes with it.
#[cfg(feature = "hazmat")]
fn siv_notices(engine: super::Engine) -> Result<usize, String> {
    let cipher = block_test::known_key::<Aes128>(engine).unwrap();
    let mut h = [0x5a; 16];
    cipher.encrypt_block(&mut h);
    let passes = |keys: &HashKeys<Polyval>| {
        let key = bytes(keys)[keys.places()[0].clone()].to_vec();
        cipher.run(siv_test::Known(Instead(key))) == Aes128::ANSWER.to_be_bytes()
    };
    // A power that belongs to the block of lengths of GCM is read by no hash of POLYVAL.
    let hashes = |keys: &HashKeys<Polyval>| {
        let hash = |len: usize| {
            let mut acc = u128::from(3_u8);
            keys.absorb(&mut acc, &vec![0x11; len]);
            keys.finish(acc)
        };
        Some((0..1100).step_by(15).map(hash).collect())
    };
    let keys = HashKeys::with_engine(engine, &h).unwrap();
    notices_what_is_read(engine, keys, passes, hashes, 16)
}

#[cfg(feature = "hazmat")]
#[test]
fn u5_a_flipped_bit_of_the_key_of_polyval_fails_the_self_test_of_gcm_siv() {
    for engine in engines() {
        let count = siv_notices(engine).unwrap_or_else(|error| panic!("{engine}: {error}"));
        println!(
            "U5 {engine}: {count} flipped bits of POLYVAL's key fail the self-test of AES-GCM-SIV"
        );
    }
}

/// Every bit of the powers, the 129th ones too, which are zero for nearly all keys.
#[cfg(feature = "sgcm")]
#[test]
fn u5_a_flipped_bit_of_the_hash_s_keys_fails_the_self_test_of_sgcm() {
    for engine in engines() {
        let mut key = HashKeys::<P12451>::of(engine, &core::array::from_fn(|i| i as u8));
        let (right, place) = (sghash::hash(&key), key.places()[0].clone());
        for at in place.clone() {
            for bit in 0..8 {
                flip(&mut key, at, bit);
                let hash = sghash::hash(&key);
                flip(&mut key, at, bit);
                assert_ne!(hash, right, "{engine}: bit {bit} of byte {at} may be wrong");
            }
        }
        assert_eq!(sghash::hash(&key), right, "{engine}");
        assert!(sghash::passes(engine), "{engine}");
        let count = 8 * place.len();
        println!("U5 {engine}: {count} flipped bits fail the self-test of the hash of SGCM");
    }
}

/// Every bit of the known tag, with each cipher.
#[cfg(feature = "sgcm")]
#[test]
fn u5_a_flipped_bit_of_the_known_tag_fails_the_self_test_of_sgcm() {
    fn notices<C: EveryCipher>(engine: super::Engine) -> usize {
        assert!(sgcm_test::passes::<C>(engine), "{engine}, {}", C::NAME);
        for bit in 0..128 {
            let passes = sgcm_test::seals::<C>(engine, C::SGCM ^ 1 << bit);
            assert!(!passes, "{engine}, {}: bit {bit} may be wrong", C::NAME);
        }
        128
    }
    for engine in engines() {
        let count =
            notices::<Aes128>(engine) + notices::<Aes192>(engine) + notices::<Aes256>(engine);
        #[cfg(feature = "lea")]
        let count = count
            + notices::<Lea128>(engine)
            + notices::<Lea192>(engine)
            + notices::<Lea256>(engine);
        println!("U5 {engine}: {count} flipped bits of tags fail the self-test of SGCM");
    }
}

#[test]
fn control_u5_a_self_test_that_only_encrypts_is_noticed() {
    for engine in engines() {
        let encrypted = |keys: &Known<Aes128>| {
            let mut text = [0x11; 16 * 8];
            keys.enc.encrypt(InOut::in_place(&mut text));
            text
        };
        let keys = block_test::known_keys(engine).unwrap();
        let right = encrypted(&keys);
        let result = notices(engine, keys, |keys| encrypted(keys) == right, 0);
        println!(
            "{engine}, no decryption: caught: {}",
            result.expect_err("untried keys")
        );
    }
}

/// A self-test of a single block leaves most powers of H untried.
#[test]
fn control_u5_a_self_test_that_is_too_short_is_noticed() {
    for engine in engines() {
        let short = |keys: &AeadKeys<Aes128>| {
            let mut text = [0x11; 16];
            let message = Message {
                j0: Counter::from_nonce(&[1; 12]),
                aad: &[],
                text: InOut::in_place(&mut text),
            };
            super::sealed(keys, message)
        };
        let keys = known_keys(engine).unwrap();
        let right = short(&keys);
        let result = notices(engine, keys, |keys| short(keys) == right, 0);
        println!(
            "{engine}, one block: caught: {}",
            result.expect_err("untried powers")
        );
    }
}
