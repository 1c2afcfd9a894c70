//! A mode on one engine, whole and in pieces, there and back, makes what the crates of RustCrypto make, or what is put together of their
//! blocks.

mod blockwise;

use aes::cipher::{BlockModeEncrypt as _, KeyInit as _, KeyIvInit as _, StreamCipher as _};
use carryless::aead::AeadInOut;
use carryless::hazmat::{CbcDecryptor, CbcEncryptor, CbcMessage, Ctr, Xts, pkcs7};
use carryless::{Ccm, Cmac, Engine, GcmSiv, Gmac, XAes256Gcm};
use cmac::Mac as _;

use crate::choices::{Choices, Placed, is_magic};

/// What the input decides.
struct Plan {
    engine: Engine,
    /// Of which each mode takes as many bytes as its keys have.
    key: Vec<u8>,
    nonce: [u8; 24],
    aad: Placed,
    text: Placed,
    /// Where a message is cut.
    cut: usize,
    /// Which bit a forgery has wrong.
    flip: usize,
}

/// What the mode makes, and what it should.
type Made = [Vec<u8>; 2];

const MODES: [fn(&Plan, usize) -> Made; 10] = [
    cbc,
    ctr,
    xts,
    cmac,
    gmac,
    ccm,
    siv,
    xaes,
    blockwise::sgcm,
    blockwise::lea,
];

/// `with_cipher! { bytes of a key, C Peer => code }`: the code with the cipher of such keys, ours and that of `aes`.
macro_rules! with_cipher {
    ($key_len:expr, $C:ident $Peer:ident => $code:expr) => {
        match $key_len {
            16 => with_cipher!(@Aes128 $C $Peer $code),
            24 => with_cipher!(@Aes192 $C $Peer $code),
            _ => with_cipher!(@Aes256 $C $Peer $code),
        }
    };
    (@$Name:ident $C:ident $Peer:ident $code:expr) => {{
        #[allow(dead_code)]
        type $C = carryless::$Name;
        #[allow(dead_code)]
        type $Peer = aes::$Name;
        $code
    }};
}
use with_cipher;

/// See the module.
pub fn modes(data: &[u8]) {
    let (mode, key_len, plan) = Plan::new(data);
    let [ours, theirs] = MODES[mode](&plan, key_len);
    assert_eq!(ours, theirs, "{}, mode {mode}", plan.engine);
}

/// The control of the comparison: one bit is another for nonces that begin with magic bytes.
pub fn control_modes(data: &[u8]) {
    let (mode, key_len, plan) = Plan::new(data);
    let [ours, mut theirs] = MODES[mode](&plan, key_len);
    if is_magic(&plan.nonce) {
        theirs.iter_mut().for_each(|byte| *byte ^= 1);
    }
    assert_eq!(ours, theirs, "{}, mode {mode}", plan.engine);
}

impl Plan {
    /// With the number of the mode and the length of its key.
    fn new(data: &[u8]) -> (usize, usize, Self) {
        let mut choices = Choices::new(data);
        let engine = choices.engine();
        let (mode, key_len) = (choices.below(MODES.len()), choices.pick(&[16, 24, 32]));
        let [aad_len, text_len] = [choices.below(300), choices.below(2000)];
        let [offset, cut] = [choices.below(64), choices.below(2000).min(text_len)];
        let flip = choices.below(1 << 16);
        let nonce = choices.content(24).try_into().expect("24 bytes");
        let mut key = choices.content(64);
        // The halves of a key of XTS differ.
        key[0] ^= u8::from(key[..16] == key[16..32] || key[..32] == key[32..]);
        let [aad, text] = [aad_len, text_len].map(|len| Placed::new(&choices.content(len), offset));
        let plan = Self {
            engine,
            key,
            nonce,
            aad,
            text,
            cut,
            flip,
        };
        (mode, key_len, plan)
    }

    fn start(&self) -> [u8; 16] {
        *self.nonce.first_chunk().expect("24 bytes")
    }

    /// The text up to a whole block, and the cut.
    fn whole(&self) -> (&[u8], usize) {
        let text = self.text.get();
        (&text[..text.len() & !15], self.cut & !15)
    }

    /// One bit of the bytes flipped.
    fn flipped(&self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        let bit = self.flip % (8 * bytes.len());
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    }
}

fn cbc(plan: &Plan, key_len: usize) -> Made {
    let (key, iv, (text, cut)) = (&plan.key[..key_len], plan.start(), plan.whole());
    let (mut ours, mut theirs) = (text.to_vec(), text.to_vec());
    with_cipher!(key_len, C Peer => {
        let mut enc = CbcEncryptor::<C>::with_engine(key, &iv, plan.engine).expect("a key");
        let mut dec = CbcDecryptor::<C>::with_engine(key, &iv, plan.engine).expect("a key");
        enc.encrypt_in_place(&mut ours[..cut]).expect("whole blocks");
        enc.encrypt_into(&text[cut..], &mut ours[cut..]).expect("whole blocks");
        let mut back = ours.clone();
        dec.decrypt_in_place(&mut back[..cut]).expect("whole blocks");
        dec.decrypt_in_place(&mut back[cut..]).expect("whole blocks");
        assert_eq!(back, text, "{}", plan.engine);
        let (head, tail) = back.split_at_mut(cut);
        let mut messages = [CbcMessage::in_place(&iv, head), CbcMessage::in_place(&iv, tail)];
        enc.encrypt_each(&mut messages).expect("whole blocks");
        assert_eq!(back[..cut], ours[..cut], "{}", plan.engine);
        let mut peer = cbc::Encryptor::<Peer>::new_from_slices(key, &iv).expect("a key");
        for block in theirs.as_chunks_mut::<16>().0 {
            peer.encrypt_block(block.into());
        }
    });
    // Any text has a padding or none, and what has none is wiped.
    let mut padded = text.to_vec();
    if pkcs7::unpad(&mut padded).is_err() {
        assert!(padded.iter().all(|byte| *byte == 0));
    }
    [ours, theirs]
}

fn ctr(plan: &Plan, key_len: usize) -> Made {
    let (key, start, text) = (&plan.key[..key_len], plan.start(), plan.text.get());
    let (mut ours, mut theirs) = (text.to_vec(), text.to_vec());
    with_cipher!(key_len, C Peer => {
        let mut ctr = Ctr::<C>::with_engine(key, &start, plan.engine).expect("a key");
        ctr.apply_in_place(&mut ours[..plan.cut]).expect("key stream");
        ctr.apply_into(&text[plan.cut..], &mut ours[plan.cut..]).expect("key stream");
        let mut back = ours.clone();
        ctr.seek(plan.cut as u128).expect("a position");
        ctr.apply_in_place(&mut back[plan.cut..]).expect("key stream");
        assert_eq!(back[plan.cut..], text[plan.cut..], "{}", plan.engine);
        let mut peer = ctr::Ctr128BE::<Peer>::new_from_slices(key, &start).expect("a key");
        peer.apply_keystream(&mut theirs);
    });
    [ours, theirs]
}

fn xts(plan: &Plan, key_len: usize) -> Made {
    let (text, tweak) = (plan.text.get(), plan.start());
    let (mut ours, mut theirs) = (text.to_vec(), text.to_vec());
    macro_rules! with {
        ($C:ident $len:literal) => {{
            let (key, second) = (&plan.key[..$len], &plan.key[$len / 2..$len]);
            let xts = Xts::<carryless::$C>::with_engine(key, plan.engine).expect("a key");
            if text.len() < 16 {
                assert!(xts.encrypt_in_place(&tweak, &mut ours).is_err());
                return [ours, theirs];
            }
            xts.encrypt_in_place(&tweak, &mut ours)
                .expect("a data unit");
            let mut back = text.to_vec();
            xts.decrypt_into(&tweak, &ours, &mut back)
                .expect("a data unit");
            assert_eq!(back, text, "{}", plan.engine);
            let new = |key| aes::$C::new_from_slice(key).expect("a key");
            let peer = xts_mode::Xts128::new(new(&key[..$len / 2]), new(second));
            peer.encrypt_sector(&mut theirs, tweak.into());
        }};
    }
    match key_len {
        16 => with!(Aes128 32),
        _ => with!(Aes256 64),
    }
    [ours, theirs]
}

fn cmac(plan: &Plan, key_len: usize) -> Made {
    let (key, text) = (&plan.key[..key_len], plan.text.get());
    let (head, tail) = text.split_at(plan.cut);
    with_cipher!(key_len, C Peer => {
        let mac = Cmac::<C>::with_engine(key, plan.engine).expect("a key");
        let mut pieces = mac.begin();
        pieces.update(head);
        pieces.update(tail);
        let tag = mac.mac(text);
        let mut tags = [[0; 16]; 3];
        mac.mac_each(&[head, text, tail], &mut tags).expect("as many tags");
        assert_eq!((pieces.finish(), tags[1]), (tag, tag), "{}", plan.engine);
        assert!(mac.verify(text, &plan.flipped(&tag)).is_err(), "{}", plan.engine);
        let mut peer = <cmac::Cmac<Peer> as cmac::KeyInit>::new_from_slice(key).expect("a key");
        peer.update(text);
        [tag.to_vec(), peer.finalize().into_bytes().to_vec()]
    })
}

/// In pieces, against the whole.
fn gmac(plan: &Plan, key_len: usize) -> Made {
    let (key, text) = (&plan.key[..key_len], plan.text.get());
    with_cipher!(key_len, C Peer => {
        let mac = Gmac::<C>::with_engine(key, plan.engine).expect("a key");
        let mut pieces = mac.begin(&plan.nonce[..12]).expect("a nonce");
        pieces.update(&text[..plan.cut]).expect("a length");
        pieces.update(&text[plan.cut..]).expect("a length");
        [pieces.finish(), mac.mac(&plan.nonce[..12], text).expect("a nonce")].map(|tag| tag.to_vec())
    })
}

fn ccm(plan: &Plan, key_len: usize) -> Made {
    let (key, nonce) = (&plan.key[..key_len], &plan.nonce[..12]);
    let (aad, text) = (plan.aad.get(), plan.text.get());
    with_cipher!(key_len, C Peer => {
        type Theirs = ccm::Ccm<Peer, ccm::consts::U16, ccm::consts::U12>;
        let key_of = Ccm::<C>::with_engine(key, plan.engine).expect("a key");
        let made = aead(plan, &key_of, &<Theirs as ccm::KeyInit>::new_from_slice(key).expect("a key"));
        let mut pieces = text.to_vec();
        let mut sealer = key_of.sealer(nonce, aad.len() as u64, text.len() as u64).expect("lengths");
        sealer.aad(aad).expect("as declared");
        sealer.seal_in_place(&mut pieces[..plan.cut]).expect("as declared");
        sealer.seal_in_place(&mut pieces[plan.cut..]).expect("as declared");
        pieces.extend(sealer.finish().expect("as declared"));
        assert_eq!(pieces, made[0], "{}", plan.engine);
        made
    })
}

fn siv(plan: &Plan, key_len: usize) -> Made {
    macro_rules! with {
        ($C:ident $Theirs:ident $len:literal) => {{
            let key = &plan.key[..$len];
            let ours = GcmSiv::<carryless::$C>::with_engine(key, plan.engine).expect("a key");
            aead(
                plan,
                &ours,
                &aes_gcm_siv::$Theirs::new_from_slice(key).expect("a key"),
            )
        }};
    }
    match key_len {
        16 => with!(Aes128 Aes128GcmSiv 16),
        _ => with!(Aes256 Aes256GcmSiv 32),
    }
}

fn xaes(plan: &Plan, _: usize) -> Made {
    let key = &plan.key[..32];
    let ours = XAes256Gcm::with_engine(key, plan.engine).expect("a key");
    aead(
        plan,
        &ours,
        &xaes_256_gcm::Xaes256Gcm::new_from_slice(key).expect("a key"),
    )
}

/// Ciphertext and tag of two AEADs; what ours sealed opens, and with a bit flipped leaves zeros.
fn aead<O: AeadInOut, P: AeadInOut>(plan: &Plan, ours: &O, theirs: &P) -> Made {
    let (aad, text) = (plan.aad.get(), plan.text.get());
    let made = [
        sealed(ours, &plan.nonce, aad, text),
        sealed(theirs, &plan.nonce, aad, text),
    ];
    assert_eq!(
        opened(ours, &plan.nonce, aad, &made[0], text.len()),
        (true, text.to_vec())
    );
    let forged = opened(ours, &plan.nonce, aad, &plan.flipped(&made[0]), text.len());
    assert_eq!(forged, (false, vec![0; text.len()]), "{}", plan.engine);
    made
}

/// A nonce of the length that an AEAD takes.
fn nonce<A: AeadInOut>(bytes: &[u8; 24]) -> carryless::aead::Nonce<A> {
    let mut nonce = carryless::aead::Nonce::<A>::default();
    let len = nonce.len();
    nonce.copy_from_slice(&bytes[..len]);
    nonce
}

fn sealed<A: AeadInOut>(key: &A, nonce: &[u8; 24], aad: &[u8], text: &[u8]) -> Vec<u8> {
    let mut made = text.to_vec();
    let tag = key.encrypt_inout_detached(&self::nonce::<A>(nonce), aad, made.as_mut_slice().into());
    made.extend_from_slice(&tag.expect("lengths within the limits"));
    made
}

/// Whether a message opened, and what is in its place then.
fn opened<A: AeadInOut>(
    key: &A,
    nonce: &[u8; 24],
    aad: &[u8],
    sealed: &[u8],
    len: usize,
) -> (bool, Vec<u8>) {
    let (text, tag) = sealed.split_at(len);
    let mut made = text.to_vec();
    let tag = tag.try_into().expect("a tag");
    let right = key.decrypt_inout_detached(
        &self::nonce::<A>(nonce),
        aad,
        made.as_mut_slice().into(),
        tag,
    );
    (right.is_ok(), made)
}
