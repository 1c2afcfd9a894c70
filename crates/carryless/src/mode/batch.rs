//! Many messages in one call.

use core::fmt;

use super::gcm::{Gcm, between, verify};
use super::limits::{TagLen, check};
use crate::engine::{AeadKeys, Counter, Direction, EveryAead, GROUP, InOut, Job, Open, Seal, Tag};
use crate::error::{InputError, OpenError};
use crate::secret::Choice;

/// A message of a batch: nonce, additional data, text, tag, and in the end whether it went well.
///
/// See [`Gcm::seal_batch`](crate::Gcm::seal_batch) and [`Gcm::open_batch`](crate::Gcm::open_batch).
pub struct Packet<'a> {
    job: Job<'a>,
    result: Result<(), OpenError>,
}

impl fmt::Debug for Packet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packet")
            .field("text_len", &self.job.text.len())
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
            job: Job {
                j0: Counter::from_nonce(nonce),
                aad,
                text,
                tag: Tag {
                    bytes: [0; 16],
                    len: 0,
                },
                right: Choice::default(),
            },
            result: Err(OpenError::Input(InputError::PacketUntouched)),
        }
    }

    /// The same with the tag that the message came with.
    #[inline]
    #[must_use]
    pub fn with_tag(mut self, tag: &[u8]) -> Self {
        let known = tag.len().min(16);
        self.job.tag.bytes[..known].copy_from_slice(&tag[..known]);
        self.job.tag.len = tag.len();
        self
    }

    /// The tag: of a sealed message the one that was made, otherwise the one that it came with, of
    /// which a seventeenth byte is not kept; empty if there is none.
    #[inline]
    pub fn tag(&self) -> &[u8] {
        &self.job.tag.bytes[..self.job.tag.len.min(16)]
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
        check(&[0; 12], self.job.aad, self.job.text.len())?;
        let got = self.job.tag.len;
        if !D::SEAL && got != TAG {
            return Err(InputError::Tag { got, expected: TAG });
        }
        Ok(())
    }
}

impl<C: EveryAead, const NONCE: usize, const TAG: usize> Gcm<C, NONCE, TAG> {
    /// Seals many messages, short ones side by side: faster than one call each. Every packet then has
    /// its [`tag`](Packet::tag).
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
        run::<C, Seal, TAG>(&[self.keys.get()], packets)
    }

    /// Opens many messages, short ones side by side.
    ///
    /// # Errors
    /// The first error of a packet, which concerns that one alone: the others are opened.
    /// [`Packet::result`] has that of each.
    #[inline]
    pub fn open_batch(&self, packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        run::<C, Open, TAG>(&[self.keys.get()], packets)
    }

    /// [`seal_batch`](Self::seal_batch) with a key for each packet. Keys of different engines are used
    /// one after the other, with the same result.
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
    let mut result = Ok(());
    for (keys, packets) in keys.chunks(GROUP).zip(packets.chunks_mut(GROUP)) {
        let mut group = [keys[0].keys.get(); GROUP];
        for (place, key) in group.iter_mut().zip(keys) {
            *place = key.keys.get();
        }
        result = result.and(run::<C, D, TAG>(&group[..keys.len()], packets));
    }
    result
}

/// Seals or opens packets: of any number under one key, or at most a group with a key for each.
fn run<C: EveryAead, D: Direction, const TAG: usize>(
    keys: &[&AeadKeys<C>],
    packets: &mut [Packet<'_>],
) -> Result<(), OpenError> {
    let () = TagLen::<TAG>::IS_ALLOWED;
    let mut result = Ok(());
    for packets in packets.chunks_mut(GROUP) {
        let (one_for_all, count) = ([keys[0]; GROUP], packets.len());
        let keys = match keys {
            [_] => &one_for_all[..count],
            keys => keys,
        };
        let mut jobs = [const { None }; GROUP];
        for (place, packet) in jobs.iter_mut().zip(packets.iter_mut()) {
            packet.result = packet.check::<D, TAG>().map_err(OpenError::Input);
            *place = packet.result.is_ok().then_some(&mut packet.job);
        }
        AeadKeys::batch::<D>(keys, &mut jobs[..count]);
        for packet in packets {
            if packet.result.is_ok() {
                if D::SEAL {
                    packet.job.tag.len = TAG;
                } else {
                    let text = packet.job.text.reborrow();
                    packet.result = verify(packet.job.right, text).map_err(OpenError::from);
                }
            }
            result = result.and(packet.result);
        }
    }
    result
}
