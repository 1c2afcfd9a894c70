//! Keys of other programs: `--raw-key-file` takes them, `-k` does not, and what somebody typed is none.

mod common;

use common::{Place, text};

/// What is no key file and no raw key that seals, with the hints of `-k` and of `--raw-key-file`.
const TYPED: [(&str, &[u8], &str, &str); 5] = [
    (
        "words16",
        b"correct horse 1\n",
        "--passphrase-file",
        "--passphrase-file",
    ),
    (
        "words32",
        b"correct horse battery staple 32\n",
        "--passphrase-file",
        "--passphrase-file",
    ),
    (
        "words",
        b"correct horse\n",
        "--passphrase-file",
        "--passphrase-file",
    ),
    ("digits", b"0123456789abcdef0123456789abcdef", "xxd", "xxd"),
    ("zeros", &[0; 32], "--raw-key-file", "keygen"),
];

fn place() -> Place {
    let place = Place::new();
    place.write("text", b"text");
    for (name, content, _, _) in TYPED {
        place.write_key(name, content);
    }
    for len in [16, 32] {
        place.write_key(&format!("raw{len}"), &text(len));
    }
    place
}

#[test]
fn a_raw_key_has_a_word_of_its_own() {
    let place = place();
    for (name, bits) in [("raw16", 128), ("raw32", 256)] {
        place.ok(&[
            "seal",
            "--raw-key-file",
            name,
            "text",
            "-o",
            name.to_uppercase().as_str(),
        ]);
        let sealed = name.to_uppercase();
        let cipher = format!("Cobblestone-{bits}");
        assert_eq!(place.inspect(&sealed)["cipher"], cipher);
        let opened = place.ok(&["open", "--raw-key-file", name, &sealed, "-o", "-"]);
        assert_eq!(opened, b"text");
        for args in [
            &["seal", "-k", name, "text"][..],
            &["open", "-k", name, &sealed, "-o", "-"],
            &["seal", "-k", name, "--format", "gcm", "text"],
            &["rekey", "-k", "key", "--new-key-file", name, &sealed],
            &["rekey", "-k", name, "--new-key-file", "key", &sealed],
        ] {
            let run = place.fails(4, args);
            assert!(
                run.stderr.contains("--raw-key-file takes"),
                "{}",
                run.stderr
            );
        }
    }
    let run = place.fails(4, &["seal", "--raw-key-file", "key", "text"]);
    assert!(run.stderr.contains("-k takes"), "{}", run.stderr);
    assert!(!place.has("text.cless"));
}

#[test]
fn a_raw_key_goes_with_each_format() {
    let place = place();
    for format in ["container", "cobblestone", "gcm"] {
        let with = ["--raw-key-file", "raw32", "--format", format];
        place.ok(&[&["seal", "text", "-f", "-o", "sealed"][..], &with].concat());
        let opened = place.ok(&[&["open", "sealed", "-o", "-"][..], &with].concat());
        assert_eq!(opened, b"text", "{format}");
    }
    place.ok(&["seal", "-k", "key", "text", "-o", "old"]);
    place.ok(&["rekey", "-k", "key", "--new-raw-key-file", "raw16", "old"]);
    place.ok(&["verify", "--raw-key-file", "raw16", "old"]);
    place.fails(3, &["verify", "-k", "key", "old"]);
    // It is kept from being replaced as others are.
    place.fails(
        2,
        &[
            "seal",
            "--raw-key-file",
            "raw16",
            "text",
            "-f",
            "-o",
            "raw16",
        ],
    );
}

#[test]
fn what_somebody_typed_seals_nothing() {
    let place = place();
    for (name, _, text_hint, raw_hint) in TYPED {
        for (option, hint) in [("-k", text_hint), ("--raw-key-file", raw_hint)] {
            for format in ["container", "cobblestone", "gcm"] {
                let run = place.fails(4, &["seal", option, name, "--format", format, "text"]);
                assert!(run.stderr.contains(hint), "{option} {name}: {}", run.stderr);
            }
        }
        place.ok(&["seal", "-k", "key", "text", "-f", "-o", "sealed"]);
        place.fails(
            4,
            &["rekey", "-k", "key", "--new-raw-key-file", name, "sealed"],
        );
    }
    assert!(!place.has("text.cless"));
}

/// Streams from when `-k` took such keys.
const KEPT: [(&str, &str); 2] = [
    (
        "words16",
        "b627c8fe82f714d0347d1f0fc0d8a60fd1971f1f21b4fd4e6c07455f884102247c61110feff27c4a95fff7de\
         556a7b9774b7de65a29829112e62d190172c58bb5c013c4878997e1acb9c9c614d48b864593834dd2011",
    ),
    (
        "zeros",
        "0157f39790d54a36a117d6a66976441690058e54dbb3197f85a62c095ba019b4f6670b06fec3209a09d7fe9b\
         58c1b840027d03143392009d9437515768e161684a9b123f28b3aeaa5fca916ca405ea6baacd0a6ce18b",
    ),
];

#[test]
fn what_it_sealed_opens_with_a_warning() {
    let place = place();
    for (name, stream) in KEPT {
        place.write("old", &hex::decode(stream).expect("digits"));
        let run = place.run(&["open", "--raw-key-file", name, "old", "-o", "-"]);
        let opened = (run.code, run.stdout.as_slice());
        assert_eq!(
            opened,
            (Some(0), &b"attack at dawn"[..]),
            "{name}: {}",
            run.stderr
        );
        assert!(run.stderr.contains("warning"), "{}", run.stderr);
    }
    // What never was a key still is none.
    place.fails(4, &["open", "--raw-key-file", "digits", "old", "-o", "-"]);
}
