//! docs/performance.md and its plot, from a recorded run; or the page of a CPU without VAES, from one that hid it.

use std::fs;
use std::path::Path;

use super::picture;
use super::record::Run;
use super::tables;
use crate::run::{Outcome, root};

/// A page and its plot.
struct Names {
    page: &'static str,
    picture: &'static str,
}

const NAMES: Names = Names {
    page: "docs/performance.md",
    picture: "performance.svg",
};
/// Those of a run from which a part of the CPU was hidden.
const HIDDEN: Names = Names {
    page: "docs/performance-aesni.md",
    picture: "performance-aesni.svg",
};
/// What is above it is written by hand.
const MARK: &str = "<!-- below: written by cargo xtask bench -->\n";
/// Before the name of the file that the page was made from.
const RUN: &str = "Run: `bench/results/";

/// Writes what is below the mark anew, and the plot.
pub(crate) fn write(file: &str) -> Outcome {
    let (names, page, picture) = made(file)?;
    let drawn = format!("docs/{}", names.picture);
    for (name, text) in [(drawn.as_str(), picture), (names.page, page)] {
        fs::write(root().join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    println!("{} and {drawn} show {file}", names.page);
    Ok(())
}

/// The page and the plot of a run, and their names.
fn made(file: &str) -> Result<(&'static Names, String, String), String> {
    let run = Run::parse(&read(file)?).map_err(|error| format!("{file}: {error}"))?;
    let names = if run.hides() { &HIDDEN } else { &NAMES };
    let page = read(names.page)?;
    let Some((by_hand, _)) = page.split_once(MARK) else {
        return Err(format!(
            "{} is without the line `{}`",
            names.page,
            MARK.trim()
        ));
    };
    let name = Path::new(file).file_name().unwrap_or_default();
    let head = head(&run, &name.to_string_lossy(), names.picture);
    let page = [by_hand, MARK, "\n", &head, "\n", &tables::all(&run)?].concat();
    Ok((names, page, picture::plot(&run).svg()))
}

fn read(name: &str) -> Result<String, String> {
    fs::read_to_string(root().join(name)).map_err(|error| format!("{name}: {error}"))
}

/// Where the figures come from.
fn head(run: &Run, file: &str, picture: &str) -> String {
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
            "\nMachine: {}, family {}, model {}, {} cores{}; {}; commit {}; {}{}.\n",
            machine.cpu,
            machine
                .family
                .map_or_else(|| "?".into(), |family| family.to_string()),
            machine
                .model
                .map_or_else(|| "?".into(), |model| model.to_string()),
            machine.cores,
            machine
                .without
                .as_ref()
                .map_or_else(String::new, |what| format!(
                    "; {what} hidden from all programs"
                )),
            machine.rustc,
            machine.commit,
            machine.date,
            flags
        )
    });
    format!(
        "{RUN}{file}`.\n{machine}\nPeers: {}.\n\n![Cycles a byte over length]({picture})\n",
        peers.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use super::{HIDDEN, NAMES, RUN, made, read};

    #[test]
    fn the_pages_are_what_their_runs_give() {
        for names in [NAMES, HIDDEN] {
            let page = read(names.page).expect("the page");
            let (_, rest) = page.split_once(RUN).expect("the name of its run");
            let (name, _) = rest.split_once('`').expect("the end of the name");
            let file = format!("bench/results/{name}");
            let (of, again, picture) = made(&file).expect("a run");
            assert_eq!(of.page, names.page, "{file} is for another page");
            assert!(page == again, "cargo xtask bench --tables {file}");
            assert!(
                read(&format!("docs/{}", names.picture)).as_ref() == Ok(&picture),
                "{} is of another run",
                names.picture
            );
        }
    }

    #[test]
    fn what_is_no_run_leaves_the_page_alone() {
        assert!(made("bench/results/absent.json").is_err());
        assert!(made("bench/README.md").is_err());
    }
}
