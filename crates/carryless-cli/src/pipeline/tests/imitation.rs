//! A pipeline of one worker with a fault of its own.

use core::panic::AssertUnwindSafe;
use std::io;
use std::panic::catch_unwind;

use super::super::{Batch, Take, Work};
use super::case::Fake;
use crate::exit::{Code, Failure};
use crate::input::{Input, read_full};

/// What a tired developer makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    None,
    /// The failure of the last batch is forgotten.
    LastFailureLost,
    /// An input that ends behind a whole batch has no batch that is marked as the last.
    LastMarkLost,
    /// An error of reading is taken for the end.
    ReadErrorIsTheEnd,
    /// It goes on, and the last failure is that of the run.
    LaterFailureWins,
    /// A batch that failed gives out nothing of what was good.
    GoodPartLost,
    /// What failed to be written is left out, and the rest follows.
    WriteErrorSkipped,
    /// A panic is the end.
    PanicIsTheEnd,
    /// A panic is that of the program.
    PanicGoesThrough,
    /// What is worked on behind a failure is written.
    BehindAFailure,
    /// Behind a failure somebody waits for a turn that never comes.
    Hangs,
}

impl Flaw {
    pub(super) const ALL: [Self; 10] = [
        Self::LastFailureLost,
        Self::LastMarkLost,
        Self::ReadErrorIsTheEnd,
        Self::LaterFailureWins,
        Self::GoodPartLost,
        Self::WriteErrorSkipped,
        Self::PanicIsTheEnd,
        Self::PanicGoesThrough,
        Self::BehindAFailure,
        Self::Hangs,
    ];
}

fn panicked() -> Failure {
    Failure::new(Code::Other, io::Error::other("a worker panicked"))
}

/// One batch after the other.
pub(super) fn imitation(
    flaw: Flaw,
    work: &Fake,
    input: &mut Input,
    take: &mut Take<'_>,
) -> Result<u64, Failure> {
    let mut buffer = vec![0; work.input_len()];
    let mut output = vec![0; work.output_len()];
    let (mut total, mut result) = (0, Ok(()));
    for index in 0.. {
        let len = match read_full(input, &mut buffer) {
            Ok(len) => len,
            Err(_) if flaw == Flaw::ReadErrorIsTheEnd => break,
            Err(error) => {
                result = result.and(Err(input.failure(error)));
                break;
            }
        };
        total += len as u64;
        let last = len < buffer.len();
        if flaw == Flaw::LastMarkLost && len == 0 {
            break;
        }
        let batch = Batch {
            offset: index * buffer.len() as u64,
            input: &buffer[..len],
            last,
        };
        let one = catch_unwind(AssertUnwindSafe(|| {
            let (made, worked) = work.batch(&batch, &mut output);
            let kept = if flaw == Flaw::GoodPartLost && worked.is_err() {
                0
            } else {
                made
            };
            let taken = if kept > 0 {
                take(&output[..kept])
            } else {
                Ok(())
            };
            if flaw == Flaw::WriteErrorSkipped {
                worked
            } else {
                taken.and(worked)
            }
        }));
        let one = match one {
            Ok(one) => one,
            Err(_) if flaw == Flaw::PanicIsTheEnd => break,
            Err(cause) if flaw == Flaw::PanicGoesThrough => std::panic::resume_unwind(cause),
            Err(_) => Err(panicked()),
        };
        if one.is_err() {
            match flaw {
                Flaw::LastFailureLost if last => break,
                Flaw::Hangs => loop {
                    std::thread::park();
                },
                Flaw::LaterFailureWins => result = one,
                Flaw::BehindAFailure => {
                    let _ = take(&output[..1]);
                    return one.map(|()| total);
                }
                _ => return one.map(|()| total),
            }
        }
        if last {
            break;
        }
    }
    result.map(|()| total)
}
