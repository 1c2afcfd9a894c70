//! U4: what must hold on every CPU, in few instructions.
//!
//! `cargo xtask assure U4 C8` runs this on emulated CPUs, and compares what it prints with what a
//! CPU of that kind should do. An engine that is chosen wrongly dies there of an instruction that
//! the CPU lacks.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

#[allow(dead_code, unused_imports, reason = "shared with the suites")]
mod harness;

use carryless::error::{EngineError, KeyError};
use carryless::{Aes128Gcm, Aes192Gcm, Aes256Gcm, Engine, Features};

use harness::reference::Gcm;
use harness::scheme::{Case, Input, Refused, Scheme, Tag};

fn names(engines: impl Iterator<Item = Engine>) -> String {
    let names: Vec<_> = engines.map(Engine::name).collect();
    names.join(" ")
}

fn refused() -> impl Iterator<Item = Engine> {
    let all = Engine::ALL.iter().copied();
    all.filter(|engine| engine.availability().is_err())
}

#[test]
fn u4_the_choice_is_the_one_for_the_features_of_this_cpu() {
    let cpu = Features::detect();
    let chosen = Aes128Gcm::from_slice(&[0; 16]).unwrap().engine();
    assert_eq!(chosen, Engine::automatic_on(cpu));
    assert_eq!(chosen, Engine::selected());
    assert!(chosen.is_automatic(), "{chosen} is by name only");
    assert_eq!(chosen.availability(), Ok(()));
    println!("chosen: {chosen}");
    println!("available: {}", names(Engine::available()));
    println!("refused: {}", names(refused()));
    for name in cpu.names() {
        let feature = Features::from_name(name).unwrap();
        println!(
            "without {name}: {}",
            Engine::automatic_on(cpu.without(feature))
        );
    }
}

/// No silent fall-back: another engine never stands in for the one that was named.
#[test]
fn u4_an_engine_that_this_cpu_lacks_is_refused_wherever_it_is_named() {
    for engine in refused() {
        let reason = engine.availability().unwrap_err();
        assert_eq!(engine.self_test(), Err(reason));
        assert_eq!(engine.set_default(), Err(reason));
        assert_ne!(Engine::selected(), engine);
        let error = Engine::from_name(engine.name()).unwrap_err();
        assert_eq!(error, EngineError::Unavailable(engine, reason));
        assert!(
            error.to_string().ends_with(&names(Engine::available())),
            "{error}"
        );
        assert_eq!(
            Aes256Gcm::with_engine(&[0; 32], engine).err(),
            Some(KeyError::Engine(reason))
        );
        println!("U4 {engine}: refused: {reason}");
    }
}

/// Prints what the environment asks for; the caller sets it and knows what is right.
#[cfg(feature = "std")]
#[test]
fn u4_the_environment_is_obeyed_or_refused() {
    let shown = match Engine::from_env() {
        Ok(None) => "none".to_owned(),
        Ok(Some(engine)) => {
            let gcm = Aes256Gcm::with_engine(&[0; 32], engine).unwrap();
            gcm.engine().name().to_owned()
        }
        Err(EngineError::Unavailable(engine, _)) => format!("{engine} refused"),
        Err(error) => format!("{error:?}"),
    };
    println!("environment: {shown}");
}

/// Around blocks, and around one and two turns of every engine that is or may come.
fn edges() -> impl Iterator<Item = usize> {
    let around = |turn: usize| [turn - 1, turn, turn + 1, turn + 16, turn + 17];
    (0..=33).chain([64, 128, 256, 384, 512].into_iter().flat_map(around))
}

/// Lengths of AAD, nonce and key: each size of key twice, as each has kernels of its own.
const CASES: [(usize, usize, usize); 7] = [
    (0, 12, 16),
    (1, 12, 24),
    (20, 12, 32),
    (129, 12, 16),
    (16, 17, 24),
    (33, 12, 24),
    (0, 16, 32),
];

/// A key that seals into another buffer and opens where the text stands. These two ways through the API alone are compiled:
/// this is built for every target.
struct Calls<K> {
    gcm: K,
    engine: Engine,
}

impl<K> core::fmt::Display for Calls<K> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.engine.fmt(f)
    }
}

macro_rules! calls {
    ($($len:literal $Gcm:ident)*) => {
        /// The calls under this key.
        fn calls(engine: Engine, key: &[u8]) -> Box<dyn Scheme> {
            match key.len() {
                $($len => {
                    let gcm = $Gcm::with_engine(key, engine).unwrap();
                    Box::new(Calls { gcm, engine })
                })*
                len => panic!("a key of {len} bytes"),
            }
        }

        $(impl Scheme for Calls<$Gcm> {
            fn seal(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused> {
                let tag = self.gcm.seal_into(input.nonce, input.aad, input.text, out)?;
                Ok(Tag::new(&tag))
            }

            fn open(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused> {
                out.copy_from_slice(input.text);
                Ok(self.gcm.open_in_place(input.nonce, input.aad, out, tag)?)
            }
        })*
    };
}

calls!(16 Aes128Gcm 24 Aes192Gcm 32 Aes256Gcm);

#[test]
fn u4_every_engine_is_right_at_its_edges() {
    for engine in Engine::available() {
        let mut count = 0;
        for (aad_len, nonce_len, key_len) in CASES {
            let case = Case::new(0x04, key_len, nonce_len, aad_len, 530);
            let calls = calls(engine, &case.key);
            count += agrees(&case, &*calls).unwrap_or_else(|error| panic!("{error}"));
        }
        println!("U4 {engine}: {count} messages at edge lengths");
    }
}

/// Whether prefixes of the text are sealed as by the reference, and opened unless they are forged.
fn agrees(case: &Case, scheme: &dyn Scheme) -> harness::Checked {
    let gcm = Gcm::new(&case.key);
    let expected = gcm.prefixes(&case.nonce, &case.aad, &case.text);
    let mut count = 0;
    for len in edges() {
        let (text, ciphertext) = (&case.text[..len], &expected.ciphertext[..len]);
        let mut out = vec![0xa5; len];
        let input = |text| Input {
            text,
            ..case.input()
        };
        let tag = scheme.seal(input(text), &mut out).unwrap();
        let right = out == ciphertext && tag[..] == expected.tag(len);
        harness::ensure!(right, "{scheme}, {case}: {len} bytes are sealed wrongly");
        let opened = scheme.open(input(ciphertext), &tag, &mut out);
        harness::ensure!(
            opened.is_ok() && out == text,
            "{scheme}, {case}: {len} bytes are opened wrongly: {opened:?}"
        );
        let mut forged = expected.tag(len);
        forged[len % 16] ^= 0x10;
        let opened = scheme.open(input(ciphertext), &forged, &mut out);
        harness::ensure!(
            matches!(opened, Err(Refused::Unauthentic(_))) && out.iter().all(|byte| *byte == 0),
            "{scheme}, {case}: a forgery of {len} bytes: {opened:?}"
        );
        count += 3;
    }
    Ok(count)
}
