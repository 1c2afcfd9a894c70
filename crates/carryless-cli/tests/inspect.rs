//! `inspect`: what is seen without a key.

mod common;

use common::{CHUNK, HEADER, Place, SEALED, STREAM};

#[test]
fn inspect_needs_no_key_and_promises_nothing() {
    let place = Place::new();
    place.write("text", b"attack at dawn");
    place.ok(&["seal", "-k", "key", "text"]);
    let shown = String::from_utf8(place.ok(&["inspect", "text.cless"])).expect("text");
    assert!(
        shown.contains("nothing of this is authenticated"),
        "{shown}"
    );
    assert!(
        shown.contains("14 bytes") && shown.contains("key file with the id"),
        "{shown}"
    );
    place.ok(&STREAM.args("seal", &["text", "-o", "stream"]));
    let seen = place.inspect("stream");
    assert_eq!(seen["format"], serde_json::Value::Null);
    assert_eq!(seen["as_cobblestone"]["plaintext_len"], 14);
    assert_eq!(seen["as_gcm"]["plaintext_len"], 14 + 56 + 16 - 28);
    let piped = place.run_with(&["inspect", "--json"], &place.read("text.cless"));
    let piped: serde_json::Value = serde_json::from_slice(&piped.stdout).expect("JSON");
    assert_eq!(piped["plaintext_len"], serde_json::Value::Null);
    place.write("short", &[0; 27]);
    place.fails(3, &["inspect", "short"]);
    place.fails(5, &["inspect", "absent"]);
    let mut cut = place.read("text.cless");
    cut.truncate(100);
    place.write("cut", &cut);
    place.fails(3, &["inspect", "cut"]);
}

/// A file of any length may be a message, one of most lengths a stream.
#[test]
fn inspect_says_what_a_file_of_any_length_may_be() {
    let place = Place::new();
    let edges = (1..=33).flat_map(|chunks| {
        let end = HEADER + chunks * SEALED;
        [end - 1, end, end + 1, end + 15, end + 16, end + 17]
    });
    for len in (0..=130).chain(edges) {
        place.write("file", &vec![b'x'; len]);
        let args = ["inspect", "--json", "file"];
        if len < 28 {
            place.fails(3, &args);
            continue;
        }
        let seen = place.inspect("file");
        assert_eq!(seen["as_gcm"]["plaintext_len"], len - 28, "{len}");
        let stream = len.checked_sub(HEADER).and_then(|body| {
            let (whole, rest) = (body / SEALED, body % SEALED);
            Some(whole * CHUNK + rest.checked_sub(16)?)
        });
        let as_stream = &seen["as_cobblestone"];
        assert_eq!(as_stream.is_null(), len < HEADER, "{len}: {seen}");
        let said = as_stream["plaintext_len"].as_u64();
        assert_eq!(said, stream.map(|len| len as u64), "{len}: {seen}");
    }
}
