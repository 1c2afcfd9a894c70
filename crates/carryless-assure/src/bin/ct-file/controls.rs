//! Seeded faults, each behind a derivation or an opening: secrets must still be known as such there.

use core::hint::black_box;

use carryless_assure::early_exit_equal;
use carryless_file::cobblestone::Key;
use carryless_file::container::Credential;
use carryless_file::key_file;
use carryless_file::recipient::{Identity, Kem};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha512;

use crate::cases::{Desk, opened};
use crate::probe::{Poison, Probe};

/// A seeded fault.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Control {
    /// A comparison of MACs that stops at the first byte that differs.
    EarlyExit,
    /// Digits of a key from a table.
    Digits,
    /// Such a comparison of what an identity was multiplied to.
    Product,
    /// A branch on the text of a container.
    Text,
}

impl Control {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "early-exit" => Some(Self::EarlyExit),
            "digits" => Some(Self::Digits),
            "product" => Some(Self::Product),
            "text" => Some(Self::Text),
            _ => None,
        }
    }

    /// Makes the faulty call under watch.
    pub(crate) fn run(self, probe: &mut Poison) -> Result<(), String> {
        let desk = Desk::new(16);
        let mut raw = desk.key.clone();
        probe.case(&format!("control {self:?}"));
        probe.secret(&mut raw);
        match self {
            Self::EarlyExit => {
                let mut mac = Hmac::<Sha512>::new_from_slice(&raw).map_err(|_| "no key")?;
                mac.update(b"header");
                let right = mac.finalize().into_bytes();
                black_box(early_exit_equal(&right, &[0; 64], black_box(64)));
            }
            Self::Product => {
                let secret = raw.repeat(2);
                let secret = secret.first_chunk().ok_or("no identity")?;
                let product = Identity::from_bytes(Kem::X25519, secret).recipient();
                black_box(early_exit_equal(
                    product.as_bytes(),
                    &[0; 32],
                    black_box(32),
                ));
            }
            Self::Digits => {
                let key = Key::from_slice(&raw).map_err(|error| error.to_string())?;
                black_box(key_file::format(&key).len());
            }
            Self::Text => {
                let key = Key::from_slice(&raw).map_err(|error| error.to_string())?;
                let text = opened(&Credential::Key(&key), &desk.container)?;
                if black_box(text[0]) & 1 == 1 {
                    black_box(odd());
                }
            }
        }
        println!("control {self:?}: 1 calls");
        Ok(())
    }
}

/// With a call in one arm a branch can't become a conditional move.
#[inline(never)]
fn odd() -> &'static str {
    black_box("odd")
}
