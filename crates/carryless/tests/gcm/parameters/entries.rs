//! The entry points of the library, and the path by which the table has each.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[cfg(feature = "getrandom")]
use carryless::RandomNonceSealer;
use carryless::error::OpenError;
use carryless::{Aes128, Aes192, Aes256, Engine, Gmac};

use super::table::{Call, Table};
use super::{AAD_LENS, TAG_LENS};
use crate::harness::reference::Gcm;
use crate::harness::scheme::{Case, key_len_of_tags};
use crate::harness::{Checked, caught, ensure};

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

macro_rules! of_tag {
    ($tag_len:expr, $of:ident) => {
        match $tag_len {
            #[cfg(feature = "hazmat")]
            4 => $of!(Aes128 4),
            #[cfg(feature = "hazmat")]
            8 => $of!(Aes192 8),
            12 => $of!(Aes256 12),
            13 => $of!(Aes128 13),
            14 => $of!(Aes192 14),
            15 => $of!(Aes256 15),
            _ => $of!(Aes128 16),
        }
    };
}

/// GMAC: the AAD is all there is.
pub(super) fn gmac(engine: Engine, table: &mut Table) -> Checked {
    let mut count = 0;
    for (i, tag_len) in TAG_LENS.iter().copied().enumerate() {
        for (j, aad_len) in AAD_LENS.into_iter().enumerate() {
            let nonce_len = [12, 8, 60][(i + j) % 3];
            let case = Case::new(0x9d, key_len_of_tags(tag_len), nonce_len, aad_len, 0);
            let (_, right) = Gcm::new(&case.key).seal(&case.nonce, &case.aad, &[]);
            let right = &right[..tag_len];
            let mut forged = right.to_vec();
            forged[tag_len - 1] ^= 1;
            macro_rules! run {
                ($Cipher:ident $tag:literal) => {{
                    let gmac = Gmac::<$Cipher, $tag>::with_engine(&case.key, engine).unwrap();
                    let verify = |tag: &[u8]| gmac.verify(&case.nonce, &case.aad, tag);
                    (
                        gmac.mac(&case.nonce, &case.aad).unwrap().to_vec(),
                        verify(right),
                        verify(&forged),
                        verify(&right[1..]),
                    )
                }};
            }
            let (mac, opened, refused, size) = of_tag!(tag_len, run);
            let what = format!("{engine} Gmac, {case}, tag of {tag_len}");
            ensure!(mac == right, "{what}: another tag");
            ensure!(opened.is_ok(), "{what}: {opened:?}");
            ensure!(
                matches!(refused, Err(OpenError::Unauthentic(_))),
                "{what}: a forgery: {refused:?}"
            );
            ensure!(
                matches!(size, Err(OpenError::Input(_))),
                "{what}: a shorter tag: {size:?}"
            );
            table.run("Gmac", tag_len, aad_len, &Call::ALL);
            table.met("Gmac", format!("{nonce_len} B of nonce"));
            count += 4;
        }
    }
    Ok(count)
}

/// What a sealer of random nonces seals is what the reference seals under the nonce that it drew.
#[cfg(feature = "getrandom")]
pub(super) fn random_nonces(engine: Engine, table: &mut Table) -> Checked {
    let mut count = 0;
    for (i, tag_len) in TAG_LENS.iter().copied().enumerate() {
        for (j, aad_len) in AAD_LENS.into_iter().enumerate() {
            let text_len = [0, 1, 16, 40, 300][(i + j) % 5];
            let case = Case::new(0x9e, key_len_of_tags(tag_len), 12, aad_len, text_len);
            let (mut placed, mut out) = (case.text.clone(), vec![0; text_len]);
            macro_rules! run {
                ($Cipher:ident $tag:literal) => {{
                    let gcm = carryless::Gcm::<$Cipher, 12, $tag>::with_engine(&case.key, engine)
                        .unwrap();
                    let mut sealer = RandomNonceSealer::new(gcm);
                    let (first, tag) = sealer.seal_in_place(&case.aad, &mut placed).unwrap();
                    let (second, other) =
                        sealer.seal_into(&case.aad, &case.text, &mut out).unwrap();
                    [(first, tag.to_vec()), (second, other.to_vec())]
                }};
            }
            let made = of_tag!(tag_len, run);
            for ((nonce, tag), text) in made.iter().zip([&placed, &out]) {
                let (ciphertext, right) = Gcm::new(&case.key).seal(nonce, &case.aad, &case.text);
                let right = *text == ciphertext && tag[..] == right[..tag_len];
                ensure!(
                    right,
                    "{engine} RandomNonceSealer, {case}, tag of {tag_len}: nonce {nonce:02x?}"
                );
            }
            table.run("RandomNonceSealer", tag_len, aad_len, &[Call::Seal]);
            table.met("RandomNonceSealer", format!("{text_len} B of text"));
            count += 2;
        }
    }
    Ok(count)
}
