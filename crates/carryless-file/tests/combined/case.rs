//! What is sealed, and how.

use core::fmt;

use carryless_file::cobblestone::{self, CHUNK_LEN, Cipher, SEALED_CHUNK_LEN, TAG_LEN};
use carryless_file::container::{KeyId, Lock, MAX_PASSPHRASES, MAX_SLOTS};
use carryless_file::gcm;

use crate::dice::Dice;
use crate::secret::Secret;

/// Bytes of text in the segments of a writer of messages.
const SEGMENT: usize = 1 << 19;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Stream,
    Container,
    Message,
}

impl Format {
    pub(crate) const ALL: [Self; 3] = [Self::Stream, Self::Container, Self::Message];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Stream => "cobblestone",
            Self::Container => "container",
            Self::Message => "gcm",
        }
    }
}

pub(crate) struct Case {
    pub(crate) format: Format,
    /// Of the payload; of a bare stream and a message that of the key.
    pub(crate) cipher: Cipher,
    /// One, but for a container.
    pub(crate) secrets: Vec<Secret>,
    /// Empty, but for a bare stream.
    pub(crate) context: Vec<u8>,
    pub(crate) text: Vec<u8>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (format, cipher, len) = (self.format.name(), self.cipher, self.text.len());
        write!(
            f,
            "{format}, {cipher}, {len} bytes, context of {}",
            self.context.len()
        )?;
        for secret in &self.secrets {
            match secret {
                Secret::Key(key) => write!(f, ", key {}", KeyId::of(key))?,
                Secret::Words(_, cost, words) => {
                    let (memory, passes, lanes) = (cost.memory_kib(), cost.passes(), cost.lanes());
                    write!(f, ", {} letters {memory} {passes} {lanes}", words.len())?;
                }
            }
        }
        Ok(())
    }
}

impl Case {
    pub(crate) fn draw(dice: &mut Dice) -> Self {
        let format = dice.one(&Format::ALL);
        let secrets = match format {
            Format::Container => secrets(dice),
            _ => vec![Secret::draw_key(dice)],
        };
        let cipher = match format {
            Format::Container => dice.one(&Cipher::ALL),
            _ => secrets[0].as_key().cipher(),
        };
        let context = match format {
            Format::Stream => {
                let len = dice.one(&[0, 0, 100, 1000]);
                dice.bytes(len)
            }
            _ => Vec::new(),
        };
        let len = text_len(format, dice);
        Self {
            format,
            cipher,
            secrets,
            context,
            text: text(len),
        }
    }

    /// The same text under other secrets.
    pub(crate) fn with_others(&self, dice: &mut Dice) -> Self {
        let mut secrets = secrets(dice);
        if dice.once_in(2) {
            let kept = &self.secrets[dice.below(self.secrets.len())];
            let room = kept.is_key() || words_of(&secrets) < MAX_PASSPHRASES;
            if room && secrets.len() < MAX_SLOTS {
                secrets.insert(dice.below(secrets.len() + 1), kept.clone());
            }
        }
        Self {
            secrets,
            context: Vec::new(),
            text: self.text.clone(),
            ..*self
        }
    }

    pub(crate) fn locks(&self) -> Vec<Lock<'_>> {
        self.secrets.iter().map(Secret::lock).collect()
    }

    pub(crate) fn a_secret(&self, dice: &mut Dice) -> &Secret {
        &self.secrets[dice.below(self.secrets.len())]
    }

    /// Bytes before the payload.
    pub(crate) fn header_len(&self) -> usize {
        match self.format {
            Format::Container => 60 + self.secrets.iter().map(Secret::slot_len).sum::<usize>(),
            _ => 0,
        }
    }

    /// Bytes before the first byte that depends on the text.
    pub(crate) fn body_at(&self) -> usize {
        match self.format {
            Format::Message => gcm::NONCE_LEN,
            _ => self.header_len() + cobblestone::HEADER_LEN,
        }
    }

    /// Bytes that so many of the text become, if nothing follows them.
    pub(crate) fn sealed_len(&self, len: usize) -> usize {
        let tags = match self.format {
            Format::Message => 1,
            _ => len / CHUNK_LEN + 1,
        };
        self.body_at() + len + tags * TAG_LEN
    }

    /// The sealed chunks of what may not be what was sealed, of which the last is short.
    pub(crate) fn chunks<'a>(&self, sealed: &'a [u8]) -> (&'a [[u8; SEALED_CHUNK_LEN]], &'a [u8]) {
        sealed[self.body_at()..].as_chunks()
    }
}

/// Of one lock to as many as there can be, in any order; one may be there twice.
fn secrets(dice: &mut Dice) -> Vec<Secret> {
    let count = dice.one(&[1, 1, 2, 3, 5, MAX_SLOTS]);
    let mut words = dice.below(MAX_PASSPHRASES + 1);
    let mut secrets: Vec<Secret> = Vec::new();
    while secrets.len() < count {
        let again = dice.below(8 * (1 + secrets.len()));
        match secrets.get(again) {
            Some(secret @ Secret::Key(_)) => secrets.push(secret.clone()),
            _ if words > 0 => {
                words -= 1;
                secrets.push(Secret::draw_words(dice));
            }
            _ => secrets.push(Secret::draw_key(dice)),
        }
    }
    dice.shuffle(&mut secrets);
    secrets
}

fn words_of(secrets: &[Secret]) -> usize {
    secrets.iter().filter(|secret| !secret.is_key()).count()
}

/// Around the ends of chunks, of batches of them, and of segments.
fn text_len(format: Format, dice: &mut Dice) -> usize {
    let unit = if format == Format::Message {
        SEGMENT
    } else {
        CHUNK_LEN
    };
    let units = match format {
        Format::Message => dice.one(&[0, 0, 1, 2]),
        _ => dice.one(&[0, 0, 1, 2, 5, 31, 32, 33, 64, 129]),
    };
    units * unit + dice.one(&[0, 0, 1, 15, 16, 17, 100, unit - 1])
}

/// Without repetitions, and another for each length.
fn text(len: usize) -> Vec<u8> {
    let word = |at: usize| ((at + len) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let words: Vec<_> = (0..len.div_ceil(8))
        .map(|at| word(at).to_le_bytes())
        .collect();
    words.as_flattened()[..len].to_vec()
}
