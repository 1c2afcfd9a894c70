//! The plot of a run.

use super::bound::{Units, Work, vector_width};
use super::figure::{Figure, title};
use super::job::Case;
use super::plot::{Bound, Line, Panel, Plot};
use crate::args::Op;

/// What one case measured, by length and engine.
pub type Group = (Case, Vec<Vec<Figure>>);

/// A panel for each case.
pub fn plot(machine: &str, units: Option<&Units>, groups: &[Group]) -> Plot {
    let figures = || groups.iter().flat_map(|(_, lengths)| lengths).flatten();
    let in_cycles =
        figures().all(|figure| figure.message_len == 0 || figure.cycles_per_byte.is_some());
    let mut notes = vec![
        "Medians; no additional data, nonces made beforehand; one thread unless a title says otherwise.".to_string(),
    ];
    let panels = groups.iter().map(|(case, lengths)| Panel {
        title: title(case),
        lines: lines(lengths, in_cycles),
        bounds: match units {
            Some(units) if in_cycles => bounds(case, lengths, units),
            _ => Vec::new(),
        },
    });
    let panels: Vec<Panel> = panels.collect();
    if panels.iter().any(|panel| !panel.bounds.is_empty()) {
        let assumptions = widths(figures()).into_iter();
        notes.extend(assumptions.filter_map(|width| units?.assumption(width)));
    } else {
        notes.push(
            "No bound is drawn: none is known for this CPU, or for what was measured.".into(),
        );
    }
    Plot {
        title: format!("carryless {} on {machine}", env!("CARGO_PKG_VERSION")),
        unit: if in_cycles {
            "core cycles per byte"
        } else {
            "nanoseconds per byte"
        }
        .into(),
        panels,
        notes,
    }
}

fn lines(lengths: &[Vec<Figure>], in_cycles: bool) -> Vec<Line> {
    let engines = lengths.first().into_iter().flatten().enumerate();
    let line = |(number, first): (usize, &Figure)| Line {
        name: first.engine.into(),
        points: lengths
            .iter()
            .map(|length| &length[number])
            .filter(|figure| figure.message_len > 0)
            .map(|figure| {
                let len = f64::from(figure.message_len);
                let ns = figure.ns / len;
                (
                    len,
                    if in_cycles {
                        figure.cycles_per_byte.unwrap_or(ns)
                    } else {
                        ns
                    },
                )
            })
            .collect(),
    };
    engines.map(line).collect()
}

/// Widths of the vectors of the engines, in bytes.
fn widths<'a>(figures: impl Iterator<Item = &'a Figure>) -> Vec<u32> {
    let mut widths: Vec<u32> = figures
        .filter_map(|figure| vector_width(figure.engine))
        .collect();
    widths.sort_unstable();
    widths.dedup();
    widths
}

/// Of what is encrypted or hashed once, each block without those before it.
fn bounds(case: &Case, lengths: &[Vec<Figure>], units: &Units) -> Vec<Bound> {
    let (encrypted, hashed) = match (case.alg.name, case.op) {
        ("gmac" | "ghash", _) | (_, Op::Gmac) => (false, true),
        ("aes-ecb" | "aes-ctr" | "aes-xts", _) | (_, Op::Ctr) => (true, false),
        ("aes-gcm" | "aes-gcm-siv" | "xaes-256-gcm", _) => (true, true),
        _ => return Vec::new(),
    };
    let work = Work {
        cipher_bits: encrypted.then_some(case.bits.number()),
        hashed,
    };
    units.bounds(work, &widths(lengths.iter().flatten()), 1.0)
}
