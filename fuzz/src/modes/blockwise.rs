//! LEA and SGCM, for whose modes there is no crate: put together of single blocks of the crates `lea` and `aes`.

use aes::cipher::{BlockCipherEncrypt as _, KeyInit as _};
use carryless::Gcm;
use carryless::hazmat::sgcm::Element;
use carryless::hazmat::{BlockCipher, CbcDecryptor, Ctr};
use carryless::sgcm::Sgcm;
use lea::prelude::{BlockEncrypt as _, NewBlockCipher as _};

use super::{Made, Plan, with_cipher};
use crate::harness::reference::{Block, Poly, blocks, increment, length_block, xor};

/// A block, encrypted by another crate.
type Encrypt<'k> = &'k dyn Fn(Block) -> Block;

/// `with_lea! { bytes of a key, C Peer => code }`: the code with the cipher of such keys, ours and that of `lea`.
macro_rules! with_lea {
    ($key_len:expr, $C:ident $Peer:ident => $code:expr) => {
        match $key_len {
            16 => with_lea!(@Lea128 $C $Peer $code),
            24 => with_lea!(@Lea192 $C $Peer $code),
            _ => with_lea!(@Lea256 $C $Peer $code),
        }
    };
    (@$Name:ident $C:ident $Peer:ident $code:expr) => {{
        type $C = carryless::$Name;
        type $Peer = lea::$Name;
        $code
    }};
}

/// `in_pieces! { Key, plan, key }`: ciphertext and tag, by one call and in pieces; there and back, and with a bit flipped.
macro_rules! in_pieces {
    ($Key:ty, $plan:expr, $key:expr) => {{
        let (plan, key) = (
            $plan,
            <$Key>::with_engine($key, $plan.engine).expect("a key"),
        );
        let (nonce, aad, text) = (&plan.nonce[..12], plan.aad.get(), plan.text.get());
        let mut whole = text.to_vec();
        let tag = key.seal_in_place(nonce, aad, &mut whole).expect("a nonce");
        let mut pieces = text.to_vec();
        let (head, tail) = pieces.split_at_mut(plan.cut);
        let mut sealer = key.sealer(nonce).expect("a nonce");
        let at = plan.cut.min(aad.len());
        sealer.aad(&aad[..at]).expect("a length");
        sealer.aad(&aad[at..]).expect("a length");
        sealer.seal_in_place(head).expect("a length");
        sealer.seal_in_place(tail).expect("a length");
        assert_eq!(sealer.finish(), tag, "{}", plan.engine);
        assert_eq!(pieces, whole, "{}", plan.engine);
        let (head, tail) = pieces.split_at_mut(plan.cut);
        let mut opener = key.opener(nonce).expect("a nonce");
        opener.aad(aad).expect("a length");
        opener.open_in_place(head).expect("a length");
        opener.open_in_place(tail).expect("a length");
        assert!(
            opener.finish(&tag).is_ok() && pieces == text,
            "{}",
            plan.engine
        );
        let mut forged = whole.clone();
        assert!(
            key.open_in_place(nonce, aad, &mut forged, &plan.flipped(&tag))
                .is_err()
        );
        assert!(forged.iter().all(|byte| *byte == 0), "{}", plan.engine);
        whole.extend(tag);
        whole
    }};
}

/// SGCM with AES.
pub(super) fn sgcm(plan: &Plan, key_len: usize) -> Made {
    let key = &plan.key[..key_len];
    with_cipher!(key_len, C Peer => {
        let peer = Peer::new_from_slice(key).expect("a key");
        let encrypt = |mut block: Block| {
            peer.encrypt_block((&mut block).into());
            block
        };
        [in_pieces!(Sgcm::<C>, plan, key), frame(plan, &encrypt, sghash)]
    })
}

/// LEA: blocks and CBC there and back, CTR, GCM and SGCM.
pub(super) fn lea(plan: &Plan, key_len: usize) -> Made {
    let (key, start, (text, cut)) = (&plan.key[..key_len], plan.start(), plan.whole());
    with_lea!(key_len, C Peer => {
        let peer = Peer::new_from_slice(key).expect("a key");
        let encrypt = |mut block: Block| {
            peer.encrypt_block((&mut block).into());
            block
        };
        let cipher = BlockCipher::<C>::with_engine(key, plan.engine).expect("a key");
        let mut sealed = text.as_chunks().0.to_vec();
        cipher.encrypt_blocks(&mut sealed);
        let mut back = sealed.clone();
        cipher.decrypt_blocks(&mut back);
        assert_eq!(back.as_flattened(), text, "{}", plan.engine);
        let mut chain = sealed.as_flattened().to_vec();
        let mut dec = CbcDecryptor::<C>::with_engine(key, &start, plan.engine).expect("a key");
        dec.decrypt_in_place(&mut chain[..cut]).expect("whole blocks");
        dec.decrypt_in_place(&mut chain[cut..]).expect("whole blocks");
        let before = [start].into_iter().chain(sealed.iter().copied());
        let linked = blocks(text).zip(before).map(|(block, before)| xor(&block, &before));
        assert_eq!(chain, linked.collect::<Vec<_>>().concat(), "{}", plan.engine);
        let mut stream = text.to_vec();
        let mut ctr = Ctr::<C>::with_engine(key, &start, plan.engine).expect("a key");
        ctr.apply_in_place(&mut stream[..cut]).expect("key stream");
        ctr.apply_in_place(&mut stream[cut..]).expect("key stream");
        let counters = (0..).map(|i| u128::from_be_bytes(start).wrapping_add(i).to_be_bytes());
        let streamed = blocks(text).zip(counters).map(|(block, counter)| xor(&block, &encrypt(counter)));
        let ours = [sealed.concat(), stream, in_pieces!(Gcm::<C>, plan, key), in_pieces!(Sgcm::<C>, plan, key)];
        let theirs = [
            blocks(text).map(encrypt).collect::<Vec<_>>().concat(),
            streamed.collect::<Vec<_>>().concat(),
            frame(plan, &encrypt, ghash),
            frame(plan, &encrypt, sghash),
        ];
        [ours.concat(), theirs.concat()]
    })
}

/// The frame of GCM (SP 800-38D), with a hash under H that makes the tag of the blocks and the encrypted J0.
fn frame(plan: &Plan, encrypt: Encrypt<'_>, tag: fn(&Block, &[Block], &Block) -> Block) -> Vec<u8> {
    let (aad, text) = (plan.aad.get(), plan.text.get());
    let mut counter = [0; 16];
    counter[..12].copy_from_slice(&plan.nonce[..12]);
    counter[15] = 1;
    let mask = encrypt(counter);
    let mut sealed = Vec::new();
    for block in blocks(text) {
        counter = increment(&counter);
        sealed.extend(xor(&block, &encrypt(counter)));
    }
    sealed.truncate(text.len());
    let lengths = length_block(aad.len(), text.len());
    let hashed: Vec<_> = blocks(aad)
        .chain(blocks(&sealed))
        .chain([lengths])
        .collect();
    sealed.extend(tag(&encrypt([0; 16]), &hashed, &mask));
    sealed
}

fn ghash(h: &Block, data: &[Block], mask: &Block) -> Block {
    let h = Poly::from_block(h);
    let step = |y: Poly, block: &Block| y.add(Poly::from_block(block)).times(h);
    xor(&data.iter().fold(Poly(0), step).to_block(), mask)
}

/// One block after the other, where engines add up the products of eight.
fn sghash(h: &Block, data: &[Block], mask: &Block) -> Block {
    let element = |block: &Block| {
        let mut bytes = [0; 17];
        bytes[1..].copy_from_slice(block);
        Element::from_be_bytes(&bytes).expect("below 2^128")
    };
    let h = element(h);
    let y = data
        .iter()
        .fold(Element::default(), |y, block| (y + element(block)) * h);
    let [y, mask] = [y.to_block(), *mask].map(u128::from_be_bytes);
    y.wrapping_add(mask).to_be_bytes()
}
