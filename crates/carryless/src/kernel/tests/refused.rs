//! A kernel that is called with a length that is not for it, or with too few powers of H, refuses.

use core::fmt::Debug;
use std::println;
use std::vec;

use super::*;
use crate::block::{Half, Tag};
use crate::kernel::Refused;
use crate::kernel::aes::Ten;
use crate::kernel::batch::{Item, MESSAGES, lanes::Batch, masked, queue};
use crate::kernel::gcm::rest;
use crate::kernel::gcm::tail::{self, Before};
use crate::kernel::message::{Direction, Header, Message, Open, Seal};
use crate::kernel::product::{HashKey, PAD};
use crate::kernel::{ghash, once};

/// As many powers as kernels want, all zero, or a table that has none of them.
struct Powers {
    table: &'static [Lane],
    sums: &'static [Half],
}

const MOST: usize = 34;
const FULL: Powers = Powers {
    table: &[Lane([0; 16]); MOST + PAD],
    sums: &[[0; 8]; MOST],
};
const EMPTY: Powers = Powers {
    table: &[],
    sums: &[],
};

impl HashKey for Powers {
    const POWERS: usize = MOST;
    fn h(&self) -> &[Lane] {
        self.table
    }
    fn d(&self) -> &[Lane] {
        self.table
    }
    fn sums(&self) -> &[Half] {
        self.sums
    }
}

fn enc<S: Simd>(s: S) -> RoundKeys {
    schedule::expand::<S, 11, 16>(s, &[1; 16])
}

fn j0() -> Counter {
    Counter::from_nonce(&[2; 12])
}

/// That it is done with what is for it, and refused otherwise.
fn refuses<T: Debug>(what: &str, right: Result<T, Refused>, wrong: Result<T, Refused>) {
    assert!(right.is_ok(), "{what} is done");
    assert_eq!(wrong.err(), Some(Refused), "{what} is refused");
}

/// A last pass of so many bytes, two vectors at most.
fn pass<S: Simd, D: Direction>(s: S, powers: &Powers, len: usize) -> Result<(), Refused> {
    let (enc, mut text) = (enc(s), vec![3; len]);
    let before = Before::new(s, powers, j0(), &Header::whole(&[]), text.len());
    let text = InOut::in_place(&mut text);
    let enc = enc.of::<Ten>();
    tail::pass::<_, _, _, D, 2>(s, enc, powers, before, None, None, text).map(|_| ())
}

#[test]
fn a_last_pass_of_too_many_vectors_is_refused() {
    fn test<S: Simd>(name: &str, s: S) {
        let seal = |vectors| pass::<S, Seal>(s, &FULL, vectors * S::BYTES);
        let open = |vectors| pass::<S, Open>(s, &FULL, vectors * S::BYTES);
        for vectors in [3, 5] {
            refuses(name, seal(2), seal(vectors));
            refuses(name, open(2), open(vectors));
        }
    }
    each_token!(test);
}

#[test]
fn a_last_pass_with_too_few_powers_is_refused() {
    fn test<S: Simd>(name: &str, s: S) {
        // Before anything is hashed.
        let one = |powers| pass::<S, Seal>(s, powers, 16);
        refuses(name, one(&FULL), one(&EMPTY));
        let n = s.narrow();
        let two = |powers| {
            let (enc, mut text) = (enc(n), vec![3; 32]);
            let before = Before::new(n, powers, j0(), &Header::whole(&[]), text.len());
            let (enc, text) = (enc.of::<Ten>(), InOut::in_place(&mut text));
            rest::pass::<_, _, _, Seal>(n, enc, powers, before, 1, text).map(|_| ())
        };
        refuses(name, two(&FULL), two(&EMPTY));
    }
    each_token!(test);
}

#[test]
fn a_hash_of_another_length_is_refused() {
    fn test<S: Simd>(name: &str, s: S) {
        let n = s.narrow();
        let few = |len| ghash::absorb_few::<_, _, 3>(n, &FULL, n.zero(), &[0; 48][..len]);
        refuses(name, few(48).map(|_| ()), few(31).map(|_| ()));
        let vectors = |powers, len| {
            let (data, y) = (vec![0; len], n.zero());
            ghash::absorb_vectors::<S, _, true, 2>(s, powers, y, &data, [0, 0]).map(|_| ())
        };
        let (long, short) = (2 * S::BYTES, S::BYTES - 1);
        refuses(name, vectors(&FULL, long), vectors(&FULL, short));
    }
    each_token!(test);
}

#[test]
fn a_longer_message_under_a_key_used_once_is_refused() {
    fn test<S: Simd>(name: &str, s: S) {
        let run = |len, seal| {
            let (mut text, mut tag) = (vec![3; len], [0; 16]);
            let mut stream = [Lane::default(); once::BLOCKS];
            let place = once::Place {
                stream: &mut stream,
                tag: &mut tag,
            };
            let text = InOut::in_place(&mut text);
            once::message::<S, 11, 16>(s, &[1; 16], j0(), &[], text, place, seal)
        };
        let most = 16 * once::BLOCKS;
        for seal in [true, false] {
            // At the pairs of blocks, at the block behind them, at the last.
            for len in [most + 32, most + 17, most + 1] {
                refuses(name, run(most, seal), run(len, seal));
            }
        }
    }
    each_token!(test);
}

/// Four messages of so many bytes, through a kernel for others.
fn four<T>(len: usize, run: impl FnOnce(&mut crate::kernel::batch::Quad<'_, '_>) -> T) -> T {
    let mut texts = [(); MESSAGES].map(|()| vec![3; len]);
    let mut items = texts.each_mut().map(|text| Item {
        message: Message {
            j0: j0(),
            aad: &[],
            text: InOut::in_place(text),
        },
        tag: Tag {
            bytes: [0; 16],
            len: 16,
        },
    });
    run(&mut items.each_mut())
}

#[test]
fn four_of_another_length_are_refused() {
    fn test<S: Simd>(name: &str, s: S) {
        if !S::TUNING.fours {
            return println!("{name}: messages go one by one");
        }
        let (keys, hash) = (enc(s), &FULL);
        let enc = keys.of::<Ten>();
        let lanes = |len| {
            four(len, |four| {
                Batch::<S, _, 2> { s, hash }.run::<_, Open>(
                    enc,
                    four,
                    &mut [Lane::default(); MESSAGES],
                )
            })
        };
        let n = s.narrow();
        let row = |len| {
            four(len, |four| {
                queue::messages::<_, _, _, Seal, 2>(
                    n,
                    enc,
                    hash,
                    four,
                    &mut [Lane::default(); MESSAGES],
                )
            })
        };
        if !S::MASKS {
            refuses(name, lanes(32).map(|_| ()), lanes(15).map(|_| ()));
            refuses(name, row(32).map(|_| ()), row(15).map(|_| ()));
            return;
        }
        let run = |len| {
            four(len, |four| {
                masked::messages::<S, _, _, Open, 2>(s, enc, hash, four)
            })
        };
        refuses(
            name,
            run(S::BYTES + 1).map(|_| ()),
            run(S::BYTES - 1).map(|_| ()),
        );
    }
    each_token!(test);
}
