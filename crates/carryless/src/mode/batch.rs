//! Many messages in one call.

use core::fmt;

use super::gcm::{Gcm, between, padded, shorten, verify};
use super::limits::{TagLen, check};
use crate::engine::{AeadKeys, Counter, Direction, EveryAead, InOut, Message, Open, Seal, Tag};
use crate::error::{InputError, OpenError};

/// What a packet says that was in no call.
const UNTOUCHED: OpenError = OpenError::Input(InputError::PacketUntouched);

/// A message of a batch: nonce, additional data, text, tag, and in the end whether it went well.
///
/// It is for one call: one that was sealed or opened, or failed to be, is left alone by another call, which
/// says [`InputError::PacketUsed`].
///
/// See [`Gcm::seal_batch`](crate::Gcm::seal_batch) and [`Gcm::open_batch`](crate::Gcm::open_batch).
pub struct Packet<'a> {
    j0: Counter,
    aad: &'a [u8],
    text: InOut<'a>,
    /// Sealing: the tag; opening: the one that came.
    tag: Tag,
    result: Result<(), OpenError>,
}

impl fmt::Debug for Packet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packet")
            .field("text_len", &self.text.len())
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
            j0: Counter::from_nonce(nonce),
            aad,
            text,
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

    /// Whether lengths are right, of the tag too if the packet is opened.
    fn check<D: Direction, const TAG: usize>(&self) -> Result<(), InputError> {
        check(&[0; 12], self.aad, self.text.len())?;
        let got = self.tag.len;
        if !D::SEAL && got != TAG {
            return Err(InputError::Tag { got, expected: TAG });
        }
        Ok(())
    }

    /// Seals or opens it, if it may be.
    #[inline(always)]
    fn run<C: EveryAead, D: Direction, const TAG: usize>(
        &mut self,
        keys: &AeadKeys<C>,
    ) -> Result<(), OpenError> {
        let () = TagLen::<TAG>::IS_ALLOWED;
        self.check::<D, TAG>()?;
        let message = Message {
            j0: self.j0,
            aad: self.aad,
            text: self.text.reborrow(),
        };
        if D::SEAL {
            self.tag = padded(&shorten::<TAG>(&keys.seal(message)));
            Ok(())
        } else {
            let right = keys.open(message, &self.tag);
            Ok(verify(right, self.text.reborrow())?)
        }
    }
}

impl<C: EveryAead, const NONCE: usize, const TAG: usize> Gcm<C, NONCE, TAG> {
    /// Seals many messages, one after the other. Every packet then has its [`tag`](Packet::tag).
    ///
    /// None waits for another, so that the CPU has several short ones in work at a time. Kernels that
    /// interleave packets by themselves were tried and were slower (docs/architecture.md).
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
        run::<C, Seal, TAG>(|_| self.keys.get(), packets)
    }

    /// Opens many messages, one after the other.
    ///
    /// # Errors
    /// The first error of a packet, which concerns that one alone: the others are opened.
    /// [`Packet::result`] has that of each.
    #[inline]
    pub fn open_batch(&self, packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        run::<C, Open, TAG>(|_| self.keys.get(), packets)
    }

    /// [`seal_batch`](Self::seal_batch) with a key for each packet. They may be of
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
    run::<C, D, TAG>(|i| keys[i].keys.get(), packets)
}

/// Seals or opens packets, each under the key of its number; the first error.
#[inline(always)]
fn run<'k, C: EveryAead + 'k, D: Direction, const TAG: usize>(
    keys: impl Fn(usize) -> &'k AeadKeys<C>,
    packets: &mut [Packet<'_>],
) -> Result<(), OpenError> {
    let mut result = Ok(());
    for (i, packet) in packets.iter_mut().enumerate() {
        // A second time would turn a sealed text into plaintext again.
        let given = if packet.result == Err(UNTOUCHED) {
            packet.result = packet.run::<C, D, TAG>(keys(i));
            packet.result
        } else {
            Err(InputError::PacketUsed.into())
        };
        result = result.and(given);
    }
    result
}
