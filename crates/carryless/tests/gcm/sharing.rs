//! U6: keys in many threads, and on both sides of a fork.

use crate::harness::engines;
#[cfg(all(unix, feature = "getrandom"))]
use crate::harness::{Checked, ensure};

/// A clone of a key, and a key used by many threads, give what the key gives.
#[test]
fn u6_a_key_is_shared_and_cloned() {
    use carryless::Aes192Gcm;

    for engine in engines() {
        let key = Aes192Gcm::with_engine(&[9; 24], engine).unwrap();
        let seal = |key: &Aes192Gcm| {
            let mut text = [3; 500];
            (
                key.seal_in_place(&[1; 12], b"shared", &mut text).unwrap(),
                text,
            )
        };
        let expected = seal(&key);
        let cloned = key.clone();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..16)
                .map(|_| scope.spawn(|| (0..50).all(|_| seal(&key) == expected)))
                .collect();
            assert!(
                threads.into_iter().all(|thread| thread.join().unwrap()),
                "{engine}"
            );
        });
        drop(key);
        assert_eq!(seal(&cloned), expected, "{engine}");
        println!("U6 {engine}: 16 threads with one key");
    }
}

/// What a sealer would use next.
#[cfg(all(unix, feature = "getrandom"))]
type NextNonce<'n> = &'n mut dyn FnMut() -> Vec<u8>;

/// Whether a process and its forks, going on with the same sealer, draw as if each were alone.
#[cfg(all(unix, feature = "getrandom"))]
fn forks_draw_apart(next: NextNonce<'_>) -> Checked {
    use std::io::{Read, Write};

    use crate::harness::child::{self, Ended};
    use crate::harness::draws::look_drawn;

    let mut drawn = Vec::new();
    for round in 0..40 {
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        let ended = child::run(|_| writer.write_all(&next()).is_ok());
        drop(writer);
        let mut of_the_child = Vec::new();
        reader.read_to_end(&mut of_the_child).unwrap();
        ensure!(ended == Ended::Well, "round {round}: the child {ended:?}");
        drawn.extend([of_the_child, next()]);
    }
    look_drawn(&drawn)
}

#[cfg(all(unix, feature = "getrandom"))]
#[test]
fn u6_a_fork_does_not_repeat_random_nonces() {
    use carryless::{Aes128Gcm, RandomNonceSealer};

    for engine in engines() {
        let gcm = Aes128Gcm::with_engine(&[1; 16], engine).unwrap();
        let mut sealer = RandomNonceSealer::new(gcm);
        let count =
            forks_draw_apart(&mut || sealer.seal_in_place(b"", &mut []).unwrap().0.to_vec());
        let count = count.unwrap_or_else(|error| panic!("{engine}: {error}"));
        println!("U6 {engine}: {count} whole nonces on both sides of forks");
    }
}

/// A generator in the memory of the process is copied by the fork; one that is right in its first bytes alone differs
/// there.
#[cfg(all(unix, feature = "getrandom"))]
#[test]
fn control_u6_a_generator_that_the_fork_copies_is_noticed() {
    let mut random = crate::harness::Random::new(5);
    crate::harness::caught(forks_draw_apart(&mut || random.bytes(12)));
    let mut copied = crate::harness::Random::new(6);
    crate::harness::caught(forks_draw_apart(&mut || {
        let mut nonce = copied.bytes(12);
        getrandom::fill(&mut nonce[..4]).unwrap();
        nonce
    }));
}
