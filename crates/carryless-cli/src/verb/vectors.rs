//! `carryless vectors`: the front door for conformance tests.

use std::io::{self, BufReader, BufWriter, Write};

use crate::args::Vectors;
use crate::exit::Failure;
use crate::input::Input;
use crate::print::{self, unwritten};
use crate::vectors::{answer, read_line};

pub fn run(args: &Vectors) -> Result<(), Failure> {
    print::refuse_closed()?;
    let input = Input::open(args.input.as_deref())?;
    let name = input.name.clone();
    let mut requests = BufReader::with_capacity(1 << 20, input);
    let mut answers = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut line = Vec::new();
    loop {
        // Part of a line is no request, and its writer may wait for an answer: read nothing before.
        if !requests.buffer().contains(&b'\n') {
            answers.flush().map_err(unwritten)?;
        }
        if !read_line(&mut requests, &mut line)
            .map_err(|error| Failure::io(&name, "can't be read", error))?
        {
            return answers.flush().map_err(unwritten);
        }
        if !line.trim_ascii().is_empty() {
            serde_json::to_writer(&mut answers, &answer(&line))
                .map_err(|error| unwritten(error.into()))?;
            answers.write_all(b"\n").map_err(unwritten)?;
        }
    }
}
