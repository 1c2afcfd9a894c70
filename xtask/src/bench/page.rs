//! docs/performance.md and its plot, from a recorded run.

use std::fs;
use std::path::Path;

use super::picture;
use super::record::Run;
use super::tables;
use crate::run::{Outcome, root};

const PAGE: &str = "docs/performance.md";
const PICTURE: &str = "docs/performance.svg";
/// What is above it is written by hand.
const MARK: &str = "<!-- below: written by cargo xtask bench -->\n";
/// Before the name of the file that the page was made from.
const RUN: &str = "Run: `bench/results/";

/// Writes what is below the mark anew, and the plot.
pub(crate) fn write(file: &str) -> Outcome {
    let (page, picture) = made(file)?;
    for (name, text) in [(PICTURE, picture), (PAGE, page)] {
        fs::write(root().join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    println!("{PAGE} and {PICTURE} show {file}");
    Ok(())
}

/// The page and the plot of a run.
fn made(file: &str) -> Result<(String, String), String> {
    let run = Run::parse(&read(file)?).map_err(|error| format!("{file}: {error}"))?;
    let page = read(PAGE)?;
    let Some((by_hand, _)) = page.split_once(MARK) else {
        return Err(format!("{PAGE} is without the line `{}`", MARK.trim()));
    };
    let name = Path::new(file).file_name().unwrap_or_default();
    let head = head(&run, &name.to_string_lossy());
    let page = [by_hand, MARK, "\n", &head, "\n", &tables::all(&run)?].concat();
    Ok((page, picture::plot(&run).svg()))
}

fn read(name: &str) -> Result<String, String> {
    fs::read_to_string(root().join(name)).map_err(|error| format!("{name}: {error}"))
}

/// Where the figures come from.
fn head(run: &Run, file: &str) -> String {
    let peers = run
        .peers
        .iter()
        .map(|peer| format!("{} {}", peer.name, peer.version));
    let peers: Vec<String> = peers.collect();
    let machine = run.machine.as_ref().map_or_else(String::new, |machine| {
        let flags = match machine.flags.as_str() {
            "" => String::new(),
            flags => format!("; flags `{flags}`"),
        };
        format!(
            "\nMachine: {}, family {}, model {}, {} cores; {}; commit {}; {}{}.\n",
            machine.cpu,
            machine
                .family
                .map_or_else(|| "?".into(), |family| family.to_string()),
            machine
                .model
                .map_or_else(|| "?".into(), |model| model.to_string()),
            machine.cores,
            machine.rustc,
            machine.commit,
            machine.date,
            flags
        )
    });
    format!(
        "{RUN}{file}`.\n{machine}\nPeers: {}.\n\n![Cycles a byte over length](performance.svg)\n",
        peers.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use super::{PAGE, PICTURE, RUN, made, read};

    #[test]
    fn the_page_is_what_its_run_gives() {
        let page = read(PAGE).expect("the page");
        let (_, rest) = page.split_once(RUN).expect("the name of its run");
        let (name, _) = rest.split_once('`').expect("the end of the name");
        let (again, picture) = made(&format!("bench/results/{name}")).expect("a run");
        assert!(
            page == again,
            "cargo xtask bench --tables bench/results/{name}"
        );
        assert!(
            read(PICTURE).as_ref() == Ok(&picture),
            "{PICTURE} is of another run"
        );
    }

    #[test]
    fn what_is_no_run_leaves_the_page_alone() {
        assert!(made("bench/results/absent.json").is_err());
        assert!(made("bench/README.md").is_err());
    }
}
