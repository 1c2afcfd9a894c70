//! Many messages in one call.

use core::fmt;

use super::gcm::{Gcm, between, padded, shorten, verify};
use super::limits::{TagLen, check};
use crate::engine::{
    AeadKeys, Block, Counter, Direction, EveryAead, FOUR_FRAMES, Four, InOut, Lane, MESSAGES,
    Message, Open, Seal, Tag,
};
use crate::error::{InputError, OpenError};
use crate::secret::{self, Choice};

/// What a packet says that was in no call.
const UNTOUCHED: OpenError = OpenError::Input(InputError::PacketUntouched);

/// A message of a batch: nonce, additional data, text, tag, and in the end whether it went well.
///
/// It is for one call: one that was sealed or opened, or failed to be, is left alone by another call, which
/// says [`InputError::PacketUsed`].
///
/// See [`Gcm::seal_batch`](crate::Gcm::seal_batch) and [`Gcm::open_batch`](crate::Gcm::open_batch).
pub struct Packet<'a> {
    message: Message<'a>,
    /// Sealing: the tag; opening: the one that came.
    tag: Tag,
    result: Result<(), OpenError>,
}

impl fmt::Debug for Packet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packet")
            .field("text_len", &self.message.text.len())
            .field("result", &self.result)
            .finish_non_exhaustive()
    }
}

impl<'a> Packet<'a> {
    /// A message whose text is sealed or opened where it stands.
    #[inline]
    pub fn in_place(nonce: &[u8; 12], aad: &'a [u8], text: &'a mut [u8]) -> Self {
        Self::new(nonce, aad, InOut::in_place(text))
    }

    /// A message whose text goes from `src` to `dst`, which has the same length.
    ///
    /// # Errors
    /// [`InputError::Output`] if it has not.
    #[inline]
    pub fn between(
        nonce: &[u8; 12],
        aad: &'a [u8],
        src: &'a [u8],
        dst: &'a mut [u8],
    ) -> Result<Self, InputError> {
        Ok(Self::new(nonce, aad, between(src, dst)?))
    }

    #[inline(always)]
    fn new(nonce: &[u8; 12], aad: &'a [u8], text: InOut<'a>) -> Self {
        Self {
            message: Message {
                j0: Counter::from_nonce(nonce),
                aad,
                text,
            },
            tag: Tag {
                bytes: [0; 16],
                len: 0,
            },
            result: Err(UNTOUCHED),
        }
    }

    /// The same with the tag that the message came with.
    #[inline]
    #[must_use]
    pub fn with_tag(mut self, tag: &[u8]) -> Self {
        let known = tag.len().min(16);
        self.tag.bytes = [0; 16];
        self.tag.bytes[..known].copy_from_slice(&tag[..known]);
        self.tag.len = tag.len();
        self
    }

    /// The tag: of a sealed message the one that was made, otherwise the one that it came with, of
    /// which a seventeenth byte is not kept; empty if there is none.
    #[inline]
    pub fn tag(&self) -> &[u8] {
        &self.tag.bytes[..self.tag.len.min(16)]
    }

    /// Whether the message was sealed or opened.
    ///
    /// # Errors
    /// [`OpenError::Unauthentic`] if its tag was wrong: its output is zeroed. [`OpenError::Input`] for
    /// lengths that can't be right, and [`InputError::PacketUntouched`] as long as no call had it: its
    /// output is as it was.
    #[inline]
    pub fn result(&self) -> Result<(), OpenError> {
        self.result
    }

    /// Whether it was in no call: a second one would turn a sealed text into plaintext again.
    #[inline(always)]
    fn is_untouched(&self) -> bool {
        self.result == Err(UNTOUCHED)
    }

    /// Whether the tag that it came with has the right length; sealing makes one.
    #[inline(always)]
    fn tag_fits<D: Direction, const TAG: usize>(&self) -> bool {
        D::SEAL || self.tag.len == TAG
    }

    /// Whether lengths are right, of the tag too if the packet is opened.
    fn check<D: Direction, const TAG: usize>(&self) -> Result<(), InputError> {
        check(&[0; 12], self.message.aad, self.message.text.len())?;
        if self.tag_fits::<D, TAG>() {
            Ok(())
        } else {
            let got = self.tag.len;
            Err(InputError::Tag { got, expected: TAG })
        }
    }

    /// Seals or opens it alone, if it may be.
    #[inline(always)]
    fn run<C: EveryAead, D: Direction, const TAG: usize>(
        &mut self,
        keys: &AeadKeys<C>,
    ) -> Result<(), OpenError> {
        let () = TagLen::<TAG>::IS_ALLOWED;
        if !self.is_untouched() {
            return Err(InputError::PacketUsed.into());
        }
        if let Err(error) = self.check::<D, TAG>() {
            self.result = Err(error.into());
            return self.result;
        }
        let Message { j0, aad, text } = &mut self.message;
        let message = Message {
            j0: *j0,
            aad,
            text: text.reborrow(),
        };
        if D::SEAL {
            let tag = keys.seal(message);
            self.sealed::<TAG>(&tag);
        } else {
            let right = keys.open(message, &self.tag);
            self.opened(right);
        }
        self.result
    }

    /// Takes the tag of the sealed text.
    #[inline(always)]
    fn sealed<const TAG: usize>(&mut self, tag: &Block) {
        self.tag = padded(&shorten::<TAG>(tag));
        self.result = Ok(());
    }

    /// Keeps the opened text if its tag was right.
    #[inline(always)]
    fn opened(&mut self, right: Choice) {
        self.result = verify(right, self.message.text.reborrow()).map_err(OpenError::from);
    }
}

impl<C: EveryAead, const NONCE: usize, const TAG: usize> Gcm<C, NONCE, TAG> {
    /// Seals many messages. Every packet then has its [`tag`](Packet::tag).
    ///
    /// On engines with vectors each four, counted from the first, are sealed at a time, if their texts have
    /// the same number of blocks of 16 bytes, one to four, and their AADs 16 bytes at most (`techniques`
    /// section 15, idea 2). Others go one after the other; none waits for another, so that the CPU has
    /// several in work.
    ///
    /// # Errors
    /// The first error of a packet, which concerns that one alone; [`Packet::result`] has that of each.
    ///
    /// # Examples
    /// ```
    /// use carryless::{Aes128Gcm, Packet};
    ///
    /// let key = Aes128Gcm::from_slice(&[1; 16])?;
    /// let (mut one, mut two) = (*b"one", *b"and another");
    /// let mut packets = [
    ///     Packet::in_place(&[1; 12], b"", &mut one),
    ///     Packet::in_place(&[2; 12], b"header", &mut two),
    /// ];
    /// key.seal_batch(&mut packets)?;
    /// let tags = packets.each_ref().map(|packet| packet.tag().to_vec());
    ///
    /// let mut packets = [
    ///     Packet::in_place(&[1; 12], b"", &mut one).with_tag(&tags[0]),
    ///     Packet::in_place(&[2; 12], b"header", &mut two).with_tag(&[0; 16]),
    /// ];
    /// assert!(key.open_batch(&mut packets).is_err());
    /// assert!(packets[0].result().is_ok() && packets[1].result().is_err());
    /// assert_eq!((&one, &two), (b"one", &[0; 11]));
    /// # Ok::<(), carryless::error::OpenError>(())
    /// ```
    #[inline]
    pub fn seal_batch(&self, packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        run::<C, Seal, TAG>(self.keys.get(), packets)
    }

    /// Opens many messages, as [`seal_batch`](Self::seal_batch) does.
    ///
    /// # Errors
    /// The first error of a packet, which concerns that one alone: the others are opened.
    /// [`Packet::result`] has that of each.
    #[inline]
    pub fn open_batch(&self, packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        run::<C, Open, TAG>(self.keys.get(), packets)
    }

    /// [`seal_batch`](Self::seal_batch) with a key for each packet, one after the other. They may be of
    /// different engines.
    ///
    /// # Errors
    /// [`InputError::Keys`] (in [`OpenError::Input`]) if there are not as many keys as packets; nothing
    /// is written then. Otherwise as there.
    pub fn seal_batch_keyed(keys: &[&Self], packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        keyed::<C, Seal, NONCE, TAG>(keys, packets)
    }

    /// [`open_batch`](Self::open_batch) with a key for each packet.
    ///
    /// # Errors
    /// As [`seal_batch_keyed`](Self::seal_batch_keyed), and as [`open_batch`](Self::open_batch).
    pub fn open_batch_keyed(keys: &[&Self], packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        keyed::<C, Open, NONCE, TAG>(keys, packets)
    }
}

fn keyed<C: EveryAead, D: Direction, const NONCE: usize, const TAG: usize>(
    keys: &[&Gcm<C, NONCE, TAG>],
    packets: &mut [Packet<'_>],
) -> Result<(), OpenError> {
    let (got, expected) = (keys.len(), packets.len());
    if got != expected {
        return Err(InputError::Keys { got, expected }.into());
    }
    one_by_one::<C, D, TAG>(|i| keys[i].keys.get(), packets)
}

/// Seals or opens packets under one key, four at a time where their lengths let it; the first error.
#[inline(always)]
fn run<C: EveryAead, D: Direction, const TAG: usize>(
    keys: &AeadKeys<C>,
    packets: &mut [Packet<'_>],
) -> Result<(), OpenError> {
    let mut result = Ok(());
    let key = |_| keys;
    let (fours, rest) = packets.as_chunks_mut::<MESSAGES>();
    let mut left_frames = false;
    for four in fours {
        result = result.and(if let Some(given) = together::<C, D, TAG>(keys, four) {
            left_frames = true;
            given
        } else {
            one_by_one::<C, D, TAG>(key, four)
        });
    }
    if left_frames {
        secret::burn_stack::<FOUR_FRAMES>();
    }
    result.and(one_by_one::<C, D, TAG>(key, rest))
}

/// Seals or opens four packets in one call of the kernel; the first error. `None`, and nothing is done, if
/// that can't be.
#[inline(always)]
fn together<C: EveryAead, D: Direction, const TAG: usize>(
    keys: &AeadKeys<C>,
    four: &mut [Packet<'_>; MESSAGES],
) -> Option<Result<(), OpenError>> {
    if !four
        .iter()
        .all(|packet| packet.is_untouched() && packet.tag_fits::<D, TAG>())
    {
        return None;
    }
    let [a, b, c, d] = four
        .each_mut()
        .map(|Packet { message, tag, .. }| (message, &*tag));
    let messages = Four::of([a.0, b.0, c.0, d.0])?;
    if D::SEAL {
        let mut tags = [Lane::default(); MESSAGES];
        keys.seal_four(messages, &mut tags)?;
        for (packet, tag) in four.iter_mut().zip(&tags) {
            packet.sealed::<TAG>(&tag.0);
        }
        if TAG < 16 {
            // What is cut off was never given out.
            secret::wipe(&mut tags);
        }
        return Some(Ok(()));
    }
    let right = keys.open_four(messages, [a.1, b.1, c.1, d.1])?;
    let mut result = Ok(());
    for (packet, right) in four.iter_mut().zip(right) {
        packet.opened(right);
        result = result.and(packet.result);
    }
    Some(result)
}

/// Seals or opens packets, each under the key of its number; the first error. Not inlined: every engine is
/// in it.
#[inline(never)]
fn one_by_one<'k, C: EveryAead + 'k, D: Direction, const TAG: usize>(
    keys: impl Fn(usize) -> &'k AeadKeys<C>,
    packets: &mut [Packet<'_>],
) -> Result<(), OpenError> {
    let mut result = Ok(());
    for (i, packet) in packets.iter_mut().enumerate() {
        result = result.and(packet.run::<C, D, TAG>(keys(i)));
    }
    result
}
