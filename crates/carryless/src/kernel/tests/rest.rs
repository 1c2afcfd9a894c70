//! What ends messages of compact engines, which are those of Arm, on every CPU: against the reference.

use super::*;
use crate::block::Half;
use crate::kernel::gcm::{rest, tail::Before};
use crate::kernel::ghash;
use crate::kernel::message::{Direction, Header, Open, Seal};
use crate::kernel::product::{HashKey, Powers};

use super::reference::Gcm;

/// As many as `aesni` has.
type Hash = Powers<10, 8, 24>;

/// The powers of a key, which may be spoilt.
struct Table {
    h: Vec<Lane>,
    d: Vec<Lane>,
}

impl HashKey for Table {
    const POWERS: usize = Hash::POWERS;
    fn h(&self) -> &[Lane] {
        &self.h
    }
    fn d(&self) -> &[Lane] {
        &self.d
    }
    fn sums(&self) -> &[Half] {
        &[]
    }
}

/// What is done to the powers beforehand.
type Spoil<'s> = &'s dyn Fn(&mut Table);

/// A message of which some turns are done.
struct Case<'c> {
    j0: Counter,
    aad: &'c [u8],
    text: &'c [u8],
    /// Bytes of text that are done.
    done: usize,
}

impl Case<'_> {
    /// What is wrong if the rest is sealed, or opened: the text or the tag; the key has so many rounds.
    fn check<S: Simd<Narrow = S>, D: Direction, const K: usize, const L: usize>(
        &self,
        s: S,
        key: &[u8; L],
        spoil: Spoil<'_>,
    ) -> Result<(), String> {
        let (gcm, j0) = (Gcm::new(key), self.j0.to_block());
        let ciphertext = gcm.ctr(&j0, self.text);
        let tag = gcm.tag(&j0, self.aad, &ciphertext);
        let enc = schedule::expand::<_, K, L>(s, key);
        let hash = Hash::new(s, &Aes::new(key).encrypt(&[0; 16]));
        let mut header = Header::whole(self.aad);
        if self.done > 0 {
            for part in [self.aad, &ciphertext[..self.done]] {
                ghash::absorb(s, &hash, &mut header.acc, part).unwrap();
            }
            (header.aad, header.done) = (&[], self.done);
        }
        let (given, right) = if D::SEAL {
            (self.text, &ciphertext[..])
        } else {
            (&ciphertext[..], self.text)
        };
        let (h, d) = (hash.h().to_vec(), hash.d().to_vec());
        let mut table = Table { h, d };
        spoil(&mut table);
        let mut made = given[self.done..].to_vec();
        let before = Before::new(s, &table, self.j0, &header, made.len());
        let (enc, count) = (enc.of::<aes::Any>(), self.done as u32 / 16 + 1);
        let text = InOut::in_place(&mut made);
        let got = rest::pass::<_, _, _, D>(s, enc, &table, before, count, text).unwrap();
        let wrong = if made != right[self.done..] {
            "the text"
        } else if s.words(got) != Counter::from_block(&tag).words() {
            "the tag"
        } else {
            return Ok(());
        };
        let (len, aad, done) = (made.len(), self.aad.len(), self.done);
        Err(format!("{wrong} of {len} bytes behind {done}, AAD {aad}"))
    }
}

/// Messages of each length of the rest, of AADs up to three blocks, behind a turn or none, counted over bytes and the word.
fn messages<S: Simd<Narrow = S>>(s: S, spoil: Spoil<'_>) -> Result<usize, String> {
    let bytes: Vec<u8> = (0..300).map(|i: usize| (i * 37 + i / 256) as u8).collect();
    let mut count = 0;
    for len in 1..=16 * TURN + 33 {
        let cases = [(0, 0), (5, 0), (16, 0), (33, 0), (0, 128), (20, 128)];
        for (i, (aad, done)) in cases.into_iter().enumerate() {
            let edge = [1, 0xff, 0xfffe, 0x00ff_fffd, 0xffff_fffc][(len + i) % 5];
            let j0 = Counter::from_nonce(&[0xf9; 12]).with_count(edge);
            let (aad, text) = (&bytes[..aad], &bytes[..done + len]);
            let case = Case {
                j0,
                aad,
                text,
                done,
            };
            case.check::<_, Seal, 11, 16>(s, &[7; 16], spoil)?;
            case.check::<_, Open, 11, 16>(s, &[7; 16], spoil)?;
            if i % 2 == 0 {
                case.check::<_, Seal, 15, 32>(s, &[9; 32], spoil)?;
                count += 3;
                continue;
            }
            case.check::<_, Open, 15, 32>(s, &[9; 32], spoil)?;
            case.check::<_, Seal, 13, 24>(s, &[8; 24], spoil)?;
            case.check::<_, Open, 13, 24>(s, &[8; 24], spoil)?;
            count += 5;
        }
    }
    Ok(count)
}

#[test]
fn c1_messages_of_every_length_end_right() {
    fn test<S: Simd>(name: &str, s: S) {
        let made = messages(s.narrow(), &|_| {});
        let count = made.unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("C1 {name}: {count} messages that end in pairs of blocks");
    }
    each_token!(test);
}

#[test]
fn control_c1_each_power_that_ends_a_message_is_noticed() {
    fn test<S: Simd>(name: &str, s: S) {
        for power in 1..=3 {
            let at = Hash::POWERS - power;
            let spoils: [Spoil<'_>; 2] = [&|table| table.h[at].0[3] ^= 4, &|table| {
                table.d[at].0[9] ^= 1
            }];
            for spoil in spoils {
                let error = messages(s.narrow(), spoil).unwrap_err();
                assert!(error.starts_with("the tag"), "{error}");
                println!("{name}: caught: H^{power}: {error}");
            }
        }
    }
    each_token!(test);
}
