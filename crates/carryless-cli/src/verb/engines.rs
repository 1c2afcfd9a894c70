//! `carryless engines`.

use carryless::{Engine, Features};
use comfy_table::{Table, presets};
use serde::Serialize;

use crate::args::Engines;
use crate::exit::Failure;
use crate::print;

#[derive(Serialize)]
struct Line {
    engine: &'static str,
    available: bool,
    reason: Option<String>,
    selected: bool,
    automatic: bool,
    description: &'static str,
    cpu: Vec<&'static str>,
}

pub fn run(args: &Engines) -> Result<(), Failure> {
    let selected = Engine::selected();
    let cpu: Vec<&str> = Features::detect().names().collect();
    let lines = Engine::ALL.iter().map(|engine| {
        let reason = engine.availability().err().map(|reason| reason.to_string());
        Line {
            engine: engine.name(),
            available: reason.is_none(),
            reason,
            selected: *engine == selected,
            automatic: engine.is_automatic(),
            description: engine.description(),
            cpu: cpu.clone(),
        }
    });
    if args.json {
        return lines.into_iter().try_for_each(|line| print::json(&line));
    }
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(["", "engine", "here", "chosen", "made of"]);
    for line in lines {
        let mark = if line.selected { "*" } else { "" };
        let here = line.reason.unwrap_or_else(|| "yes".into());
        let chosen = if line.automatic {
            "automatically"
        } else {
            "by name"
        };
        table.add_row([mark, line.engine, &here, chosen, line.description]);
    }
    let features = if cpu.is_empty() {
        "none that an engine asks for".into()
    } else {
        cpu.join(" ")
    };
    print::data(&format!(
        "{}\n\n* new keys take this one. CPU features: {features}\n",
        table.trim_fmt()
    ))
}
