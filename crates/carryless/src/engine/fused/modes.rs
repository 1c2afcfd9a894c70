//! What modes ask of the cipher: an entry point each.

use super::super::entries::{KeyEntries, ModeEntries, SivEntries};
use super::super::siv_test::LONGEST_SHORT;
use super::super::{
    Aes, Backend, Block, CHAINS, Counter, Decrypt, InOut, LittleCounter, Modes, Siv, SivMessage,
};
use super::{Fused, refuse};
use crate::kernel::{Refused, siv};

impl<C: Aes, E: Backend + KeyEntries<C> + ModeEntries> Decrypt<C> for Fused<E> {
    type Dec = E::Enc;

    #[inline(always)]
    fn expand_inverse(self, key: &[u8]) -> E::Enc {
        let mut dec = E::Enc::default();
        self.0.inverse(&self.0.expand(C::key(key)), &mut dec);
        dec
    }
    #[inline(always)]
    fn decrypt(self, keys: &E::Enc, blocks: InOut<'_>) {
        self.0.decrypt(keys, blocks);
    }
}

impl<C: Aes, E: Backend + KeyEntries<C> + SivEntries> Siv<C> for Fused<E> {
    #[inline(always)]
    fn siv(
        self,
        keys: &E::Enc,
        message: &mut SivMessage<'_>,
        tag: &mut Block,
        seal: bool,
    ) -> Option<()> {
        const {
            assert!(
                E::TUNING.siv >= LONGEST_SHORT,
                "the self-test has such messages"
            )
        };
        siv::fits::<E>(message.aad, &message.text, seal)
            .then(|| in_one(self.0, keys, message, tag, seal))
    }
}

/// A message of AES-GCM-SIV in one entry. Not inlined: for all key sizes and for both directions once.
#[inline(never)]
fn in_one<E: SivEntries>(
    engine: E,
    keys: &E::Enc,
    message: &mut SivMessage<'_>,
    tag: &mut Block,
    seal: bool,
) {
    let SivMessage { nonce, aad, text } = message;
    let enc = &mut E::Enc::default();
    let place = siv::Place { enc, tag };
    let made = engine.siv(keys, nonce, aad, text.reborrow(), place, seal);
    made.unwrap_or_else(|Refused| refuse(text));
}

impl<C: Aes, E: Backend + KeyEntries<C> + ModeEntries> Modes<C> for Fused<E> {
    #[inline(always)]
    fn ctr_little(self, keys: &E::Enc, counter: LittleCounter, text: InOut<'_>) {
        self.0.ctr_little(keys, counter, text);
    }
    #[inline(always)]
    fn encrypt_cbc(self, keys: &E::Enc, chain: &mut Block, text: InOut<'_>) {
        self.0.encrypt_cbc(keys, chain, text);
    }
    #[inline(always)]
    fn mac_cbc(self, keys: &E::Enc, chain: &mut Block, data: &[u8]) {
        self.0.mac_cbc(keys, chain, data);
    }
    #[inline(always)]
    fn encrypt_cbc_each(
        self,
        keys: &E::Enc,
        chains: &mut [Block; CHAINS],
        texts: [InOut<'_>; CHAINS],
    ) {
        self.0.encrypt_cbc_each(keys, chains, texts);
    }
    #[inline(always)]
    fn mac_cbc_each(self, keys: &E::Enc, chains: &mut [Block; CHAINS], data: [&[u8]; CHAINS]) {
        self.0.mac_cbc_each(keys, chains, data);
    }
    #[inline(always)]
    fn ccm(self, keys: &E::Enc, counter: Counter, chain: &mut Block, text: InOut<'_>, seal: bool) {
        self.0.ccm(keys, counter, chain, text, seal);
    }
    #[inline(always)]
    fn decrypt_cbc(self, keys: &E::Enc, chain: &mut Block, text: InOut<'_>) {
        self.0.decrypt_cbc(keys, chain, text);
    }
    #[inline(always)]
    fn encrypt_xts(self, keys: &E::Enc, tweak: &mut Block, text: InOut<'_>) {
        self.0.encrypt_xts(keys, tweak, text);
    }
    #[inline(always)]
    fn decrypt_xts(self, keys: &E::Enc, tweak: &mut Block, text: InOut<'_>) {
        self.0.decrypt_xts(keys, tweak, text);
    }
}
