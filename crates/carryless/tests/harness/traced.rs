//! Whether what a program draws is what the system gave it, byte for byte: seen from outside, by `strace`.

use core::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

/// What was drawn, by what it is.
pub(crate) type Values = Vec<(String, Vec<u8>)>;

/// The file to which a traced test writes what it drew.
const SHOWN: &str = "CARRYLESS_TEST_SHOWN";

/// A program under `strace`, which writes down what the system gives; nothing, and says so, where that may not be: in
/// some sandboxes, and for programs of another CPU. `idle` makes it do nothing.
pub(crate) fn traced(program: &str, idle: &str, log: &Path) -> Option<Command> {
    static MAY: OnceLock<bool> = OnceLock::new();
    let may = MAY.get_or_init(|| {
        let mut probe = Command::new("strace");
        probe.args(["-qq", "-o", "/dev/null", program, idle]);
        let may = probe.output().is_ok_and(|run| run.status.success());
        if !may {
            eprintln!("not run: there is no strace, or it may not trace {program}");
        }
        may
    });
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-e", "trace=getrandom", "-xx"]);
    strace.args(["-s", "65536", "-o"]).arg(log).arg(program);
    may.then_some(strace)
}

fn from_digits(digits: &str) -> Vec<u8> {
    let pairs = (0..digits.len()).step_by(2).map(|at| &digits[at..at + 2]);
    let bytes = pairs.map(|pair| u8::from_str_radix(pair, 16).expect("digits"));
    bytes.collect()
}

/// What the system gave, call by call, as strace tells it. Hash tables and the allocator ask with flags of their own.
pub(crate) fn given(log: &str) -> Vec<Vec<u8>> {
    let mut given = Vec::new();
    for line in log.lines().filter(|line| line.contains("getrandom")) {
        let Some((bytes, rest)) = line
            .split_once('"')
            .and_then(|(_, more)| more.split_once('"'))
        else {
            continue;
        };
        if rest.contains(", 0) = ") && !bytes.is_empty() {
            given.push(from_digits(&bytes.replace("\\x", "")));
        }
    }
    given
}

/// Whether each value is all that one call gave, and no call gave more than these; `unseen` are the lengths of what is
/// drawn and not shown. How many values there are.
pub(crate) fn are_given(
    values: &[(String, Vec<u8>)],
    mut given: Vec<Vec<u8>>,
    unseen: &[usize],
) -> Result<usize, String> {
    for (what, value) in values {
        let at = given.iter().position(|bytes| bytes == value);
        let at = at.ok_or_else(|| format!("{what}: not what the system gave: {value:02x?}"))?;
        given.swap_remove(at);
    }
    let mut rest: Vec<_> = given.iter().map(Vec::len).collect();
    let mut unseen = unseen.to_vec();
    rest.sort_unstable();
    unseen.sort_unstable();
    if rest != unseen {
        return Err(format!(
            "draws of {rest:?} bytes are not used, {unseen:?} are known"
        ));
    }
    Ok(values.len())
}

/// Runs the test of this name, which is the caller's, once more and traced; there `draw` draws. How many values it drew
/// and the system gave.
pub(crate) fn compare(
    test: &str,
    unseen: &[usize],
    draw: impl FnOnce() -> Values,
) -> Option<usize> {
    if let Ok(path) = env::var(SHOWN) {
        let mut shown = String::new();
        for (what, value) in draw() {
            let digits: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
            writeln!(shown, "{digits} {what}").expect("a string takes all");
        }
        fs::write(path, shown).expect("a temporary file");
        return None;
    }
    let name = format!(
        "carryless-{}-{}",
        std::process::id(),
        test.replace(':', "-")
    );
    let [log, shown] = ["log", "shown"].map(|end| env::temp_dir().join(format!("{name}.{end}")));
    let program = env::current_exe().expect("a test program");
    let mut command = traced(&program.to_string_lossy(), "--list", &log)?;
    let run = command.args([test, "--exact"]).env(SHOWN, &shown).output();
    let run = run.expect("strace starts it");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stdout)
    );
    let [told, values] = [&log, &shown].map(|path| {
        let text = fs::read_to_string(path).expect("it was written");
        fs::remove_file(path).expect("a file of ours");
        text
    });
    let value = |line: &str| {
        let (digits, what) = line.split_once(' ').expect("digits and a name");
        (what.to_owned(), from_digits(digits))
    };
    let values: Values = values.lines().map(value).collect();
    let count = are_given(&values, given(&told), unseen);
    Some(count.unwrap_or_else(|why| panic!("{why}")))
}

/// Fails unless what is not what the system gave is noticed.
pub(crate) fn control() {
    let log = "1 getrandom(\"\\x01\\x02\\x03\", 3, 0) = 3\n1 getrandom(\"\\x04\", 1, GRND_INSECURE) = 1\n";
    let given = given(log);
    assert_eq!(given, [[1, 2, 3]]);
    let value = |bytes: &[u8]| vec![("a value".to_owned(), bytes.to_vec())];
    assert_eq!(are_given(&value(&[1, 2, 3]), given.clone(), &[]), Ok(1));
    for wrong in [
        &[][..],
        &value(&[1, 2, 2]),
        &value(&[1, 2]),
        &[value(&[1, 2, 3]), value(&[1, 2, 3])].concat(),
    ] {
        let why = are_given(wrong, given.clone(), &[]).expect_err("it passed unnoticed");
        println!("caught: {why}");
    }
}
