//! Opening by chunks, as those do who run many threads.

use std::io::Read;

use carryless_file::cobblestone::{self, CHUNK_LEN, Opener, SEALED_CHUNK_LEN, Tampering};

use crate::case::Case;
use crate::dice::Dice;
use crate::fault::Fault;
use crate::io::{Source, only};
use crate::open::before_chunks;
use crate::secret::Secret;

/// Opens groups of chunks in any order; the text is that before the first that does not open.
pub(crate) fn open_chunks(
    case: &Case,
    secret: &Secret,
    mut source: Source,
    text: &mut Vec<u8>,
    dice: &mut Dice,
) -> Result<(), Fault> {
    let opener = before_chunks(case, secret, &mut source, dice)?;
    let mut body = Vec::new();
    source.read_to_end(&mut body)?;
    let whole = body.len() / SEALED_CHUNK_LEN;
    let mut groups = dice.parts(whole, 1);
    let first = groups.pop().map_or(whole, |part| part.start);
    let last = groups.len();
    groups.push(first..whole);
    let mut order: Vec<_> = (0..groups.len()).collect();
    dice.shuffle(&mut order);
    let mut opened: Vec<_> = groups.iter().map(|_| Ok(Vec::new())).collect();
    for number in order {
        let group = groups[number].clone();
        let at = group.start * SEALED_CHUNK_LEN;
        let end = if number == last {
            body.len()
        } else {
            group.end * SEALED_CHUNK_LEN
        };
        let (first, sealed) = (group.start as u64, &body[at..end]);
        opened[number] = open_group(&opener, first, sealed, number == last, dice);
    }
    for group in opened {
        let (part, end) =
            group.map_or_else(|(part, error)| (part, Err(error)), |part| (part, Ok(())));
        text.extend(part);
        end?;
    }
    Ok(())
}

/// Opens one group, also by wrong calls, which write nothing; what of it is authentic.
fn open_group(
    opener: &Opener,
    first: u64,
    sealed: &[u8],
    last: bool,
    dice: &mut Dice,
) -> Result<Vec<u8>, (Vec<u8>, cobblestone::Error)> {
    const BEYOND: u8 = 0xa5;
    let rest = (sealed.len() % SEALED_CHUNK_LEN).saturating_sub(16);
    let needed = sealed.len() / SEALED_CHUNK_LEN * CHUNK_LEN + rest;
    let mut out = vec![BEYOND; needed + dice.below(40)];
    if needed > 0 {
        let short = opener.open_chunks(first, sealed, last, &mut out[..needed - 1]);
        assert!(
            matches!(short, Err(cobblestone::Error::Output { .. })),
            "{short:?}"
        );
    }
    if !sealed.len().is_multiple_of(SEALED_CHUNK_LEN) {
        let within = opener.open_chunks(first, sealed, false, &mut out);
        assert!(
            matches!(within, Err(cobblestone::Error::Chunking { .. })),
            "{within:?}"
        );
    }
    assert!(only(BEYOND, &out), "a wrong call wrote something");
    let opened = opener.open_chunks(first, sealed, last, &mut out);
    assert!(only(BEYOND, &out[needed..]), "written beyond");
    let (good, bad) = match &opened {
        Ok(len) => {
            assert_eq!(*len, needed, "bytes of text");
            (needed, needed)
        }
        Err(cobblestone::Error::Tampering(Tampering::Chunk { index })) => {
            let good = usize::try_from(index - first).expect("of this group") * CHUNK_LEN;
            (good, needed.min(good + CHUNK_LEN))
        }
        // All whole chunks are there.
        Err(_) => (needed, needed),
    };
    assert!(only(0, &out[good..bad]), "a bad chunk is zeroed");
    assert!(only(BEYOND, &out[bad..needed]), "chunks behind a bad one");
    out.truncate(good);
    opened.map(|_| out.clone()).map_err(|error| (out, error))
}
