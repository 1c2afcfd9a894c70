//! Ways to have a file opened, and what came of it.

use crate::common::{Kind, Place, Run, count};

/// How the sealed data comes in, and how the text goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// A pipe on both sides.
    Pipe,
    /// A file, whose length is known; the text goes to a pipe.
    FileToPipe,
    /// Files on both sides, many in one call.
    Files,
}

impl Way {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Pipe => "pipe",
            Self::FileToPipe => "file to pipe",
            Self::Files => "files",
        }
    }
}

/// What came of one file.
#[derive(Debug)]
pub(crate) struct End {
    pub(crate) code: i32,
    /// What is on the pipe, or in the target.
    pub(crate) text: Vec<u8>,
    /// There is a target.
    pub(crate) target: bool,
}

impl From<Run> for End {
    fn from(run: Run) -> Self {
        let code = run.code.unwrap_or(-1);
        Self {
            code,
            text: run.stdout,
            target: code == 0,
        }
    }
}

/// Opens each of these; what became of each.
pub(crate) type Opens<'a> = dyn Fn(Way, usize, &[&[u8]]) -> Vec<End> + 'a;

/// The command itself.
pub(crate) fn command(place: &Place, kind: Kind) -> impl Fn(Way, usize, &[&[u8]]) -> Vec<End> + '_ {
    move |way, threads, inputs| {
        let threads = threads.to_string();
        match way {
            Way::Pipe => {
                let args = kind.args("open", &["-t", &threads]);
                inputs
                    .iter()
                    .map(|sealed| place.run_with(&args, sealed).into())
                    .collect()
            }
            Way::FileToPipe => {
                let args = kind.args("open", &["sealed", "-o", "-", "-t", &threads]);
                let open = |sealed: &&[u8]| {
                    place.write("sealed", sealed);
                    place.run(&args).into()
                };
                inputs.iter().map(open).collect()
            }
            Way::Files => open_files(place, kind, &threads, inputs),
        }
    }
}

fn open_files(place: &Place, kind: Kind, threads: &str, inputs: &[&[u8]]) -> Vec<End> {
    let (from, to) = (place.path("in"), place.path("out"));
    for directory in [&from, &to] {
        std::fs::create_dir(directory).expect("a directory");
    }
    let names: Vec<String> = (0..inputs.len()).map(|n| format!("in/{n}.cless")).collect();
    for (name, sealed) in names.iter().zip(inputs) {
        place.write(name, sealed);
    }
    let rest: Vec<&str> = ["--json", "-o", "out/", "-t", threads]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    let run = place.run(&kind.args("open", &rest));
    let answers = String::from_utf8_lossy(&run.stdout);
    let answers: Vec<serde_json::Value> = answers
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), inputs.len(), "{}", run.stderr);
    let mut left = std::fs::read_dir(&to).expect("a directory").count();
    let ends = answers.iter().enumerate().map(|(number, answer)| {
        let code = answer["code"].as_i64().unwrap_or_default();
        let target = to.join(number.to_string());
        let found = std::fs::read(&target);
        left -= usize::from(found.is_ok());
        count(i32::try_from(code).ok(), 1);
        End {
            code: i32::try_from(code).expect("a byte"),
            target: found.is_ok(),
            text: found.unwrap_or_default(),
        }
    });
    let ends: Vec<End> = ends.collect();
    assert_eq!(left, 0, "temporary files are left");
    for directory in [&from, &to] {
        std::fs::remove_dir_all(directory).expect("a directory");
    }
    ends
}
