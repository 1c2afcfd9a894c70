//! `carryless keygen`.

use std::io::Write;

use carryless_file::cobblestone::{Cipher, Key};
use carryless_file::key_file;

use crate::args::{KeyBits, Keygen};
use crate::exit::Failure;
use crate::output::{Mode, Output};

pub fn run(args: &Keygen) -> Result<(), Failure> {
    let cipher = match args.bits {
        KeyBits::Bits128 => Cipher::Cobblestone128,
        KeyBits::Bits256 => Cipher::Cobblestone256,
    };
    let key = Key::generate(cipher).map_err(|error| Failure::stream("new key", error))?;
    let mut output = Output::create(args.output.as_deref(), args.force, Mode::Private)?;
    let text = key_file::format(&key);
    output
        .write_all(text.as_bytes())
        .map_err(|error| output.failure(error))?;
    output.commit()
}
