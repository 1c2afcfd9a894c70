//! S5: what a small program grows by, and what building the library takes, on machines that users build for.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind};

use super::evidence::{Evidence, Faults, Verdict};
use super::machine::{AARCH32, AARCH64, Machine};
use crate::asm::memory;
use crate::programs::build_binaries;
use crate::run::{output, root};

/// A machine, what the programs of xtask/growth may grow by on it, in bytes, and what the compiler may take for the library, in MiB.
struct Place {
    title: &'static str,
    /// None for this one.
    machine: Option<&'static Machine>,
    limits: &'static [(&'static str, u64)],
    memory: u64,
}

const KIB: u64 = 1024;

static PLACES: [Place; 3] = [
    Place {
        title: "x86-64",
        machine: None,
        limits: &[("gcm", 400 * KIB), ("cmac", 96 * KIB)],
        memory: 1024,
    },
    Place {
        title: "AArch64",
        machine: Some(&AARCH64),
        limits: &[("gcm", 128 * KIB)],
        memory: 1000,
    },
    Place {
        title: "AArch32",
        machine: Some(&AARCH32),
        limits: &[("gcm", 96 * KIB)],
        memory: 1000,
    },
];

/// What shows in names of functions that a program with GCM alone has no use for: parts of other modes, and their self-tests.
const OF_OTHER_MODES: [&str; 9] = [
    "block_test",
    "siv_test",
    "3siv",
    "SivEntries",
    "cmac",
    "ccm",
    "xts",
    "inverse",
    "ctr_little",
];

/// A program without carryless.
const NOTHING: &str = "nothing";

/// The check.
pub(super) fn s5() -> Verdict {
    let (mut evidence, mut faults) = (Evidence::default(), Faults::default());
    for place in &PLACES {
        let found = place.prepare().and_then(|()| Ok(place.look()?));
        if let Some(found) = faults.keep(found) {
            evidence = evidence.and(found);
        }
    }
    faults.none().map(|()| evidence)
}

impl Place {
    fn prepare(&self) -> Result<(), super::evidence::Failure> {
        self.machine.map_or(Ok(()), Machine::prepare)
    }

    /// Builds the programs from nothing, and compares.
    fn look(&self) -> Result<Evidence, String> {
        let (env, target) = self
            .machine
            .map_or_else(|| Ok(Default::default()), Machine::cross)?;
        let env: Vec<_> = env
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        let folder = root().join("target/growth");
        let at = folder.to_string_lossy();
        let place = [
            "--manifest-path",
            "xtask/growth/Cargo.toml",
            "--target-dir",
            &at,
        ];
        let target: Vec<_> = target.iter().map(String::as_str).collect();
        let words = [&["--release"], &place[..], &target].concat();
        output("cargo", &[&["clean"], &words[..]].concat())?;

        let watch = memory::watch("carryless", &folder);
        let began = Instant::now();
        let built = build_binaries(&[&["--quiet"], &words[..]].concat(), &env)?;
        let seconds = began.elapsed().as_secs_f64();
        let memory = watch.peak().unwrap_or_default();
        let programs = built
            .iter()
            .map(|program| Ok((&*program.name, Code::of(&program.path)?)));
        let programs = programs.collect::<Result<BTreeMap<_, _>, String>>()?;

        let mut evidence = self.judge(&programs)?;
        if memory > self.memory {
            let (title, most) = (self.title, self.memory);
            return Err(format!(
                "{title}: the compiler took {memory} MiB, at most {most} are allowed"
            ));
        }
        evidence.lines.push(format!(
            "{}: built in {seconds:.0} s, the compiler took {memory} MiB",
            self.title
        ));
        Ok(evidence)
    }

    /// Each program within its limit, and none of the modes that it does not use.
    fn judge(&self, programs: &BTreeMap<&str, Code>) -> Result<Evidence, String> {
        let mut evidence = Evidence::default();
        let title = self.title;
        let code = |name: &str| {
            programs
                .get(name)
                .ok_or_else(|| format!("{title}: no program `{name}`"))
        };
        let nothing = code(NOTHING)?.bytes;
        for (name, most) in self.limits {
            let grows = code(name)?.bytes.saturating_sub(nothing);
            let said = format!("{title}: `{name}` grows by {grows} bytes, of {most}");
            if grows > *most || grows == 0 {
                return Err(said);
            }
            evidence.lines.push(said);
        }
        if let Some(other) = &code("gcm")?.of_other_modes {
            return Err(format!("{title}: a program with GCM alone has {other}"));
        }
        let control = code("cmac")?.of_other_modes.as_ref();
        let control = control
            .ok_or_else(|| format!("{title}: CMAC is not seen in a program that uses it"))?;
        evidence.controls.push(format!(
            "another mode than GCM on {title}: caught: {control}"
        ));
        Ok(evidence)
    }
}

/// The machine code of a program.
struct Code {
    bytes: u64,
    /// A function of a mode other than GCM.
    of_other_modes: Option<String>,
}

impl Code {
    fn of(path: &Path) -> Result<Self, String> {
        let why = |error: &dyn core::fmt::Display| format!("{}: {error}", path.display());
        let data = fs::read(path).map_err(|error| why(&error))?;
        let file = object::File::parse(&*data).map_err(|error| why(&error))?;
        let code = file
            .sections()
            .filter(|section| section.kind() == SectionKind::Text);
        let names = file
            .symbols()
            .filter_map(|symbol| symbol.name().ok().map(String::from));
        let mut others = names.filter(|name| {
            name.contains("carryless") && OF_OTHER_MODES.iter().any(|part| name.contains(part))
        });
        Ok(Self {
            bytes: code.map(|section| section.size()).sum(),
            of_other_modes: others.next(),
        })
    }
}
