// A program as users of `aes_gcm` 0.10 write it. `gcm` is that crate or ours; nothing else changes.

use self::gcm::aead::generic_array::GenericArray;
use self::gcm::aead::{Aead, Buffer, Payload};
use self::gcm::{AeadCore, AeadInPlace, Aes128Gcm, Aes256Gcm, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, aead};

/// A buffer of the program's own.
struct Packet(Vec<u8>);

impl AsRef<[u8]> for Packet {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl AsMut<[u8]> for Packet {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Buffer for Packet {
    fn extend_from_slice(&mut self, other: &[u8]) -> aead::Result<()> {
        self.0.extend_from_slice(other);
        Ok(())
    }

    fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
}

fn generic<A: Aead + KeyInit>(key: &[u8], nonce: &[u8], text: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
    let cipher = A::new_from_slice(key).map_err(|_| Error)?;
    cipher.encrypt(GenericArray::from_slice(nonce), Payload { msg: text, aad })
}

/// Everything the program does; what it sealed, for comparison.
pub(crate) fn run() -> Result<Vec<u8>, Error> {
    let cipher = Aes256Gcm::new(Key::<Aes256Gcm>::from_slice(&[7; 32]));
    let nonce = Nonce::from_slice(&[9; 12]);
    let mut sealed = cipher.encrypt(nonce, b"plaintext message".as_ref())?;
    assert_eq!(cipher.decrypt(nonce, sealed.as_ref())?, b"plaintext message");

    let mut packet = Packet(b"in place".to_vec());
    cipher.encrypt_in_place(nonce, b"aad", &mut packet)?;
    sealed.extend_from_slice(packet.as_ref());
    cipher.decrypt_in_place(nonce, b"aad", &mut packet)?;
    assert_eq!(packet.as_ref(), b"in place");

    let mut text = *b"detached";
    let tag: Tag = cipher.encrypt_in_place_detached(nonce, b"", &mut text)?;
    sealed.extend_from_slice(&tag);
    cipher.decrypt_in_place_detached(nonce, b"", &mut text, &tag)?;
    assert_eq!(&text, b"detached");
    let mut wrong = tag;
    wrong[0] ^= 1;
    assert_eq!(cipher.decrypt_in_place_detached(nonce, b"", &mut text, &wrong), Err(Error));

    assert_eq!(Aes128Gcm::key_size(), 16);
    assert_eq!(aead::Nonce::<Aes128Gcm>::default().len(), 12);
    fn is_core<A: AeadCore>() {}
    is_core::<Aes128Gcm>();

    sealed.extend(generic::<Aes128Gcm>(&[1; 16], &[2; 12], b"generic", b"header")?);
    assert!(generic::<Aes128Gcm>(&[1; 15], &[2; 12], b"", b"").is_err());
    Ok(sealed)
}
