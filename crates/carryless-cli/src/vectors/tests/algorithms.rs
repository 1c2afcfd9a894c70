//! What holds for each algorithm of the table.

use serde_json::{Value, json};

use super::super::*;
use super::{ask, error};

/// The operations, forth and back, and the fields with what goes in and what comes out.
fn names(algorithm: &Algorithm) -> ([&str; 2], [&str; 2]) {
    match algorithm.family {
        Family::Aead(_) => (["seal", "open"], ["pt", "ct"]),
        Family::Mac(_) if algorithm.iv_len() > 0 => (["mac", "verify"], ["aad", "tag"]),
        Family::Mac(_) => (["mac", "verify"], ["msg", "tag"]),
        Family::Cipher(..) => (["encrypt", "decrypt"], ["pt", "ct"]),
        Family::Hash(_) | Family::Part(_) => (["hash", "-"], ["data", "y"]),
    }
}

/// Bytes that count, in hexadecimal.
fn digits(len: usize) -> String {
    hex::encode((0..=u8::MAX).cycle().take(len).collect::<Vec<_>>())
}

/// A good request on a text of this length.
fn request(algorithm: &Algorithm, key_len: usize, len: usize) -> Value {
    let ([op, _], [text, _]) = names(algorithm);
    let mut request = json!({"id": 1, "alg": algorithm.name, "op": op, "key": digits(key_len)});
    if algorithm.iv_len() > 0 {
        request["iv"] = json!(digits(algorithm.iv_len()));
    }
    if let Family::Aead(_) = algorithm.family {
        request["aad"] = json!(digits(37));
    }
    if let Family::Hash(_) = algorithm.family {
        request["h"] = request["key"].take();
    }
    request[text] = json!(digits(len));
    // The number of a sector with others beside it.
    if algorithm.name == "aes-xts" {
        request["iv"] = json!("07".to_owned() + &"00".repeat(15));
    }
    request
}

fn lengths(algorithm: &'static Algorithm) -> impl Iterator<Item = usize> {
    let lengths = [0, 1, 15, 16, 17, 32, 33, 128, 160, 255, 512, 1000, 1024];
    lengths.into_iter().filter(|len| algorithm.takes(*len))
}

/// Asks with these fields replaced or added.
fn ask_with(request: &Value, fields: Value) -> Value {
    let mut request = request.clone();
    for (name, value) in fields.as_object().expect("fields").clone() {
        request[name] = value;
    }
    ask(&request.to_string())
}

#[test]
fn every_path_of_every_algorithm_gives_the_same_on_every_engine() {
    for algorithm in Algorithm::of_messages() {
        let ([_, back], [text, out]) = names(algorithm);
        for key_len in algorithm.keys {
            for len in lengths(algorithm) {
                let forth = request(algorithm, *key_len, len);
                let expected = ask(&forth.to_string());
                assert_eq!(expected["ok"], true, "{forth}: {expected}");
                let split = json!([0, len / 3, len / 2]);
                let mut undo = forth.clone();
                undo["op"] = json!(back);
                undo[out] = expected[out].clone();
                undo["tag"] = expected["tag"].clone();
                for engine in carryless::Engine::available() {
                    for (paths, request) in algorithm.paths.iter().zip([&forth, &undo]) {
                        for path in *paths {
                            let cut = if text == "aad" { "aad_split" } else { "split" };
                            let how = json!({"path": path, "engine": engine.name(), cut: split,
                                "offset": (len + key_len) % 64});
                            let answer = ask_with(request, how);
                            assert_eq!(answer["engine"], engine.name(), "{path}: {answer}");
                            let [got, wanted] = match request["op"] == back {
                                true if text == "pt" => [&answer["pt"], &forth["pt"]],
                                true => [&answer["ok"], &json!(true)],
                                false => [&answer[out], &expected[out]],
                            };
                            assert_eq!(got, wanted, "{path} on {engine}: {request}");
                            if request["op"] != back {
                                assert_eq!(answer["tag"], expected["tag"], "{path} on {engine}");
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn sizes_of_every_algorithm_are_checked_in_the_order_of_the_protocol() {
    for algorithm in Algorithm::of_messages() {
        let mut wrong = request(algorithm, algorithm.keys[0], 16);
        let right = wrong.clone();
        let mut expected = vec![("path", "unsupported"), ("engine", "engine-unavailable")];
        wrong["path"] = json!("sideways");
        wrong["engine"] = json!("abacus");
        let key = if right["h"].is_string() { "h" } else { "key" };
        wrong[key] = json!("00");
        expected.push((key, "key-length"));
        if algorithm.iv_len() > 0 {
            wrong["iv"] = json!("");
            expected.push(("iv", "iv-length"));
        }
        if !algorithm.tags.is_empty() {
            wrong["tag_len"] = json!(3);
            expected.push(("tag_len", "tag-length"));
        }
        let text = names(algorithm).1[0];
        if !algorithm.takes(15) {
            wrong[text] = json!("00".repeat(15));
            expected.push((text, "data-length"));
        }
        for (field, kind) in expected {
            let answer = ask(&wrong.to_string());
            assert_eq!(error(&answer), kind, "{wrong}");
            wrong.as_object_mut().expect("an object").remove(field);
            if let Some(value) = right.get(field) {
                wrong[field] = value.clone();
            }
        }
        assert_eq!(ask(&wrong.to_string())["ok"], true, "{wrong}");
    }
}

#[test]
fn whatever_was_sealed_opens_with_its_tag_alone() {
    for algorithm in Algorithm::of_messages().filter(|alg| !alg.tags.is_empty()) {
        let ([_, back], [text, out]) = names(algorithm);
        for tag_len in algorithm.tags {
            let mut forth = request(algorithm, *algorithm.keys.last().expect("one"), 50);
            forth["tag_len"] = json!(tag_len);
            let sealed = ask(&forth.to_string());
            let tag = sealed["tag"].as_str().expect("a tag");
            assert_eq!(tag.len(), 2 * tag_len, "{forth}");
            let mut undo = forth.clone();
            undo["op"] = json!(back);
            undo[out] = sealed[out].clone();
            undo["tag"] = json!(tag);
            let last = if tag.ends_with('0') { '1' } else { '0' };
            let forged = json!(format!("{}{last}", &tag[..tag.len() - 1]));
            for path in algorithm.paths[1] {
                let right = ask_with(&undo, json!({"path": path}));
                assert_eq!(right["ok"], true, "{path}: {undo}");
                let wrong = ask_with(&undo, json!({"path": path, "tag": forged}));
                assert_eq!(error(&wrong), "auth", "{path}: {undo}");
                // Segments are decrypted once the tag is found right.
                let left = match *path {
                    "segments" => json!("untouched"),
                    _ if text == "pt" => json!("zero"),
                    _ => json!(null),
                };
                assert_eq!(wrong["out"], left, "{path}: {undo}");
            }
        }
    }
}

#[test]
fn padding_is_added_and_taken_off() {
    let cbc = Algorithm::find("aes-cbc").expect("there");
    for len in [0, 1, 15, 16, 17, 100] {
        let mut forth = request(cbc, 24, len);
        forth["padding"] = json!("pkcs7");
        for path in ["into", "in-place", "stream", "batch"] {
            let padded = ask_with(&forth, json!({"path": path, "split": [len]}));
            let ct = padded["ct"].as_str().expect("a text");
            assert_eq!(ct.len(), 2 * (len / 16 + 1) * 16, "{path}: {padded}");
            for back in cbc.paths[1] {
                let undo = json!({"op": "decrypt", "ct": ct, "path": back});
                assert_eq!(ask_with(&forth, undo)["pt"], forth["pt"], "{path}, {back}");
            }
        }
    }
    for path in cbc.paths[1] {
        let bad = |ct: String| {
            let request = request(cbc, 16, 0);
            let fields = json!({"op": "decrypt", "padding": "pkcs7", "ct": ct, "path": path});
            error(&ask_with(&request, fields)).to_string()
        };
        assert_eq!(bad("00".repeat(16)), "padding", "{path}");
        assert_eq!(bad(String::new()), "padding", "{path}");
        assert_eq!(bad("00".repeat(15)), "data-length", "{path}");
    }
    let unknown = ask_with(&request(cbc, 16, 0), json!({"padding": "zero"}));
    assert_eq!(error(&unknown), "bad-request");
}

#[test]
fn equal_halves_come_after_all_sizes() {
    let xts = Algorithm::find("aes-xts").expect("there");
    let weak = json!({"key": "5a".repeat(32)});
    assert_eq!(
        error(&ask_with(&request(xts, 32, 16), weak.clone())),
        "weak-key"
    );
    assert_eq!(error(&ask_with(&request(xts, 32, 15), weak)), "data-length");
    let long = request(xts, 32, (1 << 24) + 1);
    assert_eq!(error(&ask(&long.to_string())), "data-length");
}

#[test]
fn runs_of_sectors_count_in_64_bits() {
    let xts = Algorithm::find("aes-xts").expect("there");
    let ask = |iv: &str, path| ask_with(&request(xts, 64, 40), json!({"iv": iv, "path": path}));
    let zeros = "00".repeat(8);
    let all_ones = "ff".repeat(8);
    for number in [&zeros, "0100000000000000", &all_ones] {
        let iv = format!("{number}{zeros}");
        assert_eq!(ask(&iv, "batch")["ct"], ask(&iv, "into")["ct"], "{iv}");
    }
    let beyond = format!("{zeros}01{}", &zeros[2..]);
    assert_eq!(ask(&beyond, "batch")["ct"], ask(&beyond, "into")["ct"]);
    for iv in [
        format!("01{}01{}", &zeros[2..], &zeros[2..]),
        "ff".repeat(16),
    ] {
        assert_eq!(error(&ask(&iv, "batch")), "unsupported", "{iv}");
    }
}

#[test]
fn a_nonce_of_ccm_says_how_long_a_text_may_be() {
    let ccm = Algorithm::find("aes-ccm").expect("there");
    for path in ["into", "in-place", "stream"] {
        let fields =
            |len: usize, iv: usize| json!({"iv": digits(iv), "path": path, "pt": "00".repeat(len)});
        let ask = |len, iv| ask_with(&request(ccm, 16, 0), fields(len, iv));
        assert_eq!(ask(65535, 13)["ok"], true, "{path}");
        assert_eq!(error(&ask(65536, 13)), "data-length", "{path}");
        assert_eq!(ask(65536, 12)["ok"], true, "{path}");
    }
}

#[test]
fn a_chain_of_blocks_goes_both_ways() {
    let ecb = Algorithm::find("aes-ecb").expect("there");
    for (key_len, path) in [(16, "into"), (24, "in-place"), (32, "into")] {
        let forth = request(ecb, key_len, 16);
        let how = json!({"repeat": 1000, "path": path});
        let chain = ask_with(&forth, how.clone());
        let mut undo = forth.clone();
        (undo["op"], undo["ct"]) = (json!("decrypt"), chain["ct"].clone());
        let back = ask_with(&undo, how);
        assert_eq!(back["pt"], forth["pt"], "{path}");
        let once = ask(&forth.to_string());
        assert_eq!(back["prev"], once["ct"], "the last but one is the first's");
    }
}

#[test]
fn elements_of_the_field_are_below_its_prime() {
    let ask_for = |op: &str, a: &str, b: &str| {
        ask(&json!({"id": 1, "alg": "sgcm-field", "op": op, "a": a, "b": b}).to_string())
    };
    let (one, zero) = ("0".repeat(32) + "1", "0".repeat(33));
    // The prime is 2^128 + 12451.
    let (last, prime) = (
        "1".to_owned() + &"0".repeat(28) + "30a2",
        "1".to_owned() + &"0".repeat(28) + "30a3",
    );
    assert_eq!(ask_for("add", &last, &one)["r"], zero);
    assert_eq!(ask_for("mul", &last, &last)["r"], one);
    for op in ["add", "mul"] {
        assert_eq!(error(&ask_for(op, &prime, &one)), "range");
        assert_eq!(error(&ask_for(op, &one, &prime)), "range");
        assert_eq!(error(&ask_for(op, &one[1..], &prime)), "bad-request");
        assert_eq!(
            error(&ask_for(op, &one.replace('1', "g"), &one)),
            "bad-request"
        );
    }
    assert_eq!(error(&ask_for("div", &one, &one)), "unsupported");
}
