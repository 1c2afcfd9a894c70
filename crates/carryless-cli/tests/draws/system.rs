//! What is in keys and sealed files is what the system gave, byte for byte, and no call is without a draw.

use crate::common::{CONTAINER, MESSAGE, Place, STREAM};
use crate::traced::{Values, are_given, given, traced};
use crate::{KEYS, key_in};

/// The file key of a container, which nobody shows.
const FILE_KEY: usize = 32;

/// Runs the command traced: what it said, and what the system gave.
fn run(place: &Place, args: &[&str]) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
    let log = place.path("log");
    let mut command = traced(env!("CARGO_BIN_EXE_carryless"), "--version", &log)?;
    let output = command.args(args).current_dir(place.directory()).output();
    let output = output.expect("strace starts it");
    assert!(output.status.success(), "{args:?}: {output:?}");
    let told = std::fs::read_to_string(&log).expect("strace wrote it");
    std::fs::remove_file(log).expect("a file of ours");
    Some((output.stdout, given(&told)))
}

fn expect(
    args: &[&str],
    values: &[(String, Vec<u8>)],
    given: Vec<Vec<u8>>,
    unseen: &[usize],
) -> usize {
    are_given(values, given, unseen).unwrap_or_else(|why| panic!("{args:?}: {why}"))
}

/// The parts of a file that are drawn.
fn parts(file: &[u8], places: &[(&str, usize, usize)]) -> Values {
    let part =
        |&(what, at, len): &(&str, usize, usize)| (what.to_owned(), file[at..at + len].to_vec());
    places.iter().map(part).collect()
}

#[test]
fn u7_keys_are_what_the_system_gave() {
    let place = Place::new();
    let mut count = 0;
    for (kind, bits) in KEYS {
        let keygen = ["keygen", "--kind", kind, "--bits", bits];
        // To standard output, to a new file, and in place of the one before.
        let ways = [&keygen[..], &[&keygen[..], &["-f", "-o", "key"]].concat()];
        for turn in 0..32 {
            let args = ways[turn % 2];
            let Some((output, given)) = run(&place, args) else {
                return;
            };
            let text = if turn % 2 == 0 {
                output
            } else {
                place.read("key")
            };
            let key = vec![("a key".to_owned(), key_in(kind, &text))];
            count += expect(args, &key, given, &[]);
        }
    }
    println!("U7 keys of keygen: {count} are what the system gave");
}

#[test]
fn u7_ids_salts_and_nonces_of_files_are_what_the_system_gave() {
    let mut count = 0;
    for kind in [STREAM, MESSAGE] {
        let place = Place::of(kind);
        for (name, len) in [("empty", 0), ("one", 1), ("many", 700_000)] {
            place.write(name, &vec![7; len]);
            let args = kind.args("seal", &[name, "-o", "sealed", "-f"]);
            let Some((_, given)) = run(&place, &args) else {
                return;
            };
            let len = if kind.name == STREAM.name { 24 } else { 12 };
            let values = parts(&place.read("sealed"), &[("its beginning", 0, len)]);
            count += expect(&args, &values, given, &[]);
        }
    }
    println!("U7 salts and nonces of files: {count} are what the system gave");
}

/// A slot for a key, one for a passphrase: two files of one call, then one of them with new slots.
#[test]
fn u7_ids_and_salts_of_containers_are_what_the_system_gave() {
    const ID: (&str, usize, usize) = ("file id", 10, 16);
    const KEY_FIRST: [(&str, usize, usize); 3] = [
        ("salt of the key", 39, 24),
        ("salt of Argon2id", 155, 16),
        ("salt of the passphrase", 171, 24),
    ];
    const HEADER: usize = 28 + 115 + 132 + 32;
    let place = Place::of(CONTAINER);
    place.write_key("words", b"correct horse");
    for name in ["one", "two"] {
        place.write(name, b"text");
    }
    let secrets = ["-k", "key", "--passphrase-file", "words"];
    let args = [&["seal", "one", "two"][..], &secrets].concat();
    let Some((_, given)) = run(&place, &args) else {
        return;
    };
    let of_a_file = [
        &[ID][..],
        &KEY_FIRST,
        &[("salt of the payload", HEADER, 24)],
    ]
    .concat();
    // The files of a call share the salt of Argon2id.
    let mut of_the_next = of_a_file.clone();
    of_the_next.retain(|(what, ..)| *what != "salt of Argon2id");
    let values = [
        parts(&place.read("one.cless"), &of_a_file),
        parts(&place.read("two.cless"), &of_the_next),
    ];
    let mut count = expect(&args, &values.concat(), given, &[FILE_KEY; 2]);

    let before = place.read("one.cless");
    let new = ["--new-key-file", "key", "--new-passphrase-file", "words"];
    let args = [&["rekey", "one.cless", "-k", "key"][..], &new].concat();
    let (_, given) = run(&place, &args).expect("strace was there");
    let after = place.read("one.cless");
    assert!(after[10..26] == before[10..26] && after[HEADER..] == before[HEADER..]);
    count += expect(&args, &parts(&after, &KEY_FIRST), given, &[]);
    println!("U7 ids and salts of containers: {count} are what the system gave");
}
