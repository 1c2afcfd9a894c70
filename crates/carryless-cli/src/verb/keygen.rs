//! `carryless keygen`.

use std::io::Write;

use carryless_file::cobblestone::{Cipher, Key};
use carryless_file::recipient::{Identity, Kem, Recipient};
use carryless_file::{gcm, key_file};
use zeroize::Zeroizing;

use crate::args::{KeyBits, KeyKind, Keygen};
use crate::exit::Failure;
use crate::key_file::Purpose;
use crate::output::{Mode, Output};
use crate::passphrase;
use crate::print;
use crate::secret_file::Reader;
use crate::secrets::no_passphrase;

pub fn run(args: &Keygen) -> Result<(), Failure> {
    let reader = Reader::new(args.allow_readable_by_others, 0, None);
    let passphrase = passphrase::read(&args.passphrase, &reader, Purpose::Seal)?;
    if args.kdf.cost.is_some() && passphrase.is_none() {
        return Err(no_passphrase());
    }
    let (text, recipient) = if let Some(kem) = args.recipient {
        let (text, recipient) = new_identity(kem)?;
        (text, Some(recipient))
    } else {
        (new_key(args)?, None)
    };
    let mut output = Output::alone(args.output.as_deref(), args.force, Mode::Private)?;
    let protected = passphrase.map(|passphrase| {
        output.refuse_terminal()?;
        key_file::protect(&text, &passphrase, args.kdf.argon2id())
            .map_err(|error| Failure::container("new key", error))
    });
    let protected = protected.transpose()?;
    if output.is_readable_by_others() {
        print::warning(&format!(
            "{}: others than you may read this file; `chmod 600` it, or use -o",
            output.name
        ));
    }
    output
        .write_all(protected.as_deref().unwrap_or(text.as_bytes()))
        .map_err(|error| output.failure(error))?;
    let beside = output.is_stdout();
    if recipient.is_some() && !beside {
        print::refuse_closed()?;
    }
    output.commit()?;
    match recipient {
        Some(recipient) if beside => print::note(&format!("its recipient: {recipient}")),
        Some(recipient) => print::data(&format!("{recipient}\n"))?,
        None => {}
    }
    Ok(())
}

fn new_identity(kem: Kem) -> Result<(Zeroizing<String>, Recipient), Failure> {
    let identity =
        Identity::generate(kem).map_err(|error| Failure::stream("new identity", error))?;
    Ok((key_file::format_identity(&identity), identity.recipient()))
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
