//! U9: where the system gives no random bytes, nothing is sealed and the caller is told.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use carryless::error::RandomNonceError;
use carryless::{Aes128Gcm, RandomNonceSealer};

use crate::harness::child::{self, Ended};

/// Makes every call of the random source in this process fail.
fn refuse_random() {
    // BPF: load the number of the call; is it the one? then fail, else allow.
    let step = |code: u32, jf: u8, k: u32| libc::sock_filter {
        code: code as u16,
        jt: 0,
        jf,
        k,
    };
    let failing = libc::SECCOMP_RET_ERRNO | libc::EIO as u32;
    let mut steps = [
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        step(
            libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K,
            1,
            libc::SYS_getrandom as u32,
        ),
        step(libc::BPF_RET | libc::BPF_K, 0, failing),
        step(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog {
        len: 4,
        filter: steps.as_mut_ptr(),
    };
    // SAFETY: takes numbers alone; gives up rights of this process, which is a test's child.
    let alone = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    assert_eq!(alone, 0, "{}", std::io::Error::last_os_error());
    // SAFETY: the program and its steps outlive the call, which copies them.
    let set = unsafe {
        libc::prctl(
            libc::PR_SET_SECCOMP,
            libc::SECCOMP_MODE_FILTER,
            &raw const program,
        )
    };
    assert_eq!(set, 0, "{}", std::io::Error::last_os_error());
}

/// Whether a call fails for want of random bytes, leaves the text as it was, and counts no message.
fn unsealed(sealer: &mut RandomNonceSealer<carryless::Aes128>) -> bool {
    let before = sealer.remaining();
    let mut text = *b"sixteen bytes   ";
    let failed = sealer.seal_in_place(b"aad", &mut text) == Err(RandomNonceError::Random);
    failed && text == *b"sixteen bytes   " && sealer.remaining() == before
}

#[test]
fn u9_without_random_bytes_nothing_is_sealed() {
    let ended = child::run(|notes| {
        let sealer = || RandomNonceSealer::new(Aes128Gcm::from_slice(&[7; 16]).unwrap());
        let (mut fresh, mut used) = (sealer(), sealer());
        for _ in 0..3 {
            used.seal_in_place(b"", &mut [1; 16]).unwrap();
        }
        refuse_random();
        notes.step(1);
        (0..2).all(|_| unsealed(&mut fresh) && unsealed(&mut used))
    });
    assert_eq!(ended, Ended::Well);
    println!("U9 RandomNonceSealer: 4 calls without random bytes");
}

#[test]
fn control_u9_a_sealer_that_goes_on_without_random_bytes_is_noticed() {
    let ended = child::run(|notes| {
        notes.step(1);
        // The source still gives some.
        unsealed(&mut RandomNonceSealer::new(
            Aes128Gcm::from_slice(&[7; 16]).unwrap(),
        ))
    });
    assert_eq!(ended, Ended::Wrong(1));
    println!("a sealer that seals: caught: {ended:?}");
}
