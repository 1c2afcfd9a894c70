//! `carryless verify`.

use serde::Serialize;

use super::each::{self, Common, Made, Outcome};
use crate::answer;
use crate::args::{Global, Verify};
use crate::exit::Failure;
use crate::input::Input;
use crate::opening::{Opening, Source};
use crate::print;
use crate::secrets::refuse_shared_stdin;
use crate::targets::Kept;

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
    let call = Call {
        opening,
        common: Common::new(
            &args.inputs,
            args.flow.json,
            global.quiet,
            args.flow.threads(),
            Kept::default(),
        ),
    };
    each::each(&args.inputs, &call.common, |path| {
        let input = Input::open(path)?;
        input.refuse_terminal()?;
        let call = &call;
        Ok(Box::new(move |threads| call.verify(input, threads)))
    })
}

/// What all inputs are verified with.
struct Call<'a> {
    opening: Opening<'a>,
    common: Common<'a>,
}

impl Call<'_> {
    fn verify(&self, mut input: Input, threads: usize) -> Outcome<'_> {
        let source = Source::start(&mut input, &self.opening)?;
        let (format, cipher) = (source.format.name(), source.cipher);
        let progress = self
            .common
            .progress(&input, source.text_len(&input, None), false);
        let mut plaintext_len = 0;
        source.each_piece(&mut input, None, threads, None, &mut |text| {
            progress.add(text.len());
            plaintext_len += text.len() as u64;
            Ok(())
        })?;
        drop(progress);
        Made::of(None, move || {
            if self.common.json {
                print::json(&Answer {
                    file: input.named(),
                    authentic: true,
                    format,
                    cipher,
                    plaintext_len,
                })?;
            } else if !self.common.quiet {
                print::note(&format!(
                    "{}: authentic, {plaintext_len} bytes, {format}, {cipher}",
                    input.name
                ));
            }
            Ok(())
        })
    }
}
