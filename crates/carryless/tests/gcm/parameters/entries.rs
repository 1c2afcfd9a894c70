//! The entry points of the library, and the path by which the table has each.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::harness::caught;

/// Files of `src/mode`, their public functions that take or make a text or a tag, and where they are run.
const ENTRIES: &[(&str, &[&str], &str)] = &[
    (
        "batch",
        &["in_place", "between", "with_tag", "tag", "result"],
        "Batch, batch of fours, batch one by one",
    ),
    (
        "batch",
        &["seal_batch", "open_batch"],
        "Batch, batch of fours, batch one by one",
    ),
    (
        "batch",
        &["seal_batch_keyed", "open_batch_keyed"],
        "BatchKeyed",
    ),
    ("gcm", &["seal_in_place", "open_in_place"], "InPlace"),
    ("gcm", &["seal_into", "open_into"], "Into"),
    ("gcm", &["seal_scatter"], "Scatter"),
    ("gcm", &["open_within"], "Within"),
    ("gcm", &["sealer", "opener"], "Stream, StreamInPlace"),
    ("gmac", &["mac", "verify"], "Gmac"),
    ("once", &["seal_once", "open_once"], "OnceInPlace"),
    ("once", &["seal_once_into", "open_once_into"], "Once"),
    (
        "parallel",
        &["seal_parallel_in_place", "open_parallel_in_place"],
        "ParallelInPlace",
    ),
    (
        "parallel",
        &["seal_parallel_into", "open_parallel_into"],
        "Parallel",
    ),
    (
        "random_nonce",
        &["seal_in_place", "seal_into"],
        "RandomNonceSealer",
    ),
    (
        "segment",
        &[
            "segments",
            "seal_into",
            "authenticate",
            "merge",
            "finish",
            "verify",
        ],
        "Segments",
    ),
    ("segment/verified", &["open_into"], "Segments"),
    // The same behind another way to name the buffers; `tests/gcm/segments.rs`.
    (
        "segment",
        &["seal_in_place", "open_unverified"],
        "c7_merging_is_associative",
    ),
    (
        "segment/verified",
        &["open_in_place"],
        "c7_merging_is_associative",
    ),
    (
        "segment/partial",
        &["to_bytes", "from_bytes", "start"],
        "c7_merging_is_associative",
    ),
    (
        "stream",
        &["aad", "seal_in_place", "open_in_place", "finish"],
        "StreamInPlace",
    ),
    ("stream", &["seal_into", "open_into"], "Stream"),
    // Parts without a tag of their own, `hazmat`: `tests/engines.rs` and C4.
    (
        "cipher",
        &[
            "encrypt_block",
            "encrypt_blocks",
            "decrypt_block",
            "decrypt_blocks",
            "ctr_in_place",
            "ctr_into",
        ],
        "hazmat",
    ),
    ("ghash", &["update", "finish"], "hazmat"),
    // Modes beside GCM have suites of their own.
    ("ghash", &["element"], "tests/sgcm/parts.rs"),
    (
        "sgcm",
        &[
            "seal_in_place",
            "seal_into",
            "open_in_place",
            "open_into",
            "sealer",
            "opener",
        ],
        "tests/sgcm/messages.rs",
    ),
    (
        "sgcm/stream",
        &[
            "aad",
            "seal_in_place",
            "seal_into",
            "open_in_place",
            "open_into",
            "finish",
        ],
        "tests/sgcm/messages.rs",
    ),
    (
        "gmac",
        &["begin", "update", "finish"],
        "tests/modes_mac/gmac.rs",
    ),
    (
        "cmac",
        &["mac", "mac_each", "verify", "begin", "update", "finish"],
        "tests/modes_mac/cmac.rs",
    ),
    (
        "ccm",
        &[
            "seal_in_place",
            "seal_into",
            "open_in_place",
            "open_into",
            "sealer",
            "opener",
        ],
        "tests/modes_mac/ccm.rs",
    ),
    (
        "ccm/stream",
        &[
            "aad",
            "seal_in_place",
            "seal_into",
            "open_in_place",
            "open_into",
            "finish",
        ],
        "tests/modes_mac/ccm.rs",
    ),
    (
        "gcm_siv",
        &["seal_in_place", "seal_into", "open_in_place", "open_into"],
        "tests/modes_siv.rs",
    ),
    (
        "xaes",
        &[
            "seal_in_place",
            "seal_into",
            "open_in_place",
            "open_into",
            "derive",
        ],
        "tests/modes_siv.rs",
    ),
    (
        "cbc",
        &["$in_place", "$into", "in_place", "between", "encrypt_each"],
        "tests/modes_cbc",
    ),
    (
        "ctr",
        &["apply_in_place", "apply_into", "seek"],
        "tests/modes_cbc",
    ),
    ("pkcs7", &["pad", "unpad"], "tests/modes_cbc"),
    (
        "xts",
        &[
            "encrypt_in_place",
            "encrypt_into",
            "decrypt_in_place",
            "decrypt_into",
            "encrypt_sectors_in_place",
            "encrypt_sectors_into",
            "decrypt_sectors_in_place",
            "decrypt_sectors_into",
        ],
        "tests/modes_cbc",
    ),
];

/// What makes, shows or holds a key, and asks for lengths.
const NO_MESSAGE: &[&str] = &[
    "from_slice",
    "with_engine",
    "engine",
    "new",
    "resume",
    "remaining",
    "len",
    "is_empty",
    "fill",
    "get",
    "get_mut",
    "clear",
    "check_lengths",
    "padded_len",
    "position",
    "restart",
];

/// Names of public functions of a source.
fn public(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start();
        let rest = line
            .strip_prefix("pub fn ")
            .or_else(|| line.strip_prefix("pub const fn "))?;
        rest.split(['(', '<']).next()
    })
}

/// What of a file of `src/mode` is in no row.
fn unknown<'t>(file: &str, text: &'t str) -> BTreeSet<&'t str> {
    let listed = |name: &&str| {
        let of =
            |(place, names, _): &&(&str, &[&str], &str)| *place == file && names.contains(name);
        ENTRIES.iter().any(|row| of(&row))
    };
    public(text)
        .filter(|name| !listed(name) && !NO_MESSAGE.contains(name))
        .collect()
}

/// The sources of a folder and of those below it, by their paths without ending; no tests.
fn sources(folder: &Path, within: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap();
        let name = format!("{within}{name}");
        if path.is_dir() {
            found.extend(sources(&path, &format!("{name}/")));
        } else if !name.ends_with("tests") {
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

#[test]
fn c7_every_public_function_of_a_mode_is_on_a_path_of_the_table() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/mode");
    let (mut count, mut seen) = (0, BTreeSet::new());
    for (file, text) in sources(Path::new(folder), "") {
        let unknown = unknown(&file, &text);
        assert!(
            unknown.is_empty(),
            "{file}.rs: no path of tests/gcm/parameters has {unknown:?}"
        );
        seen.extend(public(&text).map(|name| (file.clone(), name.to_owned())));
        count += public(&text).count();
    }
    for (file, names, _) in ENTRIES {
        for name in *names {
            assert!(
                seen.contains(&((*file).into(), (*name).into())),
                "{file}.rs has no {name}"
            );
        }
    }
    println!("C7 entries: {count} public functions of modes, each on a path");
}

pub(super) fn control() {
    let result = |file, text| {
        let unknown = unknown(file, text);
        if unknown.is_empty() {
            Ok(1)
        } else {
            Err(format!("{file}.rs: no path has {unknown:?}"))
        }
    };
    assert!(result("gcm", "    pub fn seal_into(\n").is_ok());
    caught(result("gcm", "    pub fn seal_between(&self) {\n"));
    caught(result("gmac", "    pub fn seal_into(&self) {\n"));
}
