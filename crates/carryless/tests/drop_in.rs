//! One program, compiled against `aes_gcm` and against this crate: only the import differs. Another likewise, for `aes_gcm` 0.10.
#![cfg(feature = "std")]

#[cfg(all(feature = "aead", feature = "getrandom"))]
mod with_aes_gcm {
    use aes_gcm as gcm;
    include!("drop_in/program.rs");
}

#[cfg(all(feature = "aead", feature = "getrandom"))]
mod with_carryless {
    use carryless as gcm;
    include!("drop_in/program.rs");
}

#[cfg(all(feature = "aead", feature = "getrandom"))]
#[test]
fn a_program_for_aes_gcm_runs_unchanged_and_seals_the_same_bytes() {
    let theirs = with_aes_gcm::run().expect("the program runs with aes_gcm");
    let ours = with_carryless::run().expect("the program runs with carryless");
    assert_eq!(ours, theirs);
}

#[cfg(feature = "aead-0-5")]
mod with_aes_gcm_0_10 {
    use aes_gcm_0_10 as gcm;
    include!("drop_in/program_0_10.rs");
}

#[cfg(feature = "aead-0-5")]
mod with_carryless_0_5 {
    use carryless::aead_0_5 as gcm;
    include!("drop_in/program_0_10.rs");
}

#[cfg(feature = "aead-0-5")]
#[test]
fn a_program_for_aes_gcm_0_10_runs_unchanged_and_seals_the_same_bytes() {
    let theirs = with_aes_gcm_0_10::run().expect("the program runs with aes_gcm 0.10");
    let ours = with_carryless_0_5::run().expect("the program runs with carryless");
    assert_eq!(ours, theirs);
}
