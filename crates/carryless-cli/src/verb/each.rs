//! One verb, many files: each has its own result, the exit code is that of the worst.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::exit::{Failure, show};
use crate::print;

/// What `--json` says of a file that failed.
#[derive(Serialize)]
struct Failed<'a> {
    file: &'a str,
    error: String,
    code: u8,
}

/// Calls `one` for each input, or for standard input if none is named. A failure does not keep the
/// others from their turn; what is not what was sealed is worse than a file that is not there, else the first counts.
pub fn each(
    inputs: &[PathBuf],
    json: bool,
    mut one: impl FnMut(Option<&Path>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut all = Ok(());
    let names: Vec<Option<&Path>> = match inputs {
        [] => vec![None],
        inputs => inputs.iter().map(|path| Some(path.as_path())).collect(),
    };
    for path in &names {
        let Err(failure) = one(*path) else { continue };
        // A reader of answers that has enough makes no file a failure.
        if failure.is_of_a_reader() {
            continue;
        }
        if json {
            let printed = print::json(&Failed {
                file: &path.map_or_else(|| "standard input".into(), show),
                error: failure.to_string(),
                code: failure.code(),
            });
            // What became of the file counts, whether or not its line can be written.
            if let Err(unwritten) = printed {
                unwritten.report();
            }
        }
        if names.len() == 1 {
            return Err(failure);
        }
        let code = failure.report_one();
        all = Err(match all {
            Err(first) if !code.is_worse_than(&first) => first,
            _ => code,
        });
    }
    all
}
