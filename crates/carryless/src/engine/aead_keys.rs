//! Keys of whatever engine made them: one enum for each kind of mode, and the dispatch.
//!
//! A trait such as [`AeadOn`] turns "the engine runs the cipher" round into "the cipher runs on the
//! engine", so that one bound on the cipher can say it of every engine of the list.

use super::{Aead, Block, Counter, Direction, Four, Gf128, InOut, Keys, Message, Spec, Tag};
use crate::secret::{Choice, Failures};

/// The cipher `Self` in GCM as the engine `E` runs it: what [`EveryAead`] says of all engines at once.
pub trait AeadOn<E>: Spec {
    /// Both keys.
    type Keys: Clone + Default + Send + Sync;
    /// See [`Aead::set`].
    fn set(engine: E, keys: &mut Self::Keys, key: &[u8]);
    /// See [`Aead::with_h`].
    #[cfg(test)]
    fn with_h(engine: E, key: &[u8], h: &Block) -> Self::Keys;
    /// See [`Aead::seal`].
    fn seal(engine: E, keys: &Self::Keys, message: Message<'_>) -> Block;
    /// See [`Aead::open`].
    fn open(engine: E, keys: &Self::Keys, message: Message<'_>, tag: &Tag) -> Choice;
    /// See [`Aead::seal_four`].
    fn seal_four(engine: E, keys: &Self::Keys, four: Four<'_, '_>) -> Option<()>;
    /// See [`Aead::open_four`].
    fn open_four(engine: E, keys: &Self::Keys, four: Four<'_, '_>) -> Option<Failures>;
    /// See [`Aead::seal_once`].
    fn seal_once(engine: E, key: &[u8], message: Message<'_>) -> Block;
    /// See [`Aead::open_once`].
    fn open_once(engine: E, key: &[u8], message: Message<'_>, tag: &Tag) -> Choice;
    /// See [`Aead::segment`].
    fn segment<D: Direction>(
        engine: E,
        keys: &Self::Keys,
        counter: Counter,
        text: InOut<'_>,
        acc: &mut u128,
    );
    /// See [`Cipher::encrypt_block`].
    fn encrypt_block(engine: E, keys: &Self::Keys, block: &mut Block);
    /// See [`Hash::absorb`].
    fn absorb(engine: E, keys: &Self::Keys, acc: &mut u128, data: &[u8]);
    /// See [`Hash::shift`].
    fn shift(engine: E, keys: &Self::Keys, acc: &mut u128, blocks: u64);
    /// See [`Hash::finish`].
    fn finish(engine: E, keys: &Self::Keys, acc: u128) -> Block;
}

impl<C: Spec, E: Aead<C, Gf128>> AeadOn<E> for C {
    type Keys = Keys<E, C, Gf128>;

    #[inline(always)]
    fn set(engine: E, keys: &mut Self::Keys, key: &[u8]) {
        engine.set(keys, key);
    }
    #[cfg(test)]
    fn with_h(engine: E, key: &[u8], h: &Block) -> Self::Keys {
        engine.with_h(key, h)
    }
    #[inline(always)]
    fn seal(engine: E, keys: &Self::Keys, message: Message<'_>) -> Block {
        engine.seal(keys, message)
    }
    #[inline(always)]
    fn open(engine: E, keys: &Self::Keys, message: Message<'_>, tag: &Tag) -> Choice {
        engine.open(keys, message, tag)
    }
    #[inline(always)]
    fn seal_four(engine: E, keys: &Self::Keys, four: Four<'_, '_>) -> Option<()> {
        engine.seal_four(keys, four)
    }
    #[inline(always)]
    fn open_four(engine: E, keys: &Self::Keys, four: Four<'_, '_>) -> Option<Failures> {
        engine.open_four(keys, four)
    }
    #[inline(always)]
    fn seal_once(engine: E, key: &[u8], message: Message<'_>) -> Block {
        engine.seal_once(key, message)
    }
    #[inline(always)]
    fn open_once(engine: E, key: &[u8], message: Message<'_>, tag: &Tag) -> Choice {
        engine.open_once(key, message, tag)
    }
    #[inline(always)]
    fn segment<D: Direction>(
        engine: E,
        keys: &Self::Keys,
        counter: Counter,
        text: InOut<'_>,
        acc: &mut u128,
    ) {
        engine.segment::<D>(keys, counter, text, acc);
    }
    #[inline(always)]
    fn encrypt_block(engine: E, keys: &Self::Keys, block: &mut Block) {
        engine.encrypt_block(&keys.enc, block);
    }
    #[inline(always)]
    fn absorb(engine: E, keys: &Self::Keys, acc: &mut u128, data: &[u8]) {
        engine.absorb(&keys.hash, acc, data);
    }
    #[inline(always)]
    fn shift(engine: E, keys: &Self::Keys, acc: &mut u128, blocks: u64) {
        engine.shift(&keys.hash, acc, blocks);
    }
    #[inline(always)]
    fn finish(engine: E, keys: &Self::Keys, acc: u128) -> Block {
        engine.finish(&keys.hash, acc)
    }
}

/// `aead_keys! { Name(Token) "description"; .. }`: the keys of a cipher in GCM.
macro_rules! aead_keys {
    ($($Name:ident($Token:ty) $description:literal;)+) => {
        /// A cipher that every engine runs in GCM.
        pub trait EveryAead: Spec $(+ AeadOn<$Token>)+ {}
        impl<C: Spec $(+ AeadOn<$Token>)+> EveryAead for C {}

        /// The keys of a GCM key object, with the engine that made them.
        #[derive(Clone)]
        pub enum AeadKeys<C: EveryAead> {
            $(#[doc = $description] $Name($Token, <C as AeadOn<$Token>>::Keys),)+
        }

        impl<C: EveryAead> AeadKeys<C> {
            /// What `wrap` makes of empty keys, in which `set` puts the key: what is moved is no secret yet.
            ///
            /// * `engine`: available.
            // In each arm: where the arms meet, keys of any engine would be copied once more at every step.
            #[inline(always)]
            pub fn made<R>(engine: Engine, wrap: impl FnOnce(Self) -> R, set: impl FnOnce(&mut R)) -> R {
                match engine {
                    $(Engine::$Name => {
                        let token = <$Token as Backend>::detect().expect("the caller checked");
                        secret::made(|| wrap(Self::$Name(token, Default::default())), set)
                    })+
                }
            }
            /// Keys by value, on an engine that was tested or not: of the self-test and of tests.
            pub(crate) fn untested(engine: Engine, key: &[u8]) -> Result<Self, Missing> {
                let mut keys = match engine {
                    $(Engine::$Name => Self::$Name(<$Token as Backend>::detect()?, Default::default()),)+
                };
                keys.set(key);
                Ok(keys)
            }
            /// Expands `key` of the cipher's length, here: see [`Aead::set`].
            #[inline(always)]
            pub fn set(&mut self, key: &[u8]) {
                match self { $(Self::$Name(engine, keys) => C::set(*engine, keys, key),)+ }
            }

            /// Keys whose H is not the encrypted zero block.
            #[cfg(test)]
            pub(super) fn with_h(engine: Engine, key: &[u8], h: &Block) -> Result<Self, Missing> {
                Ok(match engine {
                    $(Engine::$Name => {
                        let token = <$Token as Backend>::detect()?;
                        Self::$Name(token, <C as AeadOn<$Token>>::with_h(token, key, h))
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
            pub fn seal(&self, message: Message<'_>) -> Block {
                match self { $(Self::$Name(engine, keys) => C::seal(*engine, keys, message),)+ }
            }
            /// See [`Aead::open`].
            #[inline(always)]
            pub fn open(&self, message: Message<'_>, tag: &Tag) -> Choice {
                match self { $(Self::$Name(engine, keys) => C::open(*engine, keys, message, tag),)+ }
            }
            /// See [`Aead::seal_four`].
            #[inline(always)]
            pub fn seal_four(&self, four: Four<'_, '_>) -> Option<()> {
                match self { $(Self::$Name(engine, keys) => C::seal_four(*engine, keys, four),)+ }
            }
            /// See [`Aead::open_four`].
            #[inline(always)]
            pub fn open_four(&self, four: Four<'_, '_>) -> Option<Failures> {
                match self { $(Self::$Name(engine, keys) => C::open_four(*engine, keys, four),)+ }
            }
            /// See [`Aead::segment`].
            #[inline(always)]
            pub fn segment<D: Direction>(&self, counter: Counter, text: InOut<'_>, acc: &mut u128) {
                match self { $(Self::$Name(engine, keys) => <C as AeadOn<$Token>>::segment::<D>(*engine, keys, counter, text, acc),)+ }
            }
            /// See [`Cipher::encrypt_block`].
            #[inline]
            pub fn encrypt_block(&self, block: &mut Block) {
                match self { $(Self::$Name(engine, keys) => C::encrypt_block(*engine, keys, block),)+ }
            }
            /// See [`Hash::absorb`].
            #[inline]
            pub fn absorb(&self, acc: &mut u128, data: &[u8]) {
                match self { $(Self::$Name(engine, keys) => <C as AeadOn<$Token>>::absorb(*engine, keys, acc, data),)+ }
            }
            /// See [`Hash::shift`].
            #[inline]
            pub fn shift(&self, acc: &mut u128, blocks: u64) {
                match self { $(Self::$Name(engine, keys) => <C as AeadOn<$Token>>::shift(*engine, keys, acc, blocks),)+ }
            }
            /// See [`Hash::finish`].
            #[inline]
            pub fn finish(&self, acc: u128) -> Block {
                match self { $(Self::$Name(engine, keys) => <C as AeadOn<$Token>>::finish(*engine, keys, acc),)+ }
            }
            /// Seals one message under a new key on the selected engine.
            #[inline]
            pub fn seal_once(key: &[u8], message: Message<'_>) -> Block {
                match Engine::selected() {
                    $(Engine::$Name => {
                        let token = <$Token as Backend>::detect().expect("selected engines are available");
                        <C as AeadOn<$Token>>::seal_once(token, key, message)
                    })+
                }
            }
            /// Opens one message under a new key on the selected engine.
            #[inline]
            pub fn open_once(key: &[u8], message: Message<'_>, tag: &Tag) -> Choice {
                match Engine::selected() {
                    $(Engine::$Name => {
                        let token = <$Token as Backend>::detect().expect("selected engines are available");
                        <C as AeadOn<$Token>>::open_once(token, key, message, tag)
                    })+
                }
            }
        }
    };
}
