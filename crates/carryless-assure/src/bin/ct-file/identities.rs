//! Sealing for the recipient of an identity, and opening with the identity.
//!
//! What is encapsulated comes from the system, and so do file keys: secret here is the identity. The point that a
//! recipient and its identity share is, too, on either side: a recipient that was made of a secret identity is as undefined as
//! that.

use core::ops::Range;

use carryless_assure::Random;
use carryless_file::cobblestone::{Cipher, Key, Sealer};
use carryless_file::container::{Credential, Header, Lock, create};
use carryless_file::recipient::{Identity, Kem};

use crate::cases::{Layout, TEXT_LEN, Watch, opened};

/// Bytes of a header with one slot for a recipient.
const HEAD: usize = 60 + 139;
const LAYOUT: Layout = Layout::new(HEAD, 28 + 35);
/// In a header with a slot for a key.
const MAC_BEHIND_A_KEY: Range<usize> = 60 + 115 - 32..60 + 115;

/// An identity, and a container for its recipient.
pub(crate) struct Desk {
    pub(crate) secret: [u8; 32],
    container: Vec<u8>,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let mut secret = [0; 32];
        Random::new(3).fill(&mut secret);
        let recipient = Identity::from_bytes(Kem::X25519, &secret).recipient();
        let locks = [Lock::Recipient(&recipient)];
        let (header, sealer) = create(Cipher::Cobblestone256, &locks).expect("a lock");
        assert_eq!(header.as_bytes().len(), HEAD, "the places above");
        let mut chunks = vec![0; Sealer::sealed_chunks_len(TEXT_LEN, true)];
        let sealed = sealer.seal_chunks(0, &[7; TEXT_LEN], true, &mut chunks);
        sealed.expect("a text");
        let container = [header.as_bytes(), sealer.header(), &chunks].concat();
        Self { secret, container }
    }
}

/// The identity of a call.
fn identity_of(bytes: &[u8]) -> Option<Identity> {
    Some(Identity::from_bytes(Kem::X25519, bytes.try_into().ok()?))
}

pub(crate) fn all(watch: &mut Watch<'_>, desk: &Desk) -> Result<(), String> {
    watch.call("Identity::recipient", (&[], &[]), true, |identity, _| {
        // The highest bit of a coordinate is zero, whatever the others are.
        Some(identity_of(identity)?.recipient().as_bytes()[..31].to_vec())
    })?;
    watch.points = 1;
    watch.call(
        "create, for its recipient",
        (&[], &[]),
        true,
        |identity, _| {
            let recipient = identity_of(identity)?.recipient();
            let (header, _) =
                create(Cipher::Cobblestone256, &[Lock::Recipient(&recipient)]).ok()?;
            Some(header.as_bytes()[LAYOUT.slot_tag].to_vec())
        },
    )?;
    let parts = LAYOUT.parts();
    let file = &desk.container;
    watch.openings("start", file, &parts, |identity, file| {
        opened(&Credential::Identity(&identity_of(identity)?), file).ok()
    })?;
    let key = Key::from_slice(&[7; 32]).expect("a length");
    watch.openings("rekey", file, &parts[..3], |identity, file| {
        let identity = identity_of(identity)?;
        let header = Header::parse(file).ok()?;
        let unlocked = header.unlock(&Credential::Identity(&identity)).ok()?;
        let header = unlocked.rekey(&[Lock::Key(&key)]).ok()?;
        Some(header.as_bytes()[MAC_BEHIND_A_KEY].to_vec())
    })
}
