//! From keys and a format to sealed data.

use core::time::Duration;

use carryless_file::cobblestone::Sealer;
use carryless_file::container::create;
use carryless_file::gcm;

use crate::args::{Format, Kdf, SealSecret};
use crate::exit::Failure;
use crate::input::Input;
use crate::key_file::Purpose;
use crate::message;
use crate::opening::refuse_context;
use crate::payload::Seal;
use crate::pipeline::{self, Take};
use crate::secrets::{Secrets, gcm_key, no_passphrase};

/// A format with its keys.
pub enum Sealing<'a> {
    Container(Secrets, &'a Kdf),
    Stream { secrets: Secrets, context: &'a [u8] },
    Message(gcm::Key),
}

impl<'a> Sealing<'a> {
    /// Gets the keys.
    pub fn new(
        format: Format,
        secret: &SealSecret,
        kdf: &'a Kdf,
        context: Option<&'a [u8]>,
    ) -> Result<Self, Failure> {
        if format != Format::Container && kdf.cost.is_some() {
            return Err(no_passphrase());
        }
        if format != Format::Cobblestone {
            refuse_context(context)?;
        }
        match format {
            Format::Container => Ok(Self::Container(Secrets::to_seal(secret)?, kdf)),
            Format::Cobblestone => Ok(Self::Stream {
                secrets: Secrets::to_seal(secret)?,
                context: context.unwrap_or_default(),
            }),
            Format::Gcm => {
                let others = secret.others();
                gcm_key(&secret.own, Purpose::Seal, others).map(Self::Message)
            }
        }
    }

    /// Seals all of the input; the bytes of text. What was read waits at most as long for more.
    pub fn run(
        &self,
        input: &mut Input,
        threads: usize,
        wait: Option<Duration>,
        take: &mut Take<'_>,
    ) -> Result<u64, Failure> {
        let name = input.name.clone();
        let (mut head, sealer) = match self {
            Self::Container(secrets, kdf) => {
                let created = create(secrets.cipher(), &secrets.locks(kdf)?);
                let (header, sealer) = created.map_err(|error| Failure::container(&name, error))?;
                (header.as_bytes().to_vec(), sealer)
            }
            Self::Stream { secrets, context } => {
                let sealer = Sealer::new(secrets.only_key("cobblestone")?, context);
                let sealer = sealer.map_err(|error| Failure::stream(&name, error))?;
                (Vec::new(), sealer)
            }
            Self::Message(key) => return message::seal(key, input, threads, take),
        };
        head.extend(sealer.header());
        // Of a file it is written with what follows, which for a short one is all; what else there is may be long in coming.
        if input.len().is_none() {
            take(&core::mem::take(&mut head))?;
        }
        let mut take = |sealed: &[u8]| {
            if head.is_empty() {
                return take(sealed);
            }
            head.extend_from_slice(sealed);
            take(&core::mem::take(&mut head))
        };
        let work = Seal::new(sealer, input.len(), wait, &name);
        pipeline::run(&work, input, threads, &mut take)
    }
}
