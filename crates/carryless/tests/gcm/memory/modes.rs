//! M1 and M2 for the calls of the other modes.

use carryless::Engine;

use super::{CANARY, LONGEST};
use crate::harness::child::{self, Ended};
use crate::harness::guard::{Flush, Guarded};
use crate::harness::modes::{CALLS, Call, Desk};
use crate::harness::{Checked, Random, caught, engines, ensure, quick};

/// Bytes of AAD.
const AAD: usize = 21;

/// Beyond what any engine seals in one call of AES-GCM-SIV.
const LONG: usize = 4201;

/// Lengths of texts, quickly each length of a block's rest, and the long one.
fn lens() -> impl Iterator<Item = usize> {
    let short = (0..=LONGEST).step_by(if quick() { 7 } else { 1 });
    short.chain([LONG])
}

/// Makes the calls with every buffer flush against a page that faults; in a child, whose death tells.
fn stay_inside(engine: Engine, flush: Flush, calls: &[(&str, Call)]) -> Checked {
    let bytes = Random::new(0x30de).bytes(LONG);
    let [inputs, aads, texts] = [64, AAD, LONG].map(|len| Guarded::read_only(&bytes[..len], flush));
    let (mut out, mut tag) = (Guarded::new(LONG), Guarded::new(16));
    let ended = child::run(|notes| {
        let input = |len| inputs.part(len, flush);
        lens().all(|len| {
            calls.iter().enumerate().all(|(number, (_, call))| {
                notes.step((calls.len() * len + number) as u64);
                let mut desk = Desk {
                    engine,
                    input: &input,
                    aad: aads.all(),
                    text: texts.part(len, flush),
                    out: out.get(len, flush),
                    tag: tag.get(16, flush).try_into().unwrap(),
                };
                call(&mut desk) == Some(true)
            })
        })
    });
    let at = |step: u64| {
        let (len, call) = (step as usize / calls.len(), step as usize % calls.len());
        format!("{}, {len} bytes, flush {flush:?}", calls[call].0)
    };
    match ended {
        Ended::Well => Ok(lens().count() * calls.len()),
        Ended::Wrong(step) => Err(format!("{engine}: wrong result: {}", at(step))),
        Ended::Killed(signal, step) => {
            Err(format!("{engine}: killed by signal {signal}: {}", at(step)))
        }
    }
}

/// Whether the calls write their output and nothing beside it.
fn write_only_the_output(engine: Engine, calls: &[(&str, Call)]) -> Checked {
    let bytes = Random::new(0xca4a).bytes(LONG);
    let input = |len| &bytes[..len];
    for len in lens() {
        for (name, call) in calls {
            let mut buffer = vec![0xc3; len + 2 * CANARY];
            let (head, rest) = buffer.split_at_mut(CANARY);
            let (out, tail) = rest.split_at_mut(len);
            let mut desk = Desk {
                engine,
                input: &input,
                aad: input(AAD),
                text: input(len),
                out,
                tag: &mut [0; 16],
            };
            let right = call(&mut desk);
            ensure!(
                right == Some(true),
                "{engine}: {name}, {len} bytes: {right:?}"
            );
            ensure!(
                head.iter().chain(&*tail).all(|byte| *byte == 0xc3),
                "{engine}: {name}, {len} bytes: a canary changed"
            );
        }
    }
    Ok(lens().count() * calls.len())
}

#[test]
fn m1_the_modes_touch_no_byte_outside_of_their_buffers() {
    for engine in engines() {
        for flush in Flush::BOTH {
            let count = stay_inside(engine, flush, CALLS).unwrap_or_else(|error| panic!("{error}"));
            println!("M1 {engine}: {count} calls of modes between guard pages");
        }
    }
}

#[test]
fn m2_the_modes_write_nothing_beside_their_output() {
    for engine in engines() {
        let count = write_only_the_output(engine, CALLS).unwrap_or_else(|error| panic!("{error}"));
        println!("M2 {engine}: {count} calls of modes between canaries");
    }
}

/// Reads a byte behind the text.
fn reads_behind(desk: &mut Desk<'_, '_>) -> Option<bool> {
    let behind = desk.text.as_ptr().wrapping_add(desk.text.len());
    // SAFETY: none, that is the fault: it is the byte of a page that can't be read.
    core::hint::black_box(unsafe { behind.read_volatile() });
    Some(true)
}

/// Writes a byte behind the output.
fn writes_behind(desk: &mut Desk<'_, '_>) -> Option<bool> {
    let behind = desk.out.as_mut_ptr().wrapping_add(desk.out.len());
    // SAFETY: none, that is the fault: it is the byte of a page that can't be written, or of a canary.
    unsafe { behind.write_volatile(0) };
    Some(true)
}

#[test]
fn control_m1_a_mode_that_reads_or_writes_behind_kills_the_child() {
    let faults: [(&str, Call); 2] = [("a read", reads_behind), ("a write", writes_behind)];
    for fault in faults {
        caught(stay_inside(Engine::selected(), Flush::Behind, &[fault]));
    }
}

#[test]
fn control_m2_a_mode_that_writes_behind_changes_a_canary() {
    caught(write_only_the_output(
        Engine::selected(),
        &[("a write", writes_behind)],
    ));
}
