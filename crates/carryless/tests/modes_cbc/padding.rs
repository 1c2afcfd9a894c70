//! PKCS #7: every padding, right or wrong.

use carryless::Engine;
use carryless::error::{InputError, PaddingError};
use carryless::hazmat::{CbcDecryptor, CbcEncryptor, pkcs7};

use crate::block;
use crate::harness::forgeries::flipped;
use crate::harness::{Checked, KEY_LENS, caught, engines, ensure, key, quick};

type Unpad = fn(&mut [u8]) -> Result<&mut [u8], PaddingError>;

/// Whether a padding is told for what it is, a wrong one by the one error, which leaves zeros; whether it is right.
fn told(unpad: Unpad, text: &[u8; 32]) -> Result<bool, String> {
    let number = usize::from(text[31]);
    let right = (1..=16).contains(&number)
        && text[32 - number..]
            .iter()
            .all(|byte| usize::from(*byte) == number);
    let mut place = *text;
    match unpad(&mut place) {
        Ok(made) => ensure!(
            right && *made == text[..32 - number],
            "{text:02x?}: {} bytes",
            made.len()
        ),
        Err(error) => {
            ensure!(
                !right && error == PaddingError::Wrong,
                "{text:02x?}: {error}"
            );
            ensure!(place == [0; 32], "{text:02x?}: left {place:02x?}");
        }
    }
    Ok(right)
}

/// Each last byte, behind each number of bytes equal to it, in texts of two blocks; each byte of a right padding changed.
fn check(unpad: Unpad) -> Checked {
    let mut count = 0;
    // The short form has all that may be right, and some of the others.
    let step = if quick() { 7 } else { 1 };
    let lasts = (0..=255_u8).filter(|last| *last <= 17 || last.is_multiple_of(step));
    for (last, equal) in lasts.flat_map(|last| (1..=32).map(move |equal| (last, equal))) {
        for changed in 0..=32 {
            let mut text = [!last; 32];
            text[32 - equal..].fill(last);
            if let Some(byte) = text.get_mut(changed) {
                *byte ^= 0x40;
            }
            told(unpad, &text)?;
            count += 1;
        }
    }
    Ok(count)
}

/// The same of what CBC decrypts on an engine, of which each bit is flipped: of the IV, which changes no padding, of the block before
/// the padding, which changes as many bits of it, and of its own. How many paddings are wrong then.
fn decrypted(engine: Engine, unpad: Unpad) -> Checked {
    let mut count = 0;
    for key_len in KEY_LENS {
        let (key, iv, mut text) = (key(key_len), block(1), [7; 32]);
        pkcs7::pad(&mut text, 20).unwrap();
        with_cipher!(key_len, C Peer => {
            let mut enc = CbcEncryptor::<C>::with_engine(&key, &iv, engine).unwrap();
            enc.encrypt_in_place(&mut text).unwrap();
            let sealed = [&iv[..], &text].concat();
            for bit in 0..8 * sealed.len() {
                let changed = flipped(&sealed, bit);
                let (iv, text) = changed.split_first_chunk().unwrap();
                let mut text: [u8; 32] = text.try_into().unwrap();
                let mut dec = CbcDecryptor::<C>::with_engine(&key, iv, engine).unwrap();
                dec.decrypt_in_place(&mut text).unwrap();
                let right = told(unpad, &text).map_err(|error| format!("{engine}: {error}"))?;
                ensure!(right || bit >= 128, "{engine}: bit {bit} of the IV");
                count += usize::from(!right);
            }
        });
    }
    Ok(count)
}

#[test]
fn u1_whatever_is_wrong_with_a_padding_the_error_is_the_same() {
    println!("U1 padding: {} paddings", check(pkcs7::unpad).unwrap());
    for engine in engines() {
        let count = decrypted(engine, pkcs7::unpad).unwrap();
        println!("U1 {engine}: {count} texts in CBC with one error");
    }
}

#[test]
fn u2_nothing_is_left_of_a_text_whose_padding_is_wrong() {
    println!("U2 padding: {} paddings", check(pkcs7::unpad).unwrap());
    for engine in engines() {
        let count = decrypted(engine, pkcs7::unpad).unwrap();
        println!("U2 {engine}: {count} texts in CBC wiped");
    }
}

/// Says of a last byte that is zero something else.
fn says_more(text: &mut [u8]) -> Result<&mut [u8], PaddingError> {
    let (last, got) = (text[31], text.len());
    pkcs7::unpad(text).map_err(|error| match last {
        0 => PaddingError::Input(InputError::PartialBlock { got }),
        _ => error,
    })
}

#[test]
fn control_u1_a_padding_of_which_the_error_says_more_is_noticed() {
    caught(check(says_more));
}

#[test]
fn control_u2_faulty_checks_of_the_padding_are_noticed() {
    fn looks_at_the_last_byte(text: &mut [u8]) -> Result<&mut [u8], PaddingError> {
        match text[31] {
            count @ 1..=16 => Ok(&mut text[..32 - usize::from(count)]),
            _ => (text.fill(0), Err(PaddingError::Wrong)).1,
        }
    }
    fn takes_longer_ones(text: &mut [u8]) -> Result<&mut [u8], PaddingError> {
        let count = usize::from(text[31]);
        if (1..=32).contains(&count)
            && text[32 - count..]
                .iter()
                .all(|byte| usize::from(*byte) == count)
        {
            return Ok(&mut text[..32 - count]);
        }
        text.fill(0);
        Err(PaddingError::Wrong)
    }
    fn leaves_the_text(text: &mut [u8]) -> Result<&mut [u8], PaddingError> {
        let kept: [u8; 32] = text.try_into().unwrap();
        let len = pkcs7::unpad(text).map(|text| text.len());
        text.copy_from_slice(&kept);
        len.map(|len| &mut text[..len])
    }
    let faults: [Unpad; 3] = [looks_at_the_last_byte, takes_longer_ones, leaves_the_text];
    for fault in faults {
        caught(check(fault));
    }
    caught(decrypted(Engine::selected(), leaves_the_text));
}

#[test]
fn u3_padding_is_put_where_there_is_room() {
    for len in 0..=64 {
        let expected = len / 16 * 16 + 16;
        assert_eq!(pkcs7::padded_len(len), expected);
        for got in 0..100 {
            let mut buffer = vec![0xa5; got];
            match pkcs7::pad(&mut buffer, len).map(|text| text.to_vec()) {
                Ok(mut text) => {
                    assert!(got >= expected && text.len() == expected);
                    assert!(buffer[expected..].iter().all(|byte| *byte == 0xa5));
                    assert_eq!(pkcs7::unpad(&mut text).unwrap(), vec![0xa5; len]);
                }
                Err(error) => {
                    assert_eq!(error, InputError::Output { got, expected });
                    assert!(got < expected && buffer == vec![0xa5; got]);
                }
            }
        }
    }
    assert!(pkcs7::pad(&mut [0; 16], usize::MAX).is_err());
    assert!(pkcs7::pad(&mut [0; 16], usize::MAX - 16).is_err());
    assert_eq!(pkcs7::unpad(&mut []), Err(PaddingError::Wrong));
    for got in (0..40).filter(|len| len % 16 > 0) {
        let mut text = vec![1; got];
        assert_eq!(
            pkcs7::unpad(&mut text),
            Err(InputError::PartialBlock { got }.into())
        );
        assert_eq!(text, vec![1; got]);
    }
}
