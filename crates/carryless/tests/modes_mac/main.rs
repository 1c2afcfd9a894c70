//! CMAC, GMAC in pieces and CCM through the public API: every engine, against published vectors and RustCrypto.
#![cfg(feature = "hazmat")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "test data")]

#[path = "../harness/asked.rs"]
mod asked;
mod ccm;
mod ccm_refused;
mod cmac;
#[cfg(feature = "digest")]
mod digest;
mod gmac;

use carryless::Engine;

use asked::{is_asked, quick};

/// The engines that this machine runs.
fn engines() -> Vec<Engine> {
    Engine::available().filter(is_asked).collect()
}

/// Bytes that differ from place to place.
fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 29 + i / 256) as u8).collect()
}

/// The fields of a file of `vectors/`.
fn lines(file: &str) -> impl Iterator<Item = (&str, Vec<Vec<u8>>)> {
    let cases = file
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    cases.map(|line| {
        let (name, fields) = line.split_once(' ').unwrap();
        let bytes = |word| match word {
            "-" | "invalid" => vec![],
            "valid" => vec![1],
            _ => hex::decode(word).unwrap(),
        };
        (name, fields.split(' ').map(bytes).collect())
    })
}

/// `data` cut at `at` and a little behind it.
fn three(data: &[u8], at: usize) -> [&[u8]; 3] {
    let (head, rest) = data.split_at(at);
    let (middle, tail) = rest.split_at(rest.len().min(at % 19));
    [head, middle, tail]
}

/// `sized!(len, $N => body)`: the body with the key size, nonce or tag length as a constant.
macro_rules! sized {
    ($value:expr, $N:ident in $($n:literal)+ => $body:expr) => {
        match $value {
            $($n => { const $N: usize = $n; $body })+
            other => panic!("no type for {other}"),
        }
    };
}
pub(crate) use sized;
