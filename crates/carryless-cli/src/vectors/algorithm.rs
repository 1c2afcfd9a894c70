//! The algorithms: what each accepts, and what makes its keys. Requests, `info`, the benchmark and the self-test go by
//! this one table.

use core::ops::RangeInclusive;

use super::answer::{Answer, Error, Kind};
use super::call::Call;
use super::cipher::{self, Mode};
use super::{aead, hash, mac, part};

/// An algorithm of the protocol. All engines run it.
pub struct Algorithm {
    pub name: &'static str,
    /// Bytes of a key.
    pub keys: &'static [usize],
    /// Bytes of a nonce, a tweak or a first counter block; 0 where there is none.
    pub ivs: RangeInclusive<usize>,
    /// Bytes of a tag; nothing where there is none.
    pub tags: &'static [usize],
    /// Ways through the library: to seal, encrypt, authenticate or hash, and back.
    pub paths: [&'static [&'static str]; 2],
    pub family: Family,
}

/// What a key does, and how one is made for an engine, of sizes that were checked.
pub enum Family {
    Aead(aead::New),
    Mac(mac::New),
    Cipher(Mode, cipher::New),
    Hash(hash::New),
    /// No algorithm for messages: operations by their names.
    Part(&'static [(&'static str, Operation)]),
}

type Operation = fn(&Call<'_>) -> Result<Answer, Error>;

/// Of AES and of LEA.
const KEYS: &[usize] = &[16, 24, 32];
const NONE: RangeInclusive<usize> = 0..=0;
const BLOCK: RangeInclusive<usize> = 16..=16;

const ONE_SHOT: &[&str] = &["into", "in-place"];
const STREAM: &[&str] = &["into", "in-place", "stream"];
const CBC: &[&str] = &["into", "in-place", "stream", "batch"];
const CTR: &[&str] = &["into", "in-place", "stream", "segments"];
const SEAL: &[&str] = &["into", "in-place", "stream", "scatter", "batch", "segments"];
const OPEN: &[&str] = &["into", "in-place", "stream", "batch", "segments"];

/// All of them.
pub static ALGORITHMS: [Algorithm; 20] = [
    Algorithm {
        name: "aes-gcm",
        keys: KEYS,
        ivs: 1..=usize::MAX,
        tags: &[4, 8, 12, 13, 14, 15, 16],
        paths: [SEAL, OPEN],
        family: Family::Aead(aead::gcm),
    },
    Algorithm {
        name: "xaes-256-gcm",
        keys: &[32],
        ivs: 24..=24,
        tags: &[16],
        paths: [SEAL, OPEN],
        family: Family::Aead(aead::xaes),
    },
    Algorithm {
        name: "aes-gcm-siv",
        keys: &[16, 32],
        ivs: 12..=12,
        tags: &[16],
        paths: [ONE_SHOT; 2],
        family: Family::Aead(aead::gcm_siv),
    },
    Algorithm {
        name: "aes-ccm",
        keys: KEYS,
        ivs: 7..=13,
        tags: &[4, 6, 8, 10, 12, 14, 16],
        paths: [STREAM; 2],
        family: Family::Aead(aead::ccm),
    },
    Algorithm {
        name: "gmac",
        keys: KEYS,
        ivs: 1..=usize::MAX,
        tags: &[4, 8, 12, 13, 14, 15, 16],
        paths: [&["into", "stream"]; 2],
        family: Family::Mac(mac::gmac),
    },
    Algorithm {
        name: "aes-cmac",
        keys: KEYS,
        ivs: NONE,
        tags: &[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
        paths: [&["into", "stream", "batch"], &["into", "stream"]],
        family: Family::Mac(mac::cmac),
    },
    Algorithm {
        name: "aes-ecb",
        keys: KEYS,
        ivs: NONE,
        tags: &[],
        paths: [ONE_SHOT; 2],
        family: Family::Cipher(Mode::Ecb, cipher::ecb),
    },
    Algorithm {
        name: "aes-cbc",
        keys: KEYS,
        ivs: BLOCK,
        tags: &[],
        paths: [CBC, STREAM],
        family: Family::Cipher(Mode::Cbc, cipher::cbc),
    },
    Algorithm {
        name: "aes-ctr",
        keys: KEYS,
        ivs: BLOCK,
        tags: &[],
        paths: [CTR; 2],
        family: Family::Cipher(Mode::Ctr, cipher::ctr),
    },
    Algorithm {
        name: "aes-xts",
        keys: &[32, 64],
        ivs: BLOCK,
        tags: &[],
        paths: [&["into", "in-place", "batch"]; 2],
        family: Family::Cipher(Mode::Xts, cipher::xts),
    },
    Algorithm {
        name: "ghash",
        keys: &[16],
        ivs: NONE,
        tags: &[],
        paths: [&["into", "stream"], &[]],
        family: Family::Hash(hash::ghash),
    },
    Algorithm {
        name: "lea-gcm",
        keys: KEYS,
        ivs: 1..=usize::MAX,
        tags: &[4, 8, 12, 13, 14, 15, 16],
        paths: [SEAL, OPEN],
        family: Family::Aead(aead::lea_gcm),
    },
    Algorithm {
        name: "lea-ecb",
        keys: KEYS,
        ivs: NONE,
        tags: &[],
        paths: [ONE_SHOT; 2],
        family: Family::Cipher(Mode::Ecb, cipher::lea_ecb),
    },
    Algorithm {
        name: "lea-cbc",
        keys: KEYS,
        ivs: BLOCK,
        tags: &[],
        paths: [CBC, STREAM],
        family: Family::Cipher(Mode::Cbc, cipher::lea_cbc),
    },
    Algorithm {
        name: "lea-ctr",
        keys: KEYS,
        ivs: BLOCK,
        tags: &[],
        paths: [CTR; 2],
        family: Family::Cipher(Mode::Ctr, cipher::lea_ctr),
    },
    Algorithm {
        name: "lea-sgcm",
        keys: KEYS,
        ivs: 1..=usize::MAX,
        tags: &[16],
        paths: [STREAM; 2],
        family: Family::Aead(aead::lea_sgcm),
    },
    Algorithm {
        name: "lea",
        keys: KEYS,
        ivs: NONE,
        tags: &[],
        paths: [&["into"], &[]],
        family: Family::Part(&[("schedule", part::lea_schedule)]),
    },
    Algorithm {
        name: "aes-sgcm",
        keys: KEYS,
        ivs: 1..=usize::MAX,
        tags: &[16],
        paths: [STREAM; 2],
        family: Family::Aead(aead::aes_sgcm),
    },
    Algorithm {
        name: "sghash",
        keys: &[16],
        ivs: NONE,
        tags: &[],
        paths: [&["into", "stream"], &[]],
        family: Family::Hash(hash::sghash),
    },
    Algorithm {
        name: "sgcm-field",
        keys: &[],
        ivs: NONE,
        tags: &[],
        paths: [&["into"], &[]],
        family: Family::Part(&[("add", part::field_add), ("mul", part::field_mul)]),
    },
];

impl Algorithm {
    pub fn find(name: &str) -> Option<&'static Self> {
        ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
    }

    /// Those for messages.
    pub fn of_messages() -> impl Iterator<Item = &'static Self> {
        let all = ALGORITHMS.iter();
        all.filter(|algorithm| !matches!(algorithm.family, Family::Part(_)))
    }

    /// Whether a text may have this length, without padding.
    pub fn takes(&self, len: usize) -> bool {
        match &self.family {
            Family::Cipher(Mode::Ecb | Mode::Cbc, _) | Family::Hash(_) => len.is_multiple_of(16),
            Family::Cipher(Mode::Xts, _) => (16..=1 << 24).contains(&len),
            Family::Aead(_) if self.name == "aes-ccm" => len < 1 << (8 * (15 - self.iv_len())),
            _ => true,
        }
    }

    /// Bytes of a key for a cipher of this key length in bits; of XTS two make one.
    pub fn key_len(&self, bits: u32) -> Option<usize> {
        let ciphers = match self.family {
            Family::Cipher(Mode::Xts, _) => 2,
            _ => 1,
        };
        let mut keys = self.keys.iter().copied();
        keys.find(|len| *len * 8 == ciphers * bits as usize)
    }

    /// The usual length of what a message begins with.
    pub fn iv_len(&self) -> usize {
        12.clamp(*self.ivs.start(), *self.ivs.end())
    }

    /// Whether a path can have this nonce: packets and segments of GCM take 12 bytes, runs of sectors count in 64 bits.
    pub fn path_takes(&self, path: &str, iv: &[u8]) -> bool {
        match (&self.family, path) {
            (Family::Aead(_), "batch" | "segments") => !self.ivs.contains(&12) || iv.len() == 12,
            (Family::Cipher(Mode::Xts, _), "batch") => cipher::among_three(iv).is_some(),
            _ => true,
        }
    }

    /// The first of key, IV and tag that has a wrong length.
    pub fn check_sizes(&self, key: &[u8], iv: &[u8], tag_len: usize) -> Result<(), Error> {
        let kind = if !self.keys.contains(&key.len()) {
            Kind::KeyLength
        } else if !self.ivs.contains(&iv.len()) {
            Kind::IvLength
        } else if !self.tags.is_empty() && !self.tags.contains(&tag_len) {
            Kind::TagLength
        } else {
            return Ok(());
        };
        Err(Error::of(kind))
    }
}

/// What is made of the cipher, as type `$C`, whose keys have this length; of the last with any other, which refuses it.
macro_rules! by_key {
    ($key:ident, $C:ident => $made:expr; AES) => {
        by_key!($key, $C => $made; 16 Aes128, 24 Aes192, Aes256)
    };
    ($key:ident, $C:ident => $made:expr; LEA) => {
        by_key!($key, $C => $made; 16 Lea128, 24 Lea192, Lea256)
    };
    ($key:ident, $C:ident => $made:expr; $($len:literal $Cipher:ident,)+ $Last:ident) => {
        match $key.len() {
            $($len => {
                type $C = $Cipher;
                $made
            })+
            _ => {
                type $C = $Last;
                $made
            }
        }
    };
}
pub(super) use by_key;

/// What is made of the length of tags, as constant `$TAG`.
macro_rules! by_tag {
    ($tag_len:ident, $TAG:ident => $made:expr; $($len:literal)*) => {
        match $tag_len {
            $($len => {
                const $TAG: usize = $len;
                $made
            })*
            got => Err(InputError::Tag { got, expected: 16 }.into()),
        }
    };
}
pub(super) use by_tag;
