//! What a file keeps that is replaced, and what a new one takes over: access lists, and attributes of users.
#![cfg(target_os = "linux")]

mod common;

use std::os::unix::fs::chown;

use common::{Place, has_strace, injecting};
use xattr::FileExt;

const LIST: &str = "system.posix_acl_access";
/// The list that new files of a directory get.
const OF_NEW: &str = "system.posix_acl_default";
const NOTE: &str = "user.note";

/// An access list in which the owner and a user with a number may read and write, others nothing, and the group has these rights.
fn list(group: u8) -> Vec<u8> {
    access_list([6, group, 0])
}

/// An access list with the rights of a user with a number, of the group and of the others.
fn access_list([user, group, others]: [u8; 3]) -> Vec<u8> {
    const NOBODY: u32 = u32::MAX;
    let entries = [
        (1, 6, NOBODY),
        (2, user, 12345),
        (4, group, NOBODY),
        (16, 6, NOBODY),
        (32, others, NOBODY),
    ];
    let mut list = Vec::from(2u32.to_le_bytes());
    for (what, rights, id) in entries {
        list.extend([what, 0, rights, 0]);
        list.extend(u32::to_le_bytes(id));
    }
    list
}

/// A text with its sealed file, if files may have lists here.
fn place() -> Option<Place> {
    let place = Place::new();
    place.write("text", b"attack at dawn");
    place.ok(&["seal", "-k", "key", "text"]);
    let sealed = place.path("text.cless");
    let given = [(LIST, &list(0)[..]), (NOTE, b"by hand")]
        .into_iter()
        .try_for_each(|(name, value)| xattr::set(&sealed, name, value));
    match given {
        Ok(()) => Some(place),
        Err(error) => {
            eprintln!("not run: files have no such attributes here: {error}");
            None
        }
    }
}

/// Makes the file that a command line replaces, if it is not there.
fn make(place: &Place, name: &str) {
    if !place.has(name) {
        place.write(name, &place.read("text.cless"));
    }
}

fn give(place: &Place, name: &str, list: &[u8]) {
    let path = place.path(name);
    xattr::set(&path, LIST, list).expect("a list");
    xattr::set(&path, NOTE, b"by hand").expect("an attribute");
}

fn of(place: &Place, name: &str, attribute: &str) -> Option<Vec<u8>> {
    xattr::get(place.path(name), attribute).expect("a file")
}

/// Command lines that replace a file, and its name.
const REPLACING: [(&str, &[&str]); 4] = [
    (
        "text.cless",
        &["rekey", "-k", "key", "--new-key-file", "key", "text.cless"],
    ),
    ("text.cless", &["seal", "-k", "key", "--force", "text"]),
    ("text", &["open", "-k", "key", "--force", "text.cless"]),
    (
        "sealed",
        &[
            "rekey",
            "-k",
            "key",
            "--new-key-file",
            "key",
            "text.cless",
            "--force",
            "-o",
            "sealed",
        ],
    ),
];

#[test]
fn a_replaced_file_keeps_its_access_list_and_the_attributes_of_its_users() {
    let Some(place) = place() else { return };
    for group in [0, 4, 6] {
        for (name, args) in REPLACING {
            make(&place, name);
            give(&place, name, &list(group));
            place.ok(args);
            assert_eq!(of(&place, name, LIST), Some(list(group)), "{args:?}");
            assert_eq!(
                of(&place, name, NOTE).as_deref(),
                Some(&b"by hand"[..]),
                "{args:?}"
            );
            assert_eq!(place.mode(name), 0o660, "{args:?}");
        }
    }
}

/// What the mode says of the group is the most that the list gives anybody, and not for the group.
#[test]
fn without_its_access_list_a_replaced_file_has_no_rights_for_its_group() {
    let Some(place) = place() else { return };
    if !has_strace() {
        return;
    }
    for (name, args) in REPLACING {
        make(&place, name);
        give(&place, name, &list(0));
        let run = place.through(&injecting("inject=fsetxattr:error=ENOSPC"), args);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
        assert_eq!(of(&place, name, LIST), None, "{args:?}");
        assert_eq!(place.mode(name), 0o600, "{args:?}");
    }
}

#[test]
fn a_replaced_file_without_an_access_list_gets_none_of_its_directory() {
    let Some(place) = place() else { return };
    place.ok(&["seal", "-k", "key", "text", "-o", "sealed"]);
    xattr::set(place.directory(), OF_NEW, &list(6)).expect("a list");
    for (name, args) in REPLACING {
        let file = std::fs::File::open(place.path(name)).expect("a file");
        let _ = file.remove_xattr(LIST);
        place.set_mode(name, 0o640);
        place.ok(args);
        assert_eq!(
            (of(&place, name, LIST), place.mode(name)),
            (None, 0o640),
            "{args:?}"
        );
    }
    // A new one does.
    place.ok(&["seal", "-k", "key", "text", "-o", "new"]);
    assert!(of(&place, "new", LIST).is_some());
}

#[test]
fn a_replaced_key_is_its_owners_alone_whatever_list_it_had() {
    let Some(place) = place() else { return };
    place.ok(&["keygen", "-o", "other"]);
    give(&place, "other", &list(6));
    place.ok(&["keygen", "--force", "-o", "other"]);
    assert_eq!(
        (of(&place, "other", LIST), place.mode("other")),
        (None, 0o600)
    );
}

/// Who has a right to the source has it to what is made of it, or less; nobody else has.
#[test]
fn of_a_source_with_an_access_list_a_new_file_has_no_more_rights() {
    let Some(place) = place() else { return };
    // Rights of the user with a number, the group and the others, and the mode.
    for (rights, mode) in [
        ([6, 0, 0], 0o600),
        ([6, 4, 0], 0o640),
        ([6, 4, 4], 0o644),
        ([0, 4, 4], 0o600),
        ([6, 0, 4], 0o600),
    ] {
        let list = access_list(rights);
        give(&place, "text", &list);
        give(&place, "text.cless", &list);
        for args in [
            ["seal", "-k", "key", "text", "-o", "new"],
            ["open", "-k", "key", "text.cless", "-o", "new"],
        ] {
            let run = place.through(&["sh", "-c", "umask 0; exec \"$@\"", "sh"], &args);
            assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
            let got = (of(&place, "new", LIST), place.mode("new"));
            assert_eq!(got, (None, mode), "{args:?}, {rights:?}");
            std::fs::remove_file(place.path("new")).expect("it exists");
        }
    }
}

/// Who was of the old group, or has an entry in the list, has no more rights as one of the others.
#[test]
fn without_its_group_a_replaced_file_has_no_list_and_no_right_more() {
    let Some(place) = place() else { return };
    let give_away = || chown(place.path("text.cless"), None, Some(2345));
    if !has_strace() || give_away().is_err() {
        eprintln!("not run: files can't be given away here");
        return;
    }
    let strace = injecting("inject=fchown:error=EPERM");
    let seal = ["seal", "-k", "key", "text", "--force"];
    for (before, after) in [
        (0o640, 0o600),
        (0o644, 0o604),
        (0o604, 0o600),
        (0o666, 0o606),
    ] {
        give_away().expect("as before");
        let _ = xattr::remove(place.path("text.cless"), LIST);
        place.set_mode("text.cless", before);
        assert_eq!(place.through(&strace, &seal).code, Some(0));
        assert_eq!(place.mode("text.cless"), after, "{before:o}");
    }
    give_away().expect("as before");
    give(&place, "text.cless", &list(4));
    assert_eq!(place.through(&strace, &seal).code, Some(0));
    let got = (of(&place, "text.cless", LIST), place.mode("text.cless"));
    assert_eq!(got, (None, 0o600));
    assert_eq!(
        of(&place, "text.cless", NOTE).as_deref(),
        Some(&b"by hand"[..])
    );
}
