//! Readers that are wrong at a boundary, each of which must be noticed.

use std::io::{self, Read};

use carryless_file::cobblestone::{
    CHUNK_LEN, Error, HEADER_LEN, Key, Opener, SEALED_CHUNK_LEN, Tampering,
};

use super::{End, Format, GROUP, PACES, SEALED_GROUP, check, victims};
use crate::Table;

/// What a tired developer makes of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    None,
    /// Nothing more behind a whole batch is the end.
    EndBehindABatch,
    /// So is an error of reading.
    ErrorIsTheEnd,
    /// And an interrupted read.
    InterruptedIsTheEnd,
    /// A read that gives less than was asked for is the last.
    ShortIsTheLast,
    /// Chunks of the batch of a bad one are not given out.
    BatchLost,
    /// The bad chunk is left out.
    BadChunkSkipped,
    /// Each batch counts its chunks from 0.
    CountsFromZero,
}

impl Flaw {
    const ALL: [Self; 7] = [
        Self::EndBehindABatch,
        Self::ErrorIsTheEnd,
        Self::InterruptedIsTheEnd,
        Self::ShortIsTheLast,
        Self::BatchLost,
        Self::BadChunkSkipped,
        Self::CountsFromZero,
    ];

    fn fill(self, source: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
        let mut len = 0;
        while len < buffer.len() {
            match source.read(&mut buffer[len..]) {
                Ok(0) => break,
                Ok(more) => len += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                    if self == Self::InterruptedIsTheEnd {
                        break;
                    }
                }
                Err(_) if self == Self::ErrorIsTheEnd => break,
                Err(error) => return Err(error),
            }
            if self == Self::ShortIsTheLast {
                break;
            }
        }
        Ok(len)
    }

    /// An imitation of the reader.
    fn open(self, key: &Key, source: &mut dyn Read) -> (Vec<u8>, End) {
        let mut header = [0; HEADER_LEN];
        let mut text = Vec::new();
        if !matches!(Self::None.fill(source, &mut header), Ok(HEADER_LEN)) {
            return (text, End::Failed);
        }
        let opener = Opener::new(key, b"", &header).expect("its header");
        let (mut sealed, mut out) = (vec![0; SEALED_GROUP], vec![0; GROUP]);
        let mut next = 0;
        loop {
            let Ok(len) = self.fill(source, &mut sealed) else {
                return (text, End::Failed);
            };
            if len == 0 && next > 0 && matches!(self, Self::EndBehindABatch | Self::ErrorIsTheEnd) {
                return (text, End::Whole);
            }
            let last = len < sealed.len();
            let first = if self == Self::CountsFromZero {
                0
            } else {
                next
            };
            match opener.open_chunks(first, &sealed[..len], last, &mut out) {
                Ok(len) => text.extend_from_slice(&out[..len]),
                Err(error) => {
                    let (Error::Tampering(Tampering::Chunk { index: bad })
                    | Error::Tampering(Tampering::Truncated { chunks: bad })) = error
                    else {
                        return (text, End::Tampered);
                    };
                    let good = usize::try_from(bad - first).expect("a batch") * CHUNK_LEN;
                    if self != Self::BatchLost {
                        text.extend_from_slice(&out[..good]);
                    }
                    if self != Self::BadChunkSkipped || last {
                        return (text, End::Tampered);
                    }
                }
            }
            if last {
                return (text, End::Whole);
            }
            next += (len / SEALED_CHUNK_LEN) as u64;
        }
    }
}

#[test]
fn control_u8_readers_that_are_wrong_at_a_boundary() {
    let victims = victims(Format::Stream);
    let run = |flaw: Flaw| {
        let open = move |key: &Key, source: &mut dyn Read| flaw.open(key, source);
        check(&mut Table::default(), &victims, &[PACES[3]], &open)
    };
    run(Flaw::None).expect("no fault");
    for flaw in Flaw::ALL {
        match run(flaw) {
            Ok(()) => panic!("{flaw:?} was not noticed"),
            Err(why) => println!("{flaw:?}: caught: {why}"),
        }
    }
}
