//! `carryless bench`: what it refuses, and what it leaves out.

mod common;

use common::Place;

#[test]
fn an_algorithm_that_nobody_knows_is_refused_with_a_list() {
    let place = Place::new();
    let run = place.fails(2, &["bench", "--alg", "rot13"]);
    for name in ["aes-gcm", "xaes-256-gcm", "aes-xts", "ghash"] {
        assert!(run.stderr.contains(name), "{}", run.stderr);
    }
    let run = place.fails(2, &["bench", "--alg", "xaes-256-gcm", "--bits", "128"]);
    assert!(run.stderr.contains("keys of 256 bits"), "{}", run.stderr);
    let run = place.fails(2, &["bench", "--alg", "aes-cmac", "--op", "seal"]);
    assert!(run.stderr.contains("--op mac"), "{}", run.stderr);
}

#[test]
fn what_can_not_be_measured_is_refused() {
    let place = Place::new();
    for args in [
        &["--lengths", "2g"][..],
        &["--lengths", "1x"],
        &["--lengths", "-1"],
        &["--lengths", ""],
        &["--batch", "0"],
        &["--batch", "65537"],
        &["--batch", "many"],
        &["--batch", "4096", "--lengths", "1m"],
        &["--threads", "-1"],
        &["--threads", "1025"],
        &["--rounds", "0"],
        &["--bits", "160"],
        &["--op", "fold"],
        &["--batch", "8", "--threads", "2"],
        &["--batch", "8", "--oneshot"],
        &["--oneshot", "--threads", "2"],
        &["--oneshot", "--op", "gmac"],
        &["--batch", "8", "--op", "seal,ctr"],
        &["--threads", "2", "--op", "gmac"],
        &["--batch", "8", "--alg", "aes-cbc"],
        &["--alg", "aes-gcm,rot13"],
        &["--alg", "aes-xts", "--lengths", "32m"],
        &["--alg", "aes-gcm,aes-xts", "--lengths", "16,16777217"],
        &["--alg", "aes-ccm", "--lengths", "16m"],
        &["--svg", "-"],
        &["--force"],
        &["--engine", "abacus"],
    ] {
        let run = place.fails(2, &[&["bench"], args].concat());
        assert!(
            run.stdout.is_empty(),
            "before anything is measured: {args:?}"
        );
    }
    assert_eq!(place.names(), ["key"]);
}

#[test]
fn what_an_algorithm_has_not_is_left_out() {
    let place = Place::new();
    for args in [
        "--alg aes-gcm,aes-gcm-siv --bits 192",
        "--alg aes-gcm-siv,aes-gcm --bits 192",
        "--alg aes-cmac,aes-gcm --op seal --bits 128",
    ] {
        let words = format!("bench --json --rounds 1 --engine soft64 --lengths 16 {args}");
        let out = place.ok(&Vec::from_iter(words.split(' ')));
        let out = String::from_utf8(out).expect("text");
        let of_gcm = |line: &&str| line.contains(r#""alg":"aes-gcm""#);
        assert!(
            out.lines().skip(1).count() > 0 && out.lines().skip(1).all(|line| of_gcm(&line)),
            "{out}"
        );
    }
}
