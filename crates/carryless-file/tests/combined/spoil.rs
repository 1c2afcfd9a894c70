//! What is not as it was sealed fails, and each fault is told by where it is.

use std::io::{Read, Seek, SeekFrom};

use carryless_file::cobblestone::{CHUNK_LEN, SEALED_CHUNK_LEN, Tampering};
use carryless_file::gcm;

use crate::Counts;
use crate::case::{Case, Format};
use crate::dice::Dice;
use crate::fault::Fault;
use crate::header::{bare, changed, cut, header_place};
use crate::io::Source;
use crate::open::{self, Reading, seek_reader};
use crate::secret::Secret;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spoiling {
    /// One bit, before the text.
    HeaderFlipped,
    /// Within the header.
    HeaderCut,
    /// One bit, in the text.
    Flipped,
    /// Cut off, within the text.
    Cut,
    Extended,
    /// Two chunks.
    Swapped,
    /// A chunk.
    Repeated,
    /// A chunk.
    Dropped,
    /// A chunk, of another file under the same secrets.
    Foreign,
}

impl Spoiling {
    pub(crate) const ALL: [Self; 9] = [
        Self::HeaderFlipped,
        Self::HeaderCut,
        Self::Flipped,
        Self::Cut,
        Self::Extended,
        Self::Swapped,
        Self::Repeated,
        Self::Dropped,
        Self::Foreign,
    ];
}

/// Spoils what was sealed, and reads it in some ways.
pub(crate) fn spoilt(
    case: &Case,
    what: Spoiling,
    sealed: &[u8],
    foreign: &[u8],
    dice: &mut Dice,
    counts: &mut Counts,
) {
    let bytes = case.body_at();
    let (bad, at) = match what {
        Spoiling::HeaderFlipped => {
            let at = header_place(case, dice);
            (flipped(sealed, at, dice), at)
        }
        Spoiling::HeaderCut => {
            let at = dice.below(bytes);
            (sealed[..at].to_vec(), at)
        }
        _ => (body_spoilt(case, what, sealed, foreign, dice), bytes),
    };
    assert!(bad != sealed, "{what:?}: nothing was changed");
    for way in [(); 2].map(|()| dice.one(Reading::of(case.format))) {
        counts.add(case.format, format!("{way:?}"));
        let secret = case.a_secret(dice);
        let source = Source::behind(&bad, dice);
        if way == Reading::Seek && at >= case.body_at() {
            around(case, secret, sealed, &bad, source, dice);
            continue;
        }
        let (text, end) = open::open(case, secret, way, source, dice);
        let Err(fault) = end else {
            panic!("{what:?} at {at}, {way:?}: nothing was noticed");
        };
        assert!(
            fault.is_unauthentic(),
            "{what:?} at {at}, {way:?}: {fault:?}"
        );
        let (good, right) = match case.format {
            Format::Message => (0, is_right_for_messages(&fault, bad.len())),
            _ if at >= case.body_at() => {
                let (good, tampering) = expected(case, sealed, &bad);
                (good, fault.tampering() == Some(tampering))
            }
            Format::Stream => (0, fault.tampering() == Some(bare(what, at))),
            Format::Container if what == Spoiling::HeaderCut => (0, cut(case, secret, at, &fault)),
            Format::Container => (0, changed(case, secret, at, &fault)),
        };
        assert!(right, "{what:?} at {at}, {way:?} by {secret:?}: {fault:?}");
        assert!(
            text == case.text[..good * CHUNK_LEN],
            "{what:?}, {way:?}: {} bytes",
            text.len()
        );
    }
}

fn flipped(sealed: &[u8], at: usize, dice: &mut Dice) -> Vec<u8> {
    let mut bad = sealed.to_vec();
    bad[at] ^= 1 << dice.below(8);
    bad
}

fn body_spoilt(
    case: &Case,
    what: Spoiling,
    sealed: &[u8],
    foreign: &[u8],
    dice: &mut Dice,
) -> Vec<u8> {
    let (head, body) = sealed.split_at(case.body_at());
    let unit = match case.format {
        Format::Message => 8 + dice.below(body.len() / 2 - 7),
        _ => SEALED_CHUNK_LEN,
    };
    let mut chunks: Vec<_> = body.chunks(unit).collect();
    let (any, last) = (dice.below(chunks.len()), chunks.len() - 1);
    let one = dice.one(&[any, any, last, last.saturating_sub(1)]);
    match what {
        Spoiling::Flipped => {
            let within = one * unit + dice.below(chunks[one].len());
            return flipped(sealed, head.len() + within, dice);
        }
        Spoiling::Cut => {
            let within = dice.one(&[one * unit, dice.clone().below(body.len())]);
            return [head, &body[..within]].concat();
        }
        Spoiling::Extended => {
            let more = dice.one(&[1, 15, 16, 17, SEALED_CHUNK_LEN]);
            let zeros = vec![0; more];
            let more = dice.one(&[&zeros[..], chunks[0], chunks[last]]);
            return [sealed, more].concat();
        }
        // The only chunk has nothing to be swapped with.
        Spoiling::Swapped if last > 0 => chunks.swap(one, (one + 1 + any % last) % (last + 1)),
        Spoiling::Repeated => chunks.insert(one, chunks[one]),
        Spoiling::Dropped => drop(chunks.remove(one)),
        _ => {
            let others = foreign[case.body_at()..].chunks(unit).nth(one);
            chunks[one] = others.expect("as many as here");
        }
    }
    [head, &chunks.concat()].concat()
}

/// What is wrong with chunks, and how many whole ones precede it.
fn expected(case: &Case, sealed: &[u8], bad: &[u8]) -> (usize, Tampering) {
    let ((were, _), (are, rest)) = (case.chunks(sealed), case.chunks(bad));
    let same = were
        .iter()
        .zip(are)
        .take_while(|(was, is)| was == is)
        .count();
    let (index, chunks) = (same as u64, same as u64);
    let tampering = if same == are.len() && rest.len() < 16 {
        Tampering::Truncated { chunks }
    } else {
        Tampering::Chunk { index }
    };
    (same, tampering)
}

/// The end of the text is authentic, or there is no reader; then chunks are good each for itself.
fn around(
    case: &Case,
    secret: &Secret,
    sealed: &[u8],
    bad: &[u8],
    source: Source,
    dice: &mut Dice,
) {
    let ((were, last), (are, rest)) = (case.chunks(sealed), case.chunks(bad));
    let (index, chunks) = (are.len() as u64, are.len() as u64);
    let mut reader =
        match seek_reader(case, secret, source, dice).map_err(|fault| fault.tampering()) {
            Ok(reader) => reader,
            Err(found) if rest.len() < 16 => {
                assert_eq!(found, Some(Tampering::Truncated { chunks }));
                return;
            }
            Err(found) => {
                assert!(
                    were.len() != are.len() || last != rest,
                    "the last chunk is good"
                );
                assert_eq!(found, Some(Tampering::Chunk { index }));
                return;
            }
        };
    assert!(
        were.len() == are.len() && last == rest,
        "the last chunk is bad"
    );
    assert_eq!(reader.text_len(), case.text.len() as u64);
    let wrong: Vec<_> = (0..are.len())
        .filter(|index| were[*index] != are[*index])
        .collect();
    let beside = |index: usize| [index.saturating_sub(1), index, index, index + 1];
    let mut places: Vec<_> = wrong.iter().take(9).copied().flat_map(beside).collect();
    dice.shuffle(&mut places);
    for index in places {
        let from = (index * CHUNK_LEN + dice.below(CHUNK_LEN)).min(case.text.len());
        let end = case.text.len().min((index + 1) * CHUNK_LEN);
        let more = dice.one(&[0, 0, 1, CHUNK_LEN]);
        let mut part = vec![0; end - from + more];
        reader.seek(SeekFrom::Start(from as u64)).expect("a place");
        let read = reader.read(&mut part);
        let is_wrong = wrong.contains(&index);
        let next_is_wrong = more > 0 && wrong.contains(&(index + 1));
        match read {
            Ok(len) => {
                assert!(
                    !is_wrong && (len > 0 || from == case.text.len()),
                    "chunk {index} is bad"
                );
                assert!(part[..len] == case.text[from..from + len], "chunk {index}");
            }
            Err(error) => {
                let bad = if is_wrong { index } else { index + 1 };
                assert!(is_wrong || next_is_wrong, "chunk {index} is good: {error}");
                let index = bad as u64;
                assert_eq!(
                    Fault::from(error).tampering(),
                    Some(Tampering::Chunk { index })
                );
                assert_eq!(reader.stream_position().expect("a place"), from as u64);
            }
        }
    }
}

fn is_right_for_messages(fault: &Fault, len: usize) -> bool {
    match fault {
        Fault::Message(gcm::Error::Length { got }) => len < 28 && *got == len as u64,
        Fault::Message(gcm::Error::Unauthentic) => len >= 28,
        _ => false,
    }
}
