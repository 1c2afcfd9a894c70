//! What a call says of its inputs, in their order.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Common, Report};
use crate::answer;
use crate::exit::{Failure, show};
use crate::input::Named;
use crate::print;

/// What `--json` says of a file that failed.
#[derive(Serialize)]
struct Failed {
    #[serde(flatten)]
    file: answer::File,
    error: String,
    code: u8,
}

/// What was said of a call's inputs so far, and is still to be said.
pub struct Said<'a, 'b> {
    common: &'b Common<'b>,
    /// The number of the next one.
    next: usize,
    /// What is to be said of later ones.
    later: BTreeMap<usize, (Named<'b>, Result<Report<'a>, Failure>)>,
    result: Result<(), Failure>,
}

impl<'a, 'b> Said<'a, 'b> {
    pub const fn new(common: &'b Common<'b>) -> Self {
        Self {
            common,
            next: 0,
            later: BTreeMap::new(),
            result: Ok(()),
        }
    }

    /// Says what became of an input, if something was said of all before it.
    pub fn add(&mut self, named: Named<'b>, became: Result<Report<'a>, Failure>) {
        self.later.insert(named.number, (named, became));
        while let Some((named, became)) = self.later.remove(&self.next) {
            self.next += 1;
            if let Err(failure) = became.and_then(|report| report()) {
                let name = named.path.map_or_else(|| "standard input".into(), show);
                self.note(answer::File::new(&name, named.path), failure);
            }
        }
    }

    /// Notes, and of several says, what went wrong.
    pub fn note(&mut self, file: answer::File, failure: Failure) {
        // A reader of answers that has enough makes no file a failure.
        if failure.is_of_a_reader() {
            return;
        }
        if self.common.json {
            let printed = print::json(&Failed {
                file,
                error: failure.to_string(),
                code: failure.code(),
            });
            // What became of the file counts, whether or not its line can be written.
            if let Err(unwritten) = printed {
                unwritten.report();
            }
        }
        let failure = if self.common.several {
            failure.report_one()
        } else {
            failure
        };
        let so_far = core::mem::replace(&mut self.result, Ok(()));
        self.result = match so_far {
            Err(first) if !failure.is_worse_than(&first) => Err(first),
            _ => Err(failure),
        };
    }

    /// Of the whole call.
    pub fn result(self) -> Result<(), Failure> {
        self.result
    }
}
