//! Asks for a passphrase on the terminal, whatever standard input and output are.

use std::io;

use carryless_file::container::Passphrase;
use zeroize::Zeroizing;

use crate::exit::{Code, Failure};
use crate::passphrase::take;
use crate::signals;

/// What there is without a terminal.
const INSTEAD: &str = "without a terminal: --passphrase-file, --passphrase-fd, --passphrase-command or CARRYLESS_PASSPHRASE";

/// Asks for the one of a key file.
pub fn of_key_file(name: &str) -> Result<Passphrase, Failure> {
    let instead = "it is under a passphrase; without a terminal: --key-passphrase-command";
    let question = format!("Passphrase of {name}: ");
    take(ask(&question, instead)?, "passphrase")
}

/// Asks once, or twice and compares.
pub fn passphrase(again: bool) -> Result<Passphrase, Failure> {
    let first = ask("Passphrase: ", INSTEAD)?;
    let taken = take(first.clone(), "passphrase")?;
    if again && ask("The same again: ", INSTEAD)? != first {
        return Err(Failure::new(
            Code::Key,
            anyhow::anyhow!("the two passphrases differ"),
        ));
    }
    Ok(taken)
}

fn ask(question: &str, instead: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let _echo = signals::restore_echo();
    rpassword::prompt_password(question)
        .map(|answer| Zeroizing::new(answer.into_bytes()))
        .map_err(|error| {
            if error.kind() == io::ErrorKind::Interrupted {
                return Failure::new(Code::Interrupted, anyhow::anyhow!("interrupted"));
            }
            let error = anyhow::Error::new(error).context("the passphrase can't be asked for");
            Failure::new(Code::Key, error).hint(instead)
        })
}
