//! Counter mode (SP 800-38A section 6.5).

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::cipher::CounterWidth;
use super::limits::{between, check_key};
use crate::engine::{Block, CipherKeys, Counter, Engine, EveryCipher, InOut};
use crate::error::{InputError, KeyError};
use crate::secret::{ZeroedOnDrop, wipe};

/// Counter mode in pieces, from any byte on: a key and a first counter block, of which the last `BITS` (32 or 128) bits
/// count, big-endian and modulo `2^BITS`. Encryption and decryption are the same. **It authenticates nothing.**
///
/// No counter block is ever used twice under a key, so that messages must not have first counter blocks as near to each other as
/// they are long. There are `2^32` blocks of key stream with 32 bits; with 128 bits positions end
/// at byte `2^128 - 1`. What is beyond is an error. Counter blocks are public: they may show in the time.
///
/// # Examples
/// ```
/// use carryless::{Aes128, hazmat::Ctr};
///
/// let mut text = *b"one, two, three";
/// let mut ctr = Ctr::<Aes128>::from_slice(&[7; 16], &[0; 16])?;
/// ctr.apply_in_place(&mut text[..5])?;
/// ctr.apply_in_place(&mut text[5..])?;
/// ctr.seek(5)?;
/// ctr.apply_in_place(&mut text[5..8])?;
/// assert_eq!(&text[5..8], b"two");
/// # Ok::<(), carryless::error::KeyError>(())
/// ```
#[derive(Clone)]
pub struct Ctr<C: EveryCipher, const BITS: u32 = 128> {
    keys: ZeroedOnDrop<CipherKeys<C>>,
    start: Block,
    position: u128,
    /// The key stream of the block that the text is in the middle of, what is used of it zeroed.
    stream: Block,
}

impl<C: EveryCipher, const BITS: u32> fmt::Debug for Ctr<C, BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ctr")
            .field("cipher", &C::NAME)
            .field("engine", &self.engine())
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

impl<C: EveryCipher, const BITS: u32> Drop for Ctr<C, BITS> {
    fn drop(&mut self) {
        self.stream.zeroize();
    }
}

impl<C: EveryCipher, const BITS: u32> ZeroizeOnDrop for Ctr<C, BITS> {}

impl<C: EveryCipher, const BITS: u32> Ctr<C, BITS> {
    const WIDTH: CounterWidth = match BITS {
        32 => CounterWidth::Bits32,
        128 => CounterWidth::Bits128,
        _ => panic!("a counter has 32 or 128 bits"),
    };

    /// Where the key stream ends.
    const LIMIT: u128 = match Self::WIDTH {
        CounterWidth::Bits32 => 16 << 32,
        CounterWidth::Bits128 => u128::MAX,
    };

    /// Takes a key for the selected engine, and the first counter block of a message.
    ///
    /// # Errors
    /// [`KeyError::Input`] if the key has not the length of the cipher's.
    #[inline(always)]
    pub fn from_slice(key: &[u8], counter: &Block) -> Result<Self, KeyError> {
        Self::with_engine(key, counter, Engine::selected_for_blocks::<C>())
    }

    /// The same for the engine named.
    ///
    /// # Errors
    /// [`KeyError::Input`] for a key of another length, [`KeyError::Engine`] if this machine can't
    /// use the engine.
    #[inline(always)]
    pub fn with_engine(key: &[u8], counter: &Block, engine: Engine) -> Result<Self, KeyError> {
        let _ = Self::LIMIT;
        check_key::<C>(key)?;
        Ok(Self {
            keys: ZeroedOnDrop::new(CipherKeys::with_engine(engine, key)?),
            start: *counter,
            position: 0,
            stream: [0; 16],
        })
    }

    /// The engine that runs.
    pub const fn engine(&self) -> Engine {
        self.keys.get().engine()
    }

    /// Begins another message under the same key.
    pub fn restart(&mut self, counter: &Block) {
        self.start = *counter;
        self.position = 0;
        wipe(&mut self.stream);
    }

    /// The byte of the key stream that comes next.
    pub const fn position(&self) -> u128 {
        self.position
    }

    /// Goes to a byte of the key stream, or to its end.
    ///
    /// # Errors
    /// [`InputError::KeyStream`] for one beyond; the position stays then.
    pub fn seek(&mut self, position: u128) -> Result<(), InputError> {
        Self::check(position)?;
        self.position = position;
        wipe(&mut self.stream);
        self.fill();
        Ok(())
    }

    /// XORs the next bytes of the key stream into `text`.
    ///
    /// # Errors
    /// [`InputError::KeyStream`] if there are not as many; nothing is written then.
    pub fn apply_in_place(&mut self, text: &mut [u8]) -> Result<(), InputError> {
        self.check_remaining(text.len())?;
        self.apply(InOut::in_place(text));
        Ok(())
    }

    /// [`apply_in_place`](Self::apply_in_place) from one buffer to another of the same length.
    ///
    /// # Errors
    /// [`InputError::Output`] if the lengths differ, and as there; nothing is written then.
    pub fn apply_into(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), InputError> {
        let text = between(src, dst)?;
        self.check_remaining(text.len())?;
        self.apply(text);
        Ok(())
    }

    /// Whether there are so many bytes of key stream still.
    pub(super) fn check_remaining(&self, len: usize) -> Result<(), InputError> {
        // What does not fit is more than any limit.
        Self::check(
            self.position
                .checked_add(len as u128)
                .ok_or(InputError::KeyStream {
                    got: u128::MAX,
                    limit: Self::LIMIT,
                })?,
        )
    }

    fn check(got: u128) -> Result<(), InputError> {
        let limit = Self::LIMIT;
        (got <= limit)
            .then_some(())
            .ok_or(InputError::KeyStream { got, limit })
    }

    /// The next bytes; beyond the limit the key stream begins again.
    pub(super) fn apply(&mut self, mut text: InOut<'_>) {
        let used = self.used();
        if used > 0 {
            self.partial(text.split_to(text.len().min(16 - used)));
        }
        if let Some(whole) = text
            .split_to(text.len() & !15)
            .filter(|whole| !whole.is_empty())
        {
            let counter = self.counter();
            self.position = self.position.wrapping_add(whole.len() as u128);
            add_key_stream(self.keys.get(), counter, Self::WIDTH, whole);
        }
        if !text.is_empty() {
            self.stream = self.counter();
            self.keys.get().encrypt_block(&mut self.stream);
            self.partial(Some(text));
        }
    }

    /// Bytes of the block at the position that are before it.
    fn used(&self) -> usize {
        (self.position % 16) as usize
    }

    /// The counter block at the position.
    fn counter(&self) -> Block {
        let blocks = self.position / 16;
        match Self::WIDTH {
            #[expect(clippy::cast_possible_truncation, reason = "modulo 2^32")]
            CounterWidth::Bits32 => Counter::from_block(&self.start)
                .add(blocks as u32)
                .to_block(),
            CounterWidth::Bits128 => further(self.start, blocks),
        }
    }

    /// Makes the key stream of the block at the position, if that is in the middle of one.
    fn fill(&mut self) {
        let used = self.used();
        if used > 0 {
            self.stream = self.counter();
            self.keys.get().encrypt_block(&mut self.stream);
            wipe(&mut self.stream[..used]);
        }
    }

    /// Bytes of one block.
    fn partial(&mut self, text: Option<InOut<'_>>) {
        let Some(mut text) = text else { return };
        let stream = &mut self.stream[(self.position % 16) as usize..][..text.len()];
        for (i, key) in stream.iter().enumerate() {
            let [byte] = text.get(i);
            text.set(i, &[byte ^ key]);
        }
        // What was used is not to lie in a place that this was moved from; the rest never was.
        wipe(stream);
        self.position = self.position.wrapping_add(text.len() as u128);
    }
}

/// The block as a big-endian integer of 128 bits, so many further.
fn further(block: Block, blocks: u128) -> Block {
    u128::from_be_bytes(block)
        .wrapping_add(blocks)
        .to_be_bytes()
}

/// XORs the key stream that starts with the block `counter` into the text. Engines count in 32 bits: a wider counter is
/// carried where these wrap.
pub(super) fn add_key_stream<C: EveryCipher>(
    keys: &CipherKeys<C>,
    mut counter: Block,
    width: CounterWidth,
    mut text: InOut<'_>,
) {
    while !text.is_empty() {
        let until_wrap = (1u64 << 32) - u64::from(Counter::from_block(&counter).count());
        let len = match width {
            CounterWidth::Bits32 => text.len(),
            CounterWidth::Bits128 => usize::try_from(16 * until_wrap)
                .unwrap_or(usize::MAX)
                .min(text.len()),
        };
        let Some(piece) = text.split_to(len) else {
            return;
        };
        keys.public_ctr(Counter::from_block(&counter), piece);
        counter = further(counter, until_wrap.into());
    }
}
