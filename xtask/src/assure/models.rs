//! U4: the choice of engine on emulated x86-64 CPUs, under true and false reports of CPUID.
//!
//! Each model raises a real illegal instruction for what it lacks, so that an engine that is chosen
//! wrongly kills the program with exit status 132.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use super::Tier;
use super::documented::{Cpu, Documented};
use super::emulator::{self, Emulator};
use super::evidence::{Evidence, Failure, Faults, Verdict};
use super::programs::{self, Program, Said};
use crate::run::command;

/// What an illegal instruction ends with.
const ILLEGAL: i32 = 132;

type Features = &'static [&'static str];
const SSE: Features = &["SSSE3", "SSE4.1"];
const AES: Features = &["AES-NI", "PCLMULQDQ"];
const AVX: Features = &["AVX"];
const AVX2: Features = &["AVX2"];
const VAES: Features = &["VAES", "VPCLMULQDQ"];
const BMI2: Features = &["BMI2"];
const AVX512: Features = &["AVX512F", "AVX512BW", "AVX512VL"];

struct Model {
    name: &'static str,
    /// What the system has enabled, where it is not all that there is.
    xcr0: Option<&'static str>,
    has: &'static [Features],
}

const fn model(name: &'static str, has: &'static [Features]) -> Model {
    let xcr0 = None;
    Model { name, xcr0, has }
}

#[rustfmt::skip]
const MODELS: &[Model] = &[
    model("athlon64", &[]),
    model("penryn", &[SSE]),
    model("lynnfield", &[SSE]),
    model("arrandale", &[SSE, AES]),
    model("sandybridge", &[SSE, AES, AVX]),
    model("haswell", &[SSE, AES, AVX, AVX2, BMI2]),
    model("ryzen", &[SSE, AES, AVX, AVX2, BMI2]),
    model("skylakex", &[SSE, AES, AVX, AVX2, BMI2, AVX512]),
    model("arrowlake", &[SSE, AES, AVX, AVX2, BMI2, VAES]),
    model("icelake", &[SSE, AES, AVX, AVX2, BMI2, VAES, AVX512]),
    model("sapphirerapids", &[SSE, AES, AVX, AVX2, BMI2, VAES, AVX512]),
    // There, but its registers not saved by the system: as good as absent.
    Model { name: "haswell", xcr0: Some("3"), has: &[SSE, AES] },
    Model { name: "haswell", xcr0: Some("1"), has: &[SSE, AES] },
    Model { name: "haswell", xcr0: Some("0"), has: &[SSE, AES] },
    Model { name: "icelake", xcr0: Some("3"), has: &[SSE, AES] },
    Model { name: "icelake", xcr0: Some("7"), has: &[SSE, AES, AVX, AVX2, BMI2, VAES] },
];

/// The model from which CPUID takes one feature after the other.
const EVERYTHING: &str = "sapphirerapids";

/// What CPUID keeps silent about, and the features that are gone then.
#[rustfmt::skip]
const REMOVED: &[(&str, &str, &[Features])] = &[
    ("SSSE3", "1.ecx-9", &[&["SSSE3"]]),
    ("SSE4.1", "1.ecx-19", &[&["SSE4.1"]]),
    ("AES-NI", "1.ecx-25", &[&["AES-NI"]]),
    ("PCLMULQDQ", "1.ecx-1", &[&["PCLMULQDQ"]]),
    ("OSXSAVE", "1.ecx-27", &[AVX, AVX2, BMI2, VAES, AVX512]),
    ("AVX", "1.ecx-28", &[AVX, AVX2, BMI2, VAES, AVX512]),
    ("AVX2", "7.ebx-5", &[AVX2, VAES, AVX512]),
    ("VAES", "7.ecx-9", &[&["VAES"]]),
    ("VPCLMULQDQ", "7.ecx-10", &[&["VPCLMULQDQ"]]),
    ("AVX512F", "7.ebx-16", &[AVX512]),
    ("AVX512BW", "7.ebx-30", &[&["AVX512BW"]]),
    ("AVX512VL", "7.ebx-31", &[&["AVX512VL"]]),
    ("BMI2", "7.ebx-8", &[BMI2]),
];

/// False reports that must kill: the model, what it claims to have.
const LIES: &[(&str, &str, &str)] = &[
    ("lynnfield", "AES-NI, PCLMULQDQ", "1.ecx+25,1.ecx+1"),
    ("skylakex", "VAES, VPCLMULQDQ", "7.ecx+9,7.ecx+10"),
];

/// The models on which the environment is tried: without VAES, on each change; without AES-NI, with all.
const ENVIRONMENTS: &[&str] = &["haswell", "lynnfield", "icelake"];

/// The test programs, as carryless-assure names them.
const CPU: &str = "choice-cpu";
const ENGINES: &str = "choice-engines";

const CHOICE: &str = "u4_the_choice";
const REFUSAL: &str = "u4_an_engine_that_this_cpu_lacks";
const ENVIRONMENT: &str = "u4_the_environment";

impl Model {
    fn cpu(&self) -> Cpu {
        Cpu::new(64, self.has.iter().copied().flatten().copied())
    }

    fn title(&self) -> String {
        match self.xcr0 {
            None => self.name.into(),
            Some("0") => format!("{}, no registers enabled", self.name),
            Some(xcr0) => format!("{}, XCR0 {xcr0}", self.name),
        }
    }
}

/// The check; on each change with the environment of one model.
pub(super) fn u4(tier: Tier) -> Verdict {
    let documented = Documented::read()?;
    let bench = Bench::new()?;
    let mut evidence = Evidence::default();
    let mut known = BTreeSet::new();
    let mut faults = Faults::default();
    for model in MODELS {
        let Some((line, said)) = faults.keep(bench.everything(model, &documented)) else {
            continue;
        };
        evidence.lines.push(line);
        for list in ["refused", "available"] {
            let engines = faults.keep(said.value(list)).unwrap_or_default();
            known.extend(engines.split_whitespace().map(String::from));
        }
        evidence.engines.extend(ran(&said));
    }
    for removed in REMOVED {
        let line = faults.keep(bench.removal(removed, &documented));
        evidence.lines.extend(line);
    }
    let environments = if tier == Tier::Quick {
        1
    } else {
        ENVIRONMENTS.len()
    };
    for name in &ENVIRONMENTS[..environments] {
        let line = faults.keep(bench.environments(named(name)?, &documented, &known));
        evidence.lines.extend(line);
    }
    let controls = faults.keep(bench.controls(&documented));
    evidence.controls = controls.unwrap_or_default();
    faults.none()?;
    for engine in known.difference(&evidence.engines) {
        let reason = "none of the emulated CPUs has it";
        evidence.gaps.insert(engine.clone(), reason.into());
    }
    Ok(evidence)
}

fn named(name: &str) -> Result<&'static Model, String> {
    let found = MODELS.iter().find(|model| model.name == name);
    found.ok_or_else(|| format!("no model {name}"))
}

/// Engines that sealed and opened messages.
fn ran(said: &Said) -> BTreeSet<String> {
    let messages = said
        .pairs("U4 ")
        .filter(|(_, what)| what.contains("messages"));
    messages.map(|(engine, _)| engine.to_owned()).collect()
}

/// The emulator and the test programs.
struct Bench {
    emulator: Emulator,
    programs: Vec<Program>,
}

impl Bench {
    fn new() -> Result<Self, Failure> {
        let emulator = Emulator::find()?;
        let programs = emulator::tests_of_choice(&[CPU, ENGINES])?;
        Ok(Self { emulator, programs })
    }

    fn program(&self, name: &str) -> Result<&Path, String> {
        let found = self.programs.iter().find(|program| program.name == name);
        found
            .map(|program| &*program.path)
            .ok_or_else(|| format!("cargo built no test program `{name}`"))
    }

    /// A test program on a model, with what CPUID falsely reports and an environment.
    fn command(
        &self,
        model: &Model,
        report: &str,
        env: &[&str],
        program: &str,
    ) -> Result<Command, String> {
        let [python, words @ ..] = self.emulator.plain(model.name);
        let mut run = command(python, &words);
        let xcr0 = model.xcr0.iter().flat_map(|xcr0| ["--xcr0", xcr0]);
        run.args(xcr0)
            .args(["--cpuid", report])
            .args(env.iter().flat_map(|pair| ["--env", pair]))
            .arg(self.program(program)?)
            .args(["--test-threads=1", "--show-output"]);
        Ok(run)
    }

    /// All tests on a model: the line of the matrix, and what the test program `cpu` said.
    fn everything(&self, model: &Model, documented: &Documented) -> Result<(String, Said), String> {
        let title = model.title();
        let fail = |error| format!("{title}: {error}");
        let said = programs::run(&mut self.command(model, "", &[], CPU)?).map_err(fail)?;
        let chosen = documented.judge(&model.cpu(), &said).map_err(fail)?;
        let mut engines = self.command(model, "", &[], ENGINES)?;
        // This one starts processes, which the emulator has not.
        engines.args(["--skip", "the_environment_names_an_engine"]);
        let tests = said.tests + programs::run(&mut engines).map_err(fail)?.tests;
        let ran = Vec::from_iter(ran(&said)).join(" ");
        let line = format!("{title}: chosen {chosen}, ran {ran}, {tests} tests");
        Ok((line, said))
    }

    /// A feature that CPUID keeps silent about, on the model that has all.
    fn removal(
        &self,
        (name, report, gone): &(&str, &str, &[Features]),
        documented: &Documented,
    ) -> Result<String, String> {
        let model = named(EVERYTHING)?;
        let title = format!("{} without {name}", model.title());
        let fail = |error| format!("{title}: {error}");
        let mut run = self.command(model, report, &[], CPU)?;
        let said = programs::run(run.args([CHOICE, REFUSAL])).map_err(fail)?;
        let gone = gone.iter().copied().flatten();
        let cpu = gone.fold(model.cpu(), |cpu, feature| cpu.without(feature));
        let chosen = documented.judge(&cpu, &said).map_err(fail)?;
        let available = said.value("available").map_err(fail)?;
        Ok(format!("{title}: chosen {chosen}, left {available}"))
    }

    /// What `CARRYLESS_ENGINE` may hold.
    fn environments(
        &self,
        model: &Model,
        documented: &Documented,
        known: &BTreeSet<String>,
    ) -> Result<String, Failure> {
        let mut cases = vec![(None, "none".into()), (Some("auto".into()), "none".into())];
        for unknown in ["", "abacus", "AVX", &"x".repeat(10_000)] {
            cases.push((Some(unknown.into()), "Unknown".into()));
        }
        let cpu = model.cpu();
        let available = documented.available(&cpu);
        for engine in known {
            let expected = if available.contains(&**engine) {
                engine.clone()
            } else {
                format!("{engine} refused")
            };
            cases.push((Some(engine.clone()), expected));
        }
        let mut faults = Faults::default();
        for (value, expected) in &cases {
            let fail = |error| format!("{}: environment {value:?}: {error}", model.name);
            let obeyed = self.environment(model, value.as_deref(), expected);
            faults.keep(obeyed.map_err(fail));
        }
        faults.none()?;
        Ok(format!(
            "{}: {} values of CARRYLESS_ENGINE obeyed or refused",
            model.name,
            cases.len()
        ))
    }

    /// That one value of it, or none, leads to `expected`.
    fn environment(
        &self,
        model: &Model,
        value: Option<&str>,
        expected: &str,
    ) -> Result<(), String> {
        let variable = value.map(|value| format!("CARRYLESS_ENGINE={value}"));
        let env = Vec::from_iter(variable.as_deref());
        let mut run = self.command(model, "", &env, CPU)?;
        let said = programs::run(run.arg(ENVIRONMENT))?;
        match said.value("environment")? {
            got if got == expected => Ok(()),
            got => Err(format!("{got}, expected {expected}")),
        }
    }

    /// A dispatch that errs must die, and a choice that errs must be noticed.
    fn controls(&self, documented: &Documented) -> Result<Vec<String>, String> {
        let mut controls = Vec::new();
        for (name, claim, report) in LIES {
            let title = format!("{name} that claims {claim}");
            let mut run = self.command(named(name)?, report, &[], CPU)?;
            let ended = run
                .arg(CHOICE)
                .output()
                .map_err(|error| error.to_string())?;
            if ended.status.code() != Some(ILLEGAL) {
                return Err(format!("{title}: not noticed: {}", ended.status));
            }
            controls.push(format!(
                "{title}: caught: illegal instruction, status {ILLEGAL}"
            ));
        }
        let mut run = self.command(named("haswell")?, "", &[], CPU)?;
        let said = programs::run(run.arg(CHOICE))?;
        match documented.judge(&named("arrandale")?.cpu(), &said) {
            Ok(chosen) => Err(format!(
                "haswell taken for arrandale: not noticed: {chosen}"
            )),
            Err(error) => {
                controls.push(format!("haswell taken for arrandale: caught: {error}"));
                Ok(controls)
            }
        }
    }
}
