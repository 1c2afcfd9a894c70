//! A run of the peers benchmark: as that writes it, and as `bench/results/` keeps it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use super::drawing::cpu::Cpu;

/// What is ours, among the peers; others of ours have names that begin with it.
pub(crate) const OURS: &str = "carryless";
/// Behind the name of an operation whose nonces were made beforehand.
pub(crate) const READY: &str = "-ready";
/// From this length on a time is the least: a turn of that length is never undisturbed.
const LEAST_FROM: u64 = 16 << 20;

/// A run, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) machine: Option<Machine>,
    pub(crate) tsc_hz: f64,
    /// Core cycles in a TSC cycle, at the beginning and at the end.
    pub(crate) core_per_tsc: Vec<f64>,
    pub(crate) peers: Vec<Peer>,
    pub(crate) cells: Vec<Cell>,
}

/// A library, or an engine of ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Peer {
    pub(crate) name: String,
    pub(crate) version: String,
}

/// All peers at one thing. Lists are in the order of the peers; `None` for those that can't do it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub(crate) op: String,
    pub(crate) bits: u32,
    pub(crate) size: u64,
    rounds: u64,
    /// Rounds in which nothing disturbed a peer: the least count of them.
    quiet: u64,
    /// Medians, of the quiet rounds if there are enough of them.
    tsc: Vec<Option<Cycles>>,
    min: Vec<Option<Cycles>>,
    /// What lies between the quartiles, as a part of the median.
    spread: Vec<Option<f64>>,
}

/// TSC cycles, kept to a tenth below 1000 and to one above.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(from = "f64")]
struct Cycles(f64);

impl From<f64> for Cycles {
    fn from(cycles: f64) -> Self {
        let scale = if cycles < 1000.0 { 10.0 } else { 1.0 };
        Self((cycles * scale).round() / scale)
    }
}

impl Serialize for Cycles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "whole, and far below 2^53"
            )]
            return serializer.serialize_u64(self.0 as u64);
        }
        serializer.serialize_f64(self.0)
    }
}

/// Where and how a run was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) vendor: Option<String>,
    pub(crate) family: Option<u32>,
    pub(crate) model: Option<u32>,
    /// What of the CPU the programs were not told of; see `bench/without.py`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) without: Option<String>,
    pub(crate) cores: usize,
    pub(crate) rustc: String,
    pub(crate) commit: String,
    pub(crate) date: String,
    /// Of the peers benchmark, beside those of every recorded run.
    pub(crate) flags: String,
}

impl Machine {
    pub(crate) fn cpu(&self) -> Cpu {
        Cpu {
            name: Some(self.cpu.clone()),
            vendor: self.vendor.clone(),
            family: self.family,
            model: self.model,
        }
    }
}

/// A run, as the benchmark writes it.
#[derive(Deserialize)]
struct Raw {
    /// Not by the benchmark: added to files of old.
    machine: Option<Machine>,
    tsc_hz: f64,
    core_per_tsc: Vec<f64>,
    peers: BTreeMap<String, String>,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    op: String,
    bits: u32,
    size: u64,
    peer: String,
    tsc: f64,
    tsc_min: f64,
    tsc_q1: f64,
    tsc_q3: f64,
    rounds: u64,
    quiet: u64,
}

impl From<Raw> for Run {
    fn from(raw: Raw) -> Self {
        let mut peers: Vec<Peer> = Vec::new();
        let mut cells: Vec<Cell> = Vec::new();
        for row in &raw.rows {
            if !peers.iter().any(|peer| peer.name == row.peer) {
                let version = raw.peers.get(&row.peer).cloned().unwrap_or_default();
                let name = row.peer.clone();
                peers.push(Peer { name, version });
            }
        }
        for row in raw.rows {
            let is_it =
                |cell: &Cell| (&cell.op, cell.bits, cell.size) == (&row.op, row.bits, row.size);
            let place = cells.iter().position(is_it).unwrap_or_else(|| {
                cells.push(Cell::empty(&row, peers.len()));
                cells.len() - 1
            });
            let peer = peers.iter().position(|peer| peer.name == row.peer);
            cells[place].add(&row, peer.unwrap_or(0));
        }
        Self {
            machine: raw.machine,
            tsc_hz: raw.tsc_hz,
            core_per_tsc: raw.core_per_tsc,
            peers,
            cells,
        }
    }
}

impl Cell {
    fn empty(row: &Row, peers: usize) -> Self {
        Self {
            op: row.op.clone(),
            bits: row.bits,
            size: row.size,
            rounds: 0,
            quiet: u64::MAX,
            tsc: vec![None; peers],
            min: vec![None; peers],
            spread: vec![None; peers],
        }
    }

    fn add(&mut self, row: &Row, peer: usize) {
        self.rounds = self.rounds.max(row.rounds);
        self.quiet = self.quiet.min(row.quiet);
        self.tsc[peer] = Some(row.tsc.into());
        self.min[peer] = Some(row.tsc_min.into());
        let spread = (row.tsc_q3 - row.tsc_q1) / row.tsc;
        self.spread[peer] = Some((spread * 100.0).round() / 100.0);
    }

    /// TSC cycles of a peer: the median, of very long messages the least.
    pub(crate) fn time(&self, peer: usize) -> Option<f64> {
        let times = if self.size >= LEAST_FROM {
            &self.min
        } else {
            &self.tsc
        };
        Some((*times.get(peer)?)?.0)
    }

    /// TSC cycles of a peer, the least.
    pub(crate) fn least(&self, peer: usize) -> Option<f64> {
        Some((*self.min.get(peer)?)?.0)
    }
}

impl Run {
    /// Core cycles in a TSC cycle, when the core was at its fastest.
    pub(crate) fn clock(&self) -> f64 {
        self.core_per_tsc.iter().copied().fold(f64::MIN, f64::max)
    }

    /// Reads either form.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let kept = serde_json::from_str::<Self>(text);
        kept.or_else(|_| serde_json::from_str::<Raw>(text).map(Self::from))
            .map_err(|error| error.to_string())
    }

    /// As it is kept: a line for each cell.
    pub(crate) fn text(&self) -> Result<String, String> {
        let cells: Result<Vec<String>, String> = self.cells.iter().map(json).collect();
        Ok(format!(
            "{{\n\"machine\": {},\n\"tsc_hz\": {},\n\"core_per_tsc\": {},\n\"peers\": {},\n\"cells\": [\n{}\n]\n}}\n",
            json(&self.machine)?,
            self.tsc_hz,
            json(&self.core_per_tsc)?,
            json(&self.peers)?,
            cells?.join(",\n")
        ))
    }

    /// Takes in a run of the same peers whose nonces were made beforehand.
    pub(crate) fn add_ready(&mut self, ready: Self) -> Result<(), String> {
        if ready.peers != self.peers {
            return Err("the second run has other peers than the first".into());
        }
        let renamed = ready.cells.into_iter().map(|cell| Cell {
            op: cell.op + READY,
            ..cell
        });
        self.cells.extend(renamed);
        Ok(())
    }

    /// What was measured of an operation, by length.
    pub(crate) fn cells(&self, op: &str, bits: u32) -> Vec<&Cell> {
        let wanted = |cell: &&Cell| cell.op == op && cell.bits == bits;
        let mut cells: Vec<&Cell> = self.cells.iter().filter(wanted).collect();
        cells.sort_by_key(|cell| cell.size);
        cells
    }

    /// Our place among the peers.
    pub(crate) fn ours(&self) -> Option<usize> {
        self.peers.iter().position(|peer| peer.name == OURS)
    }

    /// Whether a part of the CPU was hidden from all programs.
    pub(crate) fn hides(&self) -> bool {
        let machine = self.machine.as_ref();
        machine.is_some_and(|machine| machine.without.is_some())
    }

    /// The engine that is measured as ours.
    pub(crate) fn engine(&self) -> Option<&str> {
        let (_, engine) = self.peers[self.ours()?].version.rsplit_once("engine ")?;
        Some(engine)
    }

    /// The fastest of the others at a thing, and its time.
    pub(crate) fn best(&self, cell: &Cell) -> Option<(&str, f64)> {
        let others = self
            .peers
            .iter()
            .enumerate()
            .filter(|(_, peer)| !peer.name.starts_with(OURS));
        others
            .filter_map(|(place, peer)| Some((peer.name.as_str(), cell.time(place)?)))
            .min_by(|one, other| one.1.total_cmp(&other.1))
    }
}

fn json<T: Serialize>(value: &T) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::Run;

    /// Two libraries and we, at two lengths.
    pub(crate) const RAW: &str = r#"{"tsc_hz": 2250000576, "core_per_tsc": [1.18, 1.25],
        "peers": {"carryless": "0.1.0, engine vaes256", "carryless-avx": "0.1.0, engine avx", "ring": "0.17", "nettle": "3.8"},
        "rows": [
        {"op":"seal","bits":128,"size":16,"peer":"carryless","tsc":96.04,"tsc_min":90.0,"tsc_q1":91.0,"tsc_q3":99.0,"rounds":80,"quiet":3},
        {"op":"seal","bits":128,"size":16,"peer":"carryless-avx","tsc":80.0,"tsc_min":80.0,"tsc_q1":80.0,"tsc_q3":80.0,"rounds":80,"quiet":2},
        {"op":"seal","bits":128,"size":16,"peer":"ring","tsc":192.1,"tsc_min":190.0,"tsc_q1":191.0,"tsc_q3":199.0,"rounds":80,"quiet":4},
        {"op":"seal","bits":128,"size":67108864,"peer":"carryless","tsc":90000000.4,"tsc_min":60000000.0,"tsc_q1":7.0,"tsc_q3":9.0,"rounds":8,"quiet":0},
        {"op":"seal","bits":128,"size":67108864,"peer":"nettle","tsc":50000000.0,"tsc_min":48000000.0,"tsc_q1":1.0,"tsc_q3":1.0,"rounds":8,"quiet":0}
        ]}"#;

    #[test]
    fn what_is_kept_reads_like_what_was_written() {
        let raw = Run::parse(RAW).expect("well-formed");
        let text = raw.text().expect("JSON");
        let kept = Run::parse(&text).expect("well-formed");
        assert_eq!(kept.text(), Ok(text.clone()));
        assert_eq!(kept.peers, raw.peers);
        assert_eq!(
            text.lines().filter(|line| line.contains("\"op\"")).count(),
            2
        );
        assert!(
            text.contains(r#""quiet":2,"tsc":[96,80,192.1,null]"#),
            "{text}"
        );
        assert!(
            text.contains(r#""tsc":[90000000,null,null,50000000]"#),
            "{text}"
        );
    }

    #[test]
    fn the_best_is_none_of_ours_and_long_messages_count_by_their_least() {
        let run = Run::parse(RAW).expect("well-formed");
        let cells = run.cells("seal", 128);
        assert_eq!(cells.len(), 2);
        assert_eq!(run.best(cells[0]), Some(("ring", 192.1)));
        assert_eq!(cells[1].time(0), Some(60_000_000.0));
        assert_eq!(run.best(cells[1]), Some(("nettle", 48_000_000.0)));
        assert_eq!((run.ours(), run.engine()), (Some(0), Some("vaes256")));
    }

    #[test]
    fn a_run_with_ready_nonces_has_names_of_its_own() {
        let mut run = Run::parse(RAW).expect("well-formed");
        assert_eq!(run.add_ready(Run::parse(RAW).expect("well-formed")), Ok(()));
        assert_eq!(run.cells("seal-ready", 128).len(), 2);
        let mut others = Run::parse(RAW).expect("well-formed");
        others.peers.pop();
        assert!(run.add_ready(others).is_err());
    }

    #[test]
    fn what_is_no_run_is_refused() {
        for text in ["", "{}", "[]", &RAW.replace("tsc_min", "least")] {
            assert!(Run::parse(text).is_err(), "{text}");
        }
    }
}
