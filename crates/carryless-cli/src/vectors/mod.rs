//! Version 1 of the vectors protocol: requests and answers, a line each.
//!
//! Only the library's public interface is called: what passes here is what users run. Nothing here
//! knows of the rest of the program, so that the fuzz targets can include it as it is.

mod aead;
mod algorithm;
mod answer;
mod buffer;
mod call;
mod cipher;
mod hash;
mod info;
mod mac;
mod part;
mod request;

use std::io::{self, BufRead, Read};

pub use self::algorithm::{ALGORITHMS, Algorithm, Family};
use self::answer::{Answer, Error, Kind};
use self::call::Call;
pub use self::call::Way;
use self::request::Request;

/// The longest line that is read; the rest of a longer one is skipped.
const LONGEST_LINE: u64 = 256 << 20;

/// Reads a line; `false` at the end of the input. One that is too long is cut, so that it is no JSON.
pub fn read_line(requests: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    if requests.take(LONGEST_LINE).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
        requests.skip_until(b'\n')?;
        *line = b"too long".to_vec();
    }
    Ok(true)
}

/// The answer to one request; everything that can be wrong with it is in the answer.
pub fn answer(line: &[u8]) -> Answer {
    let request = match serde_json::from_slice(line) {
        Ok(serde_json::Value::Object(fields)) => Request::new(fields),
        _ => return Answer::failure(serde_json::Value::Null, Error::bad("not a JSON object")),
    };
    let id = request.id();
    match perform(&request) {
        Ok(answer) => answer.with_id(id),
        Err(error) => Answer::failure(id, error),
    }
}

fn perform(request: &Request) -> Result<Answer, Error> {
    request.check_id()?;
    let common = request.common()?;
    if common.op == "info" {
        return info::answer(&common);
    }
    let unsupported = Error::of(Kind::Unsupported);
    let Some(algorithm) = Algorithm::find(common.alg) else {
        return Err(unsupported);
    };
    let call = Call {
        request,
        common,
        algorithm,
    };
    match (&algorithm.family, call.common.op) {
        (Family::Aead(new), "seal") => aead::seal(&call, *new),
        (Family::Aead(new), "open") => aead::open(&call, *new),
        (Family::Mac(new), "mac") => mac::mac(&call, *new),
        (Family::Mac(new), "verify") => mac::verify(&call, *new),
        (Family::Cipher(mode, new), "encrypt") => cipher::run(&call, Way::Forth, *mode, *new),
        (Family::Cipher(mode, new), "decrypt") => cipher::run(&call, Way::Back, *mode, *new),
        (Family::Hash(new), "hash") => hash::hash(&call, *new),
        (Family::Part(operations), op) => {
            let found = operations.iter().find(|(name, _)| *name == op);
            found.ok_or(unsupported)?.1(&call)
        }
        _ => Err(unsupported),
    }
}

#[cfg(test)]
mod tests;
