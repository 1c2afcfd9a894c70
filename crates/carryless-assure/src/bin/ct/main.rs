//! Constant time, watched: calls the library with secrets that a checker knows to be secret.
//!
//! `cargo xtask assure T1` runs it under Valgrind's memcheck, to which secrets are undefined values:
//! a branch or an address that depends on one is reported. `cargo xtask assure T2` runs it on an
//! emulated CPU that compares the traces of instructions and accesses under different secrets.
//! What is secret, what public, and what the methods are blind to: `docs/constant-time.md`.

mod calls;
mod case;
mod controls;
mod probe;
mod run;
#[allow(dead_code, reason = "shared with `ct-file`, which uses more of it")]
mod valgrind;

use std::process::ExitCode;

use carryless::hazmat::BlockCipher;
use carryless::sgcm::Sgcm;
use carryless::{Aes128GcmSiv, Aes256GcmSiv, Cmac, Engine, Gcm, XAes256Gcm};
use carryless_assure::{Cipher, list_engines, with_cipher};

use crate::case::Extent;
use crate::controls::Control;
use crate::probe::{Poison, Probe, Trace};

const HELP: &str = "\
ct engines               each engine of this build, and whether it runs here
ct poison ENGINE         T1, under `valgrind`: every case of the engine, then a line with the count
ct trace ENGINE EXTENT   T2, watched by an emulator: EXTENT is whole, middle, little or glance
ct poison CONTROL        a seeded fault: early-exit, padding, table, branch, division (which only T4 sees)
ct trace CONTROL

All cases are run, whatever comes of one. The exit status is 0 without a leak, 1 with one, 2 for anything
else, as for a case whose answer was wrong. A trace says nothing itself: what was found, and that somebody
watched, is said by the emulator.
";

/// Features that Valgrind 3.x does not decode: engines that need one are not run under it.
const NOT_DECODED: [&str; 3] = ["vaes", "vpclmulqdq", "avx512"];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["engines"] => {
            list_engines();
            Ok(Found::default())
        }
        ["poison", what] => poison(what),
        ["trace", control] => trace_control(control),
        ["trace", what, extent] => trace(what, extent),
        _ => Err(HELP.to_owned()),
    };
    match result {
        Ok(found) => found.print(),
        Err(message) => {
            eprintln!("ct: {message}");
            ExitCode::from(2)
        }
    }
}

/// Cases in which something was found.
#[derive(Default)]
struct Found {
    leaks: Vec<String>,
    /// Those that did not do what they should, so that what was watched says nothing.
    wrong: Vec<String>,
}

impl Found {
    fn leaks(leaks: Vec<String>) -> Self {
        Self {
            leaks,
            wrong: Vec::new(),
        }
    }

    /// All of it; the exit status.
    fn print(&self) -> ExitCode {
        for leak in &self.leaks {
            println!("leak: {leak}");
        }
        for case in &self.wrong {
            println!("wrong: {case}");
        }
        ExitCode::from(match (&*self.leaks, &*self.wrong) {
            ([], []) => 0,
            (_, []) => 1,
            _ => 2,
        })
    }
}

fn poison(what: &str) -> Result<Found, String> {
    if !valgrind::is_running() {
        return Err("not under valgrind: `cargo xtask assure T1` runs this".into());
    }
    if cfg!(not(carryless_ct)) {
        return Err("built without RUSTFLAGS=\"--cfg carryless_ct\"".into());
    }
    let mut probe = Poison::default();
    if let Some(control) = Control::from_name(what) {
        return Ok(Found::leaks(control.run(&mut probe)));
    }
    let engine = engine(what).map_err(|reason| {
        if NOT_DECODED.iter().any(|feature| reason.contains(feature)) {
            format!("{what}: not run under valgrind: not decoded ({reason})")
        } else {
            reason
        }
    })?;
    Ok(all(engine, Extent::Whole, &mut probe))
}

fn trace(what: &str, extent: &str) -> Result<Found, String> {
    let extent = Extent::from_name(extent).ok_or_else(|| format!("{extent}: no such extent"))?;
    Ok(all(engine(what)?, extent, &mut Trace))
}

fn trace_control(name: &str) -> Result<Found, String> {
    let control = Control::from_name(name).ok_or_else(|| format!("{name}: no such control"))?;
    Ok(Found::leaks(control.run(&mut Trace)))
}

/// The engine of this name, which this CPU must be able to run.
fn engine(name: &str) -> Result<Engine, String> {
    let engine = Engine::from_name(name).map_err(|error| format!("{name}: {error}"))?;
    // For the calls that take no engine.
    engine
        .set_default()
        .map_err(|error| format!("{name}: {error}"))?;
    // The self-test of a cipher and of a mode runs with the first key: not in a call that is watched.
    let failed = |error| format!("{name}: {error}");
    for cipher in [Cipher::AES, Cipher::LEA].as_flattened() {
        let key = &[0; 32][..cipher.key_len()];
        with_cipher!(*cipher, C => {
            <Gcm<C>>::with_engine(key, engine).map_err(failed)?;
            BlockCipher::<C>::with_engine(key, engine).map_err(failed)?;
            Cmac::<C>::with_engine(key, engine).map_err(failed)?;
            Sgcm::<C>::with_engine(key, engine).map_err(failed)?;
        });
    }
    Aes128GcmSiv::with_engine(&[0; 16], engine).map_err(failed)?;
    Aes256GcmSiv::with_engine(&[0; 32], engine).map_err(failed)?;
    XAes256Gcm::with_engine(&[0; 32], engine).map_err(failed)?;
    Ok(engine)
}

/// Runs every case, to the last: what is wrong with one hides nothing of the next.
fn all<P: Probe>(engine: Engine, extent: Extent, probe: &mut P) -> Found {
    let cases = case::all(extent);
    let mut calls = 0;
    let mut wrong = Vec::new();
    for case in &cases {
        probe.case(&format!("{engine}: {case}"));
        match run::case(case, engine, probe) {
            Ok(count) => calls += count,
            Err(what) => wrong.push(format!("{engine}: {case}: {what}")),
        }
    }
    println!("{engine}: {} cases, {calls} calls", cases.len());
    Found {
        leaks: probe.leaks(),
        wrong,
    }
}
