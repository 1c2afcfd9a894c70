//! `carryless verify`.

use serde::Serialize;

use super::each;
use crate::args::{Global, Verify};
use crate::exit::Failure;
use crate::input::Input;
use crate::opening::Source;
use crate::print;
use crate::progress::Progress;
use crate::secrets::Secrets;

/// What `--json` says of an authentic file.
#[derive(Serialize)]
struct Answer<'a> {
    file: &'a str,
    authentic: bool,
    format: &'static str,
    cipher: &'static str,
    plaintext_len: u64,
}

pub fn run(args: &Verify, global: &Global) -> Result<(), Failure> {
    let secrets = Secrets::to_open(&args.secret)?;
    each::each(&args.inputs, args.flow.json, |path| {
        let mut input = Input::open(path)?;
        input.refuse_terminal()?;
        let progress = Progress::new(input.len(), global.quiet);
        let source = Source::start(&mut input, &secrets, args.format, args.context.bytes())?;
        let (format, cipher) = (source.format.name(), source.cipher);
        let mut plaintext_len = 0;
        source.each_piece(&mut input, None, args.flow.threads(), &mut |text| {
            progress.add(text.len());
            plaintext_len += text.len() as u64;
            Ok(())
        })?;
        drop(progress);
        let name = &input.name;
        if args.flow.json {
            return print::json(&Answer {
                file: name,
                authentic: true,
                format,
                cipher: cipher.name(),
                plaintext_len,
            });
        }
        if !global.quiet {
            print::note(&format!(
                "{name}: authentic, {plaintext_len} bytes, {format}, {cipher}"
            ));
        }
        Ok(())
    })
}
