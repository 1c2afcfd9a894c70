//! `carryless rekey`: a new header before the same payload.

use carryless_file::cobblestone::HEADER_LEN;

use serde::Serialize;

use super::each::{self, Made};
use crate::answer;
use crate::args::{Global, Rekey};
use crate::exit::Failure;
use crate::input::Input;
use crate::opening::unlock;
use crate::output::{Mode, Output};
use crate::print;
use crate::secrets::{Secrets, refuse_shared_stdin};
use crate::targets::Targets;

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
    let output = args.target.output.as_deref();
    let mut targets = Targets::new(output, &args.inputs, secrets())?;
    each::each(&args.inputs, args.json, |path| {
        let mut input = Input::open(path)?;
        let target = match output {
            None => input.path.clone(),
            Some(_) => targets.next(input.path.as_deref(), |path| Ok(path.into()))?,
        };
        let name = input.name.clone();
        let (_, unlocked) = unlock(&mut input, &old, &[])?;
        let header = unlocked
            .rekey(&new.locks(&args.kdf)?)
            .map_err(|error| Failure::container(&name, error))?;
        let mut payload = [0; HEADER_LEN];
        input.fill(&mut payload)?;
        unlocked
            .opener(&payload)
            .map_err(|error| Failure::container(&name, error))?;
        let mut output = match output {
            None => Output::replace(&input)?,
            Some(_) => Output::create(target.as_deref(), args.target.force, Mode::Like(&input))?,
        };
        output.refuse_terminal()?;
        output.refuse_json(args.json)?;
        output.write_sealed(header.as_bytes())?;
        output.write_sealed(&payload)?;
        output.copy(&mut input)?;
        let (file, slots) = (input.named(), header.slots().len());
        Made::of(output, move |output| {
            if args.json {
                return print::json(&Answer {
                    file,
                    output,
                    slots,
                });
            }
            if !global.quiet {
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
    })
}
