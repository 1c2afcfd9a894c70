//! `carryless open`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use carryless_file::cobblestone::{HEADER_LEN, Key, Opener, Tampering};
use serde::Serialize;

use super::seal::{refuse_key_files, rounded};
use super::{EXTENSION, each};
use crate::args::{self, Format, Global, Range};
use crate::exit::{Failure, show};
use crate::input::Input;
use crate::output::{Mode, Output};
use crate::payload::Open;
use crate::pipeline::{self, Take};
use crate::progress::Progress;
use crate::range::{Part, Window};
use crate::{print, secrets};

/// What `--json` says of an opened file.
#[derive(Serialize)]
struct Answer<'a> {
    file: &'a str,
    output: &'a str,
    format: &'static str,
    /// Bytes written, all or those of the range.
    plaintext_len: u64,
    seconds: f64,
}

pub fn run(args: &args::Open, global: &Global) -> Result<(), Failure> {
    let Format::Cobblestone = args.format;
    let key = secrets::only_key(&args.secret)?;
    let several = args.inputs.len() > 1;
    each::each(&args.inputs, args.flow.json, |path| {
        let began = Instant::now();
        let mut input = Input::open(path)?;
        input.refuse_terminal()?;
        let target = each::target(
            args.target.output.as_deref(),
            input.path.as_deref(),
            several,
            opened_name,
        )?;
        refuse_key_files(target.as_deref(), &args.secret)?;
        let mut output = Output::create(target.as_deref(), args.target.force, Mode::Like(&input))?;
        output.refuse_json(args.flow.json)?;
        let bar = Progress::new(input.len(), global.quiet || output.is_terminal());
        let mut written = 0;
        let source = Source::start(&mut input, &key, args.secret.context())?;
        let opened = source.each_piece(&mut input, args.range, args.flow.threads(), &mut |text| {
            output.write_text(text)?;
            bar.add(text.len());
            written += text.len() as u64;
            Ok(())
        });
        drop(bar);
        match opened {
            Ok(()) => {}
            Err(failure) if output.is_direct() && written > 0 => {
                return Err(failure.and(&format!(
                    "{} has only the beginning, {written} authentic bytes",
                    output.name
                )));
            }
            Err(failure) => return Err(failure),
        }
        let to = output.name.clone();
        output.commit()?;
        if args.flow.json {
            let answer = Answer {
                file: &input.name,
                output: &to,
                format: "cobblestone",
                plaintext_len: written,
                seconds: rounded(began.elapsed()),
            };
            print::json(&answer)?;
        }
        Ok(())
    })
}

/// A stream whose header has been read and belongs to the key.
pub struct Source {
    opener: Opener,
    /// Where it starts in the input.
    start: u64,
}

impl Source {
    /// Reads the header.
    pub fn start(input: &mut Input, key: &Key, context: &[u8]) -> Result<Self, Failure> {
        let mut header = [0; HEADER_LEN];
        let got = input.fill(&mut header)?;
        let fail = |error: Tampering| Failure::stream(&input.name, error.into());
        if got < HEADER_LEN {
            return Err(fail(Tampering::TooShort { got: got as u64 }));
        }
        let opener = Opener::new(key, context, &header).map_err(fail)?;
        Ok(Self { opener, start: 0 })
    }

    /// Opens all chunks, or those of a range, and hands on their text, piece by authentic piece.
    pub fn each_piece(
        self,
        input: &mut Input,
        range: Option<Range>,
        threads: usize,
        take: &mut Take<'_>,
    ) -> Result<(), Failure> {
        let name = input.name.clone();
        let (work, mut window) = match range {
            Some(range) => {
                let part = Part::find(range, &self.opener, input, self.start)?;
                part.select(input)?;
                (Open::part(self.opener, &part, &name), part.window())
            }
            None => (Open::all(self.opener, input.len(), &name), Window::ALL),
        };
        pipeline::run(&work, input, threads, &mut |text| take(window.of(text)))?;
        Ok(())
    }
}

/// `name` for `name.cless`.
fn opened_name(path: &Path) -> Result<PathBuf, Failure> {
    let has_more = path
        .file_stem()
        .is_some_and(|stem| stem.to_string_lossy() != "");
    if path
        .extension()
        .is_some_and(|extension| extension == EXTENSION)
        && has_more
    {
        return Ok(path.with_extension(""));
    }
    Err(Failure::usage(format!(
        "{}: its name does not end in .{EXTENSION}, so that of the output is unknown",
        show(path)
    ))
    .hint("-o names it"))
}
