//! Keys of CMAC, which know no length of tags: one code for all.

use crate::engine::{Block, CHAINS, CipherKeys, Engine, EveryCipher, Tag, padded, xor_into};
use crate::error::Unavailable;
use crate::mode::chain::{Chain, doubled};
use crate::mode::nonce::FRAMES;
use crate::secret::{self, Choice, ZeroedOnDrop, then_overwrite_stack};

/// The cipher's keys, and a subkey.
#[derive(Clone)]
pub(in crate::mode) struct MacKey<C: EveryCipher> {
    keys: ZeroedOnDrop<CipherKeys<C>>,
    /// What is added to a last block that is full (SP 800-38B section 6.1).
    k1: ZeroedOnDrop<Block>,
}

impl<C: EveryCipher> MacKey<C> {
    /// With a key of the cipher's length.
    #[inline(always)]
    pub(super) fn build(engine: Engine, key: &[u8]) -> Result<Self, Unavailable> {
        let mut made = Self {
            keys: ZeroedOnDrop::new(CipherKeys::for_chains(engine, key)?),
            k1: ZeroedOnDrop::new([0; 16]),
        };
        made.derive();
        Ok(made)
    }

    /// Makes the subkey.
    fn derive(&mut self) {
        let (keys, k1) = (self.keys.get(), self.k1.get_mut());
        then_overwrite_stack::<FRAMES, _>(|| {
            keys.encrypt_block(k1);
            *k1 = doubled(k1);
        });
    }

    pub(super) const fn engine(&self) -> Engine {
        self.keys.get().engine()
    }

    /// The full tag of `data`.
    pub(super) fn mac(&self, data: &[u8]) -> Block {
        then_overwrite_stack::<FRAMES, _>(|| {
            let mut chain = Chain::default();
            chain.absorb(self.keys.get(), data);
            *self.end(&mut chain)
        })
    }

    /// Whether `tag` is the tag of `data`.
    pub(super) fn mac_matches(&self, data: &[u8], tag: &Tag) -> Choice {
        then_overwrite_stack::<FRAMES, _>(|| {
            let mut chain = Chain::default();
            chain.absorb(self.keys.get(), data);
            secret::equal(self.end(&mut chain), &tag.bytes, tag.len)
        })
    }

    /// Adds data to a message.
    pub(in crate::mode) fn update(&self, chain: &mut Chain, data: &[u8]) {
        then_overwrite_stack::<FRAMES, _>(|| chain.absorb(self.keys.get(), data));
    }

    /// The full tag of a message.
    pub(in crate::mode) fn finish(&self, chain: &mut Chain) -> Block {
        then_overwrite_stack::<FRAMES, _>(|| *self.end(chain))
    }

    /// Whether `tag` is the tag of a message.
    pub(super) fn finish_matches(&self, chain: &mut Chain, tag: &Tag) -> Choice {
        then_overwrite_stack::<FRAMES, _>(|| secret::equal(self.end(chain), &tag.bytes, tag.len))
    }

    /// The tags of several messages, each of `tag_len` bytes, one behind the other in `tags`.
    pub(super) fn mac_each(&self, messages: &[&[u8]], tags: &mut [u8], tag_len: usize) {
        then_overwrite_stack::<{ 4 * FRAMES }, _>(|| self.side_by_side(messages, tags, tag_len));
    }

    /// As many messages at a time as there are chains: where one ends, the next begins.
    fn side_by_side(&self, messages: &[&[u8]], mut tags: &mut [u8], tag_len: usize) {
        let mut waiting = messages.iter();
        let mut lanes = [const { Lane::IDLE }; CHAINS];
        let mut chains = [[0; 16]; CHAINS];
        loop {
            for lane in lanes.iter_mut().filter(|lane| lane.tag.is_none()) {
                if let Some(message) = waiting.next() {
                    let (tag, rest) = core::mem::take(&mut tags).split_at_mut(tag_len);
                    tags = rest;
                    let body = message.len().saturating_sub(1) & !15;
                    let (body, last) = message.split_at(body);
                    lane.body = body;
                    lane.last = self.mask(last.len());
                    xor_into(&mut lane.last, &padded(last));
                    lane.tag = Some(tag);
                }
            }
            let mut busy = (0..CHAINS).filter(|i| lanes[*i].tag.is_some());
            let Some(first) = busy.next() else { return };
            let along = lanes[first].next();
            let mut len = along.len();
            if busy.next().is_none() {
                self.keys.get().mac_cbc(&mut chains[first], along);
            } else {
                // An idle lane goes along with a busy one.
                let data = lanes.each_ref().map(|lane| match lane.tag {
                    Some(_) => lane.next(),
                    None => along,
                });
                len = data.iter().fold(len, |len, data| len.min(data.len()));
                self.keys.get().mac_cbc_each(&mut chains, data);
            }
            for (lane, chain) in lanes.iter_mut().zip(&mut chains) {
                lane.advance(len, chain);
            }
        }
    }

    /// What is added to a last block of `len` bytes: a subkey, and the padding of one that is not full (SP 800-38B section 6.2,
    /// step 4).
    #[inline(always)]
    fn mask(&self, len: usize) -> Block {
        let k1 = self.k1.get();
        if len == 16 {
            return *k1;
        }
        let mut mask = doubled(k1);
        mask[len] ^= 0x80;
        mask
    }

    /// The full tag of a message, in its chain.
    #[inline(always)]
    fn end<'c>(&self, chain: &'c mut Chain) -> &'c Block {
        xor_into(&mut chain.block, &self.mask(chain.filled));
        self.keys.get().encrypt_block(&mut chain.block);
        &chain.block
    }
}

/// A message among several: what is left of it, and the place for its tag, if there is a message.
struct Lane<'m> {
    body: &'m [u8],
    last: Block,
    tag: Option<&'m mut [u8]>,
}

impl Lane<'_> {
    const IDLE: Self = Self {
        body: &[],
        last: [0; 16],
        tag: None,
    };

    /// What is next: all but the last block, or that.
    fn next(&self) -> &[u8] {
        if self.body.is_empty() {
            &self.last
        } else {
            self.body
        }
    }

    /// Goes on behind `len` bytes that went into `chain`.
    fn advance(&mut self, len: usize, chain: &mut Block) {
        if !self.body.is_empty() {
            self.body = &self.body[len..];
            return;
        }
        if let Some(tag) = self.tag.take() {
            tag.copy_from_slice(&chain[..tag.len()]);
        }
        *chain = [0; 16];
        secret::wipe(&mut self.last);
    }
}
