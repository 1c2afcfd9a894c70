//! Many messages in one call.

use core::fmt;

use super::gcm::Gcm;
use super::limits::{TagLen, between, check};
use super::tag::fail;
use crate::engine::{
    AeadKeys, Counter, DataIndependentTiming, Direction, EveryAead, InOut, Item, MESSAGES, Message,
    Open, Seal, Tag,
};
use crate::error::{InputError, OpenError, Unauthentic};
use crate::secret;

/// A message of a batch: nonce, additional data, text, tag, and in the end whether it went well.
///
/// It is for one call: one that was sealed or opened, or failed to be, is left alone by another call, which
/// says [`InputError::PacketUsed`].
///
/// See [`Gcm::seal_batch`](crate::Gcm::seal_batch) and [`Gcm::open_batch`](crate::Gcm::open_batch). The nonce has 12 bytes and is
/// used once under a key; a text has at most 2^36 - 32 bytes, an AAD 2^61 - 1 (SP 800-38D section 5.2.1.1). A length that is wrong
/// is an error of its packet alone, found in the call.
///
/// # Examples
/// ```
/// use carryless::{Aes128Gcm, Packet};
///
/// let key = Aes128Gcm::from_slice(&[1; 16])?;
/// let (text, mut sealed) = (*b"a text that stays as it is", [0; 26]);
/// let mut packet = [Packet::between(&[0; 12], b"header", &text, &mut sealed)?];
/// assert!(packet[0].result().is_err());            // no call had it
/// key.seal_batch(&mut packet)?;
/// let tag: [u8; 16] = packet[0].tag().try_into()?;
///
/// let mut packet = [Packet::in_place(&[0; 12], b"header", &mut sealed).with_tag(&tag)];
/// key.open_batch(&mut packet)?;
/// packet[0].result()?;
/// assert!(key.open_batch(&mut packet).is_err());   // a packet is for one call
/// assert_eq!(sealed, text);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Packet<'a> {
    item: Item<'a>,
    state: State,
}

/// What became of a packet: less than its result, of which the rest can be found again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Untouched,
    Done,
    Unauthentic,
    /// Lengths were wrong, under a key whose tags have so many bytes.
    Refused(u8),
}

impl fmt::Debug for Packet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packet")
            .field("text_len", &self.item.message.text.len())
            .field("result", &self.result())
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
        let j0 = Counter::from_nonce(nonce);
        let item = Item {
            message: Message { j0, aad, text },
            tag: Tag {
                bytes: [0; 16],
                len: 0,
            },
        };
        let state = State::Untouched;
        Self { item, state }
    }

    /// The same with the tag that the message came with; without a change if it was in a call before.
    #[inline]
    #[must_use]
    pub fn with_tag(mut self, tag: &[u8]) -> Self {
        if self.state != State::Untouched {
            return self;
        }
        let known = tag.len().min(16);
        self.item.tag.bytes = [0; 16];
        self.item.tag.bytes[..known].copy_from_slice(&tag[..known]);
        self.item.tag.len = tag.len();
        self
    }

    /// The tag: of a sealed message the one that was made, otherwise the one that it came with, of
    /// which a seventeenth byte is not kept; empty if there is none.
    #[inline]
    pub fn tag(&self) -> &[u8] {
        &self.item.tag.bytes[..self.item.tag.len.min(16)]
    }

    /// Whether the message was sealed or opened.
    ///
    /// # Errors
    /// [`OpenError::Unauthentic`] if its tag was wrong: its output is zeroed. [`OpenError::Input`] for
    /// lengths that can't be right, and [`InputError::PacketUntouched`] as long as no call had it: its
    /// output is as it was.
    #[inline]
    pub fn result(&self) -> Result<(), OpenError> {
        match self.state {
            State::Untouched => Err(InputError::PacketUntouched.into()),
            State::Done => Ok(()),
            State::Unauthentic => Err(Unauthentic.into()),
            State::Refused(tag_len) => Err(self.refusal(tag_len.into()).into()),
        }
    }

    /// Whether four at a time may have it: no call had it, as a second one would turn a sealed text into plaintext
    /// again, and opening its tag has the right length.
    #[inline(always)]
    fn may_go<D: Direction>(&self, tag_len: usize) -> bool {
        self.state == State::Untouched && (D::SEAL || self.item.tag.len == tag_len)
    }

    /// What was wrong with it, under a key whose tags have `expected` bytes: lengths of AAD and text come first, as sealing
    /// only those can be. Never nothing: a refused packet stays as it is.
    #[cold]
    fn refusal(&self, expected: usize) -> InputError {
        let Item { message, tag } = &self.item;
        let got = tag.len;
        match check(&[0; 12], message.aad, message.text.len()) {
            Err(error) => error,
            Ok(()) => InputError::Tag { got, expected },
        }
    }

    /// Seals or opens it alone, if it may be.
    #[inline(always)]
    fn run<C: EveryAead, D: Direction>(
        &mut self,
        keys: &AeadKeys<C>,
        tag_len: usize,
    ) -> Result<(), OpenError> {
        if self.state != State::Untouched {
            return Err(InputError::PacketUsed.into());
        }
        let Item { message, tag } = &mut self.item;
        let Message { j0, aad, text } = message;
        let fits = D::SEAL || tag.len == tag_len;
        if !fits || check(&[0; 12], aad, text.len()).is_err() {
            #[expect(clippy::cast_possible_truncation, reason = "16 at most")]
            let tag_len = tag_len as u8;
            self.state = State::Refused(tag_len);
            return self.result();
        }
        let message = Message {
            j0: *j0,
            aad,
            text: text.reborrow(),
        };
        if D::SEAL {
            keys.seal(message, &mut tag.bytes);
            self.sealed(tag_len);
            Ok(())
        } else {
            let right = keys.open(message, tag);
            self.opened(right.publish())
        }
    }

    /// Has the tag of the sealed text.
    #[inline(always)]
    fn sealed(&mut self, tag_len: usize) {
        let tag = &mut self.item.tag;
        if tag_len < 16 {
            // What is cut off is never given out.
            secret::wipe(&mut tag.bytes[tag_len..]);
        }
        tag.len = tag_len;
        self.state = State::Done;
    }

    /// Keeps the opened text if its tag was right, and wipes it if not.
    #[inline(always)]
    fn opened(&mut self, right: bool) -> Result<(), OpenError> {
        if right {
            self.state = State::Done;
            return Ok(());
        }
        self.state = State::Unauthentic;
        Ok(fail(self.item.message.text.reborrow())?)
    }
}

impl<C: EveryAead, const NONCE: usize, const TAG: usize> Gcm<C, NONCE, TAG> {
    /// Seals many messages. Every packet then has its [`tag`](Packet::tag).
    ///
    /// On engines with vectors each four, counted from the first, are sealed at a time, if their AADs have 16 bytes at
    /// most and their texts the same number of blocks of 16 bytes, none to four; on `vaes512` any of 1 to 64
    /// bytes go together, and any of 65 to 128. On bit-sliced engines, whose AES takes up to eight blocks at a time, those
    /// go together that take it fewer times: up to 28 blocks, AADs of up to 512 bytes. Others go one after the other; none
    /// waits for another, so that the CPU has several in work.
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
        run::<C, Seal>(self.keys.get(), TagLen::<TAG>::BYTES, packets)
    }

    /// Opens many messages, as [`seal_batch`](Self::seal_batch) does.
    ///
    /// # Errors
    /// The first error of a packet, which concerns that one alone: the others are opened.
    /// [`Packet::result`] has that of each.
    #[inline]
    pub fn open_batch(&self, packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
        run::<C, Open>(self.keys.get(), TagLen::<TAG>::BYTES, packets)
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
    let _timing = DataIndependentTiming::begin();
    one_by_one::<C, D>(|i| keys[i].keys.get(), TagLen::<TAG>::BYTES, packets)
}

/// Seals or opens packets under one key, four at a time where their lengths let it; the first error.
#[inline(always)]
fn run<C: EveryAead, D: Direction>(
    keys: &AeadKeys<C>,
    tag_len: usize,
    packets: &mut [Packet<'_>],
) -> Result<(), OpenError> {
    let _timing = DataIndependentTiming::begin();
    let mut result = Ok(());
    let key = |_| keys;
    let (fours, rest) = packets.as_chunks_mut::<MESSAGES>();
    for four in fours {
        match together::<C, D>(keys, tag_len, four) {
            Some(true) => {}
            Some(false) => result = result.and(four.iter().try_for_each(Packet::result)),
            None => result = result.and(one_by_one::<C, D>(key, tag_len, four)),
        }
    }
    if rest.is_empty() {
        return result;
    }
    result.and(one_by_one::<C, D>(key, tag_len, rest))
}

/// Seals or opens four packets in one call of the kernel; whether all went well. `None`, and nothing is done, if
/// that can't be.
#[inline(always)]
fn together<C: EveryAead, D: Direction>(
    keys: &AeadKeys<C>,
    tag_len: usize,
    four: &mut [Packet<'_>; MESSAGES],
) -> Option<bool> {
    let mut may_go = true;
    for packet in four.iter() {
        may_go &= packet.may_go::<D>(tag_len);
    }
    if !may_go {
        return None;
    }
    let [a, b, c, d] = four;
    let items = [&mut a.item, &mut b.item, &mut c.item, &mut d.item];
    if D::SEAL {
        keys.seal_four(items)?;
        for packet in four {
            packet.sealed(tag_len);
        }
        return Some(true);
    }
    let Some(failed) = keys.open_four(items)?.publish() else {
        for packet in four {
            packet.state = State::Done;
        }
        return Some(true);
    };
    for (packet, failed) in four.iter_mut().zip(failed) {
        // Which failed is found in the packets.
        let _ = packet.opened(!failed);
    }
    Some(false)
}

/// Seals or opens packets, each under the key of its number; the first error. Not inlined, and one code for all lengths of tags:
/// every engine is in it.
#[inline(never)]
fn one_by_one<'k, C: EveryAead + 'k, D: Direction>(
    keys: impl Fn(usize) -> &'k AeadKeys<C>,
    tag_len: usize,
    packets: &mut [Packet<'_>],
) -> Result<(), OpenError> {
    let mut result = Ok(());
    for (i, packet) in packets.iter_mut().enumerate() {
        result = result.and(packet.run::<C, D>(keys(i), tag_len));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::Packet;

    /// What a kernel puts behind a short tag is the tag as well, as far as anyone can forge with it.
    #[test]
    fn what_is_cut_off_a_tag_is_gone() {
        let mut text = [0; 3];
        let mut packet = Packet::in_place(&[0; 12], b"", &mut text);
        packet.item.tag.bytes = [0xa5; 16];
        packet.sealed(12);
        assert_eq!(packet.item.tag.bytes[..12], [0xa5; 12]);
        assert_eq!(packet.item.tag.bytes[12..], [0; 4]);
    }
}
