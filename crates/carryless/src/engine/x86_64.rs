//! The engines of x86-64: entry points of the kernels for each token.

use super::{
    Aead, Aes128, Aes192, Aes256, Backend, Block, Cipher, Counter, Direction, Features, Four,
    Gf128, Hash, InOut, Keys, Message, Missing, Open, Seal, Spec, Tag, tuning,
};
use crate::block::Lane;
use crate::kernel::aes::{self, RoundKeys};
use crate::kernel::form::{ALL, Powers};
use crate::kernel::gcm::{self, FirstRounds, Header, Long};
use crate::kernel::{ctr, flight, ghash, keys, once, schedule, tiny};
use crate::secret::{self, Choice, Failures, burning};
use crate::simd::Simd;
use crate::simd::x86_64::{
    Aesni, Avx, Vaes256, Vaes512, aesni_entry, avx_entry, in_one_page, vaes256_entry, vaes512_entry,
};

/// Bytes of stack that hold the hash of a long AAD, beside the kernel's: with it the functions between, which may save a
/// register that has it (some 240 bytes down at most).
const HEADER_FRAMES: usize = 320;

/// The entry points of one engine and one key size, and the traits in terms of them.
///
/// In a module of its own: the compiler hands modules, not functions, to its threads.
macro_rules! cipher {
    ($module:ident, $Token:ident, $entry:ident, $W:literal $N:literal $T:literal $FOUR:literal, $Cipher:ident, $K:literal:
     $expand:ident $keys:ident $encrypt:ident $ctr:ident $seal:ident $open:ident $seal_tiny:ident $open_tiny:ident $seal_short:ident $open_short:ident $seal_long:ident $open_long:ident $seal_aad:ident $open_aad:ident $seal_segment:ident $open_segment:ident
     $seal_four:ident $open_four:ident $seal_once:ident $open_once:ident) => {
        mod $module {
        use super::*;

        $entry! {
            fn $expand(key: &[u8; { $Cipher::KEY_LEN }]) -> RoundKeys<$K, $W> = schedule::expand::<_, $K, { $Cipher::KEY_LEN }, $W>, SMALL_FRAME;
            fn $keys(key: &[u8; { $Cipher::KEY_LEN }], enc: &mut RoundKeys<$K, $W>, hash: &mut Powers<$N, $T>, most: usize)
                = keys::set::<_, $K, { $Cipher::KEY_LEN }, $W, $N, $T>;
            fn $encrypt(keys: &RoundKeys<$K, $W>, blocks: InOut<'_>) = aes::blocks, SMALL_FRAME;
            fn $ctr(keys: &RoundKeys<$K, $W>, counter: Counter, text: InOut<'_>) = ctr::apply;
            fn $seal(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, j0: Counter, header: &Header<'_>, text: &mut InOut<'_>) -> Block
                = gcm::message::<_, _, _, Seal, false>;
            fn $open(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, j0: Counter, header: &Header<'_>, text: &mut InOut<'_>, tag: &Tag) -> Choice
                = gcm::open::<_, _, _, false>;
            fn $seal_tiny(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, j0: Counter, aad: &[u8], text: &mut InOut<'_>) -> Block
                = tiny::seal, SAVED_FRAME;
            fn $open_tiny(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, j0: Counter, aad: &[u8], text: &mut InOut<'_>, tag: &Tag) -> Choice
                = tiny::open, SAVED_FRAME;
            fn $seal_short(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, j0: Counter, aad: &[u8], text: &mut InOut<'_>) -> Block
                = gcm::seal_short, SMALL_FRAME;
            fn $open_short(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, j0: Counter, aad: &[u8], text: &mut InOut<'_>, tag: &Tag) -> Choice
                = gcm::open_short, SAVED_FRAME;
            fn $seal_long(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, j0: Counter, header: &Header<'_>, text: Long<'_, '_>) -> Block
                = gcm::long::<_, _, _, Seal>;
            fn $open_long(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, j0: Counter, header: &Header<'_>, text: Long<'_, '_>, tag: &Tag) -> Choice
                = gcm::open_long;
            fn $seal_aad(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, j0: Counter, aad: &[u8]) -> Block
                = gcm::seal_aad;
            fn $open_aad(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, j0: Counter, aad: &[u8], tag: &Tag) -> Choice
                = gcm::open_aad;
            fn $seal_segment(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, counter: Counter, acc: u128, text: InOut<'_>) -> u128
                = gcm::segment::<_, _, _, Seal>;
            fn $open_segment(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, counter: Counter, acc: u128, text: InOut<'_>) -> u128
                = gcm::segment::<_, _, _, Open>;
            fn $seal_four(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, four: Four<'_, '_>) -> Option<()>
                = flight::seal, $FOUR;
            fn $open_four(enc: &RoundKeys<$K, $W>, hash: &Powers<$N, $T>, four: Four<'_, '_>) -> Option<Failures>
                = flight::open, $FOUR;
            fn $seal_once(key: &[u8; { $Cipher::KEY_LEN }], j0: Counter, aad: &[u8], text: InOut<'_>, stream: &mut [Lane; once::BLOCKS]) -> Block
                = once::message::<_, $K, { $Cipher::KEY_LEN }, Seal>, SMALL_FRAME;
            fn $open_once(key: &[u8; { $Cipher::KEY_LEN }], j0: Counter, aad: &[u8], text: InOut<'_>, stream: &mut [Lane; once::BLOCKS], tag: &Tag) -> Choice
                = once::open::<_, $K, { $Cipher::KEY_LEN }>, SMALL_FRAME;
        }

        impl Cipher<$Cipher> for $Token {
            type Enc = RoundKeys<$K, $W>;

            #[inline(always)]
            fn expand(self, key: &[u8]) -> RoundKeys<$K, $W> {
                self.$expand(key.try_into().expect("modes check the length of keys"))
            }
            #[inline(always)]
            fn encrypt(self, keys: &RoundKeys<$K, $W>, blocks: InOut<'_>) {
                self.$encrypt(keys, blocks);
            }
            #[inline(always)]
            fn ctr(self, keys: &RoundKeys<$K, $W>, counter: Counter, text: InOut<'_>) {
                self.$ctr(keys, counter, text);
            }
        }

        /// Seals a text that is not short.
        #[inline(always)]
        fn seal_text(engine: $Token, keys: &Keys<$Token, $Cipher, Gf128>, j0: Counter, header: &Header<'_>, text: &mut InOut<'_>) -> Block {
            if text.len() >= tuning::LONG_TEXT {
                return seal_long(engine, keys, j0, header, text.reborrow());
            }
            in_one_page!($Token: engine.$seal(&keys.enc, &keys.hash, j0, header, text))
        }

        /// The same of a long one. Not inlined, so that others have not its frame.
        #[inline(never)]
        fn seal_long(engine: $Token, keys: &Keys<$Token, $Cipher, Gf128>, j0: Counter, header: &Header<'_>, mut text: InOut<'_>) -> Block {
            let mut first = FirstRounds::default();
            let text = Long { text: &mut text, first: &mut first };
            in_one_page!($Token: engine.$seal_long(&keys.enc, &keys.hash, j0, header, text))
        }

        /// Opens a text that is not short.
        #[inline(always)]
        fn open_text(engine: $Token, keys: &Keys<$Token, $Cipher, Gf128>, j0: Counter, header: &Header<'_>, text: &mut InOut<'_>, tag: &Tag) -> Choice {
            if text.len() >= tuning::LONG_TEXT {
                return open_long(engine, keys, j0, header, text.reborrow(), tag);
            }
            in_one_page!($Token: engine.$open(&keys.enc, &keys.hash, j0, header, text, tag))
        }

        /// As [`seal_long`].
        #[inline(never)]
        fn open_long(engine: $Token, keys: &Keys<$Token, $Cipher, Gf128>, j0: Counter, header: &Header<'_>, mut text: InOut<'_>, tag: &Tag) -> Choice {
            let mut first = FirstRounds::default();
            let text = Long { text: &mut text, first: &mut first };
            in_one_page!($Token: engine.$open_long(&keys.enc, &keys.hash, j0, header, text, tag))
        }

        impl Aead<$Cipher, Gf128> for $Token {
            #[inline(always)]
            fn set(self, keys: &mut Keys<Self, $Cipher, Gf128>, key: &[u8]) {
                let key = key.try_into().expect("modes check the length of keys");
                self.$keys(key, &mut keys.enc, &mut keys.hash, ALL);
            }
            #[inline(always)]
            fn seal(self, keys: &Keys<Self, $Cipher, Gf128>, message: Message<'_>) -> Block {
                let Message { j0, aad, mut text } = message;
                debug_assert_eq!(j0.count(), 1, "the kernels count on it");
                if tiny::fits(aad, &text) {
                    return self.$seal_tiny(&keys.enc, &keys.hash, j0, aad, &mut text);
                }
                if aad.len() > tuning::SERIAL_AAD {
                    if text.is_empty() {
                        return self.$seal_aad(&keys.enc, &keys.hash, j0, aad);
                    }
                    return burning::<HEADER_FRAMES, _>(move || {
                        let header = long_header(self, &keys.hash, aad);
                        seal_text(self, keys, j0, &header, &mut text)
                    });
                }
                if is_short::<$Token>(&text) {
                    return self.$seal_short(&keys.enc, &keys.hash, j0, aad, &mut text);
                }
                seal_text(self, keys, j0, &Header::whole(aad), &mut text)
            }
            #[inline(always)]
            fn open(self, keys: &Keys<Self, $Cipher, Gf128>, message: Message<'_>, tag: &Tag) -> Choice {
                let Message { j0, aad, mut text } = message;
                debug_assert_eq!(j0.count(), 1, "the kernels count on it");
                if tiny::fits(aad, &text) {
                    return self.$open_tiny(&keys.enc, &keys.hash, j0, aad, &mut text, tag);
                }
                if aad.len() > tuning::SERIAL_AAD {
                    if text.is_empty() {
                        return self.$open_aad(&keys.enc, &keys.hash, j0, aad, tag);
                    }
                    return burning::<HEADER_FRAMES, _>(move || {
                        let header = long_header(self, &keys.hash, aad);
                        open_text(self, keys, j0, &header, &mut text, tag)
                    });
                }
                if is_short::<$Token>(&text) {
                    return self.$open_short(&keys.enc, &keys.hash, j0, aad, &mut text, tag);
                }
                open_text(self, keys, j0, &Header::whole(aad), &mut text, tag)
            }
            #[inline(always)]
            fn seal_four(self, keys: &Keys<Self, $Cipher, Gf128>, four: Four<'_, '_>) -> Option<()> {
                may_go::<$Token>(&four).then(|| self.$seal_four(&keys.enc, &keys.hash, four))?
            }
            #[inline(always)]
            fn open_four(self, keys: &Keys<Self, $Cipher, Gf128>, four: Four<'_, '_>) -> Option<Failures> {
                may_go::<$Token>(&four).then(|| self.$open_four(&keys.enc, &keys.hash, four))?
            }
            #[inline(always)]
            fn seal_once(self, key: &[u8], message: Message<'_>) -> Block {
                let key: &[u8; $Cipher::KEY_LEN] = key.try_into().expect("modes check the length of keys");
                let Message { j0, aad, text } = message;
                if !fits_once(aad, &text) {
                    let mut keys = Keys::<Self, $Cipher, Gf128>::default();
                    self.$keys(key, &mut keys.enc, &mut keys.hash, powers::<$Token>(aad, &text));
                    return self.seal(&keys, Message { j0, aad, text });
                }
                let mut stream = [Lane::default(); once::BLOCKS];
                let place = &mut stream;
                let tag = self.$seal_once(key, j0, aad, text, place);
                secret::wipe(&mut stream);
                tag
            }
            #[inline(always)]
            fn open_once(self, key: &[u8], message: Message<'_>, tag: &Tag) -> Choice {
                let key: &[u8; $Cipher::KEY_LEN] = key.try_into().expect("modes check the length of keys");
                let Message { j0, aad, text } = message;
                if !fits_once(aad, &text) {
                    let mut keys = Keys::<Self, $Cipher, Gf128>::default();
                    self.$keys(key, &mut keys.enc, &mut keys.hash, powers::<$Token>(aad, &text));
                    return self.open(&keys, Message { j0, aad, text }, tag);
                }
                let mut stream = [Lane::default(); once::BLOCKS];
                let place = &mut stream;
                let right = self.$open_once(key, j0, aad, text, place, tag);
                secret::wipe(&mut stream);
                right
            }
            #[inline(always)]
            fn segment<D: Direction>(self, keys: &Keys<Self, $Cipher, Gf128>, counter: Counter, text: InOut<'_>, acc: &mut u128) {
                let before = *acc;
                *acc = if D::SEAL {
                    in_one_page!($Token: self.$seal_segment(&keys.enc, &keys.hash, counter, before, text))
                } else {
                    in_one_page!($Token: self.$open_segment(&keys.enc, &keys.hash, counter, before, text))
                };
            }
        }
        }
    };
}

/// One engine: its probe, its hash, and the three key sizes.
macro_rules! engine {
    ($module:ident, $Token:ident, $entry:ident, $W:literal $N:literal $T:literal $FOUR:literal, $name:literal) => {
        mod $module {
        use super::*;

        impl Backend for $Token {
            const NAME: &'static str = $name;
            const FEATURES: Features = $Token::FEATURES;

            #[inline(always)]
            fn detect() -> Result<Self, Missing> {
                Self::detect()
            }
        }

        $entry! {
            fn ghash_key(h: &Block) -> Powers<$N, $T> = Powers::new;
            fn ghash_absorb(powers: &Powers<$N, $T>, acc: u128, data: &[u8]) -> u128 = ghash::absorb;
            fn ghash_shift(powers: &Powers<$N, $T>, acc: u128, blocks: u64) -> u128 = Powers::shift;
        }

        impl Hash<Gf128> for $Token {
            type Key = Powers<$N, $T>;

            #[inline(always)]
            fn key(self, h: &Block) -> Powers<$N, $T> {
                self.ghash_key(h)
            }
            #[inline(always)]
            fn update(self, key: &Powers<$N, $T>, acc: &mut u128, blocks: &[u8]) {
                *acc = self.ghash_absorb(key, *acc, blocks);
            }
            #[inline(always)]
            fn absorb(self, key: &Powers<$N, $T>, acc: &mut u128, data: &[u8]) {
                *acc = self.ghash_absorb(key, *acc, data);
            }
            #[inline(always)]
            fn shift(self, key: &Powers<$N, $T>, acc: &mut u128, blocks: u64) {
                *acc = self.ghash_shift(key, *acc, blocks);
            }
            #[inline(always)]
            fn finish(self, _: &Powers<$N, $T>, acc: u128) -> Block {
                acc.to_be_bytes()
            }
        }

        cipher!(aes128, $Token, $entry, $W $N $T $FOUR, Aes128, 11: expand_aes128 gcm_keys_aes128 encrypt_aes128 ctr_aes128
            gcm_seal_aes128 gcm_open_aes128 gcm_seal_tiny_aes128 gcm_open_tiny_aes128 gcm_seal_short_aes128 gcm_open_short_aes128 gcm_seal_long_aes128 gcm_open_long_aes128 gcm_seal_aad_aes128 gcm_open_aad_aes128 gcm_seal_segment_aes128 gcm_open_segment_aes128
            gcm_seal_four_aes128 gcm_open_four_aes128 once_seal_aes128 once_open_aes128);
        cipher!(aes192, $Token, $entry, $W $N $T $FOUR, Aes192, 13: expand_aes192 gcm_keys_aes192 encrypt_aes192 ctr_aes192
            gcm_seal_aes192 gcm_open_aes192 gcm_seal_tiny_aes192 gcm_open_tiny_aes192 gcm_seal_short_aes192 gcm_open_short_aes192 gcm_seal_long_aes192 gcm_open_long_aes192 gcm_seal_aad_aes192 gcm_open_aad_aes192 gcm_seal_segment_aes192 gcm_open_segment_aes192
            gcm_seal_four_aes192 gcm_open_four_aes192 once_seal_aes192 once_open_aes192);
        cipher!(aes256, $Token, $entry, $W $N $T $FOUR, Aes256, 15: expand_aes256 gcm_keys_aes256 encrypt_aes256 ctr_aes256
            gcm_seal_aes256 gcm_open_aes256 gcm_seal_tiny_aes256 gcm_open_tiny_aes256 gcm_seal_short_aes256 gcm_open_short_aes256 gcm_seal_long_aes256 gcm_open_long_aes256 gcm_seal_aad_aes256 gcm_open_aad_aes256 gcm_seal_segment_aes256 gcm_open_segment_aes256
            gcm_seal_four_aes256 gcm_open_four_aes256 once_seal_aes256 once_open_aes256);
        }
    };
}

// How many copies of each round key, and how many powers of H each has: all, for the last blocks of a message with
// what is hashed beside them; with sums, for turns and for pairs of blocks. And the bytes of stack that four short messages take.
engine!(vaes512, Vaes512, vaes512_entry, 4 38 32 512, "vaes512");
engine!(vaes256, Vaes256, vaes256_entry, 1 22 16 384, "vaes256");
engine!(avx, Avx, avx_entry, 1 14 9 640, "avx");
engine!(aesni, Aesni, aesni_entry, 1 14 8 640, "aesni");

/// What the kernel needs besides the text, with the AAD hashed beforehand by the aggregated loop. Not for the
/// caller's frame: with the AAD, its hash would tell H.
#[inline(always)]
fn long_header<E: Hash<Gf128>>(engine: E, key: &E::Key, aad: &[u8]) -> Header<'static> {
    let mut header = Header {
        aad_len: aad.len(),
        ..Header::whole(&[])
    };
    engine.absorb(key, &mut header.acc, aad);
    header
}

/// Bytes of stack of the kernels that keep everything in registers, or nearly so: what the calling
/// convention saves, and the red zone.
const SMALL_FRAME: usize = 192;

/// The same of those that put nothing there but saved registers and a few words: for tiny messages, and for
/// opening short ones.
const SAVED_FRAME: usize = 64;

/// Whether a text is the last pass alone.
#[inline(always)]
fn is_short<S: Simd>(text: &InOut<'_>) -> bool {
    text.len() <= const { gcm::longest_short::<S>() }
}

/// Whether four messages are worth the call of the kernel that looks at their lengths: the first says whether they are short.
#[inline(always)]
fn may_go<S: Simd>(four: &Four<'_, '_>) -> bool {
    four[0].message.text.len() <= const { flight::longest::<S>() }
}

/// How many powers of H a message takes: those of the entry that it goes through.
#[inline(always)]
fn powers<S: Simd>(aad: &[u8], text: &InOut<'_>) -> usize {
    if is_short::<S>(text) && aad.len() <= tuning::SERIAL_AAD {
        text.len().div_ceil(16) + 2
    } else {
        ALL
    }
}

/// Whether a message goes through the kernel for keys that are used once.
#[inline(always)]
fn fits_once(aad: &[u8], text: &InOut<'_>) -> bool {
    text.len() <= 16 * once::BLOCKS && aad.len() <= tuning::SERIAL_AAD
}
