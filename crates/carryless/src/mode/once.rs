//! A new key and its only message in one call.

use super::gcm::Gcm;
use super::limits::{between, check, check_key, check_tag};
use super::tag::{padded, shorten, verify};
use crate::engine::{AeadKeys, Counter, Engine, EveryAead, InOut, Message};
use crate::error::{InputError, OpenError};

impl<C: EveryAead, const NONCE: usize, const TAG: usize> Gcm<C, NONCE, TAG> {
    /// Seals one message under a fresh key that is forgotten at once; the tag.
    ///
    /// For keys derived per message. Cheaper than making a key object, and nothing is left of it.
    ///
    /// # Errors
    /// [`InputError`]; nothing is written then.
    ///
    /// # Examples
    /// ```
    /// use carryless::Aes256Gcm;
    ///
    /// let mut text = *b"once";
    /// let tag = Aes256Gcm::seal_once(&[9; 32], &[0; 12], b"", &mut text)?;
    /// Aes256Gcm::open_once(&[9; 32], &[0; 12], b"", &mut text, &tag)?;
    /// assert_eq!(&text, b"once");
    /// # Ok::<(), carryless::error::OpenError>(())
    /// ```
    #[inline]
    pub fn seal_once(
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
    ) -> Result<[u8; TAG], InputError> {
        Self::seal_once_text(key, nonce, aad, InOut::in_place(text))
    }

    /// [`seal_once`](Self::seal_once) from one buffer to another of the same length.
    ///
    /// # Errors
    /// [`InputError`]; nothing is written then.
    #[inline]
    pub fn seal_once_into(
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<[u8; TAG], InputError> {
        Self::seal_once_text(key, nonce, aad, between(plaintext, ciphertext)?)
    }

    /// Opens one message under a key that is forgotten at once.
    ///
    /// # Errors
    /// As [`open_in_place`](Self::open_in_place).
    #[inline]
    pub fn open_once(
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8],
    ) -> Result<(), OpenError> {
        Self::open_once_text(key, nonce, aad, InOut::in_place(text), tag)
    }

    /// [`open_once`](Self::open_once) from one buffer to another of the same length.
    ///
    /// # Errors
    /// As [`open_into`](Self::open_into).
    #[inline]
    pub fn open_once_into(
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        ciphertext: &[u8],
        plaintext: &mut [u8],
        tag: &[u8],
    ) -> Result<(), OpenError> {
        Self::open_once_text(key, nonce, aad, between(ciphertext, plaintext)?, tag)
    }

    #[inline(always)]
    fn seal_once_text(
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        text: InOut<'_>,
    ) -> Result<[u8; TAG], InputError> {
        check_key::<C>(key)?;
        check(nonce, aad, text.len())?;
        let message = Message {
            j0: Counter::from_nonce(nonce),
            aad,
            text,
        };
        let mut tag = [0; 16];
        AeadKeys::<C>::seal_once(Engine::selected_for::<C>(), key, message, &mut tag);
        Ok(shorten(&mut tag))
    }

    #[inline(always)]
    fn open_once_text(
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        mut text: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), OpenError> {
        check_key::<C>(key)?;
        check(nonce, aad, text.len())?;
        let tag = check_tag::<TAG>(tag)?;
        let message = Message {
            j0: Counter::from_nonce(nonce),
            aad,
            text: text.reborrow(),
        };
        let engine = Engine::selected_for::<C>();
        let right = AeadKeys::<C>::open_once(engine, key, message, &padded(tag));
        Ok(verify(right, text)?)
    }
}
