//! Two engines on two ways through the API do what the reference does, errors included.

use carryless::Engine;

use crate::choices::{Choices, Placed, is_magic};
use crate::harness::faulty::{Fault, Faulty};
use crate::harness::reference::Gcm;
use crate::harness::scheme::{Cuts, Input, Path, Refused, Scheme, cut_subject};

const TAG_LENS: [usize; 7] = [16, 4, 8, 12, 13, 14, 15];

/// What the input decides.
struct Plan {
    key: Vec<u8>,
    nonce: Placed,
    aad: Placed,
    text: Placed,
    tag_len: usize,
    /// Of the tag that is given where a wrong length is tried.
    given_len: usize,
    cuts: Cuts,
    out_offset: usize,
    flip: usize,
}

impl Plan {
    fn new(choices: &mut Choices<'_>) -> Self {
        let lens = [choices.below(65), choices.below(300), choices.below(1200)];
        let [tag_len, given_len] = [choices.pick(&TAG_LENS), choices.below(20)];
        let [flip, offset, out_offset] =
            [choices.below(1 << 16), choices.below(64), choices.below(64)];
        let cuts = Cuts {
            aad: choices.numbers(3, 80),
            text: choices.numbers(5, 400),
        };
        let key = choices.key();
        let [nonce, aad, text] = lens.map(|len| Placed::new(&choices.content(len), offset));
        Self {
            key,
            nonce,
            aad,
            text,
            tag_len,
            given_len,
            cuts,
            out_offset,
            flip,
        }
    }

    /// The way asked for, or the plain one where that has not these lengths.
    fn scheme(&self, engine: Engine, path: Path) -> Box<dyn Scheme> {
        let make = |path| cut_subject(engine, path, &self.key, self.tag_len, self.cuts.clone());
        make(path)
            .filter(|scheme| scheme.takes_nonce(self.nonce.get().len()))
            .or_else(|| make(Path::Into))
            .expect("every key and tag length is there")
    }
}

/// What a scheme does with a plan.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    sealed: Result<(Vec<u8>, Vec<u8>), Refused>,
    opened: Result<Vec<u8>, Refused>,
    forged: Result<Vec<u8>, Refused>,
    wrong_length: Result<Vec<u8>, Refused>,
}

/// Every path says it in its own words: only that it was said is compared.
fn kind(error: Refused) -> Refused {
    match error {
        Refused::Unauthentic(_) => Refused::Unauthentic(String::new()),
        error => error,
    }
}

/// See the module.
pub fn aead_differential(data: &[u8]) {
    let mut choices = Choices::new(data);
    let pair = [0; 2].map(|_| (choices.engine(), choices.pick(Path::ALL)));
    let plan = Plan::new(&mut choices);
    for (engine, path) in pair {
        plan.compare(&*plan.scheme(engine, path));
    }
}

/// The control of the address sanitizer: reads one byte behind the text, for magic bytes.
pub fn control_over_read(data: &[u8]) {
    control(data, Fault::ReadsBehindText);
}

/// The control of the comparison: a wrong power of H, for magic bytes.
pub fn control_mismatch(data: &[u8]) {
    control(data, Fault::PowerBit(1));
}

/// A faulty scheme for nonces that begin with magic bytes, and nothing for others.
fn control(data: &[u8], fault: Fault) {
    let mut plan = Plan::new(&mut Choices::new(data));
    plan.tag_len = 16;
    if is_magic(plan.nonce.get()) {
        plan.compare(&Faulty::new(&plan.key, fault, plan.cuts.clone()));
    }
}

impl Plan {
    fn compare(&self, scheme: &dyn Scheme) {
        let expected = self.expected();
        assert_eq!(self.outcome(scheme, &expected), expected, "{scheme}");
    }

    fn input<'a>(&'a self, nonce: &'a Placed, aad: &'a Placed, text: &'a Placed) -> Input<'a> {
        Input {
            nonce: nonce.get(),
            aad: aad.get(),
            text: text.get(),
        }
    }

    /// What the reference does.
    fn expected(&self) -> Outcome {
        use carryless::error::InputError;
        if self.nonce.get().is_empty() {
            let refused = || Refused::Input(InputError::EmptyNonce);
            return Outcome {
                sealed: Err(refused()),
                opened: Err(refused()),
                forged: Err(refused()),
                wrong_length: Err(refused()),
            };
        }
        let text = self.text.get();
        let (ciphertext, tag) = Gcm::new(&self.key).seal(self.nonce.get(), self.aad.get(), text);
        let wrong_length = if self.given_len == self.tag_len {
            Ok(text.to_vec())
        } else {
            Err(Refused::Input(InputError::Tag {
                got: self.given_len,
                expected: self.tag_len,
            }))
        };
        Outcome {
            sealed: Ok((ciphertext, tag[..self.tag_len].to_vec())),
            opened: Ok(text.to_vec()),
            forged: Err(kind(Refused::Unauthentic(String::new()))),
            wrong_length,
        }
    }

    /// What the scheme does.
    fn outcome(&self, scheme: &dyn Scheme, expected: &Outcome) -> Outcome {
        let mut out = Placed::filled(0xa5, self.text.get().len(), self.out_offset);
        let plain = self.input(&self.nonce, &self.aad, &self.text);
        let sealed = scheme
            .seal(plain, out.get_mut())
            .map(|tag| (out.get().to_vec(), tag.to_vec()))
            .map_err(kind);
        // What is opened is right, whatever was sealed.
        let zeros = (vec![0; self.text.get().len()], vec![0; self.tag_len]);
        let (ciphertext, tag) = expected.sealed.as_ref().unwrap_or(&zeros);
        let mut message = [self.nonce.get(), self.aad.get(), ciphertext, tag].map(<[u8]>::to_vec);
        let opened = self.open(scheme, &message);
        let mut other_tag = message[3].clone();
        other_tag.resize(self.given_len, 0);
        let [nonce, aad, text, _] = message.clone();
        let wrong_length = self.open(scheme, &[nonce, aad, text, other_tag]);
        flip(&mut message, self.flip);
        Outcome {
            sealed,
            opened,
            forged: self.open(scheme, &message),
            wrong_length,
        }
    }

    /// Opens, and looks at the output of a failure: zero, or not written.
    fn open(&self, scheme: &dyn Scheme, message: &[Vec<u8>; 4]) -> Result<Vec<u8>, Refused> {
        let [nonce, aad, text, tag] =
            [0, 1, 2, 3].map(|part| Placed::new(&message[part], (self.flip + 7 * part) % 64));
        let mut out = Placed::filled(0xa5, text.get().len(), self.out_offset);
        let result = scheme.open(self.input(&nonce, &aad, &text), tag.get(), out.get_mut());
        let left = out.get();
        let all = |byte: u8| left.iter().all(|other| *other == byte);
        match &result {
            Ok(()) => (),
            Err(Refused::Unauthentic(_)) => assert!(all(0), "{scheme}: left after a forgery"),
            Err(_) => assert!(
                all(0) || all(0xa5) || left == text.get(),
                "{scheme}: written when refused"
            ),
        }
        result.map(|()| left.to_vec()).map_err(kind)
    }
}

/// Flips one bit of nonce, AAD, text or tag.
fn flip(message: &mut [Vec<u8>; 4], bit: usize) {
    let len: usize = message.iter().map(Vec::len).sum();
    let mut at = bit / 8 % len;
    for part in message {
        if let Some(byte) = part.get_mut(at) {
            *byte ^= 1 << (bit % 8);
            return;
        }
        at -= part.len();
    }
}
