//! T2: equal traces, on emulated CPUs. For x86-64 that is Bochs, with `xtask/assure/trace.py`; for Arm the user mode of
//! QEMU, with the plugin `trace.c` beside it.

use std::path::Path;
use std::process::Output;

use super::{
    CONTROLS, Listed, PROFILES, Profile, Ran, build, collect, controls, counted, leak, listed,
    on_every_engine, output, profiles, shown, supported,
};
use crate::assure::emulator::{EVERYTHING, Emulator, STATIC};
use crate::assure::evidence::{Evidence, Verdict, together};
use crate::assure::machine::{ARM, Machine, plugin};
use crate::assure::{Tier, programs};

/// Engines that no other method watches on many lengths, in the second profile on fewer; the others, most of which T1 watches too,
/// on one length for each call. On every change those that no other method watches, on fewer lengths, and on Arm on one.
pub(in crate::assure) fn t2(tier: Tier) -> Verdict {
    let profiles = profiles(tier, 2);
    together([on_x86_64(tier, profiles), on_arm(tier, profiles)])
}

/// The extent of engines that no other method watches.
fn extent_of_unwatched(tier: Tier, profile: &str) -> &'static str {
    let whole = tier > Tier::Quick && profile == PROFILES[0].0;
    if whole { "middle" } else { "little" }
}

fn on_x86_64(tier: Tier, profiles: &[Profile]) -> Verdict {
    supported()?;
    let emulator = Emulator::find()?;
    let traced = |(profile, env): &Profile| {
        let program = build("static", profile, env, STATIC)?;
        let engines = listed(&emulator.plain(EVERYTHING), &program)?;
        // What this CPU of 2013 lacks is what Valgrind lacks.
        let decoded = listed(&emulator.plain("haswell"), &program)?;
        let is_decoded = |engine: &str| {
            let has = |(name, reason): &Listed| name == engine && reason.is_none();
            decoded.iter().any(has)
        };
        let watched = |(engine, _): &&Listed| tier > Tier::Quick || !is_decoded(engine);
        let engines: Vec<_> = engines.iter().filter(watched).cloned().collect();
        let extent = |engine: &str| match is_decoded(engine) {
            true => "glance",
            false => extent_of_unwatched(tier, profile),
        };
        traced(&emulator.traced(), &program, profile, &engines, extent)
    };
    together(profiles.iter().map(traced))
}

fn on_arm(tier: Tier, profiles: &[Profile]) -> Verdict {
    programs::tool("cc", &["gcc", "libc6-dev"])?;
    let plugin = plugin("trace")?;
    let on = |machine: &Machine| {
        machine.prepare()?;
        // With it QEMU knows the names of functions.
        let names = ["-d", "plugin"].map(String::from);
        let traced = |(profile, env): &Profile| {
            let program = machine.build("ct", env)?;
            let plain = machine.words("max", "");
            let engines = listed(&strs(&plain), &program)?;
            // Valgrind sees the portable ones on x86-64.
            let extent = |engine: &str| {
                let once = tier == Tier::Quick || engine.starts_with("soft");
                if once {
                    "glance"
                } else {
                    extent_of_unwatched(tier, profile)
                }
            };
            let words = [machine.words(machine.traced, &plugin), names.to_vec()].concat();
            let place = format!("{} {profile}", machine.title);
            self::traced(&strs(&words), &program, &place, &engines, extent)
        };
        together(profiles.iter().map(traced))
    };
    together(ARM.map(on))
}

fn strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// What comes of the engines and of the controls, under these words and in this place.
fn traced<'e>(
    words: &[&str],
    program: &Path,
    place: &str,
    engines: &[Listed],
    extent: impl Fn(&str) -> &'e str + Sync,
) -> Verdict {
    let program = shown(program);
    let trace = |what: &[&str]| output(words, &[&[&*program, "trace"], what].concat());
    let ran = on_every_engine(engines, |engine| trace(&[engine, extent(engine)]));
    together([
        controls(&CONTROLS, place, |what| trace(&[what])),
        collect(ran, |ran, run, evidence| read(place, ran, run, evidence)),
    ])
}

/// What T2 says of an engine.
pub(super) fn read(
    place: &str,
    Ran {
        engine, missing, ..
    }: &Ran,
    run: &Output,
    evidence: &mut Evidence,
) -> Result<(), String> {
    if let Some(reason) = missing {
        let reason = format!("on the emulated CPU: {reason}");
        evidence.gaps.insert(engine.clone(), reason);
        return Ok(());
    }
    if !run.status.success() {
        return Err(leak(engine, place, run));
    }
    let counts = compared(run).map_err(|error| format!("{engine} {place}: {error}"))?;
    evidence.lines.push(format!("{engine} {place}: {counts}"));
    evidence.engines.insert(engine.clone());
    Ok(())
}

/// The counts of the traces, which are of as many cases and calls as the program has made: if not, nobody watched it.
fn compared(run: &Output) -> Result<String, String> {
    let made = counted(run)?;
    let text = String::from_utf8_lossy(&run.stdout);
    let traces = text.lines().find_map(|line| line.strip_prefix("trace: "));
    match traces {
        Some(traces) if traces.starts_with(&made) => Ok(traces.into()),
        _ => Err(format!("not all that was made was watched:\n{text}")),
    }
}
