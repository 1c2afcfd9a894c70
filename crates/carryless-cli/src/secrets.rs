//! Keys and passphrases, from where the command line says they are.

use carryless_file::cobblestone::Key;

use crate::args::Secret;
use crate::exit::Failure;
use crate::key_file;

/// The one key file that a bare stream needs.
pub fn only_key(secret: &Secret) -> Result<Key, Failure> {
    match secret.key_file.as_slice() {
        [path] => key_file::read(path),
        [] => Err(Failure::usage("it needs a key file").hint("-k names it")),
        _ => Err(Failure::usage("this format takes one key file").hint("give -k once")),
    }
}
