//! `carryless rekey`: a new header before the same payload.

use carryless_file::cobblestone::HEADER_LEN;

use super::each;
use super::seal::refuse_key_files;
use crate::args::{Global, Rekey};
use crate::exit::Failure;
use crate::input::Input;
use crate::opening::unlock;
use crate::output::{Mode, Output};
use crate::print;
use crate::secrets::Secrets;

pub fn run(args: &Rekey, global: &Global) -> Result<(), Failure> {
    let old = Secrets::to_open(&args.secret)?;
    let new = Secrets::to_rekey(&args.new)?;
    let several = args.inputs.len() > 1;
    each::each(&args.inputs, false, |path| {
        let mut input = Input::open(path)?;
        let in_place = args.target.output.is_none();
        let target = each::target(
            args.target.output.as_deref(),
            input.path.as_deref(),
            several,
            |path| Ok(path.into()),
        )?;
        refuse_key_files(target.as_deref(), &args.secret)?;
        let name = input.name.clone();
        let (_, unlocked) = unlock(&mut input, &old, &[])?;
        let header = unlocked
            .rekey(&new.locks())
            .map_err(|error| Failure::container(&name, error))?;
        let mut payload = [0; HEADER_LEN];
        input.fill(&mut payload)?;
        unlocked
            .opener(&payload)
            .map_err(|error| Failure::container(&name, error))?;
        let mut output = if in_place {
            Output::replace(target.as_deref())?
        } else {
            Output::create(target.as_deref(), args.target.force, Mode::Like(&input))?
        };
        output.refuse_terminal()?;
        output.write_sealed(header.as_bytes())?;
        output.write_sealed(&payload)?;
        output.copy(&mut input)?;
        output.commit()?;
        if !global.quiet {
            print::note(&format!(
                "{name}: {} slots; copies of the file from before still open with the old ones",
                header.slots().len()
            ));
        }
        Ok(())
    })
}
