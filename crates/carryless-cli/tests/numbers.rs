//! More batches and pieces than a byte counts: long files are sealed, opened, read in part and given new slots. As many
//! secrets, and key files and texts as long, as there may be, and more.

mod common;

use common::{CONTAINER, KINDS, MESSAGE, Place, text};

/// More than 256 batches of 32 chunks, and an end that no part has.
const LEN: usize = 259 * 32 * 16384 + 16384 + 77;

#[test]
fn u8_files_of_more_than_256_batches_are_whole() {
    for kind in KINDS {
        let place = Place::of(kind);
        let text = text(LEN);
        place.write("text", &text);
        place.ok(&kind.args("seal", &["text", "-o", "sealed"]));
        if kind.name == CONTAINER.name {
            place.ok(&["keygen", "-o", "new"]);
            place.ok(&["rekey", "-k", "key", "--new-key-file", "new", "sealed"]);
            std::fs::rename(place.path("new"), place.path("key")).expect("a file");
        }
        place.ok(&kind.args("open", &["sealed", "-o", "opened"]));
        assert!(place.read("opened") == text, "{}", kind.name);
        // A message has no parts.
        if kind.name != MESSAGE.name {
            let from = LEN - 40_000;
            let range = format!("{from}:39000");
            let part = place.ok(&kind.args("open", &["sealed", "-o", "-", "--range", &range]));
            assert!(part == text[from..from + 39_000], "{}", kind.name);
        }
        // Through pipes there is no length to go by.
        let sealed = place.run_with(&kind.args("seal", &[]), &text).stdout;
        let opened = place.run_with(&kind.args("open", &[]), &sealed);
        assert!(opened.stdout == text, "{}: {}", kind.name, opened.stderr);
        println!("U8 {}: {LEN} bytes in files and pipes", kind.name);
    }
}

/// Every secret of a call gets a slot, or there is no file.
#[test]
fn u9_as_many_secrets_as_there_are_slots_open_and_more_are_refused() {
    let place = Place::new();
    place.write("text", b"text");
    place.write_key("words", b"correct horse");
    let names: Vec<String> = (0..17).map(|i| format!("key{i}")).collect();
    for name in &names {
        place.ok(&["keygen", "-o", name]);
    }
    let with = |verb: &[&str], [key_option, word_option]: [&str; 2], keys: &[String], word| {
        let mut args: Vec<String> = verb.iter().map(|word| (*word).into()).collect();
        args.extend(keys.iter().flat_map(|key| [key_option.into(), key.clone()]));
        if word {
            args.extend([word_option.into(), "words".into()]);
        }
        args
    };
    let run = |args: Vec<String>| place.run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let seal = ["seal", "text", "-f", "-o", "sealed"];
    let rekey = ["rekey", "-k", "key", "old", "-f", "-o", "sealed"];
    place.ok(&["seal", "-k", "key", "text", "-o", "old"]);
    let mut refused = 0;
    for (verb, options) in [
        (&seal[..], ["-k", "--passphrase-file"]),
        (&rekey, ["--new-key-file", "--new-passphrase-file"]),
    ] {
        for (keys, word) in [(15, true), (16, false)] {
            let made = run(with(verb, options, &names[..keys], word));
            assert_eq!(made.code, Some(0), "{verb:?}, {keys}: {}", made.stderr);
            for key in &names[..keys] {
                assert!(place.ok(&["open", "-k", key, "sealed", "-o", "-"]) == b"text");
            }
            std::fs::remove_file(place.path("sealed")).expect("it was made");
        }
        for (keys, word) in [(16, true), (17, false), (17, true)] {
            let made = run(with(verb, options, &names[..keys], word));
            assert_eq!(made.code, Some(2), "{verb:?}, {keys}: {}", made.stderr);
            assert!(
                made.stderr.contains("16") && !place.has("sealed"),
                "{}",
                made.stderr
            );
            refused += 1;
        }
    }
    println!("U9 secrets of a call: {refused} refused");
}

/// A key file is read to its end, or refused as too long.
#[test]
fn u9_key_files_of_the_greatest_length_are_taken_and_longer_ones_refused() {
    const MOST: usize = carryless_file::key_file::MAX_LEN;
    for kind in [CONTAINER, MESSAGE] {
        let place = Place::of(kind);
        let key = kind.args[1];
        let content = place.read(key);
        let blank = |len: usize| vec![b'\n'; len - content.len()];
        place.write("text", b"text");
        for (len, fits) in [
            (MOST - 1, true),
            (MOST, true),
            (MOST + 1, false),
            (2 * MOST, false),
        ] {
            // Whatever is cut off its end: something of the key, or nothing that counts.
            for padded in [
                [blank(len), content.clone()].concat(),
                [content.clone(), blank(len)].concat(),
            ] {
                place.write(key, &padded);
                let run = place.run(&kind.args("seal", &["-f", "text", "-o", "sealed"]));
                let code = if fits { 0 } else { 4 };
                assert_eq!(
                    run.code,
                    Some(code),
                    "{}, {len} bytes: {}",
                    kind.name,
                    run.stderr
                );
            }
        }
        println!("U9 {}: 8 key files around {MOST} bytes", kind.name);
    }
}

/// The longest text of a message is taken, which is seen as it begins; a longer one is refused before that.
#[cfg(unix)]
#[test]
fn u9_the_longest_text_of_a_message_is_taken_and_no_longer_one() {
    use carryless_file::gcm::MAX_TEXT_LEN;
    use std::io::Read;
    use std::process::Stdio;

    let place = Place::of(MESSAGE);
    let file = std::fs::File::create(place.path("long")).expect("a file");
    for (len, fits) in [(MAX_TEXT_LEN, true), (MAX_TEXT_LEN + 1, false)] {
        file.set_len(len).expect("a file with holes");
        let mut child = place
            .command(&MESSAGE.args("seal", &["long", "-o", "-"]))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut begun = Vec::new();
        let stdout = child.stdout.take().expect("piped");
        stdout
            .take(100_000)
            .read_to_end(&mut begun)
            .expect("a pipe");
        let _ = child.kill();
        let status = child.wait().expect("it ends");
        let expected = if fits { 100_000 } else { 0 };
        assert_eq!(begun.len(), expected, "{len} bytes: {status}");
        assert!(fits || status.code() == Some(2), "{len} bytes: {status}");
    }
}
