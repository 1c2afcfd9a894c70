//! Cycles of a call, modelled: its instructions, as recorded under QEMU, on a core that goes in order or on one of LLVM's.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::committed::Cycles;
use super::cores::{CORES, Model};
use super::in_order::{self, Instruction};
use super::{PLACES, Place};
use crate::assure::machine::plugin;
use crate::assure::programs::tool;
use crate::run::{output, root};

/// The version whose models the errors in `cores` are of.
const DECODER: &str = "llvm-mc-19";
const LLVM: &str = "llvm-mca-19";

/// Calls of the run of which one is recorded.
const CALLS: u64 = 20;

/// An instruction set.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Set {
    A64,
    A32,
}

impl Set {
    /// What LLVM is told: the machine, and what it has.
    const fn words(self) -> [&'static str; 2] {
        match self {
            Self::A64 => ["aarch64-linux-gnu", "+aes,+sha2,+sha3"],
            Self::A32 => ["armv8a-linux-gnueabihf", "+neon,+crypto"],
        }
    }
}

/// Cycles a byte on every core whose model is one of cycles.
pub(super) fn cycles() -> Result<Cycles, String> {
    for program in [DECODER, LLVM] {
        tool(program, &["llvm-19"])?;
    }
    let plugin = plugin("count")?;
    let mut found = Cycles::new();
    for core in &CORES {
        if matches!(core.model, Model::Instruction(_)) {
            continue;
        }
        let has = |place: &&Place| place.engines.contains(&core.engine);
        let place = PLACES.iter().find(has);
        let place = place.ok_or_else(|| format!("{}: on no machine", core.engine))?;
        for (work, length, _) in core.works {
            let call = Call::record(place, &plugin, core.engine, work, *length)?;
            let cycles = match core.model {
                Model::Instruction(_) => continue,
                Model::InOrder => [call.in_order(); 2],
                Model::Llvm(cpu) => [call.by_llvm(cpu, false)?; 2],
                Model::LlvmJoined(cpu) => [call.by_llvm(cpu, true)?; 2],
                Model::LlvmEither(cpu) => [call.by_llvm(cpu, true)?, call.by_llvm(cpu, false)?],
            };
            #[expect(clippy::cast_precision_loss, reason = "cycles are far below 2^53")]
            let a_byte = cycles.map(|cycles| cycles as f64 / *length as f64);
            println!(
                "{} {} {work}: {a_byte:.3?} cycles a byte",
                core.name, core.engine
            );
            found.insert(core.key(work), a_byte);
        }
    }
    Ok(found)
}

/// The instructions of a call among others like it, as LLVM writes them.
struct Call {
    set: Set,
    texts: Vec<String>,
}

impl Call {
    fn record(
        place: &Place,
        plugin: &str,
        engine: &str,
        work: &str,
        length: usize,
    ) -> Result<Self, String> {
        let counter = |plugin: &str| {
            // Without vectors of variable length, for which the models have no times.
            place.counter(plugin, place.machine.traced)
        };
        let work = [engine, work, &length.to_string()];
        let counts = counter(plugin)?;
        let [many, _] = counts.call(&work)?;
        let [all, ..] = counts.run(&work, CALLS)?;
        // What begins and ends the program is less than half of the calls: the record begins and ends within them.
        let from = all - CALLS / 2 * many;
        let file = file("record.txt");
        let shown = file.display();
        let recording = counter(&format!("{plugin},record={shown}"))?;
        recording.within(from, many).run(&work, CALLS)?;
        let codes = fs::read_to_string(&file).map_err(|error| format!("{shown}: {error}"))?;
        let set = if place.argument.is_empty() {
            Set::A64
        } else {
            Set::A32
        };
        Self::decode(set, &codes)
    }

    /// Of the bytes of an instruction a line, as LLVM reads them.
    fn decode(set: Set, codes: &str) -> Result<Self, String> {
        let different: BTreeSet<&str> = codes.lines().collect();
        let file = file("codes.txt");
        let lines = Vec::from_iter(different).join("\n");
        fs::write(&file, lines).map_err(|error| format!("{}: {error}", file.display()))?;
        let [machine, features] = set.words();
        let (machine, features) = (format!("--triple={machine}"), format!("--mattr={features}"));
        let file = file.to_string_lossy();
        let words = [
            "--disassemble",
            "--show-encoding",
            &machine,
            &features,
            &file,
        ];
        let said = output(DECODER, &words)?;
        let texts: BTreeMap<String, String> = said.lines().filter_map(decoded).collect();
        let found = codes.lines().filter_map(|code| texts.get(code).cloned());
        let call = Self {
            set,
            texts: found.collect(),
        };
        // The C library's calls may be in Thumb state.
        let all = codes.lines().count();
        if call.texts.len() < all - all / 100 {
            return Err(format!(
                "{} of {all} instructions are known to {DECODER}",
                call.texts.len()
            ));
        }
        Ok(call)
    }

    fn in_order(&self) -> u64 {
        let read = |text: &String| Instruction::read(text, self.set);
        let call: Vec<Instruction> = self.texts.iter().map(read).collect();
        in_order::cycles(call.iter().chain(&call)) - in_order::cycles(call.iter())
    }

    /// On LLVM's model of a CPU, with AESE and AESMC as one instruction or as two.
    fn by_llvm(&self, cpu: &str, pairs: bool) -> Result<u64, String> {
        let mut text = String::new();
        let mut before: Option<&str> = None;
        for line in &self.texts {
            let operands = |begin: &str| line.strip_prefix(begin)?.split('\t').nth(1);
            let state = before.take();
            let columns = operands("aesmc").and_then(|operands| operands.split(',').next());
            if pairs && columns.is_some() && columns == state {
                continue;
            }
            before = operands("aese").and_then(|operands| operands.split(',').next());
            text += &placeless(line);
            text.push('\n');
        }
        let file = file("call.s");
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        let [few, many] = [1, 2].map(|times| self.run_llvm(cpu, &file, times));
        Ok(many? - few?)
    }

    fn run_llvm(&self, cpu: &str, file: &Path, times: u64) -> Result<u64, String> {
        let [machine, features] = self.set.words();
        let (machine, features) = (format!("-mtriple={machine}"), format!("-mattr={features}"));
        let (cpu, times) = (format!("-mcpu={cpu}"), format!("-iterations={times}"));
        let views = ["-resource-pressure=0", "-instruction-info=0"];
        let unknown = "-skip-unsupported-instructions=lack-sched";
        let words = [
            &machine,
            &features,
            &cpu,
            &times,
            unknown,
            &*file.to_string_lossy(),
        ];
        let said = output(LLVM, &[&words[..], &views].concat())?;
        let cycles = said
            .lines()
            .find_map(|line| line.strip_prefix("Total Cycles:"));
        let cycles = cycles.and_then(|cycles| cycles.trim().parse().ok());
        cycles.ok_or_else(|| format!("{LLVM} says no cycles:\n{said}"))
    }
}

/// A line with what LLVM writes of an instruction: its bytes, and its text.
fn decoded(line: &str) -> Option<(String, String)> {
    let (text, encoding) = line.split_once("encoding: [")?;
    let bytes = encoding.split_once(']')?.0.replace(',', " ");
    let text = text.trim().trim_end_matches(['/', '@']).trim();
    Some((bytes, text.to_owned()))
}

/// It without the distances that only its own place makes sense of. A call is a branch: LLVM takes any for
/// 100 cycles.
fn placeless(text: &str) -> String {
    let (mnemonic, operands) = text.split_once(['\t', ' ']).unwrap_or((text, ""));
    match (mnemonic, operands.rsplit_once('#')) {
        ("bl", _) | ("blx", Some(_)) => "b\tthere".into(),
        ("blr", _) => format!("br\t{operands}"),
        ("blx", None) => format!("bx\t{operands}"),
        (_, Some((before, _))) if in_order::is_branch(mnemonic) || mnemonic.starts_with("adr") => {
            format!("{mnemonic}\t{before}there")
        }
        _ => text.into(),
    }
}

fn file(name: &str) -> PathBuf {
    root().join("target/assure").join(name)
}
