//! Everything secret that follows from an identity of X-Wing and what was encapsulated for it
//! (draft-connolly-cfrg-xwing-kem-10, with ML-KEM-768 of FIPS 203), computed apart from the crate that the library uses:
//! by the definitions, polynomials term by term.

use carryless_file::recipient::{Identity, Kem};
use sha3::{Digest, Sha3_256, Sha3_512};
use shake::{ExtendableOutput, Shake256, Update, XofReader};
use x25519_dalek::x25519;

use crate::hpke::add_scalar;
use crate::secrets::Secrets;

const Q: u32 = 3329;
/// A 256th root of one.
const ROOT: u32 = 17;
/// Polynomials of a vector.
const RANK: u8 = 3;
/// Bits of what is left of a coefficient of the ciphertext's vector, and of its last polynomial.
const VECTOR_BITS: usize = 10;
const LAST_BITS: usize = 4;
/// Bytes of ML-KEM's public key, and of its ciphertext.
const PUBLIC_LEN: usize = 1184;
const CIPHERTEXT_LEN: usize = 1088;
/// Bytes that SHAKE256 gives at a time.
const RATE: usize = 136;
const LABEL: &[u8] = br"\.//^\";

/// Modulo X^256 + 1 and [`Q`].
type Polynomial = [u16; 256];

fn reduced(number: u32) -> u16 {
    u16::try_from(number % Q).expect("less than that")
}

/// What an identity expands to.
struct Expanded {
    vector: [Polynomial; RANK as usize],
    rejection: [u8; 32],
    scalar: [u8; 32],
}

fn shake(parts: &[&[u8]], len: usize) -> Vec<u8> {
    let mut hash = Shake256::default();
    parts.iter().for_each(|part| hash.update(part));
    let mut out = vec![0; len];
    hash.finalize_xof().read(&mut out);
    out
}

/// The identity, and all that it expands to.
pub(crate) fn add_identity(secrets: &mut Secrets, identity: &[u8; 32]) {
    expand(secrets, identity);
}

fn expand(secrets: &mut Secrets, identity: &[u8; 32]) -> Expanded {
    let expanded = shake(&[identity], RATE);
    secrets.add("expanded identity", &expanded);
    let part = |n: usize| *expanded[32 * n..].first_chunk().expect("four of them");
    let (seed, rejection, scalar): ([u8; 32], _, _) = (part(0), part(1), part(2));
    add_scalar(secrets, &scalar);
    let seeds = Sha3_512::digest([&seed[..], &[RANK]].concat());
    secrets.add("seed of ML-KEM's noise", &seeds[32..]);
    let noise = noise(secrets, &seeds[32..], 2 * RANK);
    Expanded {
        vector: *noise.first_chunk().expect("as many"),
        rejection,
        scalar,
    }
}

/// So many small polynomials of a seed, which are secrets, as are their transforms.
fn noise(secrets: &mut Secrets, seed: &[u8], count: u8) -> Vec<Polynomial> {
    let mut one = |n: u8| {
        let bytes = shake(&[seed, &[n]], 128);
        secrets.add("noise of ML-KEM", &bytes);
        let polynomial = small(&bytes);
        add_transform(secrets, &polynomial);
        polynomial
    };
    (0..count).map(&mut one).collect()
}

/// Coefficients from -2 to 2, each of four bits (SamplePolyCBD).
fn small(bytes: &[u8]) -> Polynomial {
    core::array::from_fn(|i| {
        let bit = |n: usize| u32::from(bytes[i / 2] >> (4 * (i % 2) + n) & 1);
        reduced(Q + bit(0) + bit(1) - bit(2) - bit(3))
    })
}

/// The number-theoretic transform, as numbers of 16 bits and packed to 12.
fn add_transform(secrets: &mut Secrets, polynomial: &Polynomial) {
    let transform: Polynomial = core::array::from_fn(|i| {
        let place = (0..7).fold(0, |place, bit| place << 1 | (i / 2) >> bit & 1);
        let root = (0..2 * place + 1).fold(1, |power, _| power * ROOT % Q);
        let terms = polynomial[i % 2..].iter().step_by(2);
        let add = |(sum, power), term: &u16| (sum + power * u32::from(*term), power * root % Q);
        reduced(terms.fold((0, 1), add).0)
    });
    let words: Vec<u8> = (transform.iter())
        .flat_map(|word| word.to_ne_bytes())
        .collect();
    let packed: Vec<u8> = (transform.as_chunks::<2>().0.iter())
        .map(|[low, high]| u32::from(*low) | u32::from(*high) << 12)
        .flat_map(|both| both.to_le_bytes().into_iter().take(3))
        .collect();
    secrets.add("transform of ML-KEM's noise", &words);
    secrets.add("transform of ML-KEM's noise", &packed);
}

fn product(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let mut sums = [0; 256];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            let term = u32::from(*a) * u32::from(*b) % Q;
            sums[(i + j) % 256] += if i + j < 256 { term } else { Q - term };
        }
    }
    sums.map(reduced)
}

/// A polynomial of which so many bits of each coefficient are left (ByteDecode and Decompress).
fn decompress(bytes: &[u8], bits: usize) -> Polynomial {
    core::array::from_fn(|i| {
        let bit = |n: usize| u32::from(bytes[n / 8] >> (n % 8) & 1);
        let left: u32 = (0..bits).map(|n| bit(i * bits + n) << n).sum();
        reduced((left * Q + (1 << (bits - 1))) >> bits)
    })
}

/// The message of a ciphertext (K-PKE.Decrypt).
fn decrypt(vector: &[Polynomial; RANK as usize], ciphertext: &[u8]) -> [u8; 32] {
    let (vectors, last) = ciphertext.split_at(usize::from(RANK) * 32 * VECTOR_BITS);
    let mut noisy = decompress(last, LAST_BITS);
    for (bytes, secret) in vectors.chunks(32 * VECTOR_BITS).zip(vector) {
        let product = product(&decompress(bytes, VECTOR_BITS), secret);
        for (sum, term) in noisy.iter_mut().zip(product) {
            *sum = reduced(u32::from(*sum) + Q - u32::from(term));
        }
    }
    let nearer_to_half = Q / 4 + 1..Q - Q / 4;
    let mut message = [0; 32];
    for (i, coefficient) in noisy.into_iter().enumerate() {
        message[i / 8] |= u8::from(nearer_to_half.contains(&u32::from(coefficient))) << (i % 8);
    }
    message
}

/// The secrets of X-Wing that `encapsulated` may give: of a right ciphertext of ML-KEM, and of any other.
pub(crate) fn shared(
    secrets: &mut Secrets,
    identity: &[u8; 32],
    encapsulated: &[u8],
) -> [[u8; 32]; 2] {
    let expanded = expand(secrets, identity);
    let public = Identity::from_bytes(Kem::XWing, identity).recipient();
    let (public, point) = public.as_bytes().split_at(PUBLIC_LEN);
    let (ciphertext, sent) = encapsulated.split_at(CIPHERTEXT_LEN);
    let message = decrypt(&expanded.vector, ciphertext);
    secrets.add("message of ML-KEM", &message);
    let derived = Sha3_512::digest([&message[..], &Sha3_256::digest(public)].concat());
    secrets.add("secret of ML-KEM", &derived);
    noise(secrets, &derived[32..], 2 * RANK + 1);
    let rejected = shake(&[&expanded.rejection, ciphertext], RATE);
    secrets.add("secret of ML-KEM", &rejected);
    let both = x25519(expanded.scalar, *sent.first_chunk().expect("a point"));
    secrets.add("shared point", &both);
    [&derived[..32], &rejected[..32]].map(|of_kem| {
        let shared = Sha3_256::digest([of_kem, &both, sent, point, LABEL].concat());
        secrets.add("secret of X-Wing", &shared);
        shared.into()
    })
}
