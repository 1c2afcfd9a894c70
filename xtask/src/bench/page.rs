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

/// Writes what is below the mark anew, and the plot.
pub(crate) fn write(file: &str) -> Outcome {
    let shown = |name: &str| {
        let name = name.to_string();
        move |error| format!("{name}: {error}")
    };
    let text = fs::read_to_string(root().join(file)).map_err(shown(file))?;
    let run = Run::parse(&text).map_err(|error| format!("{file}: {error}"))?;
    let page = fs::read_to_string(root().join(PAGE)).map_err(shown(PAGE))?;
    let Some((by_hand, _)) = page.split_once(MARK) else {
        return Err(format!("{PAGE} is without the line `{}`", MARK.trim()));
    };
    let name = Path::new(file).file_name().unwrap_or_default();
    let body = [
        &head(&run, &name.to_string_lossy()),
        "\n",
        &tables::all(&run)?,
    ]
    .concat();
    let plot = picture::plot(&run).svg();
    fs::write(root().join(PICTURE), plot).map_err(shown(PICTURE))?;
    fs::write(root().join(PAGE), [by_hand, MARK, "\n", &body].concat()).map_err(shown(PAGE))?;
    println!("{PAGE} and {PICTURE} show {file}");
    Ok(())
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
        "Run: `bench/results/{file}`.\n{machine}\nPeers: {}.\n\n![Cycles a byte over length](performance.svg)\n",
        peers.join("; ")
    )
}
