//! The tables, in Markdown.

use std::ffi::CStr;

use carryless::Engine;

use crate::goals::{SGHASH, XAES_MORE, goal};
use crate::job::Mode;
use crate::measure::{Times, median};
use crate::time::core_per_tick;

/// What is ours, in front of the others.
pub const OURS: &str = "carryless";

/// What was measured of a mode at a length.
pub struct Cell {
    pub mode: Mode,
    pub len: usize,
    pub names: Vec<&'static str>,
    pub times: Vec<Times>,
}

impl Cell {
    /// Our time over that of library `other`, in the middle of the rounds.
    fn ratio(&self, other: usize, way: usize) -> f64 {
        let (ours, others) = (&self.times[0][way], &self.times[other][way]);
        median(ours.iter().zip(others).map(|(ours, other)| ours / other))
    }

    /// Ticks that we take more.
    fn more(&self, other: usize, way: usize) -> f64 {
        let (ours, others) = (&self.times[0][way], &self.times[other][way]);
        median(ours.iter().zip(others).map(|(ours, other)| ours - other))
    }

    /// The fastest of the other libraries, if there are several.
    fn fastest(&self, way: usize) -> Option<usize> {
        let time = |i: &usize| median(self.times[*i][way].iter().copied());
        let peer =
            |i: &usize| matches!(self.names[*i], "OpenSSL" | "RustCrypto" | "AWS-LC" | "lea");
        (1..self.names.len())
            .filter(peer)
            .min_by(|a, b| time(a).total_cmp(&time(b)))
    }

    /// What is ours, a byte: ticks, or core cycles where there is a goal for them.
    fn own(&self, way: usize) -> String {
        let time = median(self.times[0][way].iter().copied()) / self.len as f64;
        if self.mode != Mode::Sghash {
            return format!("{time:.2}");
        }
        let cycles = time * core_per_tick();
        let missed = self.len >= SGHASH.1 && cycles > SGHASH.0 + 0.005;
        marked(format!("{cycles:.2}"), missed, false)
    }

    /// One row of library `other` at this length.
    fn shown(&self, other: usize, way: usize) -> String {
        if self.mode == Mode::Xaes && self.names[other].starts_with("GCM") {
            let more = self.more(other, way) * core_per_tick();
            return marked(format!("{more:+.0} cycles"), more > XAES_MORE, false);
        }
        let ratio = self.ratio(other, way);
        let missed = goal(self.mode, way == 1, self.names[other]).is_some_and(|goal| {
            (goal.sizes[0]..=goal.sizes[1]).contains(&self.len) && ratio > goal.most + 0.005
        });
        marked(
            format!("{ratio:.2}"),
            missed,
            self.fastest(way) == Some(other),
        )
    }
}

/// Bold, if a goal is missed; with a star, if it is of the fastest other.
fn marked(text: String, missed: bool, fastest: bool) -> String {
    let star = if fastest { "\\*" } else { "" };
    if missed {
        format!("**{text}**{star}")
    } else {
        text + star
    }
}

/// A length as people write it.
fn length(len: usize) -> String {
    if len.is_multiple_of(1024) {
        format!("{} KiB", len / 1024)
    } else {
        format!("{len} B")
    }
}

/// What runs.
pub fn begin() {
    // SAFETY: it returns a string that stays.
    let openssl = unsafe { CStr::from_ptr(openssl_sys::OpenSSL_version(0)) };
    println!(
        "Engine `{}`; {}; {} core cycles a TSC cycle.",
        Engine::selected(),
        openssl.to_string_lossy(),
        (100.0 * core_per_tick()).round() / 100.0
    );
}

/// The table of a key size.
pub fn table(bits: usize, sizes: &[usize], cells: &[Cell]) {
    let heads: Vec<_> = sizes.iter().map(|len| length(*len)).collect();
    println!(
        "\n| Keys of {bits} bits | time over that of | goal | {} |",
        heads.join(" | ")
    );
    println!("|---|---|---|{}", "---:|".repeat(sizes.len()));
    for cells in cells.chunks(sizes.len()) {
        let Cell {
            mode, names, times, ..
        } = &cells[0];
        for way in (0..2).filter(|way| !times[0][*way].is_empty()) {
            let (unit, limit) = match mode {
                Mode::Sghash => (
                    "core cycles a byte",
                    format!("{:.2}, from {} on", SGHASH.0, length(SGHASH.1)),
                ),
                _ => ("cycles a byte", String::new()),
            };
            let own = cells.iter().map(|cell| cell.own(way));
            row(mode.names()[way], unit, &limit, own);
            for (other, name) in names.iter().enumerate().skip(1) {
                let goal = match goal(*mode, way == 1, name) {
                    Some(goal) => format!(
                        "{:.2}, {} to {}",
                        goal.most,
                        length(goal.sizes[0]),
                        length(goal.sizes[1])
                    ),
                    None if name.starts_with("GCM") => format!("{XAES_MORE:+} cycles"),
                    None => String::new(),
                };
                if !times[other][way].is_empty() {
                    row(
                        "",
                        name,
                        &goal,
                        cells.iter().map(|cell| cell.shown(other, way)),
                    );
                }
            }
        }
    }
}

fn row(mode: &str, over: &str, goal: &str, figures: impl Iterator<Item = String>) {
    let figures: Vec<_> = figures.collect();
    println!("| {mode} | {over} | {goal} | {} |", figures.join(" | "));
}
