//! `carryless verify`.

use serde::Serialize;

use super::each::{self, Common, Made, Outcome};
use crate::answer;
use crate::args::{Global, Verify};
use crate::exit::Failure;
use crate::input::{Input, Named};
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
    let common = Common::of(&args.inputs, &args.flow, global, Kept::default());
    let call = Call { opening, common };
    each::each(&args.inputs, &call.common, |named, threads| {
        call.verify(named, threads)
    })
}

/// What all inputs are verified with.
struct Call<'a> {
    opening: Opening<'a>,
    common: Common<'a>,
}

impl Call<'_> {
    fn verify(&self, named: Named<'_>, threads: usize) -> Outcome<'_> {
        let mut input = Input::open(named.path)?;
        input.refuse_terminal()?;
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
        // Not the file itself, which would be open until its turn comes.
        let (file, name) = (input.named(), input.name);
        Made::of(None, move || {
            if self.common.json {
                print::json(&Answer {
                    file,
                    authentic: true,
                    format,
                    cipher,
                    plaintext_len,
                })?;
            } else if !self.common.quiet {
                print::note(&format!(
                    "{}: authentic, {plaintext_len} bytes, {format}, {cipher}",
                    name
                ));
            }
            Ok(())
        })
    }
}
