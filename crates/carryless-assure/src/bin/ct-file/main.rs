//! Constant time of `carryless-file`, watched: calls it with keys that memcheck knows to be secret.
//!
//! `cargo xtask assure T1` runs it under Valgrind's memcheck, as it runs `ct` for the library: what is secret, what
//! public, and what this is blind to is in `docs/constant-time.md`. Passphrases are not here: Argon2id
//! reads memory where they lead it, by design. Nor is the text of key files, whose digits are read
//! and written one by one.

#[path = "../ct/probe.rs"]
#[allow(dead_code, reason = "shared with `ct`, which uses more of it")]
mod probe;
#[path = "../ct/valgrind.rs"]
mod valgrind;

mod cases;
mod controls;
mod identities;

use std::process::ExitCode;

use carryless::Engine;

use crate::controls::Control;
use crate::probe::{Poison, Probe};

const HELP: &str = "\
ct-file poison ENGINE    T1, under `valgrind`: every case with the engine, then a line with the count
ct-file poison CONTROL   a seeded fault: early-exit, digits, product, text

The exit status is 0 without a leak, 1 with one, 2 for anything else.
";

/// Features that Valgrind 3.x does not decode: engines that need one are not run under it.
const NOT_DECODED: [&str; 3] = ["vaes", "vpclmulqdq", "avx512"];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["poison", what] => poison(what),
        _ => Err(HELP.to_owned()),
    };
    match result {
        Ok(leaks) if leaks.is_empty() => ExitCode::SUCCESS,
        Ok(leaks) => {
            leaks.iter().for_each(|leak| println!("leak: {leak}"));
            ExitCode::from(1)
        }
        Err(message) => {
            eprintln!("ct-file: {message}");
            ExitCode::from(2)
        }
    }
}

/// Takes the hook of the file library, which is there under `cfg(carryless_ct)`.
fn listen() {
    #[cfg(carryless_ct)]
    carryless_file::checker::PUBLISH.get_or_init(|| valgrind::answer);
}

/// The leaks of an engine, or of a seeded fault.
fn poison(what: &str) -> Result<Vec<String>, String> {
    if !valgrind::is_running() {
        return Err("not under valgrind: `cargo xtask assure T1` runs this".into());
    }
    if cfg!(not(carryless_ct)) {
        return Err("built without RUSTFLAGS=\"--cfg carryless_ct\"".into());
    }
    listen();
    let mut probe = Poison::default();
    if let Some(control) = Control::from_name(what) {
        control.run(&mut probe)?;
        return Ok(probe.leaks());
    }
    let engine = selected(what).map_err(|reason| {
        if NOT_DECODED.iter().any(|feature| reason.contains(feature)) {
            format!("{what}: not run under valgrind: not decoded ({reason})")
        } else {
            format!("{what}: {reason}")
        }
    })?;
    let calls = cases::all(engine, &mut probe)?;
    let leaks = probe.leaks();
    println!(
        "{engine}: {calls} calls, {} answers published",
        valgrind::answers()
    );
    Ok(leaks)
}

/// The engine of this name, for all calls.
fn selected(name: &str) -> Result<Engine, String> {
    let engine = Engine::from_name(name).map_err(|error| error.to_string())?;
    engine.set_default().map_err(|error| error.to_string())?;
    Ok(engine)
}
