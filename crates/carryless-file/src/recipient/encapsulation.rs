//! HPKE (RFC 9180) in base mode, of which the exporter gives the slot key: the AEAD of its context is not
//! used, as a slot is sealed like all others, which commits to its key.

use core::convert::Infallible;

use hpke::aead::ExportOnlyAead;
use hpke::kdf::HkdfSha256;
use hpke::kem::{X25519HkdfSha256, XWing};
use hpke::rand_core::{TryCryptoRng, TryRng, utils::next_word_via_fill};
use hpke::{Deserializable, HpkeError, OpModeR, OpModeS, Serializable};
use hpke::{setup_receiver, setup_sender_with_rng};
use zeroize::Zeroizing;

use super::{Identity, Kem, Recipient};
use crate::cobblestone::{Error, Key};
use crate::secret::burning_deep;

/// What the exporter is asked for.
const SLOT_KEY: &[u8] = b"slot key";
/// Random bytes that an encapsulation takes, at most.
const RANDOM_LEN: usize = 64;
/// Bytes of a point of X25519, with which public and encapsulated keys of each kind end.
const POINT_LEN: usize = 32;

/// A slot key on its way out of HPKE. Boxed: it stays where it is until it is wiped.
type Exported = Box<Zeroizing<[u8; 32]>>;

/// Random bytes that were drawn before, so that a source that fails is an error and no panic.
struct Drawn<'a>(&'a [u8]);

impl TryRng for Drawn<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        next_word_via_fill(self)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        next_word_via_fill(self)
    }

    fn try_fill_bytes(&mut self, into: &mut [u8]) -> Result<(), Infallible> {
        let (now, later) = self.0.split_at(into.len());
        into.copy_from_slice(now);
        self.0 = later;
        Ok(())
    }
}

impl TryCryptoRng for Drawn<'_> {}

impl Recipient {
    /// A new slot key, and what its identity gets that from. `info` is what both are bound to.
    pub(crate) fn encapsulate(&self, info: &[u8]) -> Result<(Vec<u8>, Key), Error> {
        let mut random = Box::new(Zeroizing::new([0; RANDOM_LEN]));
        getrandom::fill(&mut random[..]).map_err(|_| Error::Random)?;
        let mut exported = Exported::default();
        let send = self.kem.calls().send;
        let sent = burning_deep(|| send(&self.public, info, &random[..], &mut exported));
        let encapsulated = sent.expect("it takes keys: that was tried when it was made");
        Ok((encapsulated, Key::from_slice(&exported[..])?))
    }

    /// Whether keys can be encapsulated to it. A point of small order gives everybody the same secret;
    /// one with the bit that is ignored is no identity's, as the encoding is hashed too.
    pub(super) fn takes_keys(&self) -> bool {
        let canonical = self.public.last().is_some_and(|byte| byte >> 7 == 0);
        canonical && adds_a_secret(&self.public) && takes_keys(self.kem.calls().send, &self.public)
    }
}

impl Identity {
    /// The slot key that was encapsulated, if `encapsulated` can be what that gave; to another identity
    /// it is another key.
    ///
    /// # Constant time
    /// Secret: the identity and the slot key. Public: whether there is one.
    pub(crate) fn decapsulate(&self, info: &[u8], encapsulated: &[u8]) -> Option<Key> {
        // X-Wing's draft lets implementations do as they like with what adds nothing; HPKE refuses it.
        if !adds_a_secret(encapsulated) {
            return None;
        }
        let mut exported = Exported::default();
        let receive = self.kem.calls().receive;
        let received = burning_deep(|| receive(self.as_bytes(), info, encapsulated, &mut exported));
        received.ok()?;
        Key::from_slice(&exported[..]).ok()
    }
}

/// The public key of an identity.
pub(super) fn public_key(identity: &Identity) -> Box<[u8]> {
    let public = identity.kem.calls().public;
    burning_deep(|| public(identity.as_bytes()))
}

/// Whether a public or encapsulated key ends with a point that gives who multiplies it a secret: one of small
/// order gives zeros, whoever multiplies it.
fn adds_a_secret(key: &[u8]) -> bool {
    let point = key.last_chunk::<POINT_LEN>();
    point.is_some_and(|point| takes_keys(send::<X25519HkdfSha256>, point))
}

fn takes_keys(send: Send, public: &[u8]) -> bool {
    send(public, b"", &[1; RANDOM_LEN], &mut Exported::default()).is_ok()
}

/// A public key, what both are bound to, random bytes.
type Send = fn(&[u8], &[u8], &[u8], &mut Exported) -> Result<Vec<u8>, HpkeError>;
/// An identity, what both are bound to, the encapsulated key.
type Receive = fn(&[u8], &[u8], &[u8], &mut Exported) -> Result<(), HpkeError>;

/// What HPKE does with a mechanism.
struct Calls {
    send: Send,
    receive: Receive,
    public: fn(&[u8]) -> Box<[u8]>,
}

impl Calls {
    const fn of<K: hpke::Kem>() -> Self {
        Self {
            send: send::<K>,
            receive: receive::<K>,
            public: public::<K>,
        }
    }
}

impl Kem {
    const fn calls(self) -> Calls {
        match self {
            Self::X25519 => Calls::of::<X25519HkdfSha256>(),
            Self::XWing => Calls::of::<XWing>(),
        }
    }
}

fn send<K: hpke::Kem>(
    public: &[u8],
    info: &[u8],
    random: &[u8],
    key: &mut Exported,
) -> Result<Vec<u8>, HpkeError> {
    let public = K::PublicKey::from_bytes(public)?;
    let mut random = Drawn(random);
    let (encapsulated, context) = setup_sender_with_rng::<ExportOnlyAead, HkdfSha256, K>(
        &OpModeS::Base,
        &public,
        info,
        &mut random,
    )?;
    context.export(SLOT_KEY, &mut key[..])?;
    Ok(encapsulated.to_bytes().to_vec())
}

fn receive<K: hpke::Kem>(
    secret: &[u8],
    info: &[u8],
    encapsulated: &[u8],
    key: &mut Exported,
) -> Result<(), HpkeError> {
    let secret = K::PrivateKey::from_bytes(secret)?;
    let encapsulated = K::EncappedKey::from_bytes(encapsulated)?;
    setup_receiver::<ExportOnlyAead, HkdfSha256, K>(&OpModeR::Base, &secret, &encapsulated, info)?
        .export(SLOT_KEY, &mut key[..])
}

fn public<K: hpke::Kem>(secret: &[u8]) -> Box<[u8]> {
    let secret = K::PrivateKey::from_bytes(secret).expect("identities have their length");
    K::sk_to_pk(&secret).to_bytes().to_vec().into()
}
