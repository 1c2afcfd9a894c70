//! `carryless completions` and `carryless man`: made from the command line's own description.

use std::io::Write;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::args::{self, Args};
use crate::exit::{self, Code, Failure, show};
use crate::output::{Mode, Outputs};
use crate::print;

pub fn completions(args: &args::Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "carryless", &mut script);
    print::data(&String::from_utf8_lossy(&script))
}

pub fn man(args: &args::Man) -> Result<(), Failure> {
    let program = named();
    if let Some(directory) = &args.directory {
        return write(&pages(&program)?, directory);
    }
    let page = match &args.verb {
        None => page(&program)?,
        Some(verb) => match program.find_subcommand(verb) {
            Some(command) => page(command)?,
            None => {
                return Err(Failure::usage(format!(
                    "{}: no such verb",
                    show(verb.as_ref())
                )));
            }
        },
    };
    print::data(&String::from_utf8_lossy(&page))
}

/// Writes all pages, and flushes the directory once behind them, also behind those before one that fails.
fn write(pages: &[(String, Vec<u8>)], directory: &Path) -> Result<(), Failure> {
    let outputs = Outputs::default();
    let written = pages.iter().try_for_each(|(name, page)| {
        let target = directory.join(name);
        let mut output = outputs.create(Some(&target), true, Mode::New)?;
        let written = output.write_all(page);
        written.map_err(|error| output.failure(error))?;
        output.flush_content()?;
        output.place()
    });
    let flushed = outputs.directories.flush().pop().map_or(Ok(()), Err);
    written.and(flushed)
}

/// The program, in which every verb has the name of its page.
fn named() -> Command {
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    program.mut_subcommands(|verb| {
        let name = format!("carryless-{}", verb.get_name());
        let examples = verb.get_after_help().map(ToString::to_string);
        let help = [examples.unwrap_or_default(), exit::HELP.into()].join("\n\n");
        verb.display_name(name).after_long_help(help)
    })
}

/// All pages with the names of their files.
fn pages(program: &Command) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let commands = core::iter::once(program).chain(program.get_subcommands());
    commands
        .map(|command| {
            let name = command.get_display_name().unwrap_or(command.get_name());
            Ok((format!("{name}.1"), page(command)?))
        })
        .collect()
}

fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    Man::new(command.clone())
        .render(&mut page)
        .map_err(|error| Failure::new(Code::Other, error))?;
    Ok(as_typed(&String::from_utf8_lossy(&page)).into_bytes())
}

/// The page with lines that are indented as they are: examples, which nobody is to fill or break.
fn as_typed(page: &str) -> String {
    let mut typed = String::new();
    let mut indented = false;
    for line in page.split_inclusive('\n') {
        if line.starts_with("  ") != indented {
            indented = !indented;
            typed.push_str(if indented { ".nf\n" } else { ".fi\n" });
        }
        typed.push_str(line);
    }
    typed
}
