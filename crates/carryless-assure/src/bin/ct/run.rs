//! Running a case: inputs, the call under watch, and whether it did what it should.

use carryless::Engine;
use carryless::error::OpenError;
use carryless_assure::{Cipher, Random, with_cipher};

use crate::calls::Calls;
use crate::case::{Call, Case};
use crate::probe::{Fill, Probe};

/// Fills the secrets, one after the other, with what `fill` says.
pub(crate) fn fill(fill: Fill, secrets: &mut [&mut [u8]]) {
    match fill {
        Fill::Byte(byte) => secrets.iter_mut().for_each(|bytes| bytes.fill(byte)),
        Fill::Random(seed) => {
            let mut random = Random::new(seed);
            secrets.iter_mut().for_each(|bytes| random.fill(bytes));
        }
    }
}

/// The buffers of a case. They stay in their places while the secrets in them change.
pub(crate) struct Desk {
    pub(crate) key: Vec<u8>,
    pub(crate) nonce: Vec<u8>,
    pub(crate) aad: Vec<u8>,
    pub(crate) text: Vec<u8>,
    /// Where a call does not work in place.
    pub(crate) other: Vec<u8>,
    pub(crate) tag: Vec<u8>,
}

impl Desk {
    fn new(case: &Case) -> Self {
        let mut nonce = vec![0; case.nonce_len];
        Random::new(1).fill(&mut nonce);
        Self {
            key: vec![0; case.cipher.key_len()],
            nonce,
            aad: vec![0; case.aad_len],
            text: vec![0; case.text_len],
            other: vec![0; case.text_len + 16],
            tag: vec![0; 16],
        }
    }

    /// All but the nonce, which is public.
    fn secrets(&mut self) -> [&mut [u8]; 5] {
        [
            &mut self.key,
            &mut self.aad,
            &mut self.text,
            &mut self.other,
            &mut self.tag,
        ]
    }
}

/// Runs the case once for each secret; how many calls that were.
pub(crate) fn case<P: Probe>(case: &Case, engine: Engine, probe: &mut P) -> Result<usize, String> {
    let mut desk = Desk::new(case);
    let fills = probe.fills();
    for (number, &value) in fills.iter().enumerate() {
        fill(value, &mut desk.secrets());
        let job = Job {
            call: case.call,
            cipher: case.cipher,
            engine,
            number,
            probe,
        };
        with_cipher!(case.cipher, C => job.run::<C>(&mut desk))?;
    }
    Ok(fills.len())
}

/// One call of a case.
pub(crate) struct Job<'a, P> {
    pub(crate) call: Call,
    pub(crate) cipher: Cipher,
    pub(crate) engine: Engine,
    /// Of the secret: wrong tags are wrong in other places.
    number: usize,
    pub(crate) probe: &'a P,
}

impl<P: Probe> Job<'_, P> {
    fn run<A: Calls>(&self, desk: &mut Desk) -> Result<(), String> {
        let expected = match self.call {
            Call::Open
            | Call::OpenWithin
            | Call::OpenOnce
            | Call::Opener
            | Call::Verify
            | Call::OpenSegments
            | Call::OpenBatch => {
                A::prepare(self.engine, desk)?;
                true
            }
            Call::Forgery
            | Call::ForgeryInto
            | Call::ForgeryOnce
            | Call::ForgeryOpener
            | Call::VerifyForgery
            | Call::ForgerySegments
            | Call::ForgeryBatch => {
                A::prepare(self.engine, desk)?;
                self.forge(&mut desk.tag);
                false
            }
            Call::ShortTag => false,
            _ => true,
        };
        for secret in desk.secrets() {
            self.probe.secret(secret);
        }
        let done = A::call(self, desk)?;
        // Where a call makes a tag, it stands here; where not, the one given still does.
        let reached = self.probe.reached(&desk.tag);
        for secret in desk.secrets() {
            self.probe.public(secret);
        }
        if !reached {
            Err("the tag does not depend on the secrets: nothing was watched".into())
        } else if done == expected {
            Ok(())
        } else {
            Err(format!("the answer was {done}, expected {expected}"))
        }
    }

    /// Makes the tag wrong.
    fn forge(&self, tag: &mut [u8]) {
        tag.iter_mut()
            .zip(self.mask())
            .for_each(|(byte, mask)| *byte ^= mask);
    }

    /// What makes a tag wrong: in its first bit, its last, one in the middle, or everywhere.
    pub(crate) fn mask(&self) -> [u8; 16] {
        let mut mask = [0; 16];
        match self.number % 4 {
            0 => mask[0] = 1,
            1 => mask[15] = 0x80,
            2 => mask[self.number % 16] = 0x10,
            _ => mask = [0xff; 16],
        }
        mask
    }

    /// The engine that a call really used must be the one asked for.
    pub(crate) fn ran(&self, engine: Engine) -> Result<(), String> {
        if engine == self.engine {
            Ok(())
        } else {
            Err(format!("engine {engine} ran"))
        }
    }
}

/// Whether an opening succeeded; its only other answer may be that the tag is wrong.
pub(crate) fn opened(result: Result<(), OpenError>) -> Result<bool, String> {
    match result {
        Ok(()) => Ok(true),
        Err(OpenError::Unauthentic(_)) => Ok(false),
        Err(error) => Err(error.to_string()),
    }
}
