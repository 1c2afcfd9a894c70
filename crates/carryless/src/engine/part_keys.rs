//! Keys of a cipher alone and of a hash alone, of whatever engine made them: for `hazmat`.

use super::{Block, Cipher, Counter, Field, Hash, InOut, Spec};

/// The cipher `Self` alone as the engine `E` runs it.
pub trait CipherOn<E>: Spec {
    /// The expanded key.
    type Enc: Clone + Send + Sync;
    /// See [`Cipher::expand`].
    fn expand(engine: E, key: &[u8]) -> Self::Enc;
    /// See [`Cipher::encrypt`].
    fn encrypt(engine: E, keys: &Self::Enc, blocks: InOut<'_>);
    /// See [`Cipher::ctr`].
    fn ctr(engine: E, keys: &Self::Enc, counter: Counter, text: InOut<'_>);
}

impl<C: Spec, E: Cipher<C>> CipherOn<E> for C {
    type Enc = E::Enc;

    #[inline(always)]
    fn expand(engine: E, key: &[u8]) -> Self::Enc {
        engine.expand(key)
    }
    #[inline(always)]
    fn encrypt(engine: E, keys: &Self::Enc, blocks: InOut<'_>) {
        engine.encrypt(keys, blocks);
    }
    #[inline(always)]
    fn ctr(engine: E, keys: &Self::Enc, counter: Counter, text: InOut<'_>) {
        engine.ctr(keys, counter, text);
    }
}

/// The hash over the field `Self` as the engine `E` runs it.
pub trait HashOn<E>: Field {
    /// The hash key.
    type Key: Clone + Send + Sync;
    /// See [`Hash::key`].
    fn key(engine: E, h: &Block) -> Self::Key;
    /// See [`Hash::absorb`].
    fn absorb(engine: E, key: &Self::Key, acc: &mut Self::Acc, data: &[u8]);
    /// See [`Hash::finish`].
    fn finish(engine: E, key: &Self::Key, acc: Self::Acc) -> Block;
}

impl<F: Field, E: Hash<F>> HashOn<E> for F {
    type Key = E::Key;

    #[inline(always)]
    fn key(engine: E, h: &Block) -> Self::Key {
        engine.key(h)
    }
    #[inline(always)]
    fn absorb(engine: E, key: &Self::Key, acc: &mut F::Acc, data: &[u8]) {
        engine.absorb(key, acc, data);
    }
    #[inline(always)]
    fn finish(engine: E, key: &Self::Key, acc: F::Acc) -> Block {
        engine.finish(key, acc)
    }
}

/// `part_keys! { Name(Token) "description"; .. }`: the keys of a cipher alone, and of a hash alone.
macro_rules! part_keys {
    ($($Name:ident($Token:ty) $description:literal;)+) => {
        /// A cipher that every engine runs.
        pub trait EveryCipher: Spec $(+ CipherOn<$Token>)+ {}
        impl<C: Spec $(+ CipherOn<$Token>)+> EveryCipher for C {}

        /// A hash that every engine runs.
        pub trait EveryHash: Field $(+ HashOn<$Token>)+ {}
        impl<F: Field $(+ HashOn<$Token>)+> EveryHash for F {}

        /// The expanded key of a block cipher, with the engine that made it.
        #[derive(Clone)]
        pub enum CipherKeys<C: EveryCipher> {
            $(#[doc = $description] $Name($Token, <C as CipherOn<$Token>>::Enc),)+
        }

        impl<C: EveryCipher> CipherKeys<C> {
            /// Expands `key` on `engine`.
            #[inline(always)]
            pub fn with_engine(engine: Engine, key: &[u8]) -> Result<Self, Unavailable> {
                engine.availability()?;
                secret::burning::<KEY_FRAMES, _>(|| Ok(match engine {
                    $(Engine::$Name => {
                        let token = <$Token as Backend>::detect().map_err(Unavailable::Missing)?;
                        Self::$Name(token, <C as CipherOn<$Token>>::expand(token, key))
                    })+
                }))
            }
            /// The engine that runs.
            pub const fn engine(&self) -> Engine {
                match self { $(Self::$Name(..) => Engine::$Name,)+ }
            }
            /// See [`Cipher::encrypt`].
            pub fn encrypt(&self, blocks: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => C::encrypt(*engine, keys, blocks),)+ }
            }
            /// See [`Cipher::ctr`].
            pub fn ctr(&self, counter: Counter, text: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => C::ctr(*engine, keys, counter, text),)+ }
            }
        }

        /// A hash key, with the engine that made it.
        #[derive(Clone)]
        pub enum HashKeys<F: EveryHash> {
            $(#[doc = $description] $Name($Token, <F as HashOn<$Token>>::Key),)+
        }

        impl<F: EveryHash> HashKeys<F> {
            /// Prepares the hash key `h` on `engine`.
            #[inline(always)]
            pub fn with_engine(engine: Engine, h: &Block) -> Result<Self, Unavailable> {
                engine.availability()?;
                secret::burning::<KEY_FRAMES, _>(|| Ok(match engine {
                    $(Engine::$Name => {
                        let token = <$Token as Backend>::detect().map_err(Unavailable::Missing)?;
                        Self::$Name(token, <F as HashOn<$Token>>::key(token, h))
                    })+
                }))
            }
            /// The engine that runs.
            pub const fn engine(&self) -> Engine {
                match self { $(Self::$Name(..) => Engine::$Name,)+ }
            }
            /// See [`Hash::absorb`].
            pub fn absorb(&self, acc: &mut F::Acc, data: &[u8]) {
                match self { $(Self::$Name(engine, key) => F::absorb(*engine, key, acc, data),)+ }
            }
            /// See [`Hash::finish`].
            pub fn finish(&self, acc: F::Acc) -> Block {
                match self { $(Self::$Name(engine, key) => F::finish(*engine, key, acc),)+ }
            }
        }
    };
}
