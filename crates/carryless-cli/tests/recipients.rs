//! Recipients of each kind: who has one seals, who has its identity opens, and what is neither is refused.

mod common;
#[path = "../../carryless-file/tests/key_vectors/lines.rs"]
mod lines;

use common::{Place, finish, text};
use lines::lines;

const KINDS: [&str; 2] = ["x25519", "x-wing"];

/// A place with `text`, and two identities with their recipients.
struct Recipients {
    place: Place,
    alice: String,
    bob: String,
}

fn recipients(kind: &str) -> Recipients {
    let place = Place::new();
    place.write("text", &text(100_000));
    let [alice, bob] = ["alice", "bob"].map(|name| {
        let line = place.new_identity(kind, name);
        String::from_utf8(line).expect("text").trim_end().into()
    });
    let list = format!("# the office\n{alice}\r\n\n{bob}\n");
    place.write("office.txt", list.as_bytes());
    place.write_key("words", b"correct horse\n");
    Recipients { place, alice, bob }
}

/// The text of a recipient of `vectors/keys.txt`.
fn vector(name: &str) -> String {
    let mut lines = lines("recipient", 29).into_iter();
    let line = lines.find(|fields| fields[0] == name);
    line.expect("the vector").remove(4)
}

#[test]
fn what_is_sealed_for_recipients_opens_with_their_identities_alone() {
    for kind in KINDS {
        let Recipients { place, alice, bob } = recipients(kind);
        place.ok(&["seal", "text", "-r", &alice, "-o", "one"]);
        place.ok(&["seal", "text", "-r", &alice, "-r", &bob, "-o", "two"]);
        place.ok(&["seal", "text", "-R", "office.txt", "-o", "listed"]);
        for (file, name, code) in [
            ("one", "alice", 0),
            ("one", "bob", 3),
            ("two", "alice", 0),
            ("two", "bob", 0),
            ("listed", "alice", 0),
            ("listed", "bob", 0),
        ] {
            let run = place.run(&["open", "-i", name, file, "-o", "-"]);
            assert_eq!(run.code, Some(code), "{file}, {name}: {}", run.stderr);
            let expected = if code == 0 { text(100_000) } else { Vec::new() };
            assert!(run.stdout == expected, "{file}, {name}");
            assert_eq!(
                place.run(&["verify", "-i", name, file]).code,
                Some(code),
                "{file}, {name}"
            );
        }
        place.ok(&["verify", "-i", "bob", "-i", "alice", "one"]);
        let run = place.fails(3, &["open", "one", "-k", "key", "-o", "out"]);
        assert!(run.stderr.contains("no slot for the key"), "{}", run.stderr);
        place.ok(&["seal", "text", "-k", "key", "-o", "keyed"]);
        let run = place.fails(3, &["open", "keyed", "-i", "alice", "-o", "out"]);
        assert!(
            run.stderr.contains("no slot for a recipient"),
            "{}",
            run.stderr
        );
        assert!(!place.has("out"));
    }
}

#[test]
fn recipients_mix_with_keys_and_passphrases_and_rekey_changes_them() {
    for kind in KINDS {
        let Recipients { place, alice, bob } = recipients(kind);
        let others = ["-k", "key", "--passphrase-file", "words"];
        place.ok(&[&["seal", "text", "-r", &alice][..], &others].concat());
        let slots = |file: &str| {
            let seen = place.inspect(file);
            let slots = seen["slots"].as_array().expect("slots").clone();
            let types = slots
                .iter()
                .map(|slot| slot["type"].as_str().expect("a type").to_string());
            (types.collect::<Vec<_>>(), slots)
        };
        let (types, all) = slots("text.cless");
        assert_eq!(types, ["key", "recipient", "passphrase"]);
        assert_eq!(
            all[1],
            serde_json::json!({ "type": "recipient", "kem": kind, "draft": kind == "x-wing" }),
            "for whom, it does not say"
        );
        let shown = String::from_utf8(place.ok(&["inspect", "text.cless"])).expect("text");
        let named = format!("recipient of the kind {kind}");
        assert!(shown.contains(&named), "{shown}");
        assert_eq!(shown.contains("a draft"), kind == "x-wing", "{shown}");
        for credential in [
            ["-i", "alice"],
            ["-k", "key"],
            ["--passphrase-file", "words"],
        ] {
            place.ok(&[&["verify", "text.cless"][..], &credential].concat());
        }
        place.ok(&["rekey", "text.cless", "-k", "key", "--new-recipient", &bob]);
        assert_eq!(slots("text.cless").0, ["recipient"]);
        place.ok(&["verify", "text.cless", "-i", "bob"]);
        place.fails(3, &["verify", "text.cless", "-i", "alice"]);
        let new = [
            "--new-recipients-file",
            "office.txt",
            "--new-key-file",
            "key",
        ];
        place.ok(&[&["rekey", "text.cless", "-i", "bob"][..], &new].concat());
        assert_eq!(slots("text.cless").0, ["key", "recipient", "recipient"]);
        for credential in [["-i", "alice"], ["-i", "bob"], ["-k", "key"]] {
            place.ok(&[&["verify", "text.cless"][..], &credential].concat());
        }
    }
}

/// As a backup host has it: the environment's passphrase, too, is left alone.
#[test]
fn a_recipient_alone_seals_and_opens_nothing() {
    for kind in KINDS {
        let Recipients { place, alice, .. } = recipients(kind);
        let mut command = place.piped(&["seal", "-r", &alice]);
        command.env("CARRYLESS_PASSPHRASE", "correct horse");
        let sealed = finish(&mut command, b"attack at dawn");
        assert_eq!(sealed.code, Some(0), "{}", sealed.stderr);
        place.write("sealed", &sealed.stdout);
        let run = place.fails(
            3,
            &["open", "--passphrase-file", "words", "sealed", "-o", "-"],
        );
        assert!(
            run.stderr.contains("no slot for a passphrase"),
            "{}",
            run.stderr
        );
        place.write_key("alice.txt", format!("{alice}\n").as_bytes());
        let run = place.fails(4, &["open", "-i", "alice.txt", "sealed", "-o", "-"]);
        assert!(run.stderr.contains("opens nothing"), "{}", run.stderr);
        assert_eq!(
            place.ok(&["open", "-i", "alice", "sealed", "-o", "-"]),
            b"attack at dawn"
        );
    }
}

#[test]
fn what_is_no_recipient_or_no_identity_is_refused_and_nothing_written() {
    for kind in KINDS {
        let Recipients { place, alice, bob } = recipients(kind);
        let identity = place.read("alice");
        place.write("identity.txt", &identity);
        place.write("broken.txt", format!("{bob}\n{}\n", &alice[1..]).as_bytes());
        place.write("none.txt", b"# nobody\n");
        place.write("long.txt", &[b'#'; 70_000]);
        place.write_key(
            "damaged",
            &[&identity[..identity.len() - 3], b"00\n"].concat(),
        );
        place.write_key("cut", &identity[..identity.len() / 2]);
        place.write_key("raw", &[7; 32]);
        place.write_key("empty", b"");
        let mistyped = alice.replace(&alice[10..12], "qq");
        let zeros = &vector(&format!("{kind}-point-0"));
        place.ok(&["seal", "text", "-r", &alice, "-o", "sealed"]);
        let before = place.names();
        for (code, args, says) in [
            (2, &["seal", "text", "-r", &mistyped][..], "checksum"),
            (2, &["seal", "text", "-r", &"x".repeat(2000)], "x...' for"),
            (2, &["seal", "text", "-r", &alice[..30]], "checksum"),
            (2, &["seal", "text", "-r", "office.txt"], "no recipient"),
            (2, &["seal", "text", "-r", zeros], "small order"),
            (2, &["seal", "text", "-r", &alice, "-r", &alice], "twice"),
            (
                2,
                &["seal", "text", "-r", &alice, "-R", "office.txt"],
                "twice",
            ),
            (4, &["seal", "text", "-R", "identity.txt"], "secret"),
            (4, &["seal", "text", "-R", "key"], "secret"),
            (4, &["seal", "text", "-R", "broken.txt"], "line 2"),
            (4, &["seal", "text", "-R", "none.txt"], "no recipient in it"),
            (4, &["seal", "text", "-R", "long.txt"], "65536"),
            (4, &["seal", "text", "-R", "absent"], "can't be opened"),
            (4, &["seal", "text", "-R", "."], "can't be read"),
            (
                2,
                &[
                    "seal",
                    "text",
                    "--format",
                    "cobblestone",
                    "-k",
                    "key",
                    "-r",
                    &alice,
                ],
                "nothing else",
            ),
            (
                2,
                &["seal", "text", "--format", "gcm", "-k", "key", "-r", &alice],
                "nothing else",
            ),
            (4, &["seal", "text", "-k", "alice"], "kind"),
            (4, &["open", "sealed", "-o", "out", "-i", "key"], "kind"),
            (
                4,
                &["open", "sealed", "-o", "out", "-i", "office.txt"],
                "owner",
            ),
            (
                4,
                &["open", "sealed", "-o", "out", "-i", "identity.txt"],
                "owner",
            ),
            (
                4,
                &["open", "sealed", "-o", "out", "-i", "damaged"],
                "checksum",
            ),
            (4, &["open", "sealed", "-o", "out", "-i", "cut"], "no line"),
            (4, &["open", "sealed", "-o", "out", "-i", "raw"], ""),
            (
                4,
                &["open", "sealed", "-o", "out", "-i", "empty"],
                "0 bytes",
            ),
            (
                4,
                &["open", "sealed", "-o", "out", "-i", "absent"],
                "can't be opened",
            ),
            (
                3,
                &["open", "sealed", "-o", "out", "-i", "bob"],
                "opens none",
            ),
            (
                2,
                &[
                    "open", "sealed", "-o", "out", "--format", "gcm", "-i", "alice",
                ],
                "nothing else",
            ),
            (
                3,
                &["open", "office.txt", "-o", "out", "-i", "alice"],
                "bare stream",
            ),
            (
                2,
                &["keygen", "--recipient", "--bits", "256", "-o", "new"],
                "--bits",
            ),
            (2, &["keygen", "--recipient=rsa", "-o", "new"], "x-wing"),
            (2, &["keygen", "--recipient", "-o", "bob"], "exists"),
        ] {
            let run = place.fails(code, args);
            assert!(run.stderr.contains(says), "{args:?}: {}", run.stderr);
            assert_eq!(place.names(), before, "{args:?}: something was written");
            let secret = String::from_utf8_lossy(&identity);
            let secret = secret.lines().find_map(|line| line.strip_prefix("key: "));
            let secret = secret.expect("the secret");
            assert!(!run.stderr.contains(secret), "{args:?}");
        }
    }
}

#[test]
fn an_identity_is_as_private_as_a_key_and_names_its_recipient() {
    for kind in KINDS {
        let Recipients { place, alice, .. } = recipients(kind);
        let identity = String::from_utf8(place.read("alice")).expect("text");
        assert!(identity.contains(&format!("# {alice}\n")), "{identity}");
        #[cfg(unix)]
        {
            assert_eq!(place.mode("alice"), 0o600);
            place.set_mode("alice", 0o644);
            let run = place.fails(4, &["verify", "-i", "alice", "sealed"]);
            assert!(run.stderr.contains("chmod 600"), "{}", run.stderr);
        }
        // Without -o the recipient must not be among the identity.
        let run = place.run(&["keygen", &format!("--recipient={kind}")]);
        let identity = String::from_utf8(run.stdout).expect("text");
        let line = run
            .stderr
            .lines()
            .find_map(|line| line.split_once("recipient: "));
        let (_, recipient) = line.expect("the recipient");
        assert!(identity.contains(&format!("# {recipient}\n")), "{identity}");
        assert!(!identity.lines().any(|line| line == recipient));
    }
}

#[test]
fn a_header_has_room_for_sixteen_recipients() {
    for kind in KINDS {
        let Recipients { place, .. } = recipients(kind);
        let mut list = Vec::new();
        for number in 0..17 {
            let name = format!("identity{number}");
            list.extend(place.new_identity(kind, &name));
        }
        let lines: Vec<_> = list.split_inclusive(|byte| *byte == b'\n').collect();
        place.write("sixteen", &lines[..16].concat());
        place.write("seventeen", &list);
        place.ok(&["seal", "text", "-R", "sixteen"]);
        place.ok(&["verify", "text.cless", "-i", "identity15"]);
        let run = place.fails(2, &["seal", "text", "-R", "seventeen", "-o", "more"]);
        assert!(run.stderr.contains("takes 16"), "{}", run.stderr);
        assert!(!place.has("more"));
        place.fails(
            2,
            &["seal", "text", "-R", "sixteen", "-k", "key", "-o", "more"],
        );
    }
}

/// All of them are tried, as none says whom it is for.
#[cfg(unix)]
#[test]
fn a_header_full_of_recipients_takes_little_time_and_memory() {
    for kind in KINDS {
        let Recipients { place, .. } = recipients(kind);
        let mut list = Vec::new();
        for number in 0..16 {
            let name = format!("identity{number}");
            list.extend(place.new_identity(kind, &name));
        }
        place.write("sixteen", &list);
        place.ok(&["seal", "text", "-R", "sixteen"]);
        let limited = ["sh", "-c", "ulimit -v 262144; exec \"$@\"", "sh"];
        for (identity, code) in [("identity15", 0), ("alice", 3)] {
            let began = std::time::Instant::now();
            let args = ["verify", "text.cless", "-t", "1", "-i", identity];
            let run = place.through(&limited, &args);
            assert_eq!(run.code, Some(code), "{}", run.stderr);
            assert!(began.elapsed().as_secs() < 5, "{identity}");
        }
    }
}

#[test]
fn both_kinds_mix_in_one_header_and_rekey_changes_them() {
    let place = Place::new();
    place.write("text", &text(20_000));
    place.write_key("words", b"correct horse\n");
    let [point, hybrid] = KINDS.map(|kind| place.new_identity(kind, kind));
    place.write("both", &[&point[..], &hybrid].concat());
    place.write("hybrid", &hybrid);
    let others = ["-k", "key", "--passphrase-file", "words"];
    place.ok(&[&["seal", "text", "-R", "both"][..], &others].concat());
    let opens = |credential: [&str; 2], code| {
        let run = place.run(&[&["open", "text.cless", "-o", "-"], &credential[..]].concat());
        assert_eq!(run.code, Some(code), "{credential:?}: {}", run.stderr);
        assert!(run.stdout == text(20_000) || code != 0, "{credential:?}");
        run.stderr
    };
    for credential in [
        ["-i", "x25519"],
        ["-i", "x-wing"],
        ["-k", "key"],
        ["--passphrase-file", "words"],
    ] {
        opens(credential, 0);
    }
    let new = ["--new-recipients-file", "hybrid"];
    place.ok(&[&["rekey", "text.cless", "-i", "x25519"], &new[..]].concat());
    opens(["-i", "x-wing"], 0);
    let said = opens(["-i", "x25519"], 3);
    let none = "no slot for a recipient of the kind x25519";
    assert!(said.contains(none), "{said}");
    let new = ["--new-recipients-file", "both"];
    place.ok(&[&["rekey", "text.cless", "-i", "x-wing"], &new[..]].concat());
    opens(["-i", "x25519"], 0);
}

/// Until the specification of the other one is final.
#[test]
fn without_a_kind_it_is_x25519() {
    let place = Place::new();
    let recipient = place.ok(&["keygen", "--recipient", "-o", "identity"]);
    assert!(recipient.starts_with(b"cless1"));
    let help = String::from_utf8(place.ok(&["keygen", "--help"])).expect("text");
    let of_x_wing = help.split_once("x-wing").expect("it is named").1;
    assert!(of_x_wing.contains("draft"), "{help}");
}
