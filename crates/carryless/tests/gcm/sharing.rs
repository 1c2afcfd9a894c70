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

/// Nonces that a sealer would use next, as numbers.
#[cfg(all(unix, feature = "getrandom"))]
type NextNonce<'n> = &'n mut dyn FnMut() -> u64;

/// Whether a process and its fork, going on with the same sealer, draw different nonces.
#[cfg(all(unix, feature = "getrandom"))]
fn forks_draw_apart(next: NextNonce<'_>) -> Checked {
    use crate::harness::child::{self, Ended};

    let mut drawn = std::collections::HashSet::new();
    for round in 0..20 {
        let mut child_drew = 0;
        // The child notes its nonce; its end is made to look wrong, which gives the note back.
        let ended = child::run(|notes| {
            notes.step(next());
            false
        });
        if let Ended::Wrong(nonce) = ended {
            child_drew = nonce;
        }
        ensure!(
            child_drew != 0,
            "round {round}: the child drew nothing: {ended:?}"
        );
        let parent_drew = next();
        for nonce in [child_drew, parent_drew] {
            ensure!(
                drawn.insert(nonce),
                "round {round}: nonce {nonce:#x} came twice"
            );
        }
    }
    Ok(drawn.len())
}

#[cfg(all(unix, feature = "getrandom"))]
#[test]
fn u6_a_fork_does_not_repeat_random_nonces() {
    use carryless::{Aes128Gcm, RandomNonceSealer};

    for engine in engines() {
        let gcm = Aes128Gcm::with_engine(&[1; 16], engine).unwrap();
        let mut sealer = RandomNonceSealer::new(gcm);
        let count = forks_draw_apart(&mut || {
            let (nonce, _) = sealer.seal_in_place(b"", &mut []).unwrap();
            u64::from_le_bytes(nonce[..8].try_into().unwrap()) | 1
        });
        let count = count.unwrap_or_else(|error| panic!("{engine}: {error}"));
        println!("U6 {engine}: {count} nonces on both sides of forks");
    }
}

/// A generator in the memory of the process is copied by the fork.
#[cfg(all(unix, feature = "getrandom"))]
#[test]
fn control_u6_a_generator_that_the_fork_copies_is_noticed() {
    let mut random = crate::harness::Random::new(5);
    crate::harness::caught(forks_draw_apart(&mut || random.word() | 1));
}
