//! Work for `cargo xtask count`, which counts the instructions that it takes: `count ENGINE WORK BYTES TIMES`.
//!
//! AES-128, a nonce of 12 bytes, 12 bytes of AAD; the key is made once, but for `set`.

mod modes;

use core::hint::black_box;
use std::env;
use std::process::ExitCode;

use carryless::hazmat::Ghash;
use carryless::{Aes128Gcm, Engine, Packet};
use carryless_assure::list_engines;

const HELP: &str = "\
count engines                    each engine of this build, and whether it runs here
count ENGINE WORK BYTES TIMES    WORK on so many bytes: seal, open, ghash, or set, which makes a key;
                                 \"seal four\" and \"open four\" on four messages in one call;
                                 \"seal and open\" on each of no more bytes;
                                 encrypt, ctr, lea-ctr, cmac, {xts,cbc} {encrypt,decrypt}, {ccm,gcm-siv,sgcm,lea-sgcm} seal
";

const KEY: [u8; 16] = [7; 16];
const NONCE: [u8; 12] = [3; 12];
const AAD: [u8; 12] = [5; 12];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["engines"] => {
            list_engines();
            Some(())
        }
        [engine, work, bytes, times] => Engine::from_name(engine)
            .ok()
            .zip(bytes.parse().ok())
            .zip(times.parse().ok())
            .and_then(|((engine, bytes), times)| run(engine, work, bytes, times)),
        _ => None,
    };
    if done.is_some() {
        return ExitCode::SUCCESS;
    }
    eprint!("{HELP}");
    ExitCode::FAILURE
}

/// Does the work so many times; `None` if it cannot.
fn run(engine: Engine, work: &str, bytes: usize, times: usize) -> Option<()> {
    let mut text = vec![1; bytes];
    match work {
        "set" => {
            for _ in 0..times {
                black_box(Aes128Gcm::with_engine(black_box(&KEY), engine).ok()?);
            }
        }
        "seal" => {
            let gcm = Aes128Gcm::with_engine(&KEY, engine).ok()?;
            for _ in 0..times {
                black_box(gcm.seal_in_place(&NONCE, &AAD, black_box(&mut text)).ok()?);
            }
        }
        "open" => {
            let gcm = Aes128Gcm::with_engine(&KEY, engine).ok()?;
            let tag = gcm.seal_in_place(&NONCE, &AAD, &mut text).ok()?;
            let mut out = vec![0; bytes];
            for _ in 0..times {
                gcm.open_into(&NONCE, &AAD, black_box(&text), &mut out, &tag)
                    .ok()?;
            }
        }
        "seal and open" => {
            let gcm = Aes128Gcm::with_engine(&KEY, engine).ok()?;
            for len in (0..times).flat_map(|_| 0..=bytes) {
                let text = black_box(&mut text[..len]);
                let tag = gcm.seal_in_place(&NONCE, &AAD, text).ok()?;
                gcm.open_in_place(&NONCE, &AAD, text, &tag).ok()?;
            }
        }
        "seal four" => {
            let gcm = Aes128Gcm::with_engine(&KEY, engine).ok()?;
            let mut texts = [(); 4].map(|()| text.clone());
            for _ in 0..times {
                let mut packets = black_box(&mut texts)
                    .each_mut()
                    .map(|text| Packet::in_place(&NONCE, &AAD, text));
                gcm.seal_batch(&mut packets).ok()?;
                black_box(&packets);
            }
        }
        "open four" => {
            let gcm = Aes128Gcm::with_engine(&KEY, engine).ok()?;
            let tag = gcm.seal_in_place(&NONCE, &AAD, &mut text).ok()?;
            let mut outs = [(); 4].map(|()| vec![0; bytes]);
            for _ in 0..times {
                let text = black_box(&text);
                let packet = |out| {
                    let packet = Packet::between(&NONCE, &AAD, text, out).ok()?;
                    Some(packet.with_tag(&tag))
                };
                let [a, b, c, d] = &mut outs;
                let mut packets = [packet(a)?, packet(b)?, packet(c)?, packet(d)?];
                gcm.open_batch(&mut packets).ok()?;
                black_box(&packets);
            }
        }
        "ghash" => {
            let mut hash = Ghash::with_engine(&[9; 16], engine).ok()?;
            for _ in 0..times {
                hash.update(black_box(&text));
            }
            black_box(hash.finish());
        }
        _ => return modes::run(engine, work, &mut text, times),
    }
    Some(())
}
