//! `carryless open`.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use carryless_file::cobblestone::{Key, OpenReader};

use super::EXTENSION;
use crate::args::{Format, Open};
use crate::exit::{Failure, show};
use crate::input::Input;
use crate::key_file;
use crate::output::{Mode, Output, refuse_key_file};
use crate::progress::Progress;

pub fn run(args: &Open, quiet: bool) -> Result<(), Failure> {
    let Format::Cobblestone = args.format;
    let key = key_file::read(&args.secret.key_file)?;
    let input = Input::open(args.input.as_deref())?;
    input.refuse_terminal()?;
    let target = match (&args.output, &input.path) {
        (Some(target), _) => Some(target.clone()),
        (None, Some(path)) => Some(opened_name(path)?),
        (None, None) => None,
    };
    refuse_key_file(target.as_deref(), &args.secret.key_file)?;
    let mut output = Output::create(target.as_deref(), args.force, Mode::Like(&input))?;
    let progress = Progress::new(input.len(), quiet || output.is_terminal());
    let mut written = 0;
    let opened = each_piece(&key, args.secret.context(), input, |text| {
        output.write_text(text)?;
        progress.add(text.len());
        written += text.len() as u64;
        Ok(())
    });
    drop(progress);
    match opened {
        Ok(_) => output.commit(),
        Err(failure) if output.is_direct() && written > 0 => Err(failure.and(&format!(
            "{} has only the beginning, {written} authentic bytes",
            output.name
        ))),
        Err(failure) => Err(failure),
    }
}

/// Opens a stream and hands on its text, piece by authentic piece; the bytes of all.
pub fn each_piece(
    key: &Key,
    context: &[u8],
    input: Input,
    mut take: impl FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let name = input.name.clone();
    let fail = |error| Failure::stream(&name, error);
    let mut reader = OpenReader::new(key, context, input).map_err(fail)?;
    let mut total = 0;
    loop {
        let text = reader.ready().map_err(fail)?;
        if text.is_empty() {
            return Ok(total);
        }
        take(text)?;
        let len = text.len();
        total += len as u64;
        reader.consume(len);
    }
}

/// `name` for `name.cless`.
fn opened_name(path: &Path) -> Result<PathBuf, Failure> {
    let has_more = path
        .file_stem()
        .is_some_and(|stem| stem.to_string_lossy() != "");
    if path
        .extension()
        .is_some_and(|extension| extension == EXTENSION)
        && has_more
    {
        return Ok(path.with_extension(""));
    }
    Err(Failure::usage(format!(
        "{}: its name does not end in .{EXTENSION}, so that of the output is unknown",
        show(path)
    ))
    .hint("-o names it"))
}
