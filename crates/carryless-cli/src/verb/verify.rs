//! `carryless verify`.

use serde::Serialize;

use super::each;
use crate::answer;
use crate::args::{Global, Verify};
use crate::exit::Failure;
use crate::input::Input;
use crate::opening::{Opening, Source};
use crate::print;
use crate::progress::Progress;
use crate::secrets::refuse_shared_stdin;

/// What `--json` says of an authentic file.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    file: answer::File,
    authentic: bool,
    format: &'static str,
    cipher: &'static str,
    plaintext_len: u64,
}

pub fn run(args: &Verify, global: &Global) -> Result<(), Failure> {
    refuse_shared_stdin(&args.inputs, args.secret.files())?;
    let opening = Opening::new(args.format, &args.secret, args.context.bytes())?;
    let threads = args.flow.threads();
    each::each(&args.inputs, args.flow.json, |path| {
        let mut input = Input::open(path)?;
        input.refuse_terminal()?;
        let source = Source::start(&mut input, &opening)?;
        let (format, cipher) = (source.format.name(), source.cipher);
        let progress = Progress::new(source.text_len(&input, None), global.quiet);
        let mut plaintext_len = 0;
        source.each_piece(&mut input, None, threads, None, &mut |text| {
            progress.add(text.len());
            plaintext_len += text.len() as u64;
            Ok(())
        })?;
        drop(progress);
        if args.flow.json {
            print::json(&Answer {
                file: input.named(),
                authentic: true,
                format,
                cipher,
                plaintext_len,
            })?;
        } else if !global.quiet {
            print::note(&format!(
                "{}: authentic, {plaintext_len} bytes, {format}, {cipher}",
                input.name
            ));
        }
        Ok(None)
    })
}
