//! What modes ask of the cipher: an entry point each.

use super::super::entries::{KeyEntries, ModeEntries, SivEntries};
use super::super::siv_test::{LONGEST, LONGEST_SHORT};
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
                E::TUNING.siv
                    >= if E::TUNING.siv_turns {
                        LONGEST
                    } else {
                        LONGEST_SHORT
                    },
                "the self-test has such messages"
            )
        };
        let made = if !seal && let Some(parts) = siv::at_once::<E>(message.text.len()) {
            at_once(self.0, keys, message, tag, parts)
        } else if siv::fits::<E>(message.aad, &message.text) {
            in_one(self.0, keys, message, tag, seal)
        } else {
            return None;
        };
        made.unwrap_or_else(|Refused| refuse(&mut message.text));
        Some(())
    }
}

/// A short message of AES-GCM-SIV. Not inlined: for all key sizes and for both directions once.
#[inline(never)]
fn in_one<E: SivEntries>(
    engine: E,
    keys: &E::Enc,
    message: &mut SivMessage<'_>,
    tag: &mut Block,
    seal: bool,
) -> Result<(), Refused> {
    let SivMessage { nonce, aad, text } = message;
    let enc = &mut E::Enc::default();
    let halfway = None;
    let place = siv::Place { enc, tag, halfway };
    engine.siv(keys, nonce, aad, text.reborrow(), place, seal)
}

/// A long message of AES-GCM-SIV is opened, so many first bytes of its text decrypted and hashed at once. Not inlined, as above.
#[inline(never)]
fn at_once<E: SivEntries>(
    engine: E,
    keys: &E::Enc,
    message: &mut SivMessage<'_>,
    tag: &mut Block,
    [decrypted, hashed]: [usize; 2],
) -> Result<(), Refused> {
    let SivMessage { nonce, aad, text } = message;
    let (enc, halfway) = (&mut E::Enc::default(), &mut siv::Halfway::default());
    let place = siv::Place {
        enc,
        tag,
        halfway: Some(halfway),
    };
    engine.siv(keys, nonce, aad, InOut::in_place(&mut []), place, true)?;
    let mut rest = text.reborrow();
    let mut turns = rest.split_to(decrypted).ok_or(Refused)?;
    engine.open_turns(enc, halfway, LittleCounter::of_tag(tag), turns.reborrow());
    let last = turns.written().get(hashed..).ok_or(Refused)?;
    let place = siv::Place {
        enc,
        tag,
        halfway: Some(halfway),
    };
    engine.siv(keys, nonce, last, rest, place, false)
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
