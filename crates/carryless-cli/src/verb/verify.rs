//! `carryless verify`.

use serde::Serialize;

use super::open::each_piece;
use crate::args::{Format, Verify};
use crate::exit::Failure;
use crate::input::Input;
use crate::progress::Progress;
use crate::{key_file, print};

/// The answer of `--json`; a stream that is not authentic has none but the exit code.
#[derive(Serialize)]
struct Answer<'a> {
    file: &'a str,
    authentic: bool,
    cipher: &'static str,
    plaintext_len: u64,
}

pub fn run(args: &Verify, quiet: bool) -> Result<(), Failure> {
    let Format::Cobblestone = args.format;
    let key = key_file::read(&args.secret.key_file)?;
    let input = Input::open(args.input.as_deref())?;
    input.refuse_terminal()?;
    let name = input.name.clone();
    let progress = Progress::new(input.len(), quiet);
    let verified = each_piece(&key, args.secret.context(), input, |text| {
        progress.add(text.len());
        Ok(())
    });
    drop(progress);
    let plaintext_len = verified?;
    if args.json {
        return print::json(&Answer {
            file: &name,
            authentic: true,
            cipher: key.cipher().name(),
            plaintext_len,
        });
    }
    if !quiet {
        print::note(&format!(
            "{name}: authentic, {plaintext_len} bytes, {}",
            key.cipher()
        ));
    }
    Ok(())
}
