//! Figures: made from what was measured, shown as tables, compared with the automatic choice.

use carryless::Engine;
use comfy_table::{Table, presets};
use serde::Serialize;

use super::job::{Case, Setup};
use super::measure::{Measured, median};
use crate::args::Op;
use crate::print;

/// What is not called slower: differences below come and go between runs.
const NOISE: f64 = 1.03;

/// One figure. Names are stable: other programs read them.
#[derive(Serialize)]
pub struct Figure {
    pub engine: &'static str,
    pub automatic: bool,
    pub alg: &'static str,
    /// The cipher's key length; of a hash its own.
    pub bits: u32,
    pub op: &'static str,
    /// Of a MAC the data, which is all it has.
    pub message_len: u32,
    pub aad_len: u32,
    /// Whether a new key was made for each message.
    pub key_setup: bool,
    /// Messages of a call.
    pub batch: usize,
    pub threads: usize,
    pub rounds: u32,
    /// Of a message: the median of the rounds, and the least.
    pub ns: f64,
    pub ns_min: f64,
    pub mb_s: f64,
    /// Core cycles, of one thread alone.
    pub cycles_per_byte: Option<f64>,
    /// Time over that of the automatic choice: the median of the rounds' ratios.
    pub to_automatic: Option<f64>,
}

/// The figures of one length, in the order of the engines.
pub fn figures(
    case: &Case,
    message_len: u32,
    engines: &[Engine],
    automatic: Engine,
    measured: &Measured,
) -> Vec<Figure> {
    let by_automatic = engines.iter().position(|engine| *engine == automatic);
    let by_automatic = by_automatic.map(|number| &measured.ns[number]);
    let len = f64::from(message_len);
    let figure = |(engine, calls): (&Engine, &Vec<f64>)| {
        let messages = f64::from(u32::try_from(case.setup.messages()).unwrap_or(u32::MAX));
        let each = || calls.iter().map(|ns| ns / messages);
        let ns = median(each());
        let clock = measured
            .clock_ghz
            .filter(|_| case.setup.threads() == 1 && message_len > 0);
        Figure {
            engine: engine.name(),
            automatic: *engine == automatic,
            alg: case.alg.name,
            bits: case.bits.number(),
            op: case.op.name(),
            message_len,
            aad_len: 0,
            key_setup: case.setup == Setup::OneShot,
            batch: case.setup.messages(),
            threads: case.setup.threads(),
            rounds: u32::try_from(calls.len()).unwrap_or(u32::MAX),
            ns: rounded(ns, 2),
            ns_min: rounded(each().fold(f64::MAX, f64::min), 2),
            mb_s: rounded(len * 1e3 / ns, 1),
            cycles_per_byte: clock.map(|ghz| rounded(ns * ghz / len, 3)),
            to_automatic: by_automatic.map(|automatic| {
                rounded(
                    median(calls.iter().zip(automatic).map(|(ns, by)| ns / by)),
                    3,
                )
            }),
        }
    };
    engines.iter().zip(&measured.ns).map(figure).collect()
}

fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

/// A length with the unit of which it is a multiple.
fn label(len: u32) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let mut multiples = units
        .into_iter()
        .filter(|(power, _)| len > 0 && len.is_multiple_of(1 << power));
    multiples.next().map_or_else(
        || format!("{len} B"),
        |(power, unit)| format!("{} {unit}", len >> power),
    )
}

/// The case in words.
pub fn title(case: &Case) -> String {
    let bits = case.bits.number();
    let (alg, op) = (case.alg.name, case.op.name());
    let what = match case.op {
        Op::Seal | Op::Open if alg == "aes-gcm" => format!("AES-{bits}-GCM, {op}"),
        Op::Gmac => format!("AES-{bits}-GMAC"),
        Op::Ctr => format!("AES-{bits}-CTR"),
        _ => format!("{alg}, key of {bits} bits, {op}"),
    };
    match case.setup {
        Setup::Single => what,
        Setup::OneShot => format!("{what}, each with a new key"),
        Setup::Batch(count) => format!("{what}, {count} a call"),
        Setup::Threads(count) => format!("{what}, threads: {count}"),
    }
}

/// A row for each engine, a column for each length.
pub fn table(case: &Case, figures: &[Vec<Figure>]) -> String {
    let mut table = Table::new();
    let lengths = figures
        .iter()
        .filter_map(|length| length.first())
        .map(|figure| label(figure.message_len));
    table.load_style(presets::NOTHING).set_header(
        ["", "engine", ""]
            .into_iter()
            .map(String::from)
            .chain(lengths),
    );
    for engine in 0..figures.first().map_or(0, Vec::len) {
        let of_engine = || figures.iter().map(|length| &length[engine]);
        let Some(first) = of_engine().next() else {
            break;
        };
        let mark = if first.automatic { "*" } else { "" };
        let cell = |figure: &Figure| {
            let cycles = figure
                .cycles_per_byte
                .map_or("-".into(), |cycles| format!("{cycles:.2}"));
            format!("{:.0}\n{:.0}\n{cycles}", figure.ns, figure.mb_s)
        };
        let row = [mark, first.engine, "ns\nMB/s\nc/B"]
            .into_iter()
            .map(String::from);
        table.add_row(row.chain(of_engine().map(cell)));
    }
    let setup = match case.setup {
        Setup::OneShot => "included",
        _ => "not included",
    };
    format!(
        "{}; no AAD, key set-up {setup}, ns a message (* the automatic choice)\n{}\n\n",
        title(case),
        table.trim_fmt()
    )
}

/// Says where another engine is faster than the automatic choice.
pub fn warn(figures: &[Vec<Figure>], automatic: Engine) {
    for length in figures {
        let ratio = |figure: &Figure| figure.to_automatic.unwrap_or(1.0);
        let fastest = length.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        if let Some(fastest) = fastest.filter(|fastest| ratio(fastest) * NOISE < 1.0) {
            let Figure {
                engine,
                alg,
                bits,
                op,
                message_len,
                ..
            } = fastest;
            print::warning(&format!(
                "{engine} is faster than the automatic choice {automatic} at {message_len} bytes ({alg}, {bits} bits, {op}): {:.2} of its time",
                ratio(fastest)
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn lengths_are_shown_with_their_units() {
        let labels = [0, 1000, 1024, 1 << 20, 3 << 20, 1 << 30].map(label);
        assert_eq!(
            labels,
            ["0 B", "1000 B", "1 KiB", "1 MiB", "3 MiB", "1 GiB"]
        );
    }
}
