//! The rules of the protocol, one by one.

mod algorithms;

use super::*;

/// The answer to one request.
fn ask(request: &str) -> serde_json::Value {
    let answer = serde_json::to_string(&answer(request.as_bytes())).expect("answers are JSON");
    serde_json::from_str(&answer).expect("answers are JSON")
}

/// The answer to a request on all-zero keys and nonces, whose fields these are replaced or added to.
fn ask_with(fields: serde_json::Value) -> serde_json::Value {
    let mut request = serde_json::json!({"id": 7, "alg": "aes-gcm", "op": "seal", "key": "00".repeat(16), "iv": "00".repeat(12)});
    for (name, value) in fields.as_object().expect("fields").clone() {
        request[name] = value;
    }
    ask(&request.to_string())
}

fn error(answer: &serde_json::Value) -> &str {
    assert_eq!(answer["ok"], false, "{answer}");
    answer["error"].as_str().expect("a kind")
}

use serde_json::json;

#[test]
fn the_examples_of_the_protocol_are_answered_as_printed() {
    let sealed = ask_with(json!({}));
    assert_eq!(sealed["id"], 7);
    assert_eq!((&sealed["ok"], &sealed["ct"]), (&json!(true), &json!("")));
    assert_eq!(sealed["tag"], "58e2fccefa7e3061367f1d57a4e7455a");
    let opened = ask_with(json!({"op": "open", "ct": "00", "tag": "00000000"}));
    assert_eq!(
        opened,
        json!({"id": 7, "ok": false, "error": "auth", "out": "zero"})
    );
    assert_eq!(
        ask(r#"{"id":3,"alg":"aes-gcm","op":"seal","key":"00","iv":""}"#),
        json!({"id": 3, "ok": false, "error": "key-length"})
    );
}

#[test]
fn every_path_tag_length_and_offset_gives_the_same() {
    for key in ["00".repeat(16), "01".repeat(24), "02".repeat(32)] {
        for tag_len in [4, 8, 12, 13, 14, 15, 16] {
            let common =
                json!({"key": key, "tag_len": tag_len, "aad": "0102030405", "pt": "aB".repeat(70)});
            let expected = ask_with(common.clone());
            assert_eq!(
                expected["tag"].as_str().map(str::len),
                Some(2 * tag_len),
                "{expected}"
            );
            for (path, op) in [
                ("in-place", "open"),
                ("stream", "open"),
                ("scatter", "seal"),
                ("into", "open"),
                ("batch", "open"),
                ("segments", "open"),
            ] {
                for offset in [0, 1, 63] {
                    let mut request = common.clone();
                    request["path"] = json!(path);
                    request["offset"] = json!(offset);
                    request["split"] = json!([0, 1, 33]);
                    request["aad_split"] = json!([2, 0]);
                    assert_eq!(ask_with(request.clone()), expected, "{path} {offset}");
                    request["op"] = json!(op);
                    request["ct"] = expected["ct"].clone();
                    request["tag"] = expected["tag"].clone();
                    if op == "open" {
                        assert_eq!(
                            ask_with(request.clone())["pt"],
                            "ab".repeat(70),
                            "{path} {offset}"
                        );
                        request["tag"] = json!("00".repeat(tag_len));
                        // Segments are decrypted once the tag is found right.
                        let left = if path == "segments" {
                            "untouched"
                        } else {
                            "zero"
                        };
                        assert_eq!(ask_with(request)["out"], left, "{path} {offset}");
                    }
                }
            }
        }
    }
}

#[test]
fn packets_and_segments_have_nonces_of_twelve_bytes() {
    for path in ["batch", "segments"] {
        for (iv, kind) in [
            ("", "iv-length"),
            ("00", "unsupported"),
            ("00000000000000000000000000", "unsupported"),
        ] {
            let request = json!({"path": path, "iv": iv});
            assert_eq!(error(&ask_with(request)), kind, "{path} {iv}");
        }
        for len in [0, 1, 15, 16, 17, 1000] {
            let mut request = json!({"pt": "5a".repeat(len), "split": [len / 3, len / 2]});
            let expected = ask_with(request.clone());
            request["path"] = json!(path);
            assert_eq!(ask_with(request), expected, "{path} {len}");
        }
    }
}

#[test]
fn the_first_of_several_errors_wins() {
    let all_wrong = json!({"key": "00", "iv": "", "tag_len": 5, "engine": "abacus", "path": "by post", "op": "seal"});
    let mut request = all_wrong;
    for (name, value, kind) in [
        ("aad", json!("0"), "bad-request"),
        ("aad", json!(""), "unsupported"),
        ("path", json!("into"), "engine-unavailable"),
        ("engine", json!("auto"), "key-length"),
        ("key", json!("00".repeat(16)), "iv-length"),
        ("iv", json!("00"), "tag-length"),
    ] {
        request[name] = value;
        assert_eq!(error(&ask_with(request.clone())), kind, "{request}");
    }
}

#[test]
fn bad_requests_are_told_from_unsupported_ones() {
    for (request, kind) in [
        ("", "bad-request"),
        ("[]", "bad-request"),
        ("{", "bad-request"),
        (r#"{"id":1}"#, "bad-request"),
        (r#"{"id":1,"alg":"aes-gcm","op":5}"#, "bad-request"),
        (
            r#"{"id":1,"alg":"aes-gcm","op":"seal","key":"00"}"#,
            "bad-request",
        ),
        (r#"{"id":1,"alg":"aes-xts","op":"encrypt"}"#, "bad-request"),
        (
            r#"{"id":1,"alg":"aes-xts","op":"encrypt","key":"00","iv":"00"}"#,
            "key-length",
        ),
        (
            r#"{"id":1,"alg":"aes-ecb","op":"verify","key":"00"}"#,
            "unsupported",
        ),
        (r#"{"id":1,"alg":"rot13","op":"encrypt"}"#, "unsupported"),
        (r#"{"id":1,"alg":"aes-gcm","op":"mac"}"#, "unsupported"),
        (r#"{"id":[],"alg":"rot13","op":"encrypt"}"#, "bad-request"),
    ] {
        assert_eq!(error(&ask(request)), kind, "{request}");
    }
    for (name, value) in [
        ("tag_len", json!(-1)),
        ("tag_len", json!(16.0)),
        ("tag_len", json!("16")),
        ("offset", json!(64)),
        ("split", json!(5)),
        ("split", json!([-1])),
        ("pt", json!(null)),
        ("pt", json!("0g")),
        ("pt", json!("000")),
        ("path", json!(1)),
        ("engine", json!(null)),
    ] {
        assert_eq!(
            error(&ask_with(json!({name: value}))),
            "bad-request",
            "{name} {value}"
        );
    }
    let split = json!({"path": "stream", "pt": "0000", "split": [1, 2], "key": "00"});
    assert_eq!(error(&ask_with(split)), "bad-request");
    assert_eq!(
        error(&ask_with(json!({"path": "sideways", "key": "00"}))),
        "unsupported"
    );
    assert_eq!(
        error(&ask(
            r#"{"id":1,"alg":"aes-gcm","op":"seal","key":"00000000000000000000000000000000","iv":"00","tag_len":99999999999999999999}"#
        )),
        "tag-length"
    );
}

#[test]
fn ids_are_echoed_as_they_came() {
    for id in [
        "1",
        "-5",
        "1.0",
        "123456789012345678901234567890",
        "\"x\\u00e9\"",
    ] {
        let answer = answer(format!(r#"{{"id":{id},"alg":"rot13","op":"x"}}"#).as_bytes());
        let text = serde_json::to_string(&answer).expect("JSON");
        assert!(
            text.starts_with(&format!(r#"{{"id":{},"#, id.replace("\\u00e9", "é"))),
            "{id}: {text}"
        );
    }
    assert_eq!(ask("nonsense")["id"], json!(null));
}

#[test]
fn sizes_of_a_failed_opening_leave_the_output_untouched() {
    let answer = ask_with(json!({"op": "open", "ct": "00", "tag": "0000"}));
    assert_eq!(
        (error(&answer), &answer["out"]),
        ("tag-length", &json!("untouched"))
    );
    let answer = ask_with(json!({"op": "open", "ct": "00", "tag": "", "iv": ""}));
    assert_eq!(
        (error(&answer), &answer["out"]),
        ("iv-length", &json!("untouched"))
    );
}

#[test]
fn gmac_is_gcm_without_text() {
    let mac = ask_with(json!({"alg": "gmac", "op": "mac", "aad": "0102", "tag_len": 12}));
    let sealed = ask_with(json!({"aad": "0102", "tag_len": 12}));
    assert_eq!(mac["tag"], sealed["tag"]);
    let verify = |tag: &serde_json::Value| {
        ask_with(json!({"alg": "gmac", "op": "verify", "aad": "0102", "tag": tag}))
    };
    assert_eq!(verify(&mac["tag"])["ok"], true);
    assert_eq!(error(&verify(&json!("00".repeat(12)))), "auth");
    assert_eq!(error(&verify(&json!("00".repeat(11)))), "tag-length");
}

/// FIPS 197 appendix C, SP 800-38A F.5.1, and the first hash of the GCM specification.
#[test]
fn block_cipher_counter_mode_and_hash_give_published_answers() {
    let key = "000102030405060708090a0b0c0d0e0f";
    let ecb = json!({"alg": "aes-ecb", "op": "encrypt", "key": key, "pt": "00112233445566778899aabbccddeeff"});
    assert_eq!(
        ask_with(ecb.clone())["ct"],
        "69c4e0d86a7b0430d8cdb78070b4c55a"
    );
    let mut chain = ecb;
    chain["repeat"] = json!(2);
    let answer = ask_with(chain.clone());
    assert_eq!(answer["prev"], "69c4e0d86a7b0430d8cdb78070b4c55a");
    chain["pt"] = json!("00".repeat(32));
    assert_eq!(error(&ask_with(chain.clone())), "data-length");
    chain["repeat"] = json!(0);
    assert_eq!(error(&ask_with(chain)), "bad-request");

    let ctr = json!({"alg": "aes-ctr", "op": "encrypt", "key": "2b7e151628aed2a6abf7158809cf4f3c",
        "iv": "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", "pt": "6bc1bee22e409f96e93d7e117393172a"});
    assert_eq!(
        ask_with(ctr.clone())["ct"],
        "874d6191b620e3261bef6864990db6ce"
    );
    let mut bad = ctr;
    bad["iv"] = json!("00");
    assert_eq!(error(&ask_with(bad.clone())), "iv-length");
    bad["ctr_bits"] = json!(64);
    assert_eq!(error(&ask_with(bad)), "bad-request");

    let hash = json!({"alg": "ghash", "op": "hash", "h": "66e94bd4ef8a2c3b884cfa59ca342b2e",
        "data": "0388dace60b6a392f328c2b971b2fe7800000000000000000000000000000080"});
    assert_eq!(
        ask_with(hash.clone())["y"],
        "f38cbb1ad69223dcc3457ae5b6b0f885"
    );
    let mut bad = hash;
    bad["data"] = json!("00");
    assert_eq!(error(&ask_with(bad)), "data-length");
}

#[test]
fn counter_widths_differ_where_32_bits_wrap() {
    let ask_ctr = |bits, iv: &str| {
        ask_with(
            json!({"alg": "aes-ctr", "op": "decrypt", "iv": iv, "ct": "00".repeat(32), "ctr_bits": bits}),
        )
    };
    let (high, low) = ("00".repeat(12), "00".repeat(11) + "01");
    let last = high.clone() + "ffffffff";
    let of_block = |iv: String| ask_ctr(128, &iv)["pt"].as_str().expect("text")[..32].to_string();
    assert_eq!(
        ask_ctr(128, &last)["pt"].as_str().map(|text| &text[32..]),
        Some(&of_block(low + "00000000")[..])
    );
    assert_eq!(
        ask_ctr(32, &last)["pt"].as_str().map(|text| &text[32..]),
        Some(&of_block(high + "00000000")[..])
    );
}

#[test]
fn a_named_engine_is_the_one_that_runs() {
    for engine in carryless::Engine::available() {
        for fields in [
            json!({}),
            json!({"alg": "gmac", "op": "mac"}),
            json!({"alg": "aes-ctr", "op": "encrypt", "iv": "00".repeat(16)}),
            json!({"alg": "aes-ecb", "op": "encrypt"}),
            json!({"alg": "ghash", "op": "hash", "h": "00".repeat(16), "data": ""}),
        ] {
            let mut fields = fields;
            fields["engine"] = json!(engine.name());
            assert_eq!(ask_with(fields)["engine"], engine.name());
        }
    }
    let answer = ask_with(json!({"engine": "abacus"}));
    assert_eq!(error(&answer), "engine-unavailable");
    assert!(
        answer["available"]
            .as_array()
            .is_some_and(|list| list.contains(&json!("soft64"))),
        "{answer}"
    );
}

#[test]
fn info_lists_what_there_is() {
    let info = ask(r#"{"op":"info"}"#);
    assert_eq!((&info["protocol"], &info["id"]), (&json!(1), &json!(null)));
    for engine in info["engines"].as_array().expect("a list") {
        assert!(
            engine["available"] == true || engine["reason"].is_string(),
            "{engine}"
        );
    }
    for alg in info["algs"].as_array().expect("a list") {
        assert!(
            info["selected"][alg.as_str().expect("a name")].is_string(),
            "{alg}"
        );
    }
}

#[test]
fn lines_are_as_long_as_they_like_up_to_a_limit() {
    let mut lines = io::Cursor::new(b"one\r\n\ntwo".to_vec());
    let mut line = Vec::new();
    let mut all = Vec::new();
    while read_line(&mut lines, &mut line).expect("memory") {
        all.push(String::from_utf8_lossy(&line).trim().to_string());
    }
    assert_eq!(all, ["one", "", "two"]);
}

#[test]
fn buffers_lie_where_they_are_told() {
    for offset in 0..64 {
        let buffer = buffer::Buffer::new(&[1, 2, 3], offset);
        assert_eq!(buffer.as_ptr().addr() % 64, offset);
        assert_eq!(*buffer, [1, 2, 3]);
    }
}
