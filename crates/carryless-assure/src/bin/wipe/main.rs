//! M6: what a key and the calls on it leave behind in memory.
//!
//! `wipe [ENGINE]`: for each engine, key size and public call, those of the other modes too, runs the call on a stack of zeros that
//! is the driver's own, and looks there, and where a dropped key or stream was, for any 8-byte window of a secret:
//! the key, its round keys, powers of H, the memory of a live key whatever its layout, key stream and
//! the states of AES on the way to it, the hash after each block, and after a failed opening the
//! right tag and the text. Exits with 1 if something is left of any of them, or if it misses what it
//! planted. `wipe engines` lists the engines; `wipe cost` prints what calls cost, in cycles.

#[path = "../../../../carryless/tests/harness/reference.rs"]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
mod reference;

mod calls;
mod cost;
mod message;
mod modes;
#[allow(dead_code, reason = "shared with `wipe-file`, which uses more of it")]
mod secrets;
mod stack;

use core::mem::ManuallyDrop;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use carryless::{Aes128Gcm, Engine, Slot};
use carryless_assure::{Cipher, list_engines};
use zeroize::ZeroizeOnDrop;

use calls::Call;
use message::{Message, Shape};
use secrets::Secrets;
use stack::{Pages, Stack};

/// Lengths of texts: the edges of blocks, halves and turns.
const TEXTS: [usize; 16] = [
    0, 1, 3, 9, 15, 16, 17, 33, 64, 80, 100, 128, 129, 144, 300, 1000,
];
/// Lengths of AAD with each.
const AADS: [usize; 5] = [0, 13, 20, 64, 200];
/// A text that is long enough for a table of the first round of AES, and its AAD.
const LONG: (usize, usize) = ((64 << 10) + 1, 200);
/// Lengths of nonces: taken as it is, hashed.
const NONCES: [usize; 2] = [12, 20];

/// Bytes of the stack: no call needs a quarter of it.
const STACK: usize = 64 * 1024;
/// Bytes of the place of a key.
const KEY_PLACE: usize = 16 * 1024;

/// What was left by calls: where, how often, an example.
struct Report {
    stack: Stack,
    calls: usize,
    windows: usize,
    left: BTreeMap<String, (usize, String)>,
}

impl Report {
    /// Runs the calls one by one and notes what is left.
    fn watch(&mut self, shape: Shape, calls: Vec<Call<'_>>, secrets: &Secrets) {
        for Call { name, mut run } in calls {
            let frames = self.stack.run(&mut run);
            self.calls += 1;
            self.windows = self.windows.max(secrets.len());
            self.note(shape, name, secrets, &frames);
        }
    }

    /// Looks where streams were. They are begun on zeros: what else lay there would be copied with the gaps in a value.
    fn streams(
        &mut self,
        shape: Shape,
        secrets: &Secrets,
        make: impl Fn() -> [(&'static str, Vec<u8>); 2],
    ) {
        let mut made = None;
        self.stack.run(&mut || made = Some(make()));
        for (name, memory) in made.into_iter().flatten() {
            self.calls += 1;
            self.note(shape, name, secrets, &memory);
        }
    }

    /// Adds what a key of this type holds, whichever engine made it; a dropped one of this engine must hold none of it.
    fn key<K: ZeroizeOnDrop>(
        &mut self,
        shape: Shape,
        engine: Engine,
        name: &str,
        raw: &[u8],
        secrets: &mut Secrets,
        make: impl Fn(Engine, &[u8]) -> Option<K>,
    ) {
        let memory = |engine, raw: &[u8], pages: &mut Pages, dropped: bool| {
            let slot = pages.place().write(ManuallyDrop::new(Slot::<K>::new()));
            assert!(slot.fill(|| make(engine, raw).ok_or(())).is_ok(), "{name}");
            if dropped {
                // SAFETY: not used afterwards.
                unsafe { ManuallyDrop::drop(slot) };
            }
            pages.bytes()
        };
        for any in Engine::available() {
            // All three are there at once, so that their addresses differ; that of the raw key does not.
            let mut places = [(); 3].map(|()| Pages::new(KEY_PLACE));
            let mut key = raw.to_vec();
            let one = memory(any, &key, &mut places[0], false);
            let two = memory(any, &key, &mut places[1], false);
            key.iter_mut()
                .for_each(|byte| *byte = byte.wrapping_mul(3) ^ 0x99);
            let other = memory(any, &key, &mut places[2], false);
            secrets.add_common("prepared key", [&one, &two], &other);
        }
        let dropped = memory(engine, raw, &mut Pages::new(KEY_PLACE), true);
        self.note(shape, name, secrets, &dropped);
    }

    fn note(&mut self, shape: Shape, name: &str, secrets: &Secrets, memory: &[u8]) {
        for found in secrets.find(memory) {
            let (count, _) = self
                .left
                .entry(format!(
                    "{name}{}: {}",
                    if shape.nonce_len == 12 {
                        ""
                    } else {
                        ", hashed nonce"
                    },
                    found.what
                ))
                .or_insert_with(|| {
                    (
                        0,
                        format!("{} bytes down; {shape}", memory.len() - found.at),
                    )
                });
            *count += 1;
        }
    }
}

macro_rules! check_cipher {
    ($report:ident, $engine:ident, $Cipher:ident, $module:ident, $Key:ident) => {{
        let shape = Shape {
            cipher: Cipher::$Cipher,
            nonce_len: 12,
            aad_len: 0,
            text_len: 0,
        };
        let message = Message::new(shape);
        let mut of_key = message.key_secrets();
        $report.key(
            shape,
            $engine,
            "dropped key",
            &message.key,
            &mut of_key,
            |engine, key| carryless::$Key::with_engine(key, engine).ok(),
        );
        $report.watch(shape, calls::$module::making($engine, &message), &of_key);
        $report.watch(shape, calls::$module::filling($engine, &message), &of_key);
        let key = carryless::$Key::with_engine(&message.key, $engine).expect("an available engine");
        for text_len in TEXTS {
            for aad_len in AADS {
                for nonce_len in NONCES {
                    let shape = Shape {
                        text_len,
                        aad_len,
                        nonce_len,
                        ..shape
                    };
                    let message = Message::new(shape);
                    for failing in [false, true] {
                        let mut secrets = of_key.clone();
                        message.add_secrets(&mut secrets, failing);
                        $report.watch(
                            shape,
                            calls::$module::using($engine, &key, &message, failing),
                            &secrets,
                        );
                        if !failing {
                            $report.streams(shape, &secrets, || {
                                calls::$module::streams(&key, &message, true)
                            });
                        }
                    }
                }
            }
        }
        let (text_len, aad_len) = LONG;
        let shape = Shape {
            text_len,
            aad_len,
            ..shape
        };
        let message = Message::new(shape);
        for failing in [false, true] {
            let mut secrets = of_key.clone();
            message.add_long_secrets(&mut secrets, failing);
            $report.watch(
                shape,
                calls::$module::using($engine, &key, &message, failing),
                &secrets,
            );
        }
    }};
}

fn check(engine: Engine) -> Report {
    let mut report = Report {
        stack: Stack::new(STACK),
        calls: 0,
        windows: 0,
        left: BTreeMap::new(),
    };
    engine.set_default().expect("an available engine");
    check_cipher!(report, engine, Aes128, aes128, Aes128Gcm);
    check_cipher!(report, engine, Aes192, aes192, Aes192Gcm);
    check_cipher!(report, engine, Aes256, aes256, Aes256Gcm);
    modes::check(&mut report, engine);
    report
}

/// What each stream of a message holds as long as it is not dropped: whether the search notices.
///
/// * `secrets`: of the message's key.
fn control_streams(message: &Message, mut secrets: Secrets) -> Result<String, String> {
    message.add_secrets(&mut secrets, false);
    let key = Aes128Gcm::from_slice(&message.key).map_err(|error| error.to_string())?;
    let mut caught = Vec::new();
    for (_, memory) in calls::aes128::streams(&key, message, false) {
        let found: BTreeSet<_> = secrets
            .find(&memory)
            .iter()
            .map(|found| found.what)
            .collect();
        if !found.contains("J0") {
            return Err(
                "a stream that is not dropped: its pre-counter block is not noticed".into(),
            );
        }
        caught.push(Vec::from_iter(found).join(", "));
    }
    Ok(caught.join("; "))
}

/// The seeded faults that each run must find: what the search noticed, by fault.
fn controls() -> Result<Vec<(&'static str, String)>, String> {
    let message = Message::new(Shape {
        cipher: Cipher::Aes128,
        nonce_len: 20,
        aad_len: 13,
        text_len: 33,
    });
    let mut secrets = message.key_secrets();
    message.add_first_columns(&mut secrets);
    let round_key = message.round_key();
    let on_stack = Stack::new(STACK).run(&mut || leave(&round_key));
    let mut pages = Pages::new(KEY_PLACE);
    pages.place().write(round_key);
    let mut row = [0; 16];
    row[..4].copy_from_slice(&message.first_round(1));
    let row_on_stack = Stack::new(STACK).run(&mut || leave(&row));
    let [key_on_stack, firsts_on_stack] = message
        .begun()
        .map(|block| Stack::new(STACK).run(&mut || leave(&block)));
    let faults = [
        (
            "a function that leaves a row of the first rounds",
            row_on_stack,
        ),
        (
            "a function that leaves the second key with columns of blocks",
            key_on_stack,
        ),
        ("a function that leaves first columns", firsts_on_stack),
        ("a function that leaves a round key on its frame", on_stack),
        ("a key that is not wiped", pages.bytes()),
    ];
    let mut caught = Vec::new();
    for (fault, memory) in faults {
        let found = secrets.find(&memory);
        let first = found
            .first()
            .ok_or_else(|| format!("{fault}: not noticed"))?;
        caught.push((
            fault,
            format!("{} windows of a {}", found.len(), first.what),
        ));
    }
    caught.push((
        "streams that are not dropped",
        control_streams(&message, secrets)?,
    ));
    Ok(caught)
}

/// Copies a secret to its frame and forgets it there.
#[inline(never)]
fn leave(secret: &[u8; 16]) {
    let copy = *secret;
    core::hint::black_box(&copy);
}

fn main() -> ExitCode {
    let only = std::env::args().nth(1);
    match only.as_deref() {
        Some("cost") => {
            cost::print();
            return ExitCode::SUCCESS;
        }
        Some("engines") => {
            list_engines();
            return ExitCode::SUCCESS;
        }
        _ => (),
    }
    match controls() {
        Ok(caught) => {
            for (fault, what) in caught {
                println!("{fault}: caught: {what}");
            }
        }
        Err(missed) => {
            println!("{missed}");
            return ExitCode::FAILURE;
        }
    }
    for engine in Engine::ALL {
        if let Err(reason) = engine.availability() {
            println!("{engine}: not run: {reason}");
        }
    }
    let engines = message::engines(only.as_deref());
    let mut clean = !engines.is_empty();
    for engine in engines {
        let Report {
            calls,
            windows,
            left,
            ..
        } = check(engine);
        println!(
            "M6 {engine}: {calls} calls, {windows} windows looked for at most, {} left",
            left.len()
        );
        for (what, (windows, example)) in &left {
            println!("  {what}: {windows} windows, the first {example}");
        }
        clean &= left.is_empty();
    }
    if clean {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
