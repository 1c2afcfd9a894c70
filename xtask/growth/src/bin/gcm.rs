//! A program that seals and opens with one key size.

use carryless::Aes256Gcm;

fn main() {
    growth::small_program(|key, text| {
        let gcm = Aes256Gcm::from_slice(key).ok()?;
        let tag = gcm.seal_in_place(&[1; 12], b"aad", text).ok()?;
        gcm.open_in_place(&[1; 12], b"aad", text, &tag).ok()
    });
}
