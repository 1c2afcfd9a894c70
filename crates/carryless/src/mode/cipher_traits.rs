//! The traits of the `cipher` crate, so that generic code takes the block cipher, CBC and CTR, and the modes of other crates run
//! over this block cipher.

use cipher::consts::{U16, U64};
use cipher::inout::{InOut as Place, InOutBuf};
use cipher::{
    AlgorithmName, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockModeDecBackend,
    BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend, BlockModeEncClosure,
    BlockModeEncrypt, BlockSizeUser, Iv, IvSizeUser, Key, KeyInit, KeyIvInit, KeySizeUser,
    OverflowError, ParBlocks, ParBlocksSizeUser, SeekNum, StreamCipher, StreamCipherError,
    StreamCipherSeek,
};

use super::cbc::{CbcDecryptor, CbcEncryptor};
use super::cipher::BlockCipher;
use super::ctr::Ctr;
use super::key_size::TypedKey;
use crate::engine::{EveryCipher, InOut};

/// What does the work of a type below: whole blocks, as many as come, in one call of an engine.
struct Worker<F>(F);

impl<F> BlockSizeUser for Worker<F> {
    type BlockSize = U16;
}

impl<F> ParBlocksSizeUser for Worker<F> {
    /// Two turns of the widest engine.
    type ParBlocksSize = U64;
}

/// `backend! { Trait(&self or &mut self, Fn or FnMut) one many tail }`
macro_rules! backend {
    ($Backend:ident([$($me:tt)+] $me_again:ident $Fn:ident) $one:ident $many:ident $tail:ident) => {
        impl<F: $Fn(InOut<'_>)> $Backend for Worker<F> {
            #[inline]
            fn $one($($me)+, block: Place<'_, '_, Block<Self>>) {
                ($me_again.0)(block.into_buf().into());
            }
            #[inline]
            fn $many($($me)+, blocks: Place<'_, '_, ParBlocks<Self>>) {
                ($me_again.0)(blocks.into_buf().into());
            }
            #[inline]
            fn $tail($($me)+, blocks: InOutBuf<'_, '_, Block<Self>>) {
                ($me_again.0)(blocks.into());
            }
        }
    };
}

backend! { BlockCipherEncBackend([&self] self Fn) encrypt_block encrypt_par_blocks encrypt_tail_blocks }
backend! { BlockCipherDecBackend([&self] self Fn) decrypt_block decrypt_par_blocks decrypt_tail_blocks }
backend! { BlockModeEncBackend([&mut self] self FnMut) encrypt_block encrypt_par_blocks encrypt_tail_blocks }
backend! { BlockModeDecBackend([&mut self] self FnMut) decrypt_block decrypt_par_blocks decrypt_tail_blocks }

impl<C: EveryCipher + TypedKey> KeySizeUser for BlockCipher<C> {
    type KeySize = C::KeySize;
}

impl<C: EveryCipher + TypedKey> KeyInit for BlockCipher<C> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        Self::from_slice(key).expect(FITS)
    }
}

/// Why no constructor can fail.
const FITS: &str = "the type has the key's length, and the selected engine is there";

impl<C: EveryCipher> AlgorithmName for BlockCipher<C> {
    fn write_alg_name(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(C::NAME)
    }
}

impl<C: EveryCipher> BlockSizeUser for BlockCipher<C> {
    type BlockSize = U16;
}

impl<C: EveryCipher> BlockCipherEncrypt for BlockCipher<C> {
    #[inline]
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        f.call(&Worker(|blocks: InOut<'_>| self.keys.get().encrypt(blocks)));
    }
}

impl<C: EveryCipher> BlockCipherDecrypt for BlockCipher<C> {
    #[inline]
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        f.call(&Worker(|blocks: InOut<'_>| {
            self.inverse.get().decrypt(blocks)
        }));
    }
}

/// `with_iv! { Type [parameters] [arguments] }`: what is made of a key and a block.
macro_rules! with_iv {
    ($Type:ident [$($parameters:tt)*] [$($arguments:tt)*]) => {
        impl<C: EveryCipher + TypedKey, $($parameters)*> KeySizeUser for $Type<C, $($arguments)*> {
            type KeySize = C::KeySize;
        }

        impl<C: EveryCipher, $($parameters)*> IvSizeUser for $Type<C, $($arguments)*> {
            type IvSize = U16;
        }

        impl<C: EveryCipher + TypedKey, $($parameters)*> KeyIvInit for $Type<C, $($arguments)*> {
            #[inline]
            fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
                Self::from_slice(key, &iv.0).expect(FITS)
            }
        }
    };
}

with_iv! { CbcEncryptor [] [] }
with_iv! { CbcDecryptor [] [] }
with_iv! { Ctr [const BITS: u32] [BITS] }

impl<C: EveryCipher> BlockSizeUser for CbcEncryptor<C> {
    type BlockSize = U16;
}

impl<C: EveryCipher> BlockModeEncrypt for CbcEncryptor<C> {
    #[inline]
    fn encrypt_with_backend(&mut self, f: impl BlockModeEncClosure<BlockSize = U16>) {
        f.call(&mut Worker(|blocks: InOut<'_>| self.run(blocks)));
    }
}

impl<C: EveryCipher> BlockSizeUser for CbcDecryptor<C> {
    type BlockSize = U16;
}

impl<C: EveryCipher> BlockModeDecrypt for CbcDecryptor<C> {
    #[inline]
    fn decrypt_with_backend(&mut self, f: impl BlockModeDecClosure<BlockSize = U16>) {
        f.call(&mut Worker(|blocks: InOut<'_>| self.run(blocks)));
    }
}

impl<C: EveryCipher, const BITS: u32> StreamCipher for Ctr<C, BITS> {
    #[inline]
    fn check_remaining(&self, data_len: usize) -> Result<(), StreamCipherError> {
        self.check_remaining(data_len)
            .map_err(|_| StreamCipherError)
    }

    #[inline]
    fn unchecked_apply_keystream_inout(&mut self, text: InOutBuf<'_, '_, u8>) {
        self.apply(text.into());
    }

    #[inline]
    fn unchecked_write_keystream(&mut self, stream: &mut [u8]) {
        stream.fill(0);
        self.apply(InOut::in_place(stream));
    }
}

impl<C: EveryCipher, const BITS: u32> StreamCipherSeek for Ctr<C, BITS> {
    fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
        // The trait asks for the number of blocks begun, and for the bytes of the last one that are used, 1 to 16.
        let position = self.position();
        let bytes = match (position % 16) as u8 {
            0 => 16,
            bytes => bytes,
        };
        T::from_block_byte(position.div_ceil(16), bytes, 16)
    }

    fn try_seek<T: SeekNum>(&mut self, position: T) -> Result<(), StreamCipherError> {
        let (blocks, bytes) = position.into_block_byte::<u128>(16)?;
        self.seek(16 * blocks + u128::from(bytes))
            .map_err(|_| StreamCipherError)
    }
}
