//! Parts of algorithms: the field of SGCM, the round keys of LEA.

use carryless::hazmat::sgcm::Element;
use carryless::{Lea128, Lea192, Lea256};

use super::algorithm::by_key;
use super::answer::{Answer, Error, Kind};
use super::call::{Call, Way};

/// Digits of an element below 2^128 + 12451.
const DIGITS: usize = 33;

pub fn field_add(call: &Call<'_>) -> Result<Answer, Error> {
    field(call, |a, b| a + b)
}

pub fn field_mul(call: &Call<'_>) -> Result<Answer, Error> {
    field(call, |a, b| a * b)
}

fn field(call: &Call<'_>, of: fn(Element, Element) -> Element) -> Result<Answer, Error> {
    let (a, b) = (digits(call, "a")?, digits(call, "b")?);
    let engine = call.engine_for_path(Way::Forth, &[])?;
    let element = |bytes| Element::from_be_bytes(&bytes).ok_or(Error::of(Kind::Range));
    let r = of(element(a)?, element(b)?);
    let r = hex::encode(r.to_be_bytes());
    Ok(Answer::success(engine).with("r", &r[1..]))
}

/// An element's digits, whatever it is.
fn digits(call: &Call<'_>, name: &str) -> Result<[u8; 17], Error> {
    let digits = call.request.text(name, "")?;
    let bytes = hex::decode(format!("0{digits}")).ok();
    let bytes = bytes.filter(|_| digits.len() == DIGITS);
    let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| {
        Error::bad(format!(
            "{name} is no string of {DIGITS} hexadecimal digits"
        ))
    })
}

/// Six words a round, each as a number.
pub fn lea_schedule(call: &Call<'_>) -> Result<Answer, Error> {
    let [key, iv] = call.key_and_iv()?;
    let engine = call.engine_for_path(Way::Forth, &iv)?;
    call.algorithm.check_sizes(&key, &iv, 0)?;
    let word = |word: &u32| format!("{word:08x}");
    let round = |words: [u32; 6]| words.iter().map(word).collect::<String>();
    let key = &*key;
    let rounds: Vec<String> = by_key!(key, C => {
        let key = key.try_into().map_err(|_| Error::of(Kind::KeyLength))?;
        C::round_keys(key).map(round).to_vec()
    }; LEA);
    Ok(Answer::success(engine).with("round_keys", rounds))
}
