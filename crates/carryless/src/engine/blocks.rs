//! What modes of a block cipher ask of an engine beside encryption and counter mode: decryption, chains, tweaks. All on whole blocks;
//! bytes beyond the last stay as they are.
//!
//! Each operation has a default, which takes eight blocks at a time where it can: right on every engine, and as fast as it
//! goes where eight blocks are one batch.

use zeroize::ZeroizeOnDrop;

use super::{Block, BlockCipher, Cipher, Counter, InOut, LittleCounter, xor_into};
use crate::block::Counting;
pub use crate::kernel::chain::CHAINS;
use crate::secret::{then_overwrite_stack, wipe};
use crate::soft::add_stream;

/// Blocks of a batch.
const BATCH: usize = 8;

/// A CPU that decrypts.
pub trait Decrypt<C: BlockCipher>: Cipher<C> {
    /// Expanded keys for that.
    type Dec: Clone + Default + Send + Sync + ZeroizeOnDrop;

    /// Expands a key of `C::KEY_LEN` bytes.
    fn expand_inverse(self, key: &[u8]) -> Self::Dec;

    /// Decrypts whole blocks.
    fn decrypt(self, keys: &Self::Dec, blocks: InOut<'_>);
}

/// A CPU that runs the modes of a block cipher.
pub trait Modes<C: BlockCipher>: Decrypt<C> {
    /// [`Cipher::ctr`] from a counter that is public: it may show in the time.
    fn public_ctr(self, keys: &Self::Enc, counter: Counter, text: InOut<'_>) {
        self.ctr(keys, counter, text);
    }

    /// XORs the key stream of AES-GCM-SIV from `counter` on into the text, any number of bytes (RFC 8452 section 4).
    fn ctr_little(self, keys: &Self::Enc, counter: LittleCounter, text: InOut<'_>) {
        ctr_little(&|blocks| self.encrypt(keys, blocks), counter, text);
    }

    /// Encrypts a chain (CBC, SP 800-38A section 6.2); `chain` is the block before the first, and then the last.
    fn encrypt_cbc(self, keys: &Self::Enc, chain: &mut Block, text: InOut<'_>) {
        encrypt_cbc(&|block| self.encrypt_block(keys, block), chain, text);
    }

    /// The last block of a chain (SP 800-38B section 6.2), from `chain` on.
    fn mac_cbc(self, keys: &Self::Enc, chain: &mut Block, data: &[u8]) {
        mac_cbc(&|block| self.encrypt_block(keys, block), chain, data);
    }

    /// [`encrypt_cbc`](Self::encrypt_cbc) of several texts, as many blocks as the shortest has.
    fn encrypt_cbc_each(
        self,
        keys: &Self::Enc,
        chains: &mut [Block; CHAINS],
        texts: [InOut<'_>; CHAINS],
    ) {
        encrypt_cbc_each(&|blocks| self.encrypt(keys, blocks), chains, texts);
    }

    /// [`mac_cbc`](Self::mac_cbc) of several, as many blocks as the shortest has.
    fn mac_cbc_each(self, keys: &Self::Enc, chains: &mut [Block; CHAINS], data: [&[u8]; CHAINS]) {
        mac_cbc_each(&|blocks| self.encrypt(keys, blocks), chains, data);
    }

    /// Encrypts or decrypts in counter mode from the block `counter` on, and continues the chain of the plaintext (CCM, SP 800-38C
    /// section 6); `chain` is the block before it, and then its last one, neither encrypted yet.
    fn ccm(
        self,
        keys: &Self::Enc,
        counter: Counter,
        chain: &mut Block,
        text: InOut<'_>,
        seal: bool,
    ) {
        let link: Link<'_> = &|chain, data| {
            self.encrypt_block(keys, chain);
            if !data.is_empty() {
                self.mac_cbc(keys, chain, data);
            }
        };
        let ctr: Run<'_> = &|text| self.public_ctr(keys, counter, text);
        ccm(link, ctr, chain, text, seal);
    }

    /// Decrypts a chain; `chain` is the block before the first, and then the last that was decrypted.
    fn decrypt_cbc(self, keys: &Self::Dec, chain: &mut Block, text: InOut<'_>) {
        decrypt_cbc(&|blocks| self.decrypt(keys, blocks), chain, text);
    }

    /// Encrypts under tweaks (XTS, IEEE 1619 section 5.3); `tweak` is that of the first block, and then that of the one behind the last.
    fn encrypt_xts(self, keys: &Self::Enc, tweak: &mut Block, text: InOut<'_>) {
        tweaked(&|blocks| self.encrypt(keys, blocks), tweak, text);
    }

    /// Decrypts them.
    fn decrypt_xts(self, keys: &Self::Dec, tweak: &mut Block, text: InOut<'_>) {
        tweaked(&|blocks| self.decrypt(keys, blocks), tweak, text);
    }
}

/// What an engine does with whole blocks under a key. Not a type parameter: there is one copy of each default.
type Run<'a> = &'a dyn Fn(InOut<'_>);

/// The default of [`Modes::ctr_little`].
pub(super) fn ctr_little(encrypt: Run<'_>, mut counter: LittleCounter, mut text: InOut<'_>) {
    let mut stream = [[0; 16]; BATCH];
    while !text.is_empty() {
        let len = text.len().min(16 * BATCH);
        let blocks = len.div_ceil(16);
        for block in stream.iter_mut().take(blocks) {
            *block = counter.to_block();
            counter = counter.further(1);
        }
        encrypt(InOut::in_place(stream[..blocks].as_flattened_mut()));
        let Some(part) = text.split_to(len) else {
            break;
        };
        add_stream(part, &stream);
    }
    wipe(&mut stream);
}

/// Encrypts a block, and goes on with it as the chain of what follows.
type Link<'a> = &'a dyn Fn(&mut Block, &[u8]);

/// The default of [`Modes::ccm`].
#[inline(never)]
fn ccm(link: Link<'_>, ctr: Run<'_>, chain: &mut Block, mut text: InOut<'_>, seal: bool) {
    let Some(mut blocks) = text.split_to(text.len() & !15) else {
        return;
    };
    let continued = |chain: &mut Block, data: &[u8]| {
        if let Some((before, last)) = data.split_last_chunk() {
            link(chain, before);
            xor_into(chain, last);
        }
    };
    if seal {
        continued(chain, blocks.source());
    }
    ctr(blocks.reborrow());
    if !seal {
        continued(chain, blocks.written());
    }
}

/// The default of [`Modes::mac_cbc`].
pub(super) fn mac_cbc(encrypt_block: &dyn Fn(&mut Block), chain: &mut Block, data: &[u8]) {
    for block in data.as_chunks().0 {
        xor_into(chain, block);
        encrypt_block(chain);
    }
}

/// The default of [`Modes::encrypt_cbc`].
pub(super) fn encrypt_cbc(
    encrypt_block: &dyn Fn(&mut Block),
    chain: &mut Block,
    mut text: InOut<'_>,
) {
    while let Some(mut block) = text.split_to(16) {
        xor_into(chain, &block.get(0));
        encrypt_block(chain);
        block.set(0, chain);
    }
}

/// The default of [`Modes::encrypt_cbc_each`].
fn encrypt_cbc_each(
    encrypt: Run<'_>,
    chains: &mut [Block; CHAINS],
    mut texts: [InOut<'_>; CHAINS],
) {
    let len = texts.iter().map(InOut::len).min().unwrap_or_default();
    for at in (16..=len).step_by(16) {
        for (chain, text) in chains.iter_mut().zip(&texts) {
            xor_into(chain, &text.get(at - 16));
        }
        encrypt(InOut::in_place(chains.as_flattened_mut()));
        for (chain, text) in chains.iter().zip(&mut texts) {
            text.set(at - 16, chain);
        }
    }
}

/// The default of [`Modes::mac_cbc_each`].
fn mac_cbc_each(encrypt: Run<'_>, chains: &mut [Block; CHAINS], data: [&[u8]; CHAINS]) {
    let blocks = data.map(|data| data.as_chunks().0);
    let len = blocks.iter().map(|blocks| blocks.len()).min();
    for at in 0..len.unwrap_or_default() {
        for (chain, blocks) in chains.iter_mut().zip(blocks) {
            xor_into(chain, &blocks[at]);
        }
        encrypt(InOut::in_place(chains.as_flattened_mut()));
    }
}

/// The default of [`Modes::decrypt_cbc`].
pub(super) fn decrypt_cbc(decrypt: Run<'_>, chain: &mut Block, mut text: InOut<'_>) {
    let mut blocks = [[0; 16]; BATCH];
    while let Some(mut part) = next_batch(&mut text, &mut blocks) {
        let (encrypted, count) = (blocks, part.len() / 16);
        decrypt(InOut::in_place(blocks[..count].as_flattened_mut()));
        for (block, before) in blocks.iter_mut().zip([*chain].iter().chain(&encrypted)) {
            xor_into(block, before);
        }
        put(&mut part, &blocks);
        *chain = encrypted[count - 1];
    }
    wipe(&mut blocks);
}

/// Cuts off the next whole blocks, as many as a batch takes, and copies them there; `None` behind the last.
fn next_batch<'a>(text: &mut InOut<'a>, blocks: &mut [Block; BATCH]) -> Option<InOut<'a>> {
    let len = text.len().min(16 * BATCH) & !15;
    if len == 0 {
        return None;
    }
    let part = text.split_to(len)?;
    blocks.as_flattened_mut()[..len].copy_from_slice(part.source());
    Some(part)
}

/// Writes as many blocks as there is text.
fn put(text: &mut InOut<'_>, blocks: &[Block; BATCH]) {
    for (i, block) in blocks.iter().take(text.len() / 16).enumerate() {
        text.set(16 * i, block);
    }
}

/// Bytes of stack for a batch of blocks, one of tweaks, and what the compiler keeps beside them.
const TWEAKED_FRAMES: usize = 1024;

/// Whole blocks by `run`, a tweak added before and behind: the default of [`Modes::encrypt_xts`] and [`Modes::decrypt_xts`].
pub(super) fn tweaked(run: Run<'_>, tweak: &mut Block, mut text: InOut<'_>) {
    // Of tweaks the compiler has copies in its frame, which a wipe of theirs does not reach.
    then_overwrite_stack::<TWEAKED_FRAMES, _>(|| {
        let (mut blocks, mut tweaks) = ([[0; 16]; BATCH], [[0; 16]; BATCH]);
        while let Some(mut part) = next_batch(&mut text, &mut blocks) {
            let count = part.len() / 16;
            for (block, place) in blocks.iter_mut().zip(&mut tweaks).take(count) {
                xor_into(block, tweak);
                *place = *tweak;
                *tweak = doubled(*tweak);
            }
            run(InOut::in_place(blocks[..count].as_flattened_mut()));
            for (block, tweak) in blocks.iter_mut().zip(&tweaks) {
                xor_into(block, tweak);
            }
            put(&mut part, &blocks);
        }
    });
}

/// A tweak times x.
pub fn doubled(tweak: Block) -> Block {
    let v = u128::from_le_bytes(tweak);
    (v << 1 ^ (v >> 127).wrapping_neg() & 0x87).to_le_bytes()
}
