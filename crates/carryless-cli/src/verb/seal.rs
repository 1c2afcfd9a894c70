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
use crate::input::Input;
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
    let output = args.target.output.as_deref();
    let mut targets = Targets::new(output, &args.inputs)?;
    let kept = Kept::new(&args.inputs, args.secret.files());
    let common = Common::new(
        &args.inputs,
        args.flow.json,
        global.quiet,
        args.flow.threads(),
        kept,
    );
    let call = Call {
        args,
        sealing,
        common,
    };
    each::each(&args.inputs, &call.common, |path| {
        let input = Input::open(path)?;
        let target = targets.next(input.path.as_deref(), |path| derived_name(path, &input))?;
        let call = &call;
        Ok(Box::new(move |threads| {
            call.seal(input, target.as_deref(), threads)
        }))
    })
}

/// What all inputs are sealed with.
struct Call<'a> {
    args: &'a args::Seal,
    sealing: Sealing<'a>,
    common: Common<'a>,
}

impl Call<'_> {
    fn seal(&self, mut input: Input, target: Option<&Path>, threads: usize) -> Outcome<'_> {
        let began = Instant::now();
        let (args, common) = (self.args, &self.common);
        let mode = Mode::Like(&input);
        let mut output = common.outputs.create(target, args.target.force, mode)?;
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

/// `name.cless`, of a regular file.
fn derived_name(path: &Path, input: &Input) -> Result<PathBuf, Failure> {
    if input.len().is_none() {
        let error = format!(
            "{}: no regular file that a name could be made of",
            input.name
        );
        return Err(Failure::usage(error).hint("-o names the output"));
    }
    let mut name = path.as_os_str().to_os_string();
    name.push(".");
    name.push(EXTENSION);
    Ok(name.into())
}
