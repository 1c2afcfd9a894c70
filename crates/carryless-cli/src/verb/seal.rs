//! `carryless seal`.

use core::time::Duration;
use std::path::{Path, PathBuf};
use std::time::Instant;

use carryless_file::cobblestone::sealed_len;
use serde::Serialize;

use super::EXTENSION;
use super::each::{self, Common, Made, Outcome};
use crate::answer;
use crate::args::{self, Format, Global};
use crate::exit::Failure;
use crate::input::{Input, Named};
use crate::output::Mode;
use crate::print;
use crate::sealing::Sealing;
use crate::secrets::refuse_shared_stdin;
use crate::targets::{Kept, Targets};

/// What `--json` says of a sealed file.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    file: answer::File,
    #[serde(flatten)]
    output: answer::Target,
    format: &'static str,
    plaintext_len: u64,
    sealed_len: u64,
    seconds: f64,
}

pub fn run(args: &args::Seal, global: &Global) -> Result<(), Failure> {
    refuse_shared_stdin(&args.inputs, args.secret.files())?;
    let sealing = Sealing::new(args.format, &args.secret, &args.kdf, args.context.bytes())?;
    if args.format == Format::Gcm {
        args.wait.refuse("gcm")?;
    }
    let targets = Targets::new(&args.target, &args.inputs, derived_name)?;
    let kept = Kept::new(&args.inputs, args.secret.files());
    let common = Common::of(&args.inputs, &args.flow, global, kept);
    let call = Call {
        args,
        sealing,
        targets,
        common,
    };
    each::each(&args.inputs, &call.common, |named, threads| {
        call.seal(named, threads)
    })
}

/// What all inputs are sealed with.
struct Call<'a> {
    args: &'a args::Seal,
    sealing: Sealing<'a>,
    targets: Targets<'a>,
    common: Common<'a>,
}

impl Call<'_> {
    fn seal(&self, named: Named<'_>, threads: usize) -> Outcome<'_> {
        let began = Instant::now();
        let (args, common) = (self.args, &self.common);
        let mut input = Input::open(named.path)?;
        if self.targets.are_derived() {
            refuse_unnamed(&input)?;
        }
        let target = self.targets.of(named)?;
        let mode = Mode::Like(&input);
        let mut output = common
            .outputs
            .create(target.as_deref(), args.target.force, mode)?;
        output.refuse_terminal()?;
        output.refuse_json(common.json)?;
        let progress = common.progress(&input, input.len().and_then(sealed_len), false);
        let mut sealed_len = 0;
        let take = &mut |sealed: &[u8]| {
            progress.add(sealed.len());
            sealed_len += sealed.len() as u64;
            output.write_sealed(sealed)
        };
        let wait = args.wait.time;
        let plaintext_len = self.sealing.run(&mut input, threads, wait, take)?;
        drop(progress);
        let changed = input.changed();
        let (file, target) = (input.named(), output.target());
        Made::of(output, move || {
            if changed {
                warn_of_change(&input.name, plaintext_len);
            }
            if !common.json {
                return Ok(());
            }
            print::json(&Answer {
                file,
                output: target,
                format: args.format.name(),
                plaintext_len,
                sealed_len,
                seconds: rounded(began.elapsed()),
            })
        })
    }
}

/// What was sealed is what was read, in one pass; but that may be part of what the file became.
fn warn_of_change(name: &str, read: u64) {
    print::warning(&format!(
        "{name}: it changed while it was read; the {read} bytes that were read are sealed"
    ));
}

/// Seconds, to a microsecond.
pub fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

/// Fails for what has a path and is no regular file.
fn refuse_unnamed(input: &Input) -> Result<(), Failure> {
    if input.path.is_some() && input.len().is_none() {
        let error = format!(
            "{}: no regular file that a name could be made of",
            input.name
        );
        return Err(Failure::usage(error).hint("-o names the output"));
    }
    Ok(())
}

/// `name.cless`.
#[expect(clippy::unnecessary_wraps, reason = "as of what is opened")]
fn derived_name(path: &Path) -> Result<PathBuf, Failure> {
    let mut name = path.as_os_str().to_os_string();
    name.push(".");
    name.push(EXTENSION);
    Ok(name.into())
}
