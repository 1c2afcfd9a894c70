//! `carryless bench`: what it measures, and its plot.

mod common;

use common::Place;
use serde_json::Value;

/// The arguments of a run of one round.
fn bench(args: &str) -> Vec<&str> {
    let words = args.split_whitespace();
    ["bench", "--rounds", "1"]
        .into_iter()
        .chain(words)
        .collect()
}

fn lines(output: &[u8]) -> Vec<Value> {
    let lines = String::from_utf8_lossy(output);
    let parsed = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    parsed.collect()
}

/// The figures, without the line of the machine.
fn figures(place: &Place, args: &str) -> Vec<Value> {
    let args = format!("--json --engine soft64 --bits 128 {args}");
    lines(&place.ok(&bench(&args)))[1..].to_vec()
}

#[test]
fn json_has_stable_keys() {
    let place = Place::new();
    let args = "--json --engine soft64 --bits 128 --lengths 16,1500 --op open";
    let all = lines(&place.ok(&bench(args)));
    let keys = |line: &Value| -> Vec<String> {
        line.as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    let machine = [
        "arch",
        "automatic",
        "carryless",
        "clock_ghz",
        "cores",
        "cpu",
        "family",
        "features",
        "model",
        "os",
        "units",
        "vendor",
    ];
    assert_eq!(keys(&all[0]), machine);
    assert_eq!(all.len(), 3);
    for figure in &all[1..] {
        let expected = [
            "aad_len",
            "alg",
            "automatic",
            "batch",
            "bits",
            "cycles_per_byte",
            "engine",
            "key_setup",
            "mb_s",
            "message_len",
            "ns",
            "ns_min",
            "op",
            "rounds",
            "threads",
            "to_automatic",
        ];
        assert_eq!(keys(figure), expected);
        assert_eq!(
            (&figure["engine"], &figure["op"]),
            (&"soft64".into(), &"open".into())
        );
        assert!(
            figure["ns"].as_f64() >= figure["ns_min"].as_f64()
                && figure["ns_min"].as_f64() > Some(0.0)
        );
    }
}

#[test]
fn every_row_that_is_asked_for_is_there() {
    let place = Place::new();
    let args =
        "--json --bits 128,192,256 --op seal,open,gmac,ctr --lengths 0,16,1k --engine soft64";
    let found: Vec<(u64, String, u64)> = lines(&place.ok(&bench(args)))[1..]
        .iter()
        .map(|figure| {
            let number = |key: &str| figure[key].as_u64().expect("a number");
            let op = figure["op"].as_str().expect("text").to_string();
            (number("bits"), op, number("message_len"))
        })
        .collect();
    let mut expected = Vec::new();
    for bits in [128, 192, 256] {
        for op in ["seal", "open", "gmac", "ctr"] {
            expected.extend([0, 16, 1024].map(|len| (bits, op.to_string(), len)));
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn every_algorithm_has_its_rows() {
    let place = Place::new();
    let info = place.run_with(&["vectors"], br#"{"op":"info"}"#).stdout;
    let names = lines(&info)[0]["algs"].clone();
    let names = names.as_array().expect("a list").iter();
    let names = names.filter_map(Value::as_str);
    // What has no messages.
    let names: Vec<&str> = names
        .filter(|name| !["sgcm-field", "lea"].contains(name))
        .collect();
    let all = figures(
        &place,
        &format!("--bits 256 --lengths 1,40 --alg {}", names.join(",")),
    );
    for name in names {
        let of_alg = all.iter().filter(|figure| figure["alg"] == name);
        let rows = Vec::from_iter(of_alg.map(|figure| {
            let number = |key: &str| figure[key].as_u64().expect("a number");
            let op = figure["op"].as_str().expect("text");
            (number("bits"), op, number("message_len"))
        }));
        let (ops, lens): (&[&str], _) = match name {
            "gmac" | "aes-cmac" => (&["mac"], [1, 40]),
            "ghash" | "sghash" => (&["hash"], [16, 48]),
            "aes-ecb" | "aes-cbc" | "lea-ecb" | "lea-cbc" => (&["encrypt", "decrypt"], [16, 48]),
            "aes-xts" => (&["encrypt", "decrypt"], [16, 40]),
            "aes-ctr" | "lea-ctr" => (&["encrypt", "decrypt"], [1, 40]),
            _ => (&["seal", "open"], [1, 40]),
        };
        for bits in [128, 256] {
            let has = match name {
                "xaes-256-gcm" => bits == 256,
                "ghash" | "sghash" => bits == 128,
                _ => true,
            };
            let wanted = ops.iter().flat_map(|op| lens.map(|len| (bits, *op, len)));
            let wanted = Vec::from_iter(wanted.filter(|_| has));
            let found = rows.iter().filter(|row| row.0 == bits).copied();
            assert_eq!(Vec::from_iter(found), wanted, "{name}");
        }
    }
}

#[test]
fn every_engine_is_measured_beside_the_automatic_choice() {
    let place = Place::new();
    let args = "--json --bits 128 --op seal --lengths 16";
    let all = lines(&place.ok(&bench(args)));
    let engines = lines(&place.ok(&["engines", "--json"]));
    let available = engines.iter().filter(|engine| engine["available"] == true);
    let names: Vec<&Value> = available.map(|engine| &engine["engine"]).collect();
    let measured: Vec<&Value> = all[1..].iter().map(|figure| &figure["engine"]).collect();
    assert_eq!(measured, names);
    for figure in &all[1..] {
        assert_eq!(
            figure["automatic"] == true,
            figure["engine"] == all[0]["automatic"]
        );
        if figure["automatic"] == true {
            assert_eq!(figure["to_automatic"], 1.0);
        }
    }
}

#[test]
fn setups_are_measured_and_named() {
    let place = Place::new();
    let once = figures(&place, "--oneshot --lengths 0,64");
    assert_eq!(once.len(), 4);
    assert!(
        once.iter()
            .all(|figure| figure["key_setup"] == true && figure["batch"] == 1)
    );

    let batch = figures(&place, "--batch 3 --lengths 0,64");
    assert_eq!(batch.len(), 4);
    assert!(
        batch
            .iter()
            .all(|figure| figure["batch"] == 3 && figure["key_setup"] == false)
    );

    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = figures(&place, "--threads 1,2,0 --op seal --lengths 300k");
    let counts: Vec<Option<u64>> = threads
        .iter()
        .map(|figure| figure["threads"].as_u64())
        .collect();
    assert_eq!(counts, [Some(1), Some(2), Some(cores as u64)]);
    assert!(
        threads[1]["cycles_per_byte"].is_null(),
        "of two threads there is no such thing"
    );
}

#[test]
fn more_threads_than_cores_take_turns() {
    let place = Place::new();
    let args = "--engine soft64 --bits 128 --op seal --lengths 256k --threads 1000";
    let run = place.run(&bench(args));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stderr.contains("1000 threads take turns"),
        "{}",
        run.stderr
    );
}

#[test]
fn figures_of_a_batch_are_of_a_message() {
    let place = Place::new();
    let ns = |batch: &str| {
        let of_one = &figures(&place, &format!("--op seal --lengths 1k {batch}"))[0];
        of_one["ns_min"].as_f64().expect("a number")
    };
    // Of 64 messages it would be 64 times as much; one run may be disturbed.
    let is_of_one = |_| ns("--batch 64") < 16.0 * ns("");
    assert!((0..5).any(is_of_one), "a figure of a whole batch");
}

#[test]
fn a_table_is_for_people() {
    let place = Place::new();
    let args = bench("--lengths 64 --bits 256 --op seal");
    let table = String::from_utf8(place.ok(&args)).expect("text");
    assert!(
        table.contains('*') && table.contains("MB/s") && table.contains("AES-256-GCM, seal"),
        "{table}"
    );
    let run = place.run(&[&args[..], &["--oneshot"]].concat());
    let table = String::from_utf8_lossy(&run.stdout).to_string();
    assert!(
        table.contains("with a new key") && table.contains("set-up included"),
        "{table}"
    );
    assert!(
        !run.stderr.contains('\u{1b}'),
        "no bar where there is no terminal: {}",
        run.stderr
    );
}

#[test]
fn the_plot_has_a_line_for_each_engine() {
    let place = Place::new();
    let args = bench("--lengths 0,16,1k --bits 128 --op seal,gmac");
    place.ok(&[&args[..], &["--svg", "plot.svg"]].concat());
    let text = String::from_utf8(place.read("plot.svg")).expect("text");
    let svg = roxmltree::Document::parse(&text).expect("well-formed XML");
    let engines = lines(&place.ok(&["engines", "--json"]));
    let available = engines.iter().filter(|engine| engine["available"] == true);
    let names: Vec<&str> = available
        .filter_map(|engine| engine["engine"].as_str())
        .collect();
    let of_tag = |tag: &'static str| svg.descendants().filter(move |node| node.has_tag_name(tag));
    let drawn: Vec<&str> = of_tag("polyline")
        .filter_map(|line| line.first_element_child()?.text())
        .collect();
    assert_eq!(
        drawn,
        [&names[..], &names[..]].concat(),
        "a panel for each of two"
    );
    for line in of_tag("polyline") {
        let points = line.attribute("points").expect("points");
        assert_eq!(
            points.split_whitespace().count(),
            2,
            "0 bytes have no place: {points}"
        );
    }
    let said: Vec<&str> = of_tag("text").filter_map(|text| text.text()).collect();
    assert!(
        said.contains(&"AES-128-GCM, seal") && said.contains(&"AES-128-GMAC"),
        "{said:?}"
    );
    let bounds = of_tag("line").filter(|line| line.attribute("class") == Some("bound"));
    let explained = said
        .iter()
        .any(|text| text.starts_with("Bound on") || text.starts_with("No bound"));
    assert!(explained, "{said:?}");
    assert_eq!(
        bounds.count() > 0,
        !said.iter().any(|text| text.starts_with("No bound"))
    );
}

#[test]
fn a_plot_is_replaced_only_when_asked_for() {
    let place = Place::new();
    place.write("plot.svg", b"mine");
    let args = bench("--engine soft64 --bits 128 --lengths 16 --op seal --svg plot.svg");
    let run = place.fails(2, &args);
    assert!(
        run.stderr.contains("exists") && run.stdout.is_empty(),
        "before anything is measured: {}",
        run.stderr
    );
    assert_eq!(place.read("plot.svg"), b"mine");
    place.ok(&[&args[..], &["--force"]].concat());
    assert!(place.read("plot.svg").starts_with(b"<svg"));
    place.fails(5, &[&args[..args.len() - 1], &["absent/plot.svg"]].concat());
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn help_completions_and_page_know_every_option() {
    let place = Place::new();
    let text = |args: &[&str]| String::from_utf8(place.ok(args)).expect("text");
    let (help, page) = (text(&["bench", "--help"]), text(&["man", "bench"]));
    let page = page.replace("\\-", "-");
    let bash = text(&["completions", "bash"]);
    let (_, examples) = help.split_once("Examples:").expect("examples");
    for option in [
        "--alg",
        "--lengths",
        "--bits",
        "--op",
        "--oneshot",
        "--batch",
        "--threads",
        "--rounds",
        "--json",
        "--svg",
        "--engine",
    ] {
        assert!(examples.contains(option), "{option}: {examples}");
        assert!(page.contains(option), "{option}: {page}");
        assert!(bash.contains(option), "{option}");
    }
}
