//! The keys and passphrases of a call.

use std::path::PathBuf;

use carryless_file::cobblestone::{Cipher, Key};
use carryless_file::container::{Credential, Header, KeyId, Lock, Passphrase};
use carryless_file::gcm;
use carryless_file::recipient::{Identity, Recipient};

use crate::args::{Kdf, OpenSecret, PassphraseSource, RekeySecret, SealSecret, Secret};
use crate::exit::{Code, Failure, show};
use crate::identity::is_stdin;
use crate::key_file::{KeyFile, Purpose};
use crate::secret_file::{Reader, check_memory};
use crate::{passphrase, recipients};

/// What opens, or is to open, a file.
#[derive(Default)]
pub struct Secrets {
    keys: Vec<Key>,
    passphrases: Vec<Passphrase>,
    /// Of what opens.
    identities: Vec<Identity>,
    /// Of what is to open.
    recipients: Vec<Recipient>,
    /// What a try of one may take.
    max_kdf_kib: u32,
}

impl Secrets {
    /// Those that open what there is.
    pub fn to_open(secret: &OpenSecret, reader: &Reader) -> Result<Self, Failure> {
        let identity = |path: &PathBuf| recipients::identity(path, reader);
        let identities = secret.identity.iter().map(identity);
        let others = Self {
            identities: identities.collect::<Result<_, _>>()?,
            ..Self::default()
        };
        others.and(reader, &secret.keys(), &secret.own.passphrase, &Asked::ONCE)
    }

    /// Those for a new file: a passphrase that is typed is typed twice.
    pub fn to_seal(secret: &SealSecret) -> Result<Self, Failure> {
        let others = Self {
            recipients: recipients::all(&secret.recipient, &secret.recipients_file)?,
            ..Self::default()
        };
        let (keys, passphrase) = (secret.keys(), &secret.own.passphrase);
        others.and(&secret.own.reader(), &keys, passphrase, &Asked::TWICE)
    }

    /// Those that an old file gets.
    pub fn to_rekey(secret: &RekeySecret, reader: &Reader) -> Result<Self, Failure> {
        let others = Self {
            recipients: recipients::all(&secret.new_recipient, &secret.new_recipients_file)?,
            ..Self::default()
        };
        let passphrase = secret.own.passphrase();
        others.and(reader, &secret.own.keys(), &passphrase, &Asked::NEW)
    }

    /// With keys and passphrases beside identities or recipients.
    fn and(
        self,
        reader: &Reader,
        key_files: &[KeyFile],
        source: &PassphraseSource,
        asked: &Asked,
    ) -> Result<Self, Failure> {
        let keys = key_files.iter().map(|file| file.key(reader, asked.purpose));
        let keys: Vec<Key> = keys.collect::<Result<_, _>>()?;
        let named = passphrase::read(source, reader, asked.purpose)?;
        let passphrases: Vec<Passphrase> = match named {
            None if keys.is_empty() && self.has_no_others() => {
                passphrase::from_environment(asked.variable)?
            }
            named => named,
        }
        .into_iter()
        .collect();
        let passphrases = if asked.purpose == Purpose::Seal {
            let shared = passphrases.into_iter().map(Passphrase::for_many_files);
            let shared: Result<_, _> = shared.collect();
            shared.map_err(|error| Failure::container("passphrase", error))?
        } else {
            passphrases
        };
        if keys.is_empty() && passphrases.is_empty() && self.has_no_others() {
            return Err(Failure::usage("it needs a key or a passphrase").hint(asked.hint));
        }
        let all = Self {
            keys,
            passphrases,
            max_kdf_kib: reader.max_kdf_kib(),
            ..self
        };
        if asked.purpose == Purpose::Seal {
            all.refuse_repeated()?;
        }
        Ok(all)
    }

    const fn has_no_others(&self) -> bool {
        self.identities.is_empty() && self.recipients.is_empty()
    }

    /// Fails for a key or recipient that is there twice: one slot is enough.
    fn refuse_repeated(&self) -> Result<(), Failure> {
        let mut ids: Vec<KeyId> = self.keys.iter().map(KeyId::of).collect();
        ids.sort_unstable_by_key(|id| *id.as_bytes());
        if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            let error = format!("the key with the id {} is given twice", pair[0]);
            return Err(Failure::usage(error).hint("name each key file once"));
        }
        let mut recipients: Vec<_> = self.recipients.iter().collect();
        recipients.sort_unstable_by_key(|recipient| recipient.as_bytes());
        if let Some(pair) = recipients.windows(2).find(|pair| pair[0] == pair[1]) {
            let error = format!("the recipient {} is given twice", begin(pair[0]));
            return Err(Failure::usage(error).hint("name each recipient once"));
        }
        Ok(())
    }

    /// Slots for all of them.
    ///
    /// # Errors
    /// The cost of a passphrase, and none.
    pub fn locks(&self, kdf: &Kdf) -> Result<Vec<Lock<'_>>, Failure> {
        if kdf.cost.is_some() && self.passphrases.is_empty() {
            return Err(no_passphrase());
        }
        let passphrases = self.passphrases.iter();
        let cost = kdf.argon2id();
        Ok((self.keys.iter().map(Lock::Key))
            .chain(self.recipients.iter().map(Lock::Recipient))
            .chain(passphrases.map(|passphrase| Lock::Passphrase(passphrase, cost)))
            .collect())
    }

    /// What to try, the cheap ones first.
    pub fn credentials(&self) -> impl Iterator<Item = Credential<'_>> {
        let passphrases = self.passphrases.iter().map(Credential::Passphrase);
        (self.keys.iter().map(Credential::Key))
            .chain(self.identities.iter().map(Credential::Identity))
            .chain(passphrases)
    }

    /// Fails if a try of a passphrase for this file takes more memory than it may.
    pub fn check_memory(&self, header: &Header, name: &str) -> Result<(), Failure> {
        check_memory(header, self.max_kdf_kib)
            .map_err(|error| Failure::new(Code::Other, error.context(name.to_string())))
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
            ([key], []) if self.has_no_others() => Ok(key),
            _ => Err(
                Failure::usage(format!("{format} takes one key file and nothing else"))
                    .hint("--format container takes several, passphrases and recipients too"),
            ),
        }
    }
}

/// How one asks for a passphrase.
struct Asked {
    /// Twice, where it is for something new: the slots of all files of the call.
    purpose: Purpose,
    /// Where it may be without being asked for.
    variable: &'static str,
    hint: &'static str,
}

impl Asked {
    const ONCE: Self = Self {
        purpose: Purpose::Open,
        variable: "CARRYLESS_PASSPHRASE",
        hint: "-k names a key file, -i an identity, --passphrase asks for a passphrase",
    };
    const TWICE: Self = Self {
        purpose: Purpose::Seal,
        hint: "-k names a key file, -r a recipient, --passphrase asks for a passphrase",
        ..Self::ONCE
    };
    const NEW: Self = Self {
        purpose: Purpose::Seal,
        variable: "CARRYLESS_NEW_PASSPHRASE",
        hint: "--new-key-file names a key file, --new-recipient a recipient, --new-passphrase asks for a passphrase",
    };
}

/// A recipient as messages name it: one of the longer kind fills many lines.
fn begin(recipient: &Recipient) -> String {
    let text = recipient.to_string();
    match text.get(..64) {
        Some(start) if start.len() < text.len() => format!("{start}.."),
        _ => text,
    }
}

/// The cost of a passphrase was named, and none is there.
pub fn no_passphrase() -> Failure {
    Failure::usage("--kdf-cost is what a passphrase costs, and there is none")
}

/// Fails if secrets and data would both come from standard input: what is read first would take what the
/// other is to get.
pub fn refuse_shared_stdin(
    inputs: &[PathBuf],
    mut secrets: impl Iterator<Item = PathBuf>,
) -> Result<(), Failure> {
    let Some(secret) = secrets.find(|path| is_stdin(path)) else {
        return Ok(());
    };
    let data = |path: &PathBuf| path.as_os_str() == "-" || is_stdin(path);
    if !inputs.is_empty() && !inputs.iter().any(data) {
        return Ok(());
    }
    let error = format!("{}: that is standard input, as the data is", show(&secret));
    Err(Failure::usage(error).hint("one of them needs a file or a descriptor of its own"))
}

/// The key of the only kind that GCM messages take. `others` are identities or recipients, of which they take none.
pub fn gcm_key(secret: &Secret, purpose: Purpose, others: bool) -> Result<gcm::Key, Failure> {
    match secret.keys(others).as_slice() {
        [key] if !others && !secret.passphrase.is_named() => key.gcm_key(&secret.reader(), purpose),
        _ => Err(Failure::usage("gcm takes one key file and nothing else")
            .hint("-k names one from `carryless keygen --kind gcm`")),
    }
}
