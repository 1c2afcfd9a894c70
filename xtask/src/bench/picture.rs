//! docs/performance.svg: the peers' cycles a byte over length.

use super::drawing::bound::{Units, Work, vector_width};
use super::drawing::plot::{Line, Panel, Plot};
use super::record::{OURS, Run};

/// What has a panel.
const PANELS: [(&str, &str, u32); 4] = [
    ("seal", "AES-128-GCM, sealing", 128),
    ("open", "AES-128-GCM, opening", 128),
    ("seal", "AES-256-GCM, sealing", 256),
    ("open", "AES-256-GCM, opening", 256),
];
const PRECISION: f64 = 100.0;

pub(crate) fn plot(run: &Run) -> Plot {
    let machine = run.machine.as_ref();
    let cpu = machine.map(super::record::Machine::cpu).unwrap_or_default();
    let width = run.engine().and_then(vector_width);
    let known = Units::of(&cpu).zip(width);
    // The least bound there can be: that at the highest clock.
    let clock = run.clock();
    let mut notes = vec![
        "Medians of paired rounds (of 64 MiB the least), 13 bytes of additional data (none above 16 KiB), one thread, key set-up not included.".into(),
    ];
    match known.and_then(|(units, width)| units.assumption(width)) {
        Some(assumption) => notes.push(format!(
            "{assumption}; at {} core cycles in a TSC cycle.",
            (clock * PRECISION).round() / PRECISION
        )),
        None => notes.push("No bound is drawn: none is known for this CPU or engine.".into()),
    }
    let panels = PANELS.iter().map(|(op, title, bits)| {
        let work = Work {
            cipher_bits: Some(*bits),
            hashed: true,
        };
        Panel {
            title: (*title).into(),
            lines: lines(run, op, *bits),
            bounds: known.map_or_else(Vec::new, |(units, width)| {
                units.bounds(work, &[width], 1.0 / clock)
            }),
        }
    });
    Plot {
        title: format!(
            "carryless beside its peers on {}{}",
            cpu.name.as_deref().unwrap_or("a CPU that was not recorded"),
            if run.hides() { ", VAES hidden" } else { "" }
        ),
        unit: "TSC cycles per byte".into(),
        panels: panels.filter(|panel| !panel.lines.is_empty()).collect(),
        notes,
    }
}

/// We first, then the others; of our engines only the one that is chosen.
fn lines(run: &Run, op: &str, bits: u32) -> Vec<Line> {
    let cells = run.cells(op, bits);
    let drawn = |name: &str| name == OURS || !name.starts_with(OURS);
    let peers = run
        .peers
        .iter()
        .enumerate()
        .filter(|(_, peer)| drawn(&peer.name));
    let lines = peers.map(|(place, peer)| Line {
        name: peer.name.clone(),
        points: cells
            .iter()
            .filter(|cell| cell.size > 0)
            .filter_map(|cell| {
                #[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
                let len = cell.size as f64;
                Some((len, cell.time(place)? / len))
            })
            .collect(),
    });
    lines.filter(|line| !line.points.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::{Run, tests::RAW};
    use super::plot;

    #[test]
    fn it_shows_us_and_the_libraries() {
        let mut run = Run::parse(RAW).expect("well-formed");
        let drawn = plot(&run);
        assert_eq!(drawn.panels.len(), 1);
        let names: Vec<&str> = drawn.panels[0]
            .lines
            .iter()
            .map(|line| line.name.as_str())
            .collect();
        assert_eq!(names, ["carryless", "ring", "nettle"]);
        assert_eq!(drawn.panels[0].lines[1].points, [(16.0, 192.1 / 16.0)]);
        assert!(drawn.panels[0].bounds.is_empty(), "of an unknown CPU");

        let machine = r#"{"cpu":"AMD EPYC","vendor":"AuthenticAMD","family":25,"model":1,"cores":2,"rustc":"","commit":"","date":"","flags":""}"#;
        run.machine = Some(serde_json::from_str(machine).expect("well-formed"));
        let drawn = plot(&run);
        let level = drawn.panels[0].bounds[0].level;
        assert!((level - 6.0 / 32.0 / 1.25).abs() < 1e-9, "{level}");
        assert!(
            drawn.notes[1].contains("Zen 3") && drawn.notes[1].contains("1.25 core"),
            "{:?}",
            drawn.notes
        );
    }
}
