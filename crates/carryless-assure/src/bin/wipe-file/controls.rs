//! The seeded faults that each run must find.

use core::hint::black_box;

use carryless_file::container::Passphrase;
use carryless_file::recipient::Kem;
use x25519_dalek::x25519;

use crate::hpke;
use crate::keys::{bytes, user_key};
use crate::needles::add_user_key;
use crate::report::Traces;
use crate::secrets::Secrets;

/// What the search noticed, by fault.
pub(crate) fn caught() -> Result<Vec<String>, String> {
    let key = user_key(7, 32);
    let mut secrets = Secrets::default();
    add_user_key(&mut secrets, &key);
    let passphrase = bytes::<40>(8);
    secrets.add("passphrase", &passphrase);
    let (identity, point) = (bytes(16), bytes(17));
    hpke::slot_keys(&mut secrets, (Kem::X25519, &identity), &point, b"");
    let hybrid = bytes(18);
    hpke::add_identity(&mut secrets, Kem::XWing, &hybrid);
    let faults: [(&str, &dyn Fn()); 7] = [
        ("a copy of a key that is dropped", &|| {
            drop(black_box(key.clone()))
        }),
        ("digits of a key that grow", &|| {
            let mut digits = zeroize::Zeroizing::new(String::new());
            for byte in &key {
                *digits += &format!("{byte:02x}");
            }
        }),
        ("a copy of a key that is never dropped", &|| {
            black_box(key.clone().leak());
        }),
        ("a function that leaves a key on its frame", &|| leave(&key)),
        ("a product of an identity whose stack is left", &|| {
            black_box(x25519(black_box(identity), point));
        }),
        ("a key of ML-KEM whose stack is left", &|| {
            black_box(x_wing::DecapsulationKey::from(black_box(hybrid)));
        }),
        ("a passphrase that is never dropped", &|| {
            core::mem::forget(black_box(Passphrase::new(passphrase.to_vec())));
        }),
    ];
    let catch = |(fault, call): (&str, &dyn Fn())| {
        let found = Traces::of(call).find(&secrets);
        let (place, what) = found
            .first()
            .ok_or_else(|| format!("{fault}: not noticed"))?;
        Ok(format!(
            "{fault}: caught: {} windows, the first of a {what}, {place}",
            found.len()
        ))
    };
    faults.into_iter().map(catch).collect()
}

/// Copies a key to its frame and forgets it there.
#[inline(never)]
fn leave(key: &[u8]) {
    let mut copy = [0; 32];
    copy.copy_from_slice(key);
    black_box(&copy);
}
