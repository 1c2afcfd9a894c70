//! The known-answer test of a block cipher alone and its modes, which an engine passes before their first use.

use super::list::{CipherKeys, DecryptKeys, Engine, EveryCipher};
use super::results::{Tests, tests};
use super::self_test::{counting, passes_with};
use super::{Aes128, Aes192, Aes256, BlockCipher, CHAINS, Counter, InOut, LittleCounter, Missing};

/// Bytes of the known text: turns of the widest vectors, of narrow ones, and single blocks.
const LEN: usize = 16 * 43;

/// A cipher with what its modes make of known texts.
pub trait KnownBlocks: BlockCipher {
    /// The chain over all that comes of it.
    const ANSWER: u128;
    /// The chain over what chains alone make of it.
    const CHAINED: u128;
    /// The tag of the known message of SGCM.
    #[cfg(feature = "sgcm")]
    const SGCM: u128;

    /// What is known of the engines for this cipher.
    fn block_tests() -> &'static Tests;
    /// The same for its chains alone.
    fn chain_tests() -> &'static Tests;
    /// The same for SGCM with it.
    #[cfg(feature = "sgcm")]
    fn sgcm_tests() -> &'static Tests;
}

/// `known! { Cipher answer chained sgcm; .. }`
macro_rules! known {
    ($($Cipher:ident $answer:literal $chained:literal $sgcm:literal;)+) => {$(
        impl KnownBlocks for $Cipher {
            const ANSWER: u128 = $answer;
            const CHAINED: u128 = $chained;
            #[cfg(feature = "sgcm")]
            const SGCM: u128 = $sgcm;

            tests! { block_tests chain_tests }
            #[cfg(feature = "sgcm")]
            tests! { sgcm_tests }
        }
    )+};
}
#[cfg(feature = "lea")]
pub(super) use known;

known! {
    Aes128 0x490e_69fe_82df_8e70_d3f2_3d7b_b40e_3e71 0xc829_fd22_2cf4_378a_9fb8_8828_62cb_a499 0xa2fc_fbc8_cb9a_2c45_63b0_91fb_f534_1ed2;
    Aes192 0x3b75_95ba_9657_e8c7_913a_e661_87f4_a06e 0x9d05_637e_d700_50fc_76a2_3177_64d6_2bf8 0x5368_f652_bad0_7627_520a_e1cc_1d44_8537;
    Aes256 0x4936_0341_46e4_5ec1_358b_cfa7_3767_c9e8 0x1ebe_b651_3971_f925_4d38_b854_6643_de52 0x8db0_9710_915f_0d15_fa16_9862_22b2_1d01;
}

/// Bytes of the known text for chains, which use one block at a time, or one of each.
const CHAIN_LEN: usize = 16 * 11;

/// Whether `engine`, which this CPU must be able to run, gives the right answers with chains, and blocks one by one: no other mode
/// comes into a program for it.
pub(super) fn chains_pass<C: EveryCipher>(engine: Engine) -> bool {
    passes_with(engine, C::NAME, || {
        known_key::<C>(engine).is_ok_and(|enc| known_chains(&enc))
    })
}

/// The known key, for encryption alone.
pub(super) fn known_key<C: EveryCipher>(engine: Engine) -> Result<CipherKeys<C>, Missing> {
    CipherKeys::untested(engine, &counting::<32>()[..C::KEY_LEN])
}

/// A block, one chain and eight.
pub(super) fn known_chains<C: EveryCipher>(enc: &CipherKeys<C>) -> bool {
    let text = counting::<CHAIN_LEN>();
    let (mut answer, mut chains) = ([0x5a; 16], [[0x5a; 16]; CHAINS]);
    enc.encrypt_block(&mut answer);
    enc.mac_cbc(&mut answer, &text);
    enc.mac_cbc_each(&mut chains, core::array::from_fn(|i| &text[16 * i..][..64]));
    enc.mac_cbc(&mut answer, chains.as_flattened());
    answer == C::CHAINED.to_be_bytes()
}

/// Both keys.
pub(super) struct Known<C: EveryCipher> {
    pub(super) enc: CipherKeys<C>,
    pub(super) dec: DecryptKeys<C>,
}

impl<C: EveryCipher> Known<C> {
    /// Those of `key`, on an engine that was tested or not.
    pub(super) fn untested(engine: Engine, key: &[u8]) -> Result<Self, Missing> {
        Ok(Self {
            enc: CipherKeys::untested(engine, key)?,
            dec: DecryptKeys::untested(engine, key)?,
        })
    }
}

/// The keys of the known key.
pub(super) fn known_keys<C: EveryCipher>(engine: Engine) -> Result<Known<C>, Missing> {
    Known::untested(engine, &counting::<32>()[..C::KEY_LEN])
}

/// Whether `engine`, which this CPU must be able to run, gives the right answers.
pub(super) fn passes<C: EveryCipher>(engine: Engine) -> bool {
    passes_with(engine, C::NAME, || {
        known_keys::<C>(engine).is_ok_and(|keys| known_answer(&keys))
    })
}

/// Each mode on the known text: what it makes goes into a chain, and what comes back must be the text.
pub(super) fn known_answer<C: EveryCipher>(keys: &Known<C>) -> bool {
    let Known { enc, dec } = keys;
    let plain = counting::<LEN>();
    let (mut text, mut answer, mut right) = (plain, [0; 16], true);

    enc.encrypt_cbc(&mut [0x5a; 16], InOut::in_place(&mut text));
    enc.mac_cbc(&mut answer, &text);
    dec.decrypt_cbc(&mut [0x5a; 16], InOut::in_place(&mut text));
    right &= text == plain;

    enc.encrypt_xts(&mut [0x5a; 16], InOut::in_place(&mut text));
    enc.mac_cbc(&mut answer, &text);
    dec.decrypt_xts(&mut [0x5a; 16], InOut::in_place(&mut text));
    right &= text == plain;

    // What CCM makes of two modes, these undo.
    let (counter, mut chains) = (Counter::from_block(&[0xff; 16]), [[0x5a; 16]; 3]);
    let [sealed, opened, alone] = &mut chains;
    enc.ccm(counter, sealed, InOut::in_place(&mut text), true);
    enc.ctr(counter, InOut::in_place(&mut text));
    right &= text == plain;
    enc.encrypt_block(alone);
    enc.mac_cbc(alone, &text);
    enc.public_ctr(counter, InOut::in_place(&mut text));
    enc.ccm(counter, opened, InOut::in_place(&mut text), false);
    enc.encrypt_block(sealed);
    enc.encrypt_block(opened);
    right &= text == plain && sealed == alone && opened == alone;

    let counter = LittleCounter::from_block(&[0x5a; 16]);
    enc.ctr_little(counter, InOut::in_place(&mut text));
    enc.ctr(Counter::from_block(&[0x5a; 16]), InOut::in_place(&mut text));
    enc.mac_cbc(&mut answer, &text);

    text = plain;
    dec.decrypt(InOut::in_place(&mut text));
    enc.mac_cbc(&mut answer, &text);
    enc.encrypt(InOut::in_place(&mut text));
    right &= text == plain;

    let mut chains = [[0x5a; 16]; CHAINS];
    enc.mac_cbc_each(
        &mut chains,
        core::array::from_fn(|i| &plain[16 * i..][..64]),
    );
    enc.mac_cbc(&mut answer, chains.as_flattened());
    enc.encrypt_cbc_each(&mut chains, eight(&mut text));
    enc.mac_cbc(&mut answer, &text);
    right & (answer == C::ANSWER.to_be_bytes())
}

/// The beginnings of eight parts.
fn eight(text: &mut [u8; LEN]) -> [InOut<'_>; CHAINS] {
    let mut parts = text.chunks_mut(LEN / CHAINS);
    core::array::from_fn(|_| InOut::in_place(parts.next().unwrap_or_default()))
}
