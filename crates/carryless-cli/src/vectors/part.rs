//! Parts of algorithms: the field of SGCM.

use carryless::hazmat::sgcm::Element;

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
    let engine = call.engine(Way::Forth, &[])?;
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
