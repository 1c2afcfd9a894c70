//! `carryless seal`.

use std::io::Write;
use std::path::{Path, PathBuf};

use carryless_file::cobblestone::{Error, SealWriter};
use zeroize::Zeroizing;

use super::EXTENSION;
use crate::args::{Format, Seal};
use crate::exit::Failure;
use crate::input::{Input, read_full};
use crate::key_file;
use crate::output::{Mode, Output, refuse_key_file};
use crate::progress::Progress;

/// Bytes that are read at once: as many as the writer seals at once.
const PIECE: usize = 512 * 1024;

pub fn run(args: &Seal, quiet: bool) -> Result<(), Failure> {
    let Format::Cobblestone = args.format;
    let key = key_file::read(&args.secret.key_file)?;
    let mut input = Input::open(args.input.as_deref())?;
    let target = match (&args.output, &input.path) {
        (Some(target), _) => Some(target.clone()),
        (None, Some(path)) if input.len().is_some() => Some(sealed_name(path)),
        (None, Some(_)) => {
            let error = format!(
                "{}: no regular file that a name could be made of",
                input.name
            );
            return Err(Failure::usage(error).hint("-o names the output"));
        }
        (None, None) => None,
    };
    refuse_key_file(target.as_deref(), &args.secret.key_file)?;
    let mut output = Output::create(target.as_deref(), args.force, Mode::Like(&input))?;
    output.refuse_terminal()?;
    let progress = Progress::new(input.len(), quiet);
    let name = output.name.clone();
    let read_name = input.name.clone();
    let written = |error| match error {
        Error::Io(error) => Failure::io(&name, "can't be written", error),
        error => Failure::stream(&name, error),
    };
    let mut writer = SealWriter::new(&key, args.secret.context(), &mut output).map_err(written)?;
    let mut piece = Zeroizing::new(vec![0; PIECE]);
    loop {
        let len = read_full(&mut input, &mut piece)
            .map_err(|error| Failure::io(&read_name, "can't be read", error))?;
        writer
            .write_all(&piece[..len])
            .map_err(|error| written(Error::Io(error)))?;
        progress.add(len);
        if len < PIECE {
            break;
        }
    }
    writer.finish().map_err(written)?;
    drop(progress);
    output.commit()
}

/// `name.cless`.
fn sealed_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".");
    name.push(EXTENSION);
    name.into()
}
