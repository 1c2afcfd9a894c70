//! XTS, for storage by sectors (IEEE 1619 section 5; SP 800-38E).

use core::fmt;

use zeroize::ZeroizeOnDrop;

use super::limits::between;
use crate::engine::{
    Aes128, Aes256, Block, BlockCipher, CipherKeys, DataIndependentTiming, DecryptKeys, Engine,
    EveryCipher, InOut, doubled,
};
use crate::error::{InputError, KeyError};
use crate::secret::{Choice, ZeroedOnDrop, equal, wipe};

/// The longest data unit, 2^20 blocks (SP 800-38E section 4).
const MAX_UNIT: usize = 1 << 24;
/// Sectors whose tweaks are encrypted together.
const BATCH: usize = 8;

/// A cipher that IEEE 1619 has.
pub trait XtsCipher: EveryCipher {}
impl XtsCipher for Aes128 {}
impl XtsCipher for Aes256 {}

/// XTS: each data unit (sector) as long as before, and other than at any other place. AES with keys of 16 or 32 bytes, two of
/// which, for the data and for the tweaks, make one key.
///
/// It is for storage that has no room for tags: **it authenticates nothing**. A changed block of ciphertext is a random
/// block of text, and whoever sees two states of a disk sees which blocks changed.
///
/// # Examples
/// ```
/// use carryless::{Aes256, hazmat::Xts};
///
/// let key: [u8; 64] = core::array::from_fn(|i| i as u8);
/// let disk = Xts::<Aes256>::from_slice(&key)?;
/// let mut text = [0; 4 * 512];
/// disk.encrypt_sectors_in_place(1000, 512, &mut text)?;
/// // The second sector alone.
/// disk.decrypt_in_place(&1001_u128.to_le_bytes(), &mut text[512..][..512])?;
/// assert_eq!(text[512..][..512], [0; 512]);
/// # Ok::<(), carryless::error::KeyError>(())
/// ```
#[derive(Clone)]
pub struct Xts<C: XtsCipher> {
    enc: ZeroedOnDrop<CipherKeys<C>>,
    dec: ZeroedOnDrop<DecryptKeys<C>>,
    tweaks: ZeroedOnDrop<CipherKeys<C>>,
}

impl<C: XtsCipher> fmt::Debug for Xts<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Xts")
            .field("cipher", &C::NAME)
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl<C: XtsCipher> ZeroizeOnDrop for Xts<C> {}

impl<C: XtsCipher> Xts<C> {
    /// Takes a key, that for the data and that for the tweaks, for the selected engine.
    ///
    /// # Errors
    /// [`KeyError::Input`] if it has not twice the length of the cipher's keys, or if its halves are equal.
    #[inline(always)]
    pub fn from_slice(key: &[u8]) -> Result<Self, KeyError> {
        Self::with_engine(key, Engine::selected_for_blocks::<C>())
    }

    /// The same for the engine named.
    ///
    /// # Errors
    /// As there, and [`KeyError::Engine`] if this machine can't use the engine.
    #[inline(always)]
    pub fn with_engine(key: &[u8], engine: Engine) -> Result<Self, KeyError> {
        let (data, tweaks) = halves::<C>(key)?;
        Ok(Self {
            enc: ZeroedOnDrop::new(CipherKeys::with_engine(engine, data)?),
            dec: ZeroedOnDrop::new(DecryptKeys::with_engine(engine, data)?),
            tweaks: ZeroedOnDrop::new(CipherKeys::with_engine(engine, tweaks)?),
        })
    }

    /// The engine that runs.
    pub const fn engine(&self) -> Engine {
        self.enc.get().engine()
    }

    /// Encrypts one data unit where it stands: 16 bytes to 2^24, with ciphertext stealing if it is not whole blocks.
    ///
    /// `tweak` is its number, little-endian, or whatever makes it differ from the others; it need not be secret.
    ///
    /// # Errors
    /// [`InputError::DataUnit`] for another length; nothing is written then.
    pub fn encrypt_in_place(&self, tweak: &Block, text: &mut [u8]) -> Result<(), InputError> {
        self.one::<false>(tweak, InOut::in_place(text))
    }

    /// [`encrypt_in_place`](Self::encrypt_in_place) from one buffer to another of the same length.
    ///
    /// # Errors
    /// [`InputError::Output`] if the lengths differ, and as there; nothing is written then.
    pub fn encrypt_into(
        &self,
        tweak: &Block,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), InputError> {
        self.one::<false>(tweak, between(src, dst)?)
    }

    /// Decrypts one data unit where it stands.
    ///
    /// # Errors
    /// As [`encrypt_in_place`](Self::encrypt_in_place).
    pub fn decrypt_in_place(&self, tweak: &Block, text: &mut [u8]) -> Result<(), InputError> {
        self.one::<true>(tweak, InOut::in_place(text))
    }

    /// Decrypts one data unit from one buffer to another of the same length.
    ///
    /// # Errors
    /// As [`encrypt_into`](Self::encrypt_into).
    pub fn decrypt_into(
        &self,
        tweak: &Block,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), InputError> {
        self.one::<true>(tweak, between(src, dst)?)
    }

    /// Encrypts a run of sectors of `sector_len` bytes each where they stand. Their tweaks are their numbers, from `first` on, in
    /// little-endian order.
    ///
    /// # Errors
    /// [`InputError::DataUnit`] for such a length of a sector, [`InputError::PartialSector`] for text that is not whole
    /// ones; nothing is written then.
    pub fn encrypt_sectors_in_place(
        &self,
        first: u64,
        sector_len: usize,
        text: &mut [u8],
    ) -> Result<(), InputError> {
        self.run::<false>(first, sector_len, InOut::in_place(text))
    }

    /// [`encrypt_sectors_in_place`](Self::encrypt_sectors_in_place) from one buffer to another of the same length.
    ///
    /// # Errors
    /// [`InputError::Output`] if the lengths differ, and as there; nothing is written then.
    pub fn encrypt_sectors_into(
        &self,
        first: u64,
        sector_len: usize,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), InputError> {
        self.run::<false>(first, sector_len, between(src, dst)?)
    }

    /// Decrypts a run of sectors where they stand.
    ///
    /// # Errors
    /// As [`encrypt_sectors_in_place`](Self::encrypt_sectors_in_place).
    pub fn decrypt_sectors_in_place(
        &self,
        first: u64,
        sector_len: usize,
        text: &mut [u8],
    ) -> Result<(), InputError> {
        self.run::<true>(first, sector_len, InOut::in_place(text))
    }

    /// Decrypts a run of sectors from one buffer to another of the same length.
    ///
    /// # Errors
    /// As [`encrypt_sectors_into`](Self::encrypt_sectors_into).
    pub fn decrypt_sectors_into(
        &self,
        first: u64,
        sector_len: usize,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), InputError> {
        self.run::<true>(first, sector_len, between(src, dst)?)
    }

    fn one<const INVERSE: bool>(&self, tweak: &Block, text: InOut<'_>) -> Result<(), InputError> {
        check_unit(text.len())?;
        let mut tweak = *tweak;
        self.tweaks.get().encrypt_block(&mut tweak);
        self.unit::<INVERSE>(&mut tweak, text);
        wipe(&mut tweak);
        Ok(())
    }

    fn run<const INVERSE: bool>(
        &self,
        first: u64,
        sector_len: usize,
        mut text: InOut<'_>,
    ) -> Result<(), InputError> {
        check_unit(sector_len)?;
        let (got, sector) = (text.len(), sector_len);
        if !got.is_multiple_of(sector) {
            return Err(InputError::PartialSector { got, sector });
        }
        let _timing = DataIndependentTiming::begin();
        let mut number = u128::from(first);
        let mut tweaks = [[0; 16]; BATCH];
        while !text.is_empty() {
            let tweaks = &mut tweaks[..(text.len() / sector).min(BATCH)];
            for tweak in &mut *tweaks {
                *tweak = number.to_le_bytes();
                number += 1;
            }
            let blocks = InOut::in_place(tweaks.as_flattened_mut());
            self.tweaks.get().encrypt(blocks);
            for tweak in tweaks {
                let Some(text) = text.split_to(sector) else {
                    break;
                };
                self.unit::<INVERSE>(tweak, text);
            }
        }
        wipe(&mut tweaks);
        Ok(())
    }

    /// A data unit under a tweak that is encrypted, and that of another block then.
    ///
    /// Of text that is not whole blocks the last whole one is encrypted and gives its beginning to the end, and what is
    /// left of it goes, behind the last bytes of text, through another encryption (IEEE 1619 section 5.3.2). The way back takes
    /// the two tweaks in the other order.
    fn unit<const INVERSE: bool>(&self, tweak: &mut Block, mut text: InOut<'_>) {
        let rest = text.len() % 16;
        let stolen = if rest > 0 { 16 + rest } else { 0 };
        if let Some(whole) = text.split_to(text.len() - stolen) {
            self.blocks::<INVERSE>(tweak, whole);
        }
        if let Some(mut place) = text.split_to(16) {
            let mut tweaks = [*tweak, doubled(*tweak)];
            if INVERSE {
                tweaks.swap(0, 1);
            }
            let mut before: Block = place.get(0);
            self.blocks::<INVERSE>(&mut tweaks[0], InOut::in_place(&mut before));
            let mut last = before;
            last[..rest].copy_from_slice(text.source());
            self.blocks::<INVERSE>(&mut tweaks[1], InOut::in_place(&mut last));
            place.set(0, &last);
            text.into_written().copy_from_slice(&before[..rest]);
            wipe(&mut before);
            wipe(&mut last);
            wipe(&mut tweaks);
        }
    }

    fn blocks<const INVERSE: bool>(&self, tweak: &mut Block, text: InOut<'_>) {
        if INVERSE {
            self.dec.get().decrypt_xts(tweak, text);
        } else {
            self.enc.get().encrypt_xts(tweak, text);
        }
    }
}

/// Fails for what is no data unit.
fn check_unit(got: usize) -> Result<(), InputError> {
    (16..=MAX_UNIT)
        .contains(&got)
        .then_some(())
        .ok_or(InputError::DataUnit { got })
}

/// The key for the data, and that for the tweaks.
fn halves<C: BlockCipher>(key: &[u8]) -> Result<(&[u8], &[u8]), InputError> {
    let (got, expected) = (key.len(), 2 * C::KEY_LEN);
    if got != expected {
        return Err(InputError::Key { got, expected });
    }
    let (data, tweaks) = key.split_at(C::KEY_LEN);
    // Such a key is refused: that is no secret.
    if are_equal(data, tweaks).publish() {
        return Err(InputError::EqualHalves);
    }
    Ok((data, tweaks))
}

/// Whether two keys, of whole blocks, are equal.
fn are_equal(a: &[u8], b: &[u8]) -> Choice {
    let mut difference = [0; 16];
    for (a, b) in a.chunks(16).zip(b.chunks(16)) {
        for ((difference, a), b) in difference.iter_mut().zip(a).zip(b) {
            *difference |= a ^ b;
        }
    }
    let equal = equal(&difference, &[0; 16], 16);
    wipe(&mut difference);
    equal
}
