//! `carryless open`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::EXTENSION;
use super::each::{self, Common, Made, Outcome};
use super::seal::rounded;
use crate::answer;
use crate::args::{self, Format, Global};
use crate::exit::{Failure, show};
use crate::input::{Input, Named};
use crate::opening::{Opening, Source};
use crate::output::Mode;
use crate::print;
use crate::secrets::refuse_shared_stdin;
use crate::targets::{Kept, Targets};

/// What `--json` says of an opened file.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    file: answer::File,
    #[serde(flatten)]
    output: answer::Target,
    format: &'static str,
    /// Bytes written, all or those of the range.
    plaintext_len: u64,
    seconds: f64,
}

pub fn run(args: &args::Open, global: &Global) -> Result<(), Failure> {
    refuse_shared_stdin(&args.inputs, args.secret.files())?;
    let opening = Opening::new(args.format, &args.secret, args.context.bytes())?;
    if args.format == Some(Format::Gcm) {
        args.wait.refuse("gcm")?;
    } else if args.range().is_some() {
        args.wait.refuse("a range")?;
    }
    let targets = Targets::new(&args.target, &args.inputs, opened_name)?;
    let kept = Kept::new(&args.inputs, args.secret.files());
    let common = Common::of(&args.inputs, &args.flow, global, kept);
    let call = Call {
        args,
        opening,
        targets,
        common,
    };
    each::each(&args.inputs, &call.common, |named, threads| {
        call.open(named, threads)
    })
}

/// What all inputs are opened with.
struct Call<'a> {
    args: &'a args::Open,
    opening: Opening<'a>,
    targets: Targets<'a>,
    common: Common<'a>,
}

impl Call<'_> {
    fn open(&self, named: Named<'_>, threads: usize) -> Outcome<'_> {
        let began = Instant::now();
        let (args, common) = (self.args, &self.common);
        let mut input = Input::open(named.path)?;
        input.refuse_terminal()?;
        let target = self.targets.of(named)?;
        let mode = Mode::Like(&input);
        let mut output = common
            .outputs
            .create(target.as_deref(), args.target.force, mode)?;
        output.refuse_json(common.json)?;
        let mut written = 0;
        let source = Source::start(&mut input, &self.opening)?;
        let (format, range, wait) = (source.format, args.range(), args.wait.time);
        let text_len = source.text_len(&input, range);
        let bar = common.progress(&input, text_len, output.is_terminal());
        let take = &mut |text: &[u8]| {
            output.write_text(text)?;
            bar.add(text.len());
            written += text.len() as u64;
            Ok(())
        };
        let opened = source.each_piece(&mut input, range, threads, wait, take);
        drop(bar);
        match opened {
            Ok(()) => {}
            Err(failure) if output.is_direct() && written > 0 => {
                return Err(failure.and(&format!(
                    "{} has only the beginning, {written} authentic bytes",
                    output.name
                )));
            }
            Err(failure) => return Err(failure),
        }
        let (file, target) = (input.named(), output.target());
        Made::of(output, move || {
            if !common.json {
                return Ok(());
            }
            print::json(&Answer {
                file,
                output: target,
                format: format.name(),
                plaintext_len: written,
                seconds: rounded(began.elapsed()),
            })
        })
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
