//! Keys of whatever engine made them: one enum for each kind of mode, and the dispatch.

use super::{Aead, BlockCipher, Gf128, Keys};

/// The cipher `Self` in GCM as the engine `E` runs it.
///
/// It turns "the engine runs the cipher" round into "the cipher runs on the engine", so that one bound on the cipher,
/// [`EveryAead`](super::EveryAead), can say it of every engine of the list.
pub trait AeadOn<E>: BlockCipher {
    /// The engine.
    type Engine: Aead<Self, Gf128>;
}

impl<C: BlockCipher, E: Aead<C, Gf128>> AeadOn<E> for C {
    type Engine = E;
}

/// The engine `E`, of which is known that it runs `C`.
pub(super) type Running<C, E> = <C as AeadOn<E>>::Engine;
/// Its keys.
pub(super) type KeysOn<C, E> = Keys<Running<C, E>, C, Gf128>;

/// `aead_keys! { Name(Token) .. }`: the keys of a cipher in GCM.
macro_rules! aead_keys {
    ($($Name:ident($Token:ty))+) => {
        /// A cipher that every engine runs in GCM.
        pub trait EveryAead: KnownAnswer $(+ AeadOn<$Token>)+ {}
        impl<C: KnownAnswer $(+ AeadOn<$Token>)+> EveryAead for C {}

        /// The keys of a GCM key object, with the engine that made them.
        #[derive(Clone)]
        pub enum AeadKeys<C: EveryAead> {
            $(#[doc = concat!("Of [`Engine::", stringify!($Name), "`].")] $Name(Running<C, $Token>, KeysOn<C, $Token>),)+
        }

        impl<C: EveryAead> AeadKeys<C> {
            /// What `wrap` makes of empty keys, in which `set` puts the key: what is moved is no secret yet. `set` gives the address
            /// behind the keys.
            ///
            /// * `engine`: available.
            // In each arm: where the arms meet, keys of any engine would be copied once more at every step.
            #[inline(always)]
            pub fn build_in_place<R>(engine: Engine, wrap: impl FnOnce(Self) -> R, set: impl FnOnce(&mut R) -> usize) -> R {
                match engine {
                    $(Engine::$Name => {
                        let token = <Running<C, $Token> as Backend>::detect().expect("the caller checked");
                        secret::build_in_place(|| wrap(Self::$Name(token, Default::default())), set)
                    })+
                }
            }
            /// Keys by value, on an engine that was tested or not: of the self-test and of tests.
            pub(crate) fn untested(engine: Engine, key: &[u8]) -> Result<Self, Missing> {
                let mut keys = match engine {
                    $(Engine::$Name => Self::$Name(<Running<C, $Token> as Backend>::detect()?, Default::default()),)+
                };
                keys.set(key);
                Ok(keys)
            }
            /// Expands `key` of the cipher's length, here: see [`Aead::set`]. The address behind.
            #[inline(always)]
            pub fn set(&mut self, key: &[u8]) -> usize {
                match self { $(Self::$Name(engine, keys) => {
                    engine.set(keys, key);
                    core::ptr::from_ref(keys).addr() + size_of_val(keys)
                })+ }
            }

            /// Keys whose H is not the encrypted zero block.
            #[cfg(test)]
            pub(super) fn with_h(engine: Engine, key: &[u8], h: &Block) -> Result<Self, Missing> {
                Ok(match engine {
                    $(Engine::$Name => {
                        let token = <Running<C, $Token> as Backend>::detect()?;
                        Self::$Name(token, token.with_h(key, h))
                    })+
                })
            }

            /// The engine that runs.
            #[inline]
            pub const fn engine(&self) -> Engine {
                match self { $(Self::$Name(..) => Engine::$Name,)+ }
            }
            /// Where in the value the keys lie; the rest is padding and which engine it is.
            #[cfg(test)]
            pub(super) fn place(&self) -> core::ops::Range<usize> {
                let start = core::ptr::from_ref(self).addr();
                match self { $(Self::$Name(_, keys) => {
                    let at = core::ptr::from_ref(keys).addr() - start;
                    at..at + size_of_val(keys)
                })+ }
            }
            /// See [`Aead::seal`].
            #[inline(always)]
            pub fn seal(&self, message: Message<'_>, tag: &mut Block) {
                match self { $(Self::$Name(engine, keys) => engine.seal(keys, message, tag),)+ }
            }
            /// See [`Aead::open`].
            #[inline(always)]
            pub fn open(&self, message: Message<'_>, tag: &Tag) -> Choice {
                match self { $(Self::$Name(engine, keys) => engine.open(keys, message, tag),)+ }
            }
            /// See [`Aead::seal_four`].
            #[inline(always)]
            pub fn seal_four(&self, four: Quad<'_, '_>) -> Option<()> {
                match self { $(Self::$Name(engine, keys) => engine.seal_four(keys, four),)+ }
            }
            /// See [`Aead::open_four`].
            #[inline(always)]
            pub fn open_four(&self, four: Quad<'_, '_>) -> Option<Failures> {
                match self { $(Self::$Name(engine, keys) => engine.open_four(keys, four),)+ }
            }
            /// See [`Aead::segment`].
            #[inline(always)]
            pub fn segment<D: Direction>(&self, counter: Counter, text: InOut<'_>, acc: &mut u128) {
                match self { $(Self::$Name(engine, keys) => engine.segment::<D>(keys, counter, text, acc),)+ }
            }
            /// See [`Cipher::encrypt_block`].
            #[inline]
            pub fn encrypt_block(&self, block: &mut Block) {
                match self { $(Self::$Name(engine, keys) => engine.encrypt_block(&keys.enc, block),)+ }
            }
            /// See [`Hash::absorb`].
            #[inline]
            pub fn absorb(&self, acc: &mut u128, data: &[u8]) {
                match self { $(Self::$Name(engine, keys) => engine.absorb(&keys.hash, acc, data),)+ }
            }
            /// See [`Hash::shift`].
            #[inline]
            pub fn shift(&self, acc: &mut u128, blocks: u64) {
                match self { $(Self::$Name(engine, keys) => engine.shift(&keys.hash, acc, blocks),)+ }
            }
            /// See [`Hash::finish`].
            #[inline]
            pub fn finish(&self, acc: u128) -> Block {
                match self { $(Self::$Name(engine, keys) => engine.finish(&keys.hash, acc),)+ }
            }
            /// Seals one message under a new key; see [`Aead::seal`].
            ///
            /// * `engine`: available.
            #[inline]
            pub fn seal_once(engine: Engine, key: &[u8], message: Message<'_>, tag: &mut Block) {
                match engine {
                    $(Engine::$Name => {
                        let token = <Running<C, $Token> as Backend>::detect().expect("the caller checked");
                        token.seal_once(key, message, tag);
                    })+
                }
            }
            /// Opens one message under a new key.
            ///
            /// * `engine`: available.
            #[inline]
            pub fn open_once(engine: Engine, key: &[u8], message: Message<'_>, tag: &Tag) -> Choice {
                match engine {
                    $(Engine::$Name => {
                        let token = <Running<C, $Token> as Backend>::detect().expect("the caller checked");
                        token.open_once(key, message, tag)
                    })+
                }
            }
        }
    };
}
