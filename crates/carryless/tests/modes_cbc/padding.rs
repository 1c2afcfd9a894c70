//! PKCS #7: every padding, right or wrong.

use carryless::error::{InputError, PaddingError};
use carryless::hazmat::pkcs7;

use crate::harness::{Checked, caught, ensure};

type Unpad = fn(&mut [u8]) -> Result<&mut [u8], PaddingError>;

/// Each last byte, behind each number of bytes equal to it, in texts of two blocks; each byte of a right padding changed.
fn check(unpad: Unpad) -> Checked {
    let mut count = 0;
    for (last, equal) in (0..=255).flat_map(|last: u8| (1..=32).map(move |equal| (last, equal))) {
        for changed in 0..=32 {
            let mut text = [!last; 32];
            text[32 - equal..].fill(last);
            if let Some(byte) = text.get_mut(changed) {
                *byte ^= 0x40;
            }
            let number = usize::from(text[31]);
            let right = (1..=16).contains(&number)
                && text[32 - number..]
                    .iter()
                    .all(|byte| usize::from(*byte) == number);
            let before = text;
            match unpad(&mut text) {
                Ok(made) => ensure!(
                    right && *made == before[..32 - number],
                    "{before:02x?}: {} bytes",
                    made.len()
                ),
                Err(error) => {
                    ensure!(
                        !right && error == PaddingError::Wrong,
                        "{before:02x?}: {error}"
                    );
                    ensure!(text == [0; 32], "{before:02x?}: left {text:02x?}");
                }
            }
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn c6_m1_every_padding_is_told_and_a_wrong_one_wipes_the_text() {
    println!("C6, M1: {} paddings", check(pkcs7::unpad).unwrap());
}

#[test]
fn control_c6_faulty_checks_of_the_padding_are_noticed() {
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
}

#[test]
fn c6_padding_is_put_where_there_is_room() {
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
