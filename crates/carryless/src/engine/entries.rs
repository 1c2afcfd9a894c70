//! What an engine's kernels can be called for: entry points as methods of traits, each documented once, and `engine!`,
//! which declares all of an engine.
//!
//! An entry point is machine code of its own for one engine and one key size, and for one direction where that
//! matters. It knows kernels; which of them a message goes through is for [`Fused`](super::fused::Fused) to say.

use zeroize::ZeroizeOnDrop;

use super::{Aes, Block, CHAINS, Counter, Direction, InOut, LittleCounter, Quad};
use crate::kernel::Refused;
use crate::kernel::aes::Rounds;
use crate::kernel::batch::Way;
use crate::kernel::counters::FirstRounds;
use crate::kernel::message::Header;
use crate::kernel::{once, siv};
use crate::simd::Simd;

/// Entries that hash.
pub trait HashEntries: Simd {
    /// The powers of the hash key.
    type Hash: Clone + Default + Send + Sync + ZeroizeOnDrop;

    /// The powers of H.
    fn powers(self, h: &Block) -> Self::Hash;
    /// The hash `acc` with `data`, filled up with zeros to whole blocks.
    fn absorb(self, hash: &Self::Hash, acc: &mut u128, data: &[u8]) -> Result<(), Refused>;
    /// `acc` times `H^blocks`.
    fn shift(self, hash: &Self::Hash, acc: u128, blocks: u64) -> u128;
}

/// Entries that hash by POLYVAL.
pub trait PolyvalEntries: HashEntries {
    /// Sets as many powers of a key of POLYVAL.
    fn set_polyval(self, hash: &mut Self::Hash, h: &Block, most: usize);
    /// [`absorb`](HashEntries::absorb) by POLYVAL.
    fn polyval(self, hash: &Self::Hash, acc: &mut u128, data: &[u8]) -> Result<(), Refused>;
}

/// Entries that encrypt, under a key of any size.
pub trait CipherEntries: Simd {
    /// The round keys.
    type Enc: Clone + Default + Send + Sync + ZeroizeOnDrop;

    /// Encrypts whole blocks.
    fn encrypt(self, enc: &Self::Enc, blocks: InOut<'_>);
    /// XORs the key stream from the block `counter` on into the text.
    fn ctr(self, enc: &Self::Enc, counter: Counter, text: InOut<'_>);
}

/// Entries for what modes ask of the cipher beside that ([`Modes`](super::Modes)), under a key of any size.
pub trait ModeEntries: CipherEntries {
    /// Puts the round keys of decryption into their place.
    fn inverse(self, enc: &Self::Enc, dec: &mut Self::Enc);
    /// Decrypts whole blocks.
    fn decrypt(self, dec: &Self::Enc, blocks: InOut<'_>);
    /// XORs the key stream from a little-endian counter on into the text.
    fn ctr_little(self, enc: &Self::Enc, counter: LittleCounter, text: InOut<'_>);
    /// Encrypts a chain.
    fn encrypt_cbc(self, enc: &Self::Enc, chain: &mut Block, text: InOut<'_>);
    /// The last block of a chain.
    fn mac_cbc(self, enc: &Self::Enc, chain: &mut Block, data: &[u8]);
    /// Encrypts several chains.
    fn encrypt_cbc_each(
        self,
        enc: &Self::Enc,
        chains: &mut [Block; CHAINS],
        texts: [InOut<'_>; CHAINS],
    );
    /// The last blocks of several chains.
    fn mac_cbc_each(self, enc: &Self::Enc, chains: &mut [Block; CHAINS], data: [&[u8]; CHAINS]);
    /// Counter mode and the chain of the plaintext, whether that is before or behind.
    fn ccm(self, enc: &Self::Enc, counter: Counter, chain: &mut Block, text: InOut<'_>, seal: bool);
    /// Decrypts a chain.
    fn decrypt_cbc(self, dec: &Self::Enc, chain: &mut Block, text: InOut<'_>);
    /// Encrypts under tweaks.
    fn encrypt_xts(self, enc: &Self::Enc, tweak: &mut Block, text: InOut<'_>);
    /// Decrypts under tweaks.
    fn decrypt_xts(self, dec: &Self::Enc, tweak: &mut Block, text: InOut<'_>);
}

/// Entries for AES-GCM-SIV.
pub trait SivEntries: ModeEntries + PolyvalEntries {
    /// A message, sealed or else opened; `enc` makes its keys.
    fn siv(
        self,
        enc: &Self::Enc,
        nonce: &[u8; 12],
        aad: &[u8],
        text: InOut<'_>,
        place: siv::Place<'_, Self::Enc>,
        seal: bool,
    ) -> Result<(), Refused>;
    /// Decrypts whole turns of a message halfway, and hashes all of them but the last, where the engine is tuned to that.
    fn open_turns(
        self,
        enc: &Self::Enc,
        halfway: &mut siv::Halfway,
        counter: LittleCounter,
        text: InOut<'_>,
    );
}

/// Entries that encrypt and hash, under a key of any size, in either direction.
pub trait MacEntries: CipherEntries + HashEntries {
    /// Puts the full tag of a message without text into its place.
    fn gmac(
        self,
        enc: &Self::Enc,
        hash: &Self::Hash,
        j0: Counter,
        aad: &[u8],
        tag: &mut Block,
    ) -> Result<(), Refused>;
}

/// Entries that expand a key of `C`.
pub trait KeyEntries<C: Aes>: CipherEntries + HashEntries {
    /// The rounds of the entries that messages under such a key go through.
    type Rounds: Rounds;

    /// The round keys of a key.
    fn expand(self, key: &C::Key) -> Self::Enc;
    /// Expands a key into its place, and as many powers of its H as `most`.
    fn set(self, key: &C::Key, enc: &mut Self::Enc, hash: &mut Self::Hash, most: usize);
    /// A short message under a key that is used once, sealed or else opened.
    fn once(
        self,
        key: &C::Key,
        j0: Counter,
        aad: &[u8],
        text: InOut<'_>,
        place: once::Place<'_>,
        seal: bool,
    ) -> Result<(), Refused>;
}

/// Entries that encrypt and hash at once, in the direction `D`, under a key with the rounds `R`.
///
/// What opens takes the tag that is expected, and answers whether it is right; what seals takes a place for the full tag. A length
/// that is not for an entry is [`Refused`].
pub trait MessageEntries<R: Rounds, D: Direction>: CipherEntries + HashEntries {
    /// A message of at most one block of text, and one of AAD.
    fn tiny(
        self,
        enc: &Self::Enc,
        hash: &Self::Hash,
        j0: Counter,
        aad: &[u8],
        text: &mut InOut<'_>,
        given: D::Given<'_>,
    ) -> D::Answer;

    /// A message whose text is the last pass alone.
    fn pass(
        self,
        enc: &Self::Enc,
        hash: &Self::Hash,
        j0: Counter,
        aad: &[u8],
        text: &mut InOut<'_>,
        given: D::Given<'_>,
    ) -> Result<D::Answer, Refused>;

    /// Any message with text; of a compact engine any that is not tiny.
    fn message(
        self,
        enc: &Self::Enc,
        hash: &Self::Hash,
        j0: Counter,
        header: &Header<'_>,
        text: &mut InOut<'_>,
        given: D::Given<'_>,
    ) -> Result<D::Answer, Refused>;
}

/// The same where what the key has of rounds does not count: for all sizes.
pub trait BulkEntries<D: Way>: CipherEntries + HashEntries {
    /// The beginning of a long text, whole turns; `header` becomes that of the rest. `first` is a place that it takes.
    fn bulk(
        self,
        enc: &Self::Enc,
        hash: &Self::Hash,
        j0: Counter,
        header: &mut Header<'_>,
        first: &mut FirstRounds,
        text: InOut<'_>,
    );

    /// Whole blocks in the middle of a message: the hash `acc` with their ciphertext.
    fn segment(
        self,
        enc: &Self::Enc,
        hash: &Self::Hash,
        counter: Counter,
        acc: &mut u128,
        text: InOut<'_>,
    ) -> Result<(), Refused>;

    /// Four short messages; `None`, and nothing is written, if they don't go together.
    fn four(
        self,
        enc: &Self::Enc,
        hash: &Self::Hash,
        four: &mut Quad<'_, '_>,
    ) -> Result<Option<D::Answers>, Refused>;
}

/// What `engine!` names.
pub(super) mod of_engines {
    pub use super::super::{
        Aes, Aes128, Aes192, Aes256, Backend, Block, CHAINS, Counter, Direction, Features, InOut,
        LittleCounter, Missing, Open, Quad, Seal,
    };
    pub use super::{
        BulkEntries, CipherEntries, HashEntries, KeyEntries, MacEntries, MessageEntries,
        ModeEntries, PolyvalEntries, SivEntries,
    };
    pub use crate::kernel::Refused;
    #[cfg(target_arch = "aarch64")]
    pub use crate::kernel::aes::Any;
    pub use crate::kernel::aes::{self, RoundKeys};
    #[cfg(target_arch = "x86_64")]
    pub use crate::kernel::aes::{Ten, Twelve};
    pub use crate::kernel::batch::{self, Way};
    pub use crate::kernel::counters::FirstRounds;
    pub use crate::kernel::gcm::{self, bulk, gmac, segment};
    pub use crate::kernel::message::Header;
    pub use crate::kernel::product::Powers;
    pub use crate::kernel::{
        ccm, chain, ctr, ghash, inverse, keys, once, schedule, siv, tiny, xts,
    };
    pub use crate::simd::Simd;
    pub use crate::simd::tuning::{SAVED_FRAME, SIV_FRAME, SMALL_FRAME, Tuning};

    /// A place for the tag, or the tag that a message came with.
    pub type Given<'a, D> = <D as Direction>::Given<'a>;
    /// Nothing, or whether it is right.
    pub type Answer<D> = <D as Direction>::Answer;
    /// The same of four.
    pub type Answers<D> = <D as Way>::Answers;
}

/// `engine! { module: Token, token_entry, "name" }`: an engine with all its entries, for the three key sizes, and
/// for both directions. With `Any` behind the name messages under keys of all sizes go through the same entries; with the
/// macro of another engine's entries behind that, what sets up keys and only encrypts is that engine's.
///
/// In modules of their own: the compiler hands modules, not functions, to its threads.
macro_rules! engine {
    ($module:ident: $Token:ident, $entry:ident, $name:literal) => {
        engine!(@engine $module $Token, $entry $entry, $name, Ten Twelve, { ten Ten twelve Twelve });
    };
    ($module:ident: $Token:ident, $entry:ident, $name:literal, Any) => {
        engine!($module: $Token, $entry, $name, Any, $entry);
    };
    ($module:ident: $Token:ident, $entry:ident, $name:literal, Any, $of_keys:ident) => {
        engine!(@engine $module $Token, $entry $of_keys, $name, Any Any, { any Any });
    };
    (@engine $module:ident $Token:ident, $entry:ident $of_keys:ident, $name:literal, $Few:ident $Many:ident, $rounds:tt) => {
        mod $module {
            use super::*;

            const TUNING: Tuning = <$Token as Simd>::TUNING;
            type Enc = RoundKeys;
            type Hash = Powers<{ TUNING.powers }, { TUNING.sums }, { TUNING.rows() }>;

            impl Backend for $Token {
                const NAME: &'static str = $name;
                const FEATURES: Features = $Token::FEATURES;

                #[inline(always)]
                fn detect() -> Result<Self, Missing> {
                    Self::detect()
                }
            }

            $entry! {
                impl HashEntries {
                    type Hash = Hash;
                    fn powers(h: &Block) -> Hash = Powers::new;
                    fn absorb(hash: &Hash, acc: &mut u128, data: &[u8]) -> Result<(), Refused> = ghash::absorb;
                    fn shift(hash: &Hash, acc: u128, blocks: u64) -> u128 = Powers::shift;
                }
            }

            $of_keys! {
                impl CipherEntries {
                    type Enc = Enc;
                    fn encrypt(enc: &Enc, blocks: InOut<'_>) = aes::blocks, SMALL_FRAME;
                    fn ctr(enc: &Enc, counter: Counter, text: InOut<'_>) = ctr::apply;
                }
            }

            $of_keys! {
                impl MacEntries {
                    fn gmac(enc: &Enc, hash: &Hash, j0: Counter, aad: &[u8], tag: &mut Block) -> Result<(), Refused> = gmac::gmac;
                }
            }

            mod modes {
                use super::*;
                $entry! {
                    impl PolyvalEntries {
                        fn set_polyval(hash: &mut Hash, h: &Block, most: usize) = Powers::set_little, SMALL_FRAME;
                        fn polyval(hash: &Hash, acc: &mut u128, data: &[u8]) -> Result<(), Refused> = ghash::polyval;
                    }
                }
                $of_keys! {
                    impl ModeEntries {
                        fn inverse(enc: &Enc, dec: &mut Enc) = inverse::keys, SMALL_FRAME;
                        fn decrypt(dec: &Enc, blocks: InOut<'_>) = inverse::blocks, SMALL_FRAME;
                        fn ctr_little(enc: &Enc, counter: LittleCounter, text: InOut<'_>) = ctr::little, SMALL_FRAME;
                        fn encrypt_cbc(enc: &Enc, chain: &mut Block, text: InOut<'_>) = chain::encrypt, SMALL_FRAME;
                        fn mac_cbc(enc: &Enc, chain: &mut Block, data: &[u8]) = chain::mac, SMALL_FRAME;
                        fn encrypt_cbc_each(enc: &Enc, chains: &mut [Block; CHAINS], texts: [InOut<'_>; CHAINS]) = chain::encrypt_each, SMALL_FRAME;
                        fn mac_cbc_each(enc: &Enc, chains: &mut [Block; CHAINS], data: [&[u8]; CHAINS]) = chain::mac_each, SMALL_FRAME;
                        fn ccm(enc: &Enc, counter: Counter, chain: &mut Block, text: InOut<'_>, seal: bool) = ccm::apply, SMALL_FRAME;
                        fn decrypt_cbc(dec: &Enc, chain: &mut Block, text: InOut<'_>) = chain::decrypt, SMALL_FRAME;
                        fn encrypt_xts(enc: &Enc, tweak: &mut Block, text: InOut<'_>) = xts::encrypt, SMALL_FRAME;
                        fn decrypt_xts(dec: &Enc, tweak: &mut Block, text: InOut<'_>) = xts::decrypt, SMALL_FRAME;
                    }
                }
                $of_keys! {
                    impl SivEntries {
                        fn siv(enc: &Enc, nonce: &[u8; 12], aad: &[u8], text: InOut<'_>, place: siv::Place<'_, Enc>, seal: bool) -> Result<(), Refused> = siv::message, SIV_FRAME;
                        fn open_turns(enc: &Enc, halfway: &mut siv::Halfway, counter: LittleCounter, text: InOut<'_>) = siv::open_turns;
                    }
                }
            }
            mod aes128 {
                use super::*;
                engine!(@key $Token, $of_keys, Aes128, 11, $Few);
            }
            mod aes192 {
                use super::*;
                engine!(@key $Token, $of_keys, Aes192, 13, $Many);
            }
            mod aes256 {
                use super::*;
                engine!(@key $Token, $of_keys, Aes256, 15, $Many);
            }
            mod seal {
                use super::*;
                engine!(@way $Token, $entry, Seal, SMALL_FRAME, $rounds);
            }
            mod open {
                use super::*;
                engine!(@way $Token, $entry, Open, SAVED_FRAME, $rounds);
            }
        }
    };
    (@key $Token:ident, $entry:ident, $Cipher:ident, $K:literal, $R:ident) => {
        type Key = <$Cipher as Aes>::Key;

        $entry! {
            impl KeyEntries<$Cipher> {
                type Rounds = $R;
                fn expand(key: &Key) -> Enc = schedule::expand::<_, $K, _>, SMALL_FRAME;
                fn set(key: &Key, enc: &mut Enc, hash: &mut Hash, most: usize) = keys::set::<_, $K, _, _, _, _>, SMALL_FRAME;
                fn once(key: &Key, j0: Counter, aad: &[u8], text: InOut<'_>, place: once::Place<'_>, seal: bool) -> Result<(), Refused>
                    = once::message::<_, $K, _>, SMALL_FRAME;
            }
        }
    };
    (@way $Token:ident, $entry:ident, $Way:ident, $PASS:ident, { $($module:ident $R:ident)* }) => {
        $entry! {
            impl BulkEntries<$Way> {
                fn bulk(enc: &Enc, hash: &Hash, j0: Counter, header: &mut Header<'_>, first: &mut FirstRounds, text: InOut<'_>)
                    = bulk::bulk::<_, _, $Way>;
                fn segment(enc: &Enc, hash: &Hash, counter: Counter, acc: &mut u128, text: InOut<'_>) -> Result<(), Refused>
                    = segment::segment::<_, _, $Way>;
                fn four(enc: &Enc, hash: &Hash, four: &mut Quad<'_, '_>) -> Result<Option<Answers<$Way>>, Refused>
                    = batch::run::<_, _, $Way>, TUNING.four_frame;
            }
        }

        $(mod $module {
            use super::*;
            engine!(@message $Token, $entry, $R, $Way, $PASS);
        })*
    };
    (@message $Token:ident, $entry:ident, $R:ident, $Way:ident, $PASS:ident) => {
        $entry! {
            impl MessageEntries<$R, $Way> {
                fn tiny(enc: &Enc, hash: &Hash, j0: Counter, aad: &[u8], text: &mut InOut<'_>, given: Given<'_, $Way>) -> Answer<$Way>
                    = tiny::message::<_, $R, _, $Way>, SAVED_FRAME;
                fn pass(enc: &Enc, hash: &Hash, j0: Counter, aad: &[u8], text: &mut InOut<'_>, given: Given<'_, $Way>) -> Result<Answer<$Way>, Refused>
                    = gcm::short::<_, $R, _, $Way>, $PASS;
                fn message(enc: &Enc, hash: &Hash, j0: Counter, header: &Header<'_>, text: &mut InOut<'_>, given: Given<'_, $Way>) -> Result<Answer<$Way>, Refused>
                    = gcm::message::<_, $R, _, $Way>;
            }
        }
    };
}
