//! Identities under a passphrase: made by one call, and opened with by every verb that takes one.

mod common;

use common::Place;

const KEYGEN: [&str; 6] = [
    "keygen",
    "--recipient",
    "--kdf-cost",
    "8k:1:1",
    "-o",
    "identity",
];
const IDENTITY: [&str; 2] = ["-i", "identity"];
const RIGHT: [&str; 2] = ["--key-passphrase-command", "cat words"];
/// How `keygen` gets the passphrase.
const SOURCES: [[&str; 2]; 2] = [
    ["--passphrase-file", "words"],
    ["--passphrase-command", "cat words"],
];

/// A place with an identity under the passphrase in `words`, and `text` sealed for its recipient.
fn place(source: &[&str]) -> Place {
    let place = Place::new();
    place.write_key("words", b"correct horse\n");
    place.write_key("other", b"battery staple\n");
    place.write("text", b"attack at dawn");
    let recipient = place.ok(&[&KEYGEN[..], source].concat());
    place.write("recipients", &recipient);
    place.ok(&["seal", "-R", "recipients", "text"]);
    place
}

#[test]
fn an_identity_under_a_passphrase_serves_every_verb_that_opens() {
    for source in SOURCES {
        let place = place(&source);
        #[cfg(unix)]
        assert_eq!(place.mode("identity"), 0o600);
        let opens = [&IDENTITY[..], &RIGHT].concat();
        let ok = |verb: &[&str]| place.ok(&[verb, &opens].concat());
        assert_eq!(ok(&["open", "text.cless", "-o", "-"]), b"attack at dawn");
        ok(&["verify", "text.cless"]);
        ok(&["rekey", "text.cless", "--new-key-file", "key"]);
        place.ok(&["verify", "-k", "key", "text.cless"]);
        place.fails(3, &[&["verify", "text.cless"][..], &opens].concat());
        let back = ["--new-recipients-file", "recipients"];
        place.ok(&[&["rekey", "-k", "key", "text.cless"][..], &back].concat());
        ok(&["verify", "text.cless"]);
    }
}

/// It is a container, of which nothing but the passphrase gives the identity away.
#[test]
fn an_identity_under_a_passphrase_is_a_container_of_the_identity() {
    let place = place(&SOURCES[0]);
    let words = ["--passphrase-file", "words", "-o", "plain"];
    place.ok(&[&["open", "identity"][..], &words].concat());
    #[cfg(unix)]
    place.set_mode("plain", 0o600);
    let text = String::from_utf8(place.read("plain")).expect("text");
    let recipient = String::from_utf8(place.read("recipients")).expect("text");
    assert!(text.contains(recipient.trim_end()), "{text}");
    place.ok(&["verify", "-i", "plain", "text.cless"]);
    let shown = String::from_utf8(place.ok(&["inspect", "identity"])).expect("text");
    assert!(!shown.contains(recipient.trim_end()), "{shown}");
}

/// Each with the exit code of the documentation, and every file as it was.
#[test]
fn what_keeps_an_identity_shut_is_a_key_error_and_writes_nothing() {
    let place = place(&SOURCES[0]);
    let mut damaged = place.read("identity");
    *damaged.last_mut().expect("a tag") ^= 1;
    place.write_key("damaged", &damaged);
    place.write_key("cut", &damaged[..100]);
    place.write("long", &[b'#'; 70_000]);
    for (file, sealed) in [("long", "longer"), ("recipients", "public")] {
        let seal = ["seal", file, "-o", sealed];
        place.ok(&[&seal[..], &SOURCES[0], &KEYGEN[2..4]].concat());
        #[cfg(unix)]
        place.set_mode(sealed, 0o600);
    }
    let before = place.files();
    for (identity, command, said) in [
        ("identity", "cat other", "opens none of its slots"),
        ("identity", "exit 3", "it failed: exit status: 3"),
        ("identity", "cat words; exit 1", "it failed: exit status: 1"),
        ("identity", "true", "passphrase is 0 bytes"),
        ("damaged", "cat words", "chunk 0"),
        ("cut", "cat words", "cut off"),
        ("longer", "cat words", "longer"),
        ("public", "cat words", "it holds a recipient"),
    ] {
        for verb in [
            &["open", "text.cless", "-o", "out"][..],
            &["open", "text.cless", "-o", "text", "--force"],
            &["verify", "text.cless"],
            &["rekey", "text.cless", "--new-key-file", "key"],
        ] {
            let secret = ["-i", identity, "--key-passphrase-command", command];
            let args = [verb, &secret].concat();
            let run = place.fails(4, &args);
            assert!(run.stderr.contains(said), "{args:?}: {}", run.stderr);
            assert!(run.stdout.is_empty() && place.files() == before, "{args:?}");
        }
    }
}

/// One command a call, however many identities and inputs it opens.
#[test]
fn the_passphrase_of_identities_is_asked_for_once() {
    let place = place(&SOURCES[0]);
    place.ok(&[&KEYGEN[..4], &["-o", "second"], &SOURCES[1]].concat());
    place.ok(&["seal", "-R", "recipients", "text", "-o", "more.cless"]);
    let counted = ["--key-passphrase-command", "echo >> calls; cat words"];
    let both = ["-i", "second", "-i", "identity", "text.cless", "more.cless"];
    place.ok(&[&["verify"][..], &both, &counted].concat());
    assert_eq!(place.read("calls"), b"\n");
}
