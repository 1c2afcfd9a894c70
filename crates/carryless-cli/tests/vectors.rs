//! `carryless vectors` on the published vectors of `vectors/`: each forth and back on every engine, by its paths in turns.

mod common;

use std::collections::BTreeMap;

use common::Place;
use serde_json::{Value, json};

/// Requests, and the fields that their answers must have.
type Case = (Value, Value);

/// The fields of the lines of a file; `-` is nothing.
fn lines(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../vectors/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a file of vectors");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let fields = |line: &str| {
        line.split(' ')
            .map(|field| field.replace('-', ""))
            .collect()
    };
    lines.map(fields).collect()
}

/// The vectors of an AEAD, and of GCM without text those of GMAC.
fn aead(cases: &mut Vec<Case>, alg: &str, paths: [&[&str]; 2], file: &str) {
    for (number, line) in lines(file).into_iter().enumerate() {
        let [_, result, key, iv, aad, text, out, tag] = line.try_into().expect("eight fields");
        let path = |way: usize| paths[way][number % paths[way].len()];
        // Those alone take no nonce of another length.
        let path = |way| match path(way) {
            "batch" | "segments" if iv.len() != 24 && alg != "xaes-256-gcm" => "into",
            path => path,
        };
        let split = if out.len() > 60 {
            json!([1, 17])
        } else {
            json!([])
        };
        let common = json!({"alg": alg, "key": key, "iv": iv, "aad": aad, "split": split});
        let with = |fields: Value| merged(&common, &fields);
        let open = with(json!({"op": "open", "path": path(1), "ct": out, "tag": tag}));
        if result == "invalid" {
            cases.push((open, json!({"ok": false, "error": "auth"})));
            continue;
        }
        cases.push((open, json!({"ok": true, "pt": text})));
        let tag_len = tag.len() / 2;
        let seal = with(json!({"op": "seal", "path": path(0), "pt": text, "tag_len": tag_len}));
        cases.push((seal, json!({"ct": out, "tag": tag})));
        if alg == "aes-gcm" && text.is_empty() {
            let path = ["into", "stream"][number % 2];
            let split = json!([aad.len() / 4]);
            let with = |fields: Value| {
                with(merged(
                    &json!({"alg": "gmac", "path": path, "split": [], "aad_split": split}),
                    &fields,
                ))
            };
            cases.push((
                with(json!({"op": "mac", "tag_len": tag_len})),
                json!({"tag": tag}),
            ));
            cases.push((
                with(json!({"op": "verify", "tag": tag})),
                json!({"ok": true}),
            ));
        }
    }
}

fn cmac(cases: &mut Vec<Case>) {
    for line in lines("cmac_sp800_38b") {
        let [_, key, message, tag] = line.try_into().expect("four fields");
        for path in ["into", "stream", "batch"] {
            let common = json!({"alg": "aes-cmac", "key": key, "msg": message, "path": path,
                "split": [message.len() / 6]});
            cases.push((merged(&common, &json!({"op": "mac"})), json!({"tag": tag})));
            if path != "batch" {
                let verify = merged(&common, &json!({"op": "verify", "tag": tag}));
                cases.push((verify, json!({"ok": true})));
            }
        }
    }
}

/// CBC, CTR and XTS; a block of key stream is that of the cipher by itself.
fn modes(cases: &mut Vec<Case>) {
    let both = |cases: &mut Vec<Case>, common: Value, [text, out]: [&str; 2], paths: [&str; 2]| {
        let forth = json!({"op": "encrypt", "pt": text, "path": paths[0]});
        let back = json!({"op": "decrypt", "ct": out, "path": paths[1]});
        cases.push((merged(&common, &forth), json!({"ct": out})));
        cases.push((merged(&common, &back), json!({"pt": text})));
    };
    for (number, line) in lines("block_modes").into_iter().enumerate() {
        let [_, mode, key, iv, text, out] = line.try_into().expect("six fields");
        let paths: [&[&str]; 2] = match mode.as_str() {
            "cbc" => [
                &["into", "in-place", "stream", "batch"],
                &["stream", "in-place", "into"],
            ],
            "ctr" => [&["into", "stream"], &["segments", "in-place"]],
            // Sectors count in 64 bits.
            "xts" if iv.ends_with(&"00".repeat(8)) => [
                &["into", "batch", "in-place"],
                &["batch", "in-place", "into"],
            ],
            _ => [&["into", "in-place"]; 2],
        };
        let split = if out.len() > 60 {
            json!([1, 17])
        } else {
            json!([])
        };
        let common = json!({"alg": format!("aes-{mode}"), "key": key, "iv": iv, "split": split});
        let paths = paths.map(|paths| paths[number % paths.len()]);
        both(cases, common, [&text, &out], paths);
        if mode == "ctr" && out.len() >= 32 {
            let bytes = |digits: &str| hex::decode(&digits[..32]).expect("digits");
            let stream = bytes(&text)
                .into_iter()
                .zip(bytes(&out))
                .map(|(a, b)| a ^ b);
            let stream = hex::encode(stream.collect::<Vec<_>>());
            let common = json!({"alg": "aes-ecb", "key": key});
            both(cases, common, [&iv, &stream], ["into", "in-place"]);
        }
    }
}

/// LEA, and steps of a Monte Carlo test.
fn lea(cases: &mut Vec<Case>) {
    for (number, line) in lines("lea").into_iter().enumerate() {
        let text = |at: usize| line.get(at).map_or("", String::as_str);
        let kind = text(1);
        let common = json!({"alg": format!("lea-{kind}"), "key": text(2)});
        let mut both = |fields: Value, [pt, ct]: [&str; 2], paths: [&str; 2]| {
            let request = merged(&common, &fields);
            let forth = json!({"op": "encrypt", "pt": pt, "path": paths[0]});
            cases.push((merged(&request, &forth), json!({"ct": ct})));
            let back = json!({"op": "decrypt", "ct": ct, "path": paths[1]});
            cases.push((merged(&request, &back), json!({"pt": pt})));
        };
        let (iv, split) = (text(3), json!([text(4).len() / 5]));
        match kind {
            "ecb" => both(json!({}), [text(3), text(4)], ["into", "in-place"]),
            "cbc" | "ctr" => {
                let way = ["into", "in-place", "stream"][number % 3];
                both(
                    json!({"iv": iv, "split": split}),
                    [text(4), text(5)],
                    [way, "stream"],
                );
            }
            "schedule" => {
                let rounds = text(3).as_bytes().chunks(48).map(String::from_utf8_lossy);
                let rounds: Vec<_> = rounds.collect();
                let request = json!({"alg": "lea", "op": "schedule", "key": text(2)});
                cases.push((request, json!({"round_keys": rounds})));
            }
            "refused" => {
                let request = json!({"alg": "lea-ecb", "op": "encrypt", "key": text(2), "pt": ""});
                cases.push((request, json!({"ok": false, "error": "key-length"})));
            }
            // The first of the steps: the next has another key.
            op => {
                let (from, to) = if op == "encrypt" {
                    ("pt", "ct")
                } else {
                    ("ct", "pt")
                };
                let request = json!({"alg": "lea-ecb", "op": op, "key": text(2), "repeat": 1000,
                    from: text(3)});
                cases.push((request, json!({to: text(4)[..32]})));
            }
        }
    }
}

/// SGCM, its hash and its field.
fn sgcm(cases: &mut Vec<Case>) {
    for (number, line) in lines("sgcm").into_iter().enumerate() {
        let path = ["into", "stream", "in-place"][number % 3];
        let text = |at: usize| line[at].as_str();
        match text(0) {
            "field" => {
                let common = json!({"alg": "sgcm-field", "a": text(2), "b": text(3)});
                for (op, r) in [("add", text(4)), ("mul", text(5))] {
                    cases.push((merged(&common, &json!({"op": op})), json!({"r": r})));
                }
            }
            "hash" => {
                let path = ["into", "stream"][number % 2];
                let split = json!([text(3).len() / 5]);
                let request = json!({"alg": "sghash", "op": "hash", "h": text(2), "data": text(3),
                    "path": path, "split": split});
                cases.push((request, json!({"y": text(4), "low128": text(4)[1..]})));
            }
            cipher @ ("aes" | "lea") => {
                let [_, _, result, key, iv, aad, pt, ct, tag] = core::array::from_fn(text);
                let split = json!([pt.len() / 5]);
                let common = json!({"alg": format!("{cipher}-sgcm"), "key": key, "iv": iv, "aad": aad, "path": path,
                    "split": split, "aad_split": [aad.len() / 5]});
                let open = merged(&common, &json!({"op": "open", "ct": ct, "tag": tag}));
                let kind = match (key.len(), iv.len()) {
                    _ if result != "error" => "auth",
                    (32 | 48 | 64, 0) => "iv-length",
                    (32 | 48 | 64, _) => "tag-length",
                    _ => "key-length",
                };
                if result == "valid" {
                    cases.push((open, json!({"ok": true, "pt": pt})));
                    let seal = merged(&common, &json!({"op": "seal", "pt": pt}));
                    cases.push((seal, json!({"ct": ct, "tag": tag})));
                } else {
                    cases.push((open, json!({"ok": false, "error": kind})));
                }
            }
            _ => {}
        }
    }
}

/// Case 2 of the specification of GCM.
fn ghash(cases: &mut Vec<Case>) {
    let data = "0388dace60b6a392f328c2b971b2fe7800000000000000000000000000000080";
    for path in ["into", "stream"] {
        let request = json!({"alg": "ghash", "op": "hash", "h": "66e94bd4ef8a2c3b884cfa59ca342b2e",
            "data": data, "path": path, "split": [17]});
        cases.push((request, json!({"y": "f38cbb1ad69223dcc3457ae5b6b0f885"})));
    }
}

fn merged(base: &Value, fields: &Value) -> Value {
    let mut merged = base.clone();
    for (name, value) in fields.as_object().expect("fields") {
        merged[name] = value.clone();
    }
    merged
}

#[test]
fn published_vectors_come_out_on_every_engine() {
    const ONE_SHOT: [&[&str]; 2] = [&["into", "in-place"]; 2];
    const STREAM: [&[&str]; 2] = [&["into", "in-place", "stream"]; 2];
    const ALL: [&[&str]; 2] = [
        &["into", "in-place", "stream", "scatter", "batch", "segments"],
        &["into", "in-place", "stream", "batch", "segments"],
    ];
    let mut cases = Vec::new();
    for file in ["gcm_mcgrew_viega", "gcm_nist_cavp", "gcm_pyca"] {
        aead(&mut cases, "aes-gcm", ALL, file);
    }
    for path in 0..6 {
        let paths = [&ALL[0][path..=path], &ALL[1][path % 5..=path % 5]];
        aead(&mut cases, "xaes-256-gcm", paths, "xaes_c2sp");
    }
    aead(&mut cases, "aes-gcm-siv", ONE_SHOT, "gcm_siv_rfc8452");
    aead(&mut cases, "aes-ccm", STREAM, "ccm_sp800_38c");
    aead(&mut cases, "aes-ccm", STREAM, "ccm_nist_cavp");
    cmac(&mut cases);
    modes(&mut cases);
    sgcm(&mut cases);
    aead(&mut cases, "lea-gcm", ALL, "lea_gcm");
    lea(&mut cases);
    ghash(&mut cases);

    let place = Place::new();
    let info = place.run_with(&["vectors"], br#"{"op":"info"}"#).stdout;
    let info: Value = serde_json::from_slice(&info).expect("JSON");
    let engines = info["engines"].as_array().expect("a list");
    for engine in engines.iter().filter(|engine| engine["available"] == true) {
        let engine = &engine["name"];
        let asked = cases.iter().map(|(request, _)| {
            merged(request, &json!({"id": 1, "engine": engine})).to_string() + "\n"
        });
        let run = place.run_with(&["vectors"], asked.collect::<String>().as_bytes());
        let answers = String::from_utf8(run.stdout).expect("text");
        let mut counts = BTreeMap::new();
        assert_eq!(answers.lines().count(), cases.len());
        for ((request, expected), answer) in cases.iter().zip(answers.lines()) {
            let answer: Value = serde_json::from_str(answer).expect("JSON");
            for (name, value) in expected.as_object().expect("fields") {
                assert_eq!(answer[name], *value, "{engine}: {request}: {answer}");
            }
            if answer["ok"] == true {
                assert_eq!(answer["engine"], *engine, "{request}");
            }
            *counts.entry(request["alg"].as_str()).or_insert(0) += 1;
        }
        let asked = |name: &Value| counts.contains_key(&name.as_str());
        let never = info["algs"]
            .as_array()
            .expect("a list")
            .iter()
            .find(|name| !asked(name));
        assert_eq!(never, None, "an algorithm without a vector");
        println!("{engine}: {counts:?}");
    }
}
