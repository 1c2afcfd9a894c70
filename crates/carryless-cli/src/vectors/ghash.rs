//! GHASH.

use carryless::hazmat::Ghash;

use super::answer::{Answer, Error, Kind};
use super::request::{Common, Request};

pub fn hash(request: &Request, common: &Common<'_>) -> Result<Answer, Error> {
    let h = request.required_hex("h", common.offset)?;
    let data = request.required_hex("data", common.offset)?;
    common.check_path(&["into"])?;
    let engine = common.engine()?;
    let h = <&[u8; 16]>::try_from(&*h).map_err(|_| Error::of(Kind::KeyLength))?;
    if !data.len().is_multiple_of(16) {
        return Err(Error::of(Kind::DataLength));
    }
    let mut hash = Ghash::with_engine(h, engine).map_err(|_| Error::of(Kind::EngineUnavailable))?;
    hash.update(&data);
    let engine = hash.engine();
    Ok(Answer::success(engine).with_hex("y", &hash.finish()))
}
