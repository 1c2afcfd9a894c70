//! C8: engines and the public interface on CPUs that are not x86-64: big endian, 32 bits, ARM with and without NEON. By qemu's user mode, but for 32-bit x86, which runs here.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use super::documented::{Cpu, Documented};
use super::evidence::{Evidence, Failure, Verdict};
use super::machine::{self, AARCH32, AARCH64, AARCH64_BE, ARMEB, FOLDER, Machine, S390X, X86_32};
use super::programs::{self, Program, Said};
use crate::builds;
use crate::run::{command, output, root};

struct Target {
    title: &'static str,
    bits: u32,
    big_endian: bool,
    /// Whether the tests from within the library run there too, on the first CPU; if not, another target has its engines, perhaps in
    /// the other order of bytes.
    within: bool,
    /// And whether those of the file library do: it knows no CPU, but the order of bytes and the size of addresses.
    files: bool,
    /// None for what runs here.
    machine: Option<&'static Machine>,
    /// The models of CPU that the emulator is to be, with what engines want of those, by the names of docs/engines.md. Big-endian ones
    /// run every engine on one.
    cpus: &'static [(&'static str, &'static [&'static str])],
}

const TARGETS: &[Target] = &[
    Target {
        title: "s390x, big endian",
        bits: 64,
        big_endian: true,
        within: true,
        files: true,
        machine: Some(&S390X),
        cpus: &[("max", &[])],
    },
    Target {
        title: "AArch32",
        bits: 32,
        big_endian: false,
        within: true,
        files: true,
        machine: Some(&AARCH32),
        cpus: &[
            ("max", &["NEON", "AES", "PMULL"]),
            ("cortex-a9", &["NEON"]),
            (WITHOUT_NEON, &[]),
        ],
    },
    Target {
        title: "AArch64",
        bits: 64,
        big_endian: false,
        within: true,
        files: false,
        machine: Some(&AARCH64),
        cpus: &[
            ("max", &["NEON", "AES", "PMULL", "SHA3"]),
            ("cortex-a57", &["NEON", "AES", "PMULL"]),
        ],
    },
    Target {
        title: "AArch32, big endian",
        bits: 32,
        big_endian: true,
        within: false,
        files: false,
        machine: Some(&ARMEB),
        cpus: &[("max", &["NEON", "AES", "PMULL"])],
    },
    Target {
        title: "AArch64, big endian",
        bits: 64,
        big_endian: true,
        within: true,
        files: false,
        machine: Some(&AARCH64_BE),
        cpus: &[("max", &["NEON", "AES", "PMULL", "SHA3"])],
    },
    Target {
        title: "x86, 32 bits",
        bits: 32,
        big_endian: false,
        within: false,
        files: false,
        machine: None,
        cpus: &[("this one", &[])],
    },
];

const WITHOUT_NEON: &str = "cortex-a9,neon=off";

/// The file library.
const FILES: &str = "carryless-file";

/// Test programs that run on a target's first CPU alone, whose engines they see: the library's own, and those of [`FILES`].
const FIRST_ALONE: [&str; 2] = ["carryless", "carryless_file"];

/// The program that tells which engine is chosen.
const CHOICE: &str = "cpu";

/// Tests of the program `gcm` that fork, by parts of their names.
const FORKING: [&str; 2] = ["m1_", "u6_"];

fn forks(program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default();
    name.to_string_lossy().starts_with("gcm-")
}

/// The check.
pub(super) fn c8() -> Verdict {
    let documented = Documented::read()?;
    let mut evidence = Evidence::default();
    for target in TARGETS {
        match target.prepare() {
            Err(Failure::NotRun(reason)) => {
                evidence.gaps.insert(target.title.into(), reason);
                continue;
            }
            other => other?,
        }
        let programs = target.build()?;
        let mut every = BTreeSet::new();
        for (n, (cpu, has)) in target.cpus.iter().enumerate() {
            let title = format!("{} ({cpu})", target.title);
            let kind = Cpu::new(target.bits, has.iter().copied());
            let suites = if n == 0 {
                Engines::Own
            } else {
                Engines::Chosen
            };
            let found = target.check(cpu, suites, &kind, &programs, &documented);
            let found = found.map_err(|error| format!("{title}: {error}"))?;
            if n == 0 {
                every.clone_from(&found.engines);
            } else if let Some(engine) = found.engines.difference(&every).next() {
                let first = target.cpus[0].0;
                return Err(format!("{title} has {engine}, which {first} has not").into());
            }
            found.tell(&title, &mut evidence);
            if *cpu == WITHOUT_NEON {
                evidence.controls.push(neon_is_off()?);
            }
        }
    }
    match evidence.gaps.values().next() {
        Some(reason) if evidence.lines.is_empty() => Err(Failure::NotRun(reason.clone())),
        _ => Ok(evidence),
    }
}

/// Engines with which those suites run that can leave some out, as that of GCM, which takes longest.
#[derive(Clone, Copy)]
enum Engines {
    /// On a target's first CPU, which has every one: the target's own, and the portable one for its addresses; another target has
    /// the rest. All where there is no other than portable ones.
    Own,
    /// On another CPU the one that is chosen there.
    Chosen,
}

/// What the tests showed on one CPU.
#[derive(Default)]
struct Found {
    engines: BTreeSet<String>,
    chosen: String,
    /// The engines that suites ran with which can leave some out, with commas between; empty for all.
    asked: String,
    tests: usize,
    caught: Vec<String>,
    /// Checks, and engines of which their tests say what they looked at.
    shown: BTreeSet<(String, String)>,
    /// What those of C1 say of engines.
    algorithms: BTreeSet<(String, String)>,
}

impl Found {
    /// Adds it to what is known. Portable engines have their marks from checks on this machine.
    fn tell(self, title: &str, evidence: &mut Evidence) {
        let engines = self.engines;
        let is_own = |engine: &str| engines.contains(engine) && !engine.starts_with("soft");
        for (engine, text) in self.algorithms {
            if is_own(&engine) {
                evidence.earn_algorithm(&engine, &text);
            }
        }
        for (check, engine) in self.shown {
            if is_own(&engine) {
                evidence.earned.entry(check).or_default().insert(engine);
            }
        }
        let (chosen, tests) = (self.chosen, self.tests);
        let ran = Vec::from_iter(engines.iter().map(String::as_str)).join(" ");
        let some = match &*self.asked {
            "" => String::new(),
            asked => format!(", the suite of GCM {asked} alone"),
        };
        evidence.lines.push(format!(
            "{title}: chosen {chosen}, ran {ran}{some}, {tests} tests"
        ));
        let caught = self.caught.into_iter();
        evidence
            .controls
            .extend(caught.map(|fault| format!("{title}: {fault}")));
        evidence.engines.extend(engines);
    }
}

/// What `CARRYLESS_TEST_ENGINE` is to name on a CPU; empty for all engines.
fn names(engines: Engines, found: &Found, portable: &str) -> String {
    let is_own = |name: &&String| !name.starts_with("soft");
    let with_one = |name: &&String| is_own(name) || *name == portable;
    match engines {
        Engines::Chosen => found.chosen.clone(),
        Engines::Own if !found.engines.iter().any(|name| is_own(&name)) => String::new(),
        Engines::Own => {
            let ours = found.engines.iter().filter(with_one).map(String::as_str);
            Vec::from_iter(ours).join(",")
        }
    }
}

impl Target {
    fn prepare(&self) -> Result<(), Failure> {
        match self.machine {
            Some(machine) => machine.prepare(),
            None => machine::multilib(),
        }
    }

    fn build(&self) -> Result<Vec<Program>, String> {
        let here = || {
            let linker = (builds::linker_variable(X86_32), "cc".into());
            Ok((vec![linker], vec!["--target".into(), X86_32.into()]))
        };
        let (env, target) = self.machine.map_or_else(here, Machine::cross)?;
        let env = env.iter().map(|(name, value)| (&**name, &**value));
        let env: Vec<_> = env.chain([FOLDER]).collect();
        let packages = ["--package", "carryless", "--package", FILES];
        let packages = &packages[..if self.files { 4 } else { 2 }];
        let tests =
            ["gcm", "lea", "sgcm", "modes_*", "engines", "cpu"].map(|name| ["--test", name]);
        let within = ["--lib"];
        let within = &within[..usize::from(self.within)];
        let tests = [within, tests.as_flattened()].concat();
        let target: Vec<_> = target.iter().map(String::as_str).collect();
        let words = [packages, &tests, &["--all-features"], &target].concat();
        let mut programs = programs::build(&words, &env)?;
        programs.sort_by_key(|program| program.name != CHOICE);
        Ok(programs)
    }

    /// The words before a test program.
    fn runner(&self, cpu: &str) -> Vec<String> {
        self.machine
            .map_or_else(Vec::new, |machine| machine.words(cpu, ""))
    }

    /// Runs a test program. Under an emulator tests that fork run alone, after the others: of several
    /// threads a fork copies one, and the locks of the emulator as the others hold them.
    fn run(&self, cpu: &str, engine: Option<&str>, program: &Path) -> Result<Said, String> {
        let command = || {
            let mut command = self.command(cpu, program);
            command.envs(engine.map(|engine| ("CARRYLESS_TEST_ENGINE", engine)));
            command
        };
        if self.machine.is_none() || !forks(program) {
            return programs::run(&mut command());
        }
        let skip = FORKING.iter().flat_map(|name| ["--skip", *name]);
        let others = programs::run(command().args(skip))?;
        let alone = ["--test-threads", "1"];
        let forking = programs::run(command().args(FORKING).args(alone))?;
        Ok(others.and(&forking))
    }

    fn command(&self, cpu: &str, program: &Path) -> Command {
        let mut words = self.runner(cpu);
        words.push(program.to_string_lossy().into_owned());
        words.push("--show-output".into());
        let rest: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let mut command = command(&words[0], &rest);
        command
            .envs([builds::QUICK])
            .env("CARRYLESS_TEST_RUNNER", self.runner(cpu).join(" "))
            .current_dir(root().join("crates/carryless"));
        command
    }

    fn check(
        &self,
        cpu: &str,
        engines: Engines,
        kind: &Cpu,
        programs: &[Program],
        documented: &Documented,
    ) -> Result<Found, String> {
        let mut found = Found::default();
        let again = matches!(engines, Engines::Chosen);
        let portable = format!("soft{}", self.bits);
        for Program { name, path, .. } in programs {
            if again && FIRST_ALONE.contains(&&**name) {
                continue;
            }
            let asked = (!found.asked.is_empty()).then_some(&*found.asked);
            let said = self
                .run(cpu, asked, path)
                .map_err(|error| format!("{name}: {error}"))?;
            found.tests += said.tests;
            let owned = |(a, b): (&str, &str)| (a.to_owned(), b.to_owned());
            found.shown.extend(said.shown().map(owned));
            found.algorithms.extend(said.pairs("C1 ").map(owned));
            match &**name {
                CHOICE => {
                    found.chosen = documented.judge(kind, &said)?;
                    let messages = said
                        .pairs("U4 ")
                        .filter(|(_, what)| what.contains("messages"));
                    found.engines = messages.map(|(engine, _)| engine.into()).collect();
                    found.asked = names(engines, &found, &portable);
                }
                "gcm" => found.caught = self.caught(&said)?,
                _ => (),
            }
        }
        if found.chosen.is_empty() || found.caught.is_empty() {
            return Err(format!("cargo built no test program `{CHOICE}` or `gcm`"));
        }
        Ok(found)
    }

    /// Faults that show here: bytes beyond a page, which tells that the emulator protects pages, and
    /// words in the order of the machine.
    fn caught(&self, said: &Said) -> Result<Vec<String>, String> {
        let mut faults = vec!["control_m1_"];
        if self.big_endian {
            faults.push("control_c8_");
        }
        let mut caught = Vec::new();
        for fault in faults {
            let lines = said.caught(fault);
            let line = lines
                .first()
                .ok_or_else(|| format!("{fault}: not noticed"))?;
            caught.push((*line).to_owned());
        }
        Ok(caught)
    }
}

/// That the CPU without NEON has none: an instruction of it ends the program, on that CPU only.
fn neon_is_off() -> Result<String, String> {
    let folder = root().join("target/assure");
    let (source, program) = (folder.join("neon.c"), folder.join("neon"));
    let text = "int main(void) { __asm__(\".fpu neon\\n vmov.i32 q0, #0\" ::: \"d0\", \"d1\"); }\n";
    std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&source, text))
        .map_err(|error| error.to_string())?;
    let [source, program] = [&source, &program].map(|path| path.to_string_lossy().into_owned());
    output(&AARCH32.linker(), &["-o", &program, &source])?;
    let ended = |cpu| {
        let run = AARCH32.command(cpu, Path::new(&program)).output();
        run.map(|out| out.status).map_err(|error| error.to_string())
    };
    let (with, without) = (ended("cortex-a9")?, ended(WITHOUT_NEON)?);
    if with.success() && without.to_string().contains("SIGILL") {
        Ok(format!("NEON on {WITHOUT_NEON}: caught: {without}"))
    } else {
        Err(format!("NEON ends with {with}, without it {without}"))
    }
}
