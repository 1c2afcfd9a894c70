//! One program, compiled against `aes_gcm` and against this crate: only the import differs.
#![cfg(all(feature = "aead", feature = "getrandom", feature = "std"))]

mod with_aes_gcm {
    use aes_gcm as gcm;
    include!("drop_in/program.rs");
}

mod with_carryless {
    use carryless as gcm;
    include!("drop_in/program.rs");
}

#[test]
fn a_program_for_aes_gcm_runs_unchanged_and_seals_the_same_bytes() {
    let theirs = with_aes_gcm::run().expect("the program runs with aes_gcm");
    let ours = with_carryless::run().expect("the program runs with carryless");
    assert_eq!(ours, theirs);
}
