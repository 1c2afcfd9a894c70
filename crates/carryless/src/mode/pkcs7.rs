//! Padding to whole blocks of 16 bytes (PKCS #7; RFC 5652 section 6.3): 1 to 16 bytes, each of which says how many there are.
//!
//! **Whoever learns whether a padding was right can decrypt**, by sending changed ciphertexts (Vaudenay, 2002). Removal takes the
//! same time whatever the text is, but its result is one bit of the plaintext: verify a MAC of the ciphertext before
//! anything is decrypted, or take an AEAD.

use crate::engine::Block;
use crate::error::{InputError, PaddingError};
use crate::secret::{equal, publish_len, wipe};

/// Bytes of a text of `len` bytes with its padding; `usize::MAX` where that is more than there can be.
pub const fn padded_len(len: usize) -> usize {
    (len | 15).saturating_add(1)
}

/// Pads the text in the first `len` bytes of the buffer; text and padding.
///
/// # Errors
/// [`InputError::Output`] if the buffer has less than [`padded_len`] bytes; nothing is written then.
///
/// # Examples
/// ```
/// use carryless::hazmat::pkcs7;
///
/// let mut buffer = *b"text............";
/// assert_eq!(pkcs7::pad(&mut buffer, 4)?, b"text\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c");
/// assert_eq!(pkcs7::unpad(&mut buffer)?, b"text");
/// # Ok::<(), carryless::error::PaddingError>(())
/// ```
pub fn pad(buffer: &mut [u8], len: usize) -> Result<&mut [u8], InputError> {
    let (got, expected) = (buffer.len(), padded_len(len));
    let text = buffer.get_mut(..expected).filter(|_| expected < usize::MAX);
    let text = text.ok_or(InputError::Output { got, expected })?;
    #[expect(clippy::cast_possible_truncation, reason = "1 to 16")]
    text[len..].fill((expected - len) as u8);
    Ok(text)
}

/// Looks for the padding; the text without it.
///
/// # Errors
/// [`PaddingError::Wrong`], whatever was wrong with it, and the text is zeroed: also if there is no text, as the padding
/// is never empty. [`PaddingError::Input`] for what is not whole blocks, which is left as it is.
///
/// # Constant time
/// Secret: `text`. Public: its length, and what comes out of it: whether the padding is right and, if so, how long it is.
pub fn unpad(text: &mut [u8]) -> Result<&mut [u8], PaddingError> {
    let got = text.len();
    if !got.is_multiple_of(16) {
        return Err(InputError::PartialBlock { got }.into());
    }
    let Some(last) = text.last_chunk() else {
        return Err(PaddingError::Wrong);
    };
    let (count, mut wrong) = (last[15], differences(last));
    // Whether it is right, and where the text ends then, is what was asked for.
    let right = equal(&wrong, &[0; 16], 16);
    wipe(&mut wrong);
    // Before anybody can know, so that a right padding takes as long.
    right.keep(text);
    if !right.publish() {
        return Err(PaddingError::Wrong);
    }
    Ok(&mut text[..got - publish_len(count)])
}

/// Zeros if the block ends with a right padding.
fn differences(last: &Block) -> Block {
    let count = last[15];
    // 0 is 255 then.
    let out_of_range = less(15, count.wrapping_sub(1));
    let mut wrong = *last;
    for (byte, from_end) in wrong.iter_mut().rev().zip(0..) {
        *byte = (*byte ^ count) & less(from_end, count) | out_of_range;
    }
    wrong
}

/// All ones if `a` is less than `b`.
fn less(a: u8, b: u8) -> u8 {
    (u16::from(a).wrapping_sub(b.into()) >> 8) as u8
}
