//! What happens at the edges: streams that are closed, owners, names that appear meanwhile, and what messages say.
#![cfg(unix)]

mod common;

use std::io::Write;
use std::os::unix::fs::{MetadataExt, chown};

use common::{Place, Run, finish};

/// Runs a line of a shell, in which `$0` is the program.
fn shell(place: &Place, line: &str) -> Run {
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", line, env!("CARGO_BIN_EXE_carryless")])
        .current_dir(place.directory())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    finish(&mut command, b"")
}

#[test]
fn a_closed_stream_is_an_error_and_a_redirected_one_is_not() {
    let place = Place::new();
    place.write("text", b"attack at dawn");
    place.ok(&["seal", "-k", "key", "text"]);
    for (line, code) in [
        ("\"$0\" seal -k key <&-", 5),
        ("\"$0\" seal -k key text -o - >&-", 5),
        ("\"$0\" open -k key <text.cless >&-", 5),
        ("\"$0\" verify -k key <&-", 5),
        ("\"$0\" seal -k key </dev/null", 0),
        ("\"$0\" open -k key <text.cless >/dev/null", 0),
        ("\"$0\" verify -k key text.cless --json >&-", 5),
        ("\"$0\" keygen --recipient -o identity >&-", 5),
        ("\"$0\" inspect text.cless >&-", 5),
        ("\"$0\" selftest >&-", 5),
        ("\"$0\" vectors </dev/null >&-", 5),
        ("\"$0\" --help >&-", 5),
        ("\"$0\" inspect text.cless >/dev/null", 0),
        ("\"$0\" keygen --recipient -o identity -f >/dev/null", 0),
        // Not used, so nothing is missing.
        ("\"$0\" verify -k key text.cless <&- >&-", 0),
    ] {
        let run = shell(&place, line);
        assert_eq!(run.code, Some(code), "{line}: {}", run.stderr);
        assert_eq!(
            run.stderr.contains("closed"),
            code == 5,
            "{line}: {}",
            run.stderr
        );
        assert!(!place.has("identity") || code == 0, "{line}");
    }
}

#[test]
fn a_replaced_file_keeps_its_owner() {
    let place = Place::new();
    place.write("text", b"attack at dawn");
    place.ok(&["seal", "-k", "key", "text"]);
    place.ok(&["seal", "-k", "key", "text", "-o", "other"]);
    let owner = (1234, 2345);
    let given = ["text.cless", "other"];
    if given
        .iter()
        .any(|name| chown(place.path(name), Some(owner.0), Some(owner.1)).is_err())
    {
        eprintln!("not run: files can't be given away here");
        return;
    }
    place.ok(&["rekey", "-k", "key", "--new-key-file", "key", "text.cless"]);
    place.ok(&["seal", "-k", "key", "text", "--force", "-o", "other"]);
    for name in given {
        let now = std::fs::metadata(place.path(name)).expect("a file");
        assert_eq!((now.uid(), now.gid()), owner, "{name}");
    }
}

#[test]
fn what_appears_meanwhile_is_not_replaced_and_not_for_want_of_force() {
    let place = Place::new();
    let args = ["seal", "-k", "key", "--force", "-o", "target"];
    let mut child = place.piped(&args).spawn().expect("the program starts");
    place.await_output();
    place.write("target", b"of somebody else");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(b"text").expect("it reads");
    drop(stdin);
    let run = Run::from(child.wait_with_output().expect("it ends"));
    assert_eq!(run.code, Some(5), "{}", run.stderr);
    assert!(run.stderr.contains("meanwhile"), "{}", run.stderr);
    assert_eq!(place.read("target"), b"of somebody else");
    assert!(place.temporaries().is_empty());
}

#[test]
fn messages_name_what_was_asked_for() {
    let place = Place::new();
    place.write("text", b"text");
    let run = place.fails(5, &["seal", "-k", "key", "text", "-o", "/proc/target"]);
    assert!(run.stderr.contains("/proc/target"), "{}", run.stderr);
    assert!(!run.stderr.contains(".carryless-"), "{}", run.stderr);

    let keys = Vec::from_iter((0..17).map(|i| format!("key{i}")));
    let mut args = vec!["seal", "text"];
    for key in &keys {
        place.ok(&["keygen", "-o", key]);
        args.extend(["-k", key]);
    }
    let run = place.fails(2, &args);
    assert!(run.stderr.contains("one file takes 16"), "{}", run.stderr);
}

/// Two names that look alike, as neither is text.
#[cfg(target_os = "linux")]
#[test]
fn answers_have_names_byte_by_byte() {
    use std::os::unix::ffi::OsStrExt;

    let place = Place::new();
    for byte in [0xfe, 0xff] {
        let name = [b'a', byte];
        let path = place.directory().join(std::ffi::OsStr::from_bytes(&name));
        std::fs::write(path, b"text").expect("a file");
        for (verb, input, output) in [
            (
                "seal",
                vec![b'a', byte],
                Some([&[b'a', byte][..], b".cless"].concat()),
            ),
            ("verify", [&[b'a', byte][..], b".cless"].concat(), None),
            ("open", vec![b'a', byte], None),
        ] {
            let mut command = place.piped(&[verb, "-k", "key", "--json"]);
            command.arg(std::ffi::OsStr::from_bytes(&input));
            let run = finish(&mut command, b"");
            let said: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
            assert_eq!(said["file_hex"], hex::encode(&input), "{verb}: {said}");
            assert_eq!(
                said["file"].as_str().map(str::is_ascii),
                Some(false),
                "{said}"
            );
            if let Some(output) = output {
                assert_eq!(said["output_hex"], hex::encode(output), "{said}");
            }
        }
    }
    let sealed = place.run_with(&["verify", "-k", "key", "--json"], b"none");
    let said: serde_json::Value = serde_json::from_slice(&sealed.stdout).expect("JSON");
    assert!(
        said["file_hex"].is_null() && said["file"] == "standard input",
        "{said}"
    );
}

#[test]
fn examples_in_man_pages_are_as_they_are_typed() {
    let page = String::from_utf8(Place::new().ok(&["man", "seal"])).expect("text");
    let example = page.find("\n  carryless seal").expect("an example");
    assert!(page[..example].ends_with(".nf"), "{page}");
    let (begins, ends) = (page.matches("\n.nf\n"), page.matches("\n.fi\n"));
    assert_eq!(begins.count(), ends.count(), "{page}");
}
