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

/// In a header with a slot for a key.
const MAC_BEHIND_A_KEY: Range<usize> = 60 + 115 - 32..60 + 115;

/// An identity, and a container for its recipient.
pub(crate) struct Desk {
    kem: Kem,
    /// Bytes of the header.
    head: usize,
    pub(crate) secret: [u8; 32],
    container: Vec<u8>,
}

impl Desk {
    pub(crate) fn new(kem: Kem) -> Self {
        let mut secret = [0; 32];
        Random::new(3).fill(&mut secret);
        let recipient = Identity::from_bytes(kem, &secret).recipient();
        let locks = [Lock::Recipient(&recipient)];
        let (header, sealer) = create(Cipher::Cobblestone256, &locks).expect("a lock");
        let head = header.as_bytes().len();
        let encapsulated = if kem == Kem::XWing { 1088 + 32 } else { 32 };
        assert_eq!(head, 60 + 107 + encapsulated, "the places of its parts");
        let mut chunks = vec![0; Sealer::sealed_chunks_len(TEXT_LEN, true)];
        let sealed = sealer.seal_chunks(0, &[7; TEXT_LEN], true, &mut chunks);
        sealed.expect("a text");
        let container = [header.as_bytes(), sealer.header(), &chunks].concat();
        Self {
            kem,
            head,
            secret,
            container,
        }
    }
}

pub(crate) fn all(watch: &mut Watch<'_>, desk: &Desk) -> Result<(), String> {
    let identity_of = |bytes: &[u8]| Some(Identity::from_bytes(desk.kem, bytes.try_into().ok()?));
    let layout = Layout::new(desk.head);
    watch.points = 0;
    watch.call("Identity::recipient", (&[], &[]), true, |identity, _| {
        // The highest bit of a coordinate is zero, whatever the others are.
        Some(identity_of(identity)?.recipient().as_bytes()[..31].to_vec())
    })?;
    // That the numbers of a public key of ML-KEM are below q is asked by branches: one that was made of a secret is not for
    // them.
    if desk.kem == Kem::X25519 {
        watch.points = 1;
        let tag = layout.slot_tag.clone();
        let name = "create, for its recipient";
        watch.call(name, (&[], &[]), true, |identity, _| {
            let recipient = identity_of(identity)?.recipient();
            let locks = [Lock::Recipient(&recipient)];
            let (header, _) = create(Cipher::Cobblestone256, &locks).ok()?;
            Some(header.as_bytes()[tag].to_vec())
        })?;
    }
    let parts = layout.parts();
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
