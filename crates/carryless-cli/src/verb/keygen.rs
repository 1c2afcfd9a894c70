//! `carryless keygen`.

use std::io::Write;

use carryless_file::cobblestone::{Cipher, Key};
use carryless_file::{gcm, key_file};
use zeroize::Zeroizing;

use crate::args::{KeyBits, KeyKind, Keygen};
use crate::exit::Failure;
use crate::output::{Mode, Output};
use crate::print;

pub fn run(args: &Keygen) -> Result<(), Failure> {
    let text = new_key(args)?;
    let mut output = Output::create(args.output.as_deref(), args.force, Mode::Private)?;
    if output.is_readable_by_others() {
        print::warning(&format!(
            "{}: others than you may read this file; `chmod 600` it, or use -o",
            output.name
        ));
    }
    output
        .write_all(text.as_bytes())
        .map_err(|error| output.failure(error))?;
    output.commit()
}

fn new_key(args: &Keygen) -> Result<Zeroizing<String>, Failure> {
    let cipher = match args.bits {
        KeyBits::Bits128 => Cipher::Cobblestone128,
        KeyBits::Bits256 => Cipher::Cobblestone256,
    };
    match args.kind {
        KeyKind::File => Key::generate(cipher)
            .map(|key| key_file::format(&key))
            .map_err(|error| Failure::stream("new key", error)),
        KeyKind::Gcm => gcm::Key::generate(cipher.key_len())
            .map(|key| key_file::format_gcm(&key))
            .map_err(|error| Failure::message("new key", error)),
    }
}
