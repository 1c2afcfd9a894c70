//! Keys of a cipher alone and of a hash alone, of whatever engine made them: for `hazmat`.

use super::{BlockCipher, Cipher, Field, Hash};

/// The cipher `Self` alone as the engine `E` runs it; see [`AeadOn`](super::aead_keys::AeadOn).
pub trait CipherOn<E>: BlockCipher {
    /// The engine.
    type Engine: Cipher<Self>;
}

impl<C: BlockCipher, E: Cipher<C>> CipherOn<E> for C {
    type Engine = E;
}

/// The hash over the field `Self` as the engine `E` runs it.
pub trait HashOn<E>: Field {
    /// The engine.
    type Engine: Hash<Self>;
}

impl<F: Field, E: Hash<F>> HashOn<E> for F {
    type Engine = E;
}

/// `part_keys! { Name(Token) .. }`: the keys of a cipher alone, and of a hash alone.
macro_rules! part_keys {
    ($($Name:ident($Token:ty))+) => {
        /// A cipher that every engine runs.
        pub trait EveryCipher: BlockCipher $(+ CipherOn<$Token>)+ {}
        impl<C: BlockCipher $(+ CipherOn<$Token>)+> EveryCipher for C {}

        /// A hash that every engine runs.
        pub trait EveryHash: Field $(+ HashOn<$Token>)+ {}
        impl<F: Field $(+ HashOn<$Token>)+> EveryHash for F {}

        /// The expanded key of a block cipher, with the engine that made it.
        #[derive(Clone)]
        pub enum CipherKeys<C: EveryCipher> {
            $(#[doc = concat!("Of [`Engine::", stringify!($Name), "`].")] $Name(<C as CipherOn<$Token>>::Engine, <<C as CipherOn<$Token>>::Engine as Cipher<C>>::Enc),)+
        }

        impl<C: EveryCipher> CipherKeys<C> {
            /// Expands `key` on `engine`.
            #[inline(always)]
            pub fn with_engine(engine: Engine, key: &[u8]) -> Result<Self, Unavailable> {
                engine.availability()?;
                secret::then_overwrite_stack::<KEY_FRAMES, _>(|| Ok(match engine {
                    $(Engine::$Name => {
                        let token = <<C as CipherOn<$Token>>::Engine as Backend>::detect().map_err(Unavailable::Missing)?;
                        Self::$Name(token, token.expand(key))
                    })+
                }))
            }
            /// The engine that runs.
            pub const fn engine(&self) -> Engine {
                match self { $(Self::$Name(..) => Engine::$Name,)+ }
            }
            /// See [`Cipher::encrypt`].
            pub fn encrypt(&self, blocks: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => engine.encrypt(keys, blocks),)+ }
            }
            /// See [`Cipher::ctr`].
            pub fn ctr(&self, counter: Counter, text: InOut<'_>) {
                match self { $(Self::$Name(engine, keys) => engine.ctr(keys, counter, text),)+ }
            }
        }

        /// A hash key, with the engine that made it.
        #[derive(Clone)]
        pub enum HashKeys<F: EveryHash> {
            $(#[doc = concat!("Of [`Engine::", stringify!($Name), "`].")] $Name(<F as HashOn<$Token>>::Engine, <<F as HashOn<$Token>>::Engine as Hash<F>>::Key),)+
        }

        impl<F: EveryHash> HashKeys<F> {
            /// Prepares the hash key `h` on `engine`.
            #[inline(always)]
            pub fn with_engine(engine: Engine, h: &Block) -> Result<Self, Unavailable> {
                engine.availability()?;
                secret::then_overwrite_stack::<KEY_FRAMES, _>(|| Ok(match engine {
                    $(Engine::$Name => {
                        let token = <<F as HashOn<$Token>>::Engine as Backend>::detect().map_err(Unavailable::Missing)?;
                        Self::$Name(token, token.key(h))
                    })+
                }))
            }
            /// The engine that runs.
            pub const fn engine(&self) -> Engine {
                match self { $(Self::$Name(..) => Engine::$Name,)+ }
            }
            /// See [`Hash::absorb`].
            pub fn absorb(&self, acc: &mut F::Acc, data: &[u8]) {
                match self { $(Self::$Name(engine, key) => engine.absorb(key, acc, data),)+ }
            }
            /// See [`Hash::finish`].
            pub fn finish(&self, acc: F::Acc) -> Block {
                match self { $(Self::$Name(engine, key) => engine.finish(key, acc),)+ }
            }
        }
    };
}
