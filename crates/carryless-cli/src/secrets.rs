//! Keys and passphrases, from where the command line says they are; every failure to get one has exit
//! code 4.

use std::path::{Path, PathBuf};

use carryless_file::cobblestone::{Cipher, Key};
use carryless_file::container::{Argon2id, Credential, KeyId, Lock, Passphrase};
use carryless_file::gcm;
use zeroize::Zeroizing;

use crate::args::{NewSecret, PassphraseSource, Secret};
use crate::exit::{Code, Failure, show};
use crate::identity::is_stdin;
use crate::key_file::{KeyFile, Purpose};
use crate::prompt;
use crate::secret_file::Reader;

/// The longest passphrase and a line end, and one more, which shows that it is too long.
const PASSPHRASE_LIMIT: usize = 1024 + 3;

/// What opens, or is to open, a file.
pub struct Secrets {
    keys: Vec<Key>,
    passphrases: Vec<Passphrase>,
}

impl Secrets {
    /// Those that open what there is.
    pub fn to_open(secret: &Secret) -> Result<Self, Failure> {
        let reader = secret.reader();
        Self::read(&reader, &secret.keys(), &secret.passphrase, &Asked::ONCE)
    }

    /// Those for a new file: a passphrase that is typed is typed twice.
    pub fn to_seal(secret: &Secret) -> Result<Self, Failure> {
        let reader = secret.reader();
        Self::read(&reader, &secret.keys(), &secret.passphrase, &Asked::TWICE)
    }

    /// Those that an old file gets.
    pub fn to_rekey(secret: &NewSecret, reader: &Reader) -> Result<Self, Failure> {
        let passphrase = secret.passphrase();
        Self::read(reader, &secret.keys(), &passphrase, &Asked::NEW)
    }

    fn read(
        reader: &Reader,
        key_files: &[KeyFile],
        passphrase: &PassphraseSource,
        asked: &Asked,
    ) -> Result<Self, Failure> {
        let keys = key_files.iter().map(|file| file.key(reader, asked.purpose));
        let keys: Vec<Key> = keys.collect::<Result<_, _>>()?;
        let passphrases: Vec<Passphrase> = match passphrase.path() {
            _ if passphrase.prompt => Some(prompt::passphrase(asked.purpose == Purpose::Seal)?),
            Some(path) => Some(from_file(&path, reader)?),
            _ if keys.is_empty() => from_environment(asked.variable)?,
            _ => None,
        }
        .into_iter()
        .collect();
        if keys.is_empty() && passphrases.is_empty() {
            return Err(Failure::usage("it needs a key or a passphrase").hint(asked.hint));
        }
        Ok(Self { keys, passphrases })
    }

    /// Slots for all of them.
    ///
    /// # Errors
    /// A key that is there twice: one slot is enough.
    pub fn locks(&self) -> Result<Vec<Lock<'_>>, Failure> {
        let mut ids: Vec<KeyId> = self.keys.iter().map(KeyId::of).collect();
        ids.sort_unstable_by_key(|id| *id.as_bytes());
        if let Some(id) = ids
            .windows(2)
            .find_map(|pair| (pair[0] == pair[1]).then_some(pair[0]))
        {
            let error = format!("the key with the id {id} is given twice");
            return Err(Failure::usage(error).hint("name each key file once"));
        }
        let passphrases = self.passphrases.iter();
        let cost = Argon2id::default();
        Ok((self.keys.iter().map(Lock::Key))
            .chain(passphrases.map(|passphrase| Lock::Passphrase(passphrase, cost)))
            .collect())
    }

    /// What to try, the cheap ones first.
    pub fn credentials(&self) -> impl Iterator<Item = Credential<'_>> {
        let passphrases = self.passphrases.iter().map(Credential::Passphrase);
        self.keys.iter().map(Credential::Key).chain(passphrases)
    }

    /// The keys alone.
    pub fn keys(&self) -> impl Iterator<Item = &Key> {
        self.keys.iter()
    }

    /// The longest key's cipher, or the default.
    pub fn cipher(&self) -> Cipher {
        let by_len = |key: &Key| key.cipher().key_len();
        let longest = self.keys.iter().max_by_key(|key| by_len(key));
        longest.map(Key::cipher).unwrap_or_default()
    }

    /// The one key that formats without slots need.
    pub fn only_key(&self, format: &str) -> Result<&Key, Failure> {
        match (self.keys.as_slice(), self.passphrases.as_slice()) {
            ([key], []) => Ok(key),
            _ => Err(
                Failure::usage(format!("{format} takes one key file and no passphrase"))
                    .hint("--format container takes several of both"),
            ),
        }
    }
}

/// How one asks for a passphrase.
struct Asked {
    /// Twice, where it is for something new.
    purpose: Purpose,
    /// Where it may be without being asked for.
    variable: &'static str,
    hint: &'static str,
}

impl Asked {
    const ONCE: Self = Self {
        purpose: Purpose::Open,
        variable: "CARRYLESS_PASSPHRASE",
        hint: "-k names a key file, --passphrase asks for a passphrase",
    };
    const TWICE: Self = Self {
        purpose: Purpose::Seal,
        ..Self::ONCE
    };
    const NEW: Self = Self {
        purpose: Purpose::Seal,
        variable: "CARRYLESS_NEW_PASSPHRASE",
        hint: "--new-key-file names a key file, --new-passphrase asks for a passphrase",
    };
}

/// Fails if secrets and data would both come from standard input: what is read first would take what the
/// other is to get.
pub fn refuse_shared_stdin(
    inputs: &[PathBuf],
    mut secrets: impl Iterator<Item = PathBuf>,
) -> Result<(), Failure> {
    let data = |path: &PathBuf| path.as_os_str() == "-" || is_stdin(path);
    if !inputs.is_empty() && !inputs.iter().any(data) {
        return Ok(());
    }
    match secrets.find(|path| is_stdin(path)) {
        None => Ok(()),
        Some(path) => {
            let error = format!("{}: that is standard input, as the data is", show(&path));
            Err(Failure::usage(error).hint("one of them needs a file or a descriptor of its own"))
        }
    }
}

/// The key of the only kind that GCM messages take.
pub fn gcm_key(secret: &Secret, purpose: Purpose) -> Result<gcm::Key, Failure> {
    let PassphraseSource { prompt, file, fd } = &secret.passphrase;
    match secret.keys().as_slice() {
        [key] if !prompt && file.is_none() && fd.is_none() => {
            key.gcm_key(&secret.reader(), purpose)
        }
        _ => Err(Failure::usage("gcm takes one key file and no passphrase")
            .hint("-k names one from `carryless keygen --kind gcm`")),
    }
}

fn from_file(path: &Path, reader: &Reader) -> Result<Passphrase, Failure> {
    let name = format!("passphrase file {}", show(path));
    let mut content = reader.content(path, &name, PASSPHRASE_LIMIT)?;
    let line = content.strip_suffix(b"\n").unwrap_or(&content);
    let len = line.strip_suffix(b"\r").unwrap_or(line).len();
    content.truncate(len);
    take(content, &name)
}

fn from_environment(variable: &str) -> Result<Option<Passphrase>, Failure> {
    let Some(value) = std::env::var_os(variable) else {
        return Ok(None);
    };
    let bytes = Zeroizing::new(value.into_encoded_bytes());
    take(bytes, variable).map(Some)
}

/// Takes what was read as a passphrase.
pub fn take(bytes: Zeroizing<Vec<u8>>, name: &str) -> Result<Passphrase, Failure> {
    Passphrase::new(bytes)
        .map_err(|error| Failure::new(Code::Key, anyhow::anyhow!("{name}: {error}")))
}
