//! `carryless rekey`: a new header before the same payload.

use carryless_file::cobblestone::HEADER_LEN;

use serde::Serialize;

use super::each::{self, Common, Made, Outcome};
use crate::answer;
use crate::args::{Global, Rekey, processors};
use crate::exit::Failure;
use crate::input::{Input, Named};
use crate::opening::unlock;
use crate::output::Mode;
use crate::print;
use crate::secrets::{Secrets, refuse_shared_stdin};
use crate::targets::{Kept, Targets};

/// What `--json` says of a file with new slots.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    file: answer::File,
    #[serde(flatten)]
    output: answer::Target,
    slots: usize,
}

pub fn run(args: &Rekey, global: &Global) -> Result<(), Failure> {
    let secrets = || args.secret.files().chain(args.new.files());
    refuse_shared_stdin(&args.inputs, secrets())?;
    let reader = args.secret.own.reader();
    let old = Secrets::to_open(&args.secret, &reader)?;
    let new = Secrets::to_rekey(&args.new, &reader)?;
    let targets = Targets::new(&args.target, &args.inputs, |path| Ok(path.into()))?;
    let kept = Kept::new(&args.inputs, secrets());
    let common = Common::new(&args.inputs, args.json, global.quiet, processors(), kept);
    let call = Call {
        args,
        old,
        new,
        targets,
        common,
    };
    each::each(&args.inputs, &call.common, |named, _| call.rekey(named))
}

/// What all inputs are opened with, and what they get.
struct Call<'a> {
    args: &'a Rekey,
    old: Secrets,
    new: Secrets,
    targets: Targets<'a>,
    common: Common<'a>,
}

impl Call<'_> {
    /// Without an output the input is replaced.
    fn rekey(&self, named: Named<'_>) -> Outcome<'_> {
        let (args, common) = (self.args, &self.common);
        let mut input = Input::open(named.path)?;
        let target = self.targets.of(named)?;
        let name = input.name.clone();
        let (_, unlocked) = unlock(&mut input, &self.old, &[])?;
        let header = unlocked
            .rekey(&self.new.locks(&args.kdf)?)
            .map_err(|error| Failure::container(&name, error))?;
        let mut payload = [0; HEADER_LEN];
        input.fill(&mut payload)?;
        unlocked
            .opener(&payload)
            .map_err(|error| Failure::container(&name, error))?;
        let outputs = &common.outputs;
        let mut output = match args.target.output {
            None => outputs.replace(&input)?,
            Some(_) => outputs.create(target.as_deref(), args.target.force, Mode::Like(&input))?,
        };
        output.refuse_terminal()?;
        output.refuse_json(common.json)?;
        output.write_sealed(header.as_bytes())?;
        output.write_sealed(&payload)?;
        output.copy(&mut input)?;
        let (file, slots) = (input.named(), header.slots().len());
        let target = output.target();
        Made::of(output, move || {
            if common.json {
                return print::json(&Answer {
                    file,
                    output: target,
                    slots,
                });
            }
            if !self.common.quiet {
                let slots = match slots {
                    1 => "1 slot".into(),
                    several => format!("{several} slots"),
                };
                print::note(&format!(
                    "{name}: {slots}; copies of the file from before still open with the old ones"
                ));
            }
            Ok(())
        })
    }
}
