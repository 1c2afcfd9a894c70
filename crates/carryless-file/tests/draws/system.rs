//! What the formats draw is what the system gave, byte for byte, and no call is without a draw.

use carryless_file::cobblestone::{Cipher, Key, Sealer};
use carryless_file::container::{Credential, Lock, create};
use carryless_file::gcm;

use super::{Secrets, drawn_in, gcm_key, key};
use crate::traced::{self, Values};

/// So many of each, in turns.
const TURNS: usize = 200;
/// The file key of a container, which nobody shows.
const FILE_KEY: usize = 32;

fn all() -> Values {
    let mut values = Values::new();
    let stream = Key::from_slice(&[5; 16]).expect("a key length");
    let message = gcm::Key::from_slice(&[5; 32]).expect("a key length");
    for turn in 0..TURNS {
        let mut add = |what: &str, value: Vec<u8>| values.push((format!("{what} {turn}"), value));
        add("key of 16 bytes", key(Cipher::Cobblestone128));
        add("key of 32 bytes", key(Cipher::Cobblestone256));
        add("gcm key of 16 bytes", gcm_key(16));
        add("gcm key of 32 bytes", gcm_key(32));
        let sealer = Sealer::new(&stream, b"").expect("random bytes");
        add("salt", sealer.header()[..24].to_vec());
        let sealer = gcm::Sealer::new(&message).expect("random bytes");
        add("gcm nonce", sealer.nonce().to_vec());
    }
    let secrets = Secrets::some();
    let locks = secrets.locks();
    for turn in 0..TURNS {
        let (header, sealer) = create(Cipher::Cobblestone256, &locks).expect("a header");
        let salt = sealer.header()[..24].to_vec();
        values.push((format!("salt of payload {turn}"), salt));
        let header_of = |header| {
            let mut drawn = std::collections::BTreeMap::new();
            drawn_in(header, &mut drawn);
            let alone = |(name, _): &(String, _)| {
                name.contains("file ids") || name.contains("salts of slot ")
            };
            let each = drawn.into_iter().filter(alone);
            each.flat_map(|(name, values)| {
                values.into_iter().map(move |value| (name.clone(), value))
            })
        };
        values.extend(header_of(&header));
        let Lock::Key(key) = locks[0] else {
            panic!("a key first")
        };
        let unlocked = header.unlock(&Credential::Key(key)).expect("its key");
        let rekeyed = unlocked.rekey(&locks[2..]).expect("a header");
        // The file, and so its id, stays what it is.
        values.extend(header_of(&rekeyed).filter(|(name, _)| name != "file ids"));
    }
    values
}

#[test]
fn u7_all_that_is_drawn_is_what_the_system_gave() {
    let test = "system::u7_all_that_is_drawn_is_what_the_system_gave";
    if let Some(count) = traced::compare(test, &[FILE_KEY; TURNS], all) {
        println!("U7 keys, nonces, ids and salts: {count} are what the system gave");
    }
}
