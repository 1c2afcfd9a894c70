//! Keys of a cipher alone and of a hash alone, of whatever engine made them: what modes beside GCM rest on.

use super::{BlockCipher, Siv};
#[cfg(any(feature = "hazmat", feature = "sgcm"))]
use super::{Field, Hash};

/// The cipher `Self` alone as the engine `E` runs it; see [`AeadOn`](super::aead_keys::AeadOn).
pub trait CipherOn<E>: BlockCipher {
    /// The engine.
    type Engine: Siv<Self>;
}

impl<C: BlockCipher, E: Siv<C>> CipherOn<E> for C {
    type Engine = E;
}

/// What a mode does with the engine of a key where one call is not all: it is compiled for each engine, and chosen once.
pub trait Work<C: BlockCipher> {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<E: Siv<C>>(self, engine: E, keys: &E::Enc) -> Self::Output;
}

/// The engine `E`, of which is known that it runs the modes of `C`.
pub(super) type Blocks<C, E> = <C as CipherOn<E>>::Engine;

#[cfg(any(feature = "hazmat", feature = "sgcm"))]
/// The hash over the field `Self` as the engine `E` runs it.
pub trait HashOn<E>: Field {
    /// The engine.
    type Engine: Hash<Self>;
}

#[cfg(any(feature = "hazmat", feature = "sgcm"))]
impl<F: Field, E: Hash<F>> HashOn<E> for F {
    type Engine = E;
}

/// `part_keys! { Name(Token) .. }`: the keys of a cipher alone, for either direction, and of a hash alone.
macro_rules! part_keys {
    ($($Name:ident($Token:ty))+) => {
        /// A cipher that every engine runs.
        pub trait EveryCipher: KnownBlocks $(+ CipherOn<$Token>)+ {}
        impl<C: KnownBlocks $(+ CipherOn<$Token>)+> EveryCipher for C {}

        /// The expanded key of a block cipher, with the engine that made it.
        #[derive(Clone)]
        pub enum CipherKeys<C: EveryCipher> {
            $(#[doc = concat!("Of [`Engine::", stringify!($Name), "`].")] $Name(Blocks<C, $Token>, <Blocks<C, $Token> as Cipher<C>>::Enc),)+
        }

        impl<C: EveryCipher> CipherKeys<C> {
            /// Expands `key` of the cipher's length on `engine`.
            ///
            /// # Errors
            /// The reason why this machine can't use the engine.
            #[inline(always)]
            pub fn with_engine(engine: Engine, key: &[u8]) -> Result<Self, Unavailable> {
                engine.runs_blocks::<C>()?;
                Self::untested(engine, key).map_err(Unavailable::Missing)
            }
            /// The same for chains alone, whose self-test is shorter.
            ///
            /// # Errors
            /// The reason why this machine can't use the engine.
            #[inline(always)]
            pub fn for_chains(engine: Engine, key: &[u8]) -> Result<Self, Unavailable> {
                engine.runs_chains::<C>()?;
                Self::untested(engine, key).map_err(Unavailable::Missing)
            }
            /// The same, tested or not.
            #[inline(always)]
            pub(super) fn untested(engine: Engine, key: &[u8]) -> Result<Self, Missing> {
                secret::then_overwrite_stack::<KEY_FRAMES, _>(|| Ok(match engine {
                    $(Engine::$Name => {
                        let token = <Blocks<C, $Token> as Backend>::detect()?;
                        Self::$Name(token, token.expand(key))
                    })+
                }))
            }
            /// The same for AES-GCM-SIV, whose self-test covers what it takes of the cipher.
            ///
            /// # Errors
            /// The reason why this machine can't use the engine.
            #[inline(always)]
            pub fn for_siv(engine: Engine, key: &[u8]) -> Result<Self, Unavailable> where C: KnownSiv {
                engine.runs_siv::<C>()?;
                Self::untested(engine, key).map_err(Unavailable::Missing)
            }
            /// Without a key yet.
            ///
            /// # Errors
            /// The reason why this machine can't use the engine.
            #[cfg(feature = "sgcm")]
            #[inline(always)]
            pub fn empty(engine: Engine) -> Result<Self, Unavailable> {
                engine.runs_blocks::<C>()?;
                Ok(match engine {
                    $(Engine::$Name => Self::$Name(<Blocks<C, $Token> as Backend>::detect().map_err(Unavailable::Missing)?, Default::default()),)+
                })
            }
            /// Expands `key` of the cipher's length, here.
            #[cfg(feature = "sgcm")]
            #[inline(always)]
            pub fn set(&mut self, key: &[u8]) {
                match self { $(Self::$Name(engine, keys) => secret::then_overwrite_stack::<KEY_FRAMES, _>(|| *keys = engine.expand(key)),)+ }
            }
            /// The engine that runs.
            pub const fn engine(&self) -> Engine {
                match self { $(Self::$Name(..) => Engine::$Name,)+ }
            }
            /// Where in memory the keys lie.
            #[cfg(test)]
            pub(super) fn place(&self) -> core::ops::Range<usize> {
                match self { $(Self::$Name(_, keys) => {
                    let at = core::ptr::from_ref(keys).addr();
                    at..at + size_of_val(keys)
                })+ }
            }
            /// Has the engine do `work`.
            #[inline(always)]
            pub fn run<W: Work<C>>(&self, work: W) -> W::Output {
                match self { $(Self::$Name(engine, keys) => work.run(*engine, keys),)+ }
            }
            /// See [`Cipher::encrypt`].
            pub fn encrypt(&self, blocks: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => engine.encrypt(keys, blocks),)+ }
            }
            /// See [`Cipher::encrypt_block`].
            pub fn encrypt_block(&self, block: &mut Block) {
                match self { $(Self::$Name(engine, keys) => engine.encrypt_block(keys, block),)+ }
            }
            /// See [`Cipher::ctr`].
            pub fn ctr(&self, counter: Counter, text: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => engine.ctr(keys, counter, text),)+ }
            }
            /// See [`Modes::public_ctr`].
            pub fn public_ctr(&self, counter: Counter, text: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => engine.public_ctr(keys, counter, text),)+ }
            }
            /// See [`Modes::ctr_little`].
            pub fn ctr_little(&self, counter: LittleCounter, text: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => engine.ctr_little(keys, counter, text),)+ }
            }
            /// See [`Modes::encrypt_cbc`].
            pub fn encrypt_cbc(&self, chain: &mut Block, text: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => engine.encrypt_cbc(keys, chain, text),)+ }
            }
            /// See [`Modes::mac_cbc`].
            pub fn mac_cbc(&self, chain: &mut Block, data: &[u8]) {
                match self { $(Self::$Name(engine, keys) => engine.mac_cbc(keys, chain, data),)+ }
            }
            /// See [`Modes::encrypt_cbc_each`].
            pub fn encrypt_cbc_each(&self, chains: &mut [Block; CHAINS], texts: [InOut<'_>; CHAINS]) {
                match self { $(Self::$Name(engine, keys) => engine.encrypt_cbc_each(keys, chains, texts),)+ }
            }
            /// See [`Modes::mac_cbc_each`].
            pub fn mac_cbc_each(&self, chains: &mut [Block; CHAINS], data: [&[u8]; CHAINS]) {
                match self { $(Self::$Name(engine, keys) => engine.mac_cbc_each(keys, chains, data),)+ }
            }
            /// See [`Modes::ccm`].
            pub fn ccm(&self, counter: Counter, chain: &mut Block, text: InOut<'_>, seal: bool) {
                match self { $(Self::$Name(engine, keys) => engine.ccm(keys, counter, chain, text, seal),)+ }
            }
            /// See [`Modes::encrypt_xts`].
            pub fn encrypt_xts(&self, tweak: &mut Block, text: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => engine.encrypt_xts(keys, tweak, text),)+ }
            }
        }

        /// The expanded key of a block cipher for decryption.
        #[derive(Clone)]
        pub enum DecryptKeys<C: EveryCipher> {
            $(#[doc = concat!("Of [`Engine::", stringify!($Name), "`].")] $Name(Blocks<C, $Token>, <Blocks<C, $Token> as Decrypt<C>>::Dec),)+
        }

        impl<C: EveryCipher> DecryptKeys<C> {
            /// Expands `key` of the cipher's length on `engine`.
            ///
            /// # Errors
            /// The reason why this machine can't use the engine.
            #[cfg(feature = "hazmat")]
            #[inline(always)]
            pub fn with_engine(engine: Engine, key: &[u8]) -> Result<Self, Unavailable> {
                engine.runs_blocks::<C>()?;
                Self::untested(engine, key).map_err(Unavailable::Missing)
            }
            /// The same, tested or not.
            #[inline(always)]
            pub(super) fn untested(engine: Engine, key: &[u8]) -> Result<Self, Missing> {
                secret::then_overwrite_stack::<KEY_FRAMES, _>(|| Ok(match engine {
                    $(Engine::$Name => {
                        let token = <Blocks<C, $Token> as Backend>::detect()?;
                        Self::$Name(token, token.expand_inverse(key))
                    })+
                }))
            }
            /// Where in memory the keys lie.
            #[cfg(test)]
            pub(super) fn place(&self) -> core::ops::Range<usize> {
                match self { $(Self::$Name(_, keys) => {
                    let at = core::ptr::from_ref(keys).addr();
                    at..at + size_of_val(keys)
                })+ }
            }
            /// The engine that runs.
            #[cfg(feature = "hazmat")]
            pub const fn engine(&self) -> Engine {
                match self { $(Self::$Name(..) => Engine::$Name,)+ }
            }
            /// See [`Decrypt::decrypt`].
            pub fn decrypt(&self, blocks: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => engine.decrypt(keys, blocks),)+ }
            }
            /// See [`Modes::decrypt_cbc`].
            pub fn decrypt_cbc(&self, chain: &mut Block, text: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => engine.decrypt_cbc(keys, chain, text),)+ }
            }
            /// See [`Modes::decrypt_xts`].
            pub fn decrypt_xts(&self, tweak: &mut Block, text: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => engine.decrypt_xts(keys, tweak, text),)+ }
            }
        }

        #[cfg(any(feature = "hazmat", feature = "sgcm"))]
        hash_keys! { $($Name($Token))+ }
    };
}

/// `hash_keys! { Name(Token) .. }`: the keys of a hash alone.
#[cfg(any(feature = "hazmat", feature = "sgcm"))]
macro_rules! hash_keys {
    ($($Name:ident($Token:ty))+) => {
        /// A hash that every engine runs.
        pub trait EveryHash: Field $(+ HashOn<$Token>)+ {}
        impl<F: Field $(+ HashOn<$Token>)+> EveryHash for F {}

        /// A hash key, with the engine that made it.
        #[derive(Clone)]
        pub enum HashKeys<F: EveryHash> {
            $(#[doc = concat!("Of [`Engine::", stringify!($Name), "`].")] $Name(<F as HashOn<$Token>>::Engine, <<F as HashOn<$Token>>::Engine as Hash<F>>::Key),)+
        }

        impl<F: EveryHash> HashKeys<F> {
            /// Prepares the hash key `h` on `engine`, which passed the self-test of the hash.
            #[inline(always)]
            pub fn with_engine(engine: Engine, h: &Block) -> Result<Self, Unavailable> {
                secret::then_overwrite_stack::<KEY_FRAMES, _>(|| Ok(match engine {
                    $(Engine::$Name => {
                        let token = <<F as HashOn<$Token>>::Engine as Backend>::detect().map_err(Unavailable::Missing)?;
                        Self::$Name(token, token.key(h))
                    })+
                }))
            }
            /// Without a key yet.
            ///
            /// # Errors
            /// The reason why this machine can't use the engine.
            #[cfg(feature = "sgcm")]
            #[inline(always)]
            pub fn empty(engine: Engine) -> Result<Self, Unavailable> {
                Ok(match engine {
                    $(Engine::$Name => Self::$Name(<<F as HashOn<$Token>>::Engine as Backend>::detect().map_err(Unavailable::Missing)?, Default::default()),)+
                })
            }
            /// Prepares the hash key `h`, here.
            #[cfg(feature = "sgcm")]
            #[inline(always)]
            pub fn set(&mut self, h: &Block) {
                match self { $(Self::$Name(engine, key) => secret::then_overwrite_stack::<KEY_FRAMES, _>(|| *key = engine.key(h)),)+ }
            }
            /// The engine that runs.
            #[cfg(feature = "hazmat")]
            pub const fn engine(&self) -> Engine {
                match self { $(Self::$Name(..) => Engine::$Name,)+ }
            }
            /// Where in memory the key lies.
            #[cfg(test)]
            pub(super) fn place(&self) -> core::ops::Range<usize> {
                match self { $(Self::$Name(_, key) => {
                    let at = core::ptr::from_ref(key).addr();
                    at..at + size_of_val(key)
                })+ }
            }
            /// See [`Hash::absorb`].
            pub fn absorb(&self, acc: &mut F::Acc, data: &[u8]) {
                match self { $(Self::$Name(engine, key) => engine.absorb(key, acc, data),)+ }
            }
            /// See [`Hash::message`].
            #[cfg(feature = "sgcm")]
            pub fn message(&self, aad: &[u8], ciphertext: &[u8]) -> F::Acc {
                match self { $(Self::$Name(engine, key) => engine.message(key, aad, ciphertext),)+ }
            }
            /// See [`Hash::finish`].
            pub fn finish(&self, acc: F::Acc) -> Block {
                match self { $(Self::$Name(engine, key) => engine.finish(key, acc),)+ }
            }
        }
    };
}
