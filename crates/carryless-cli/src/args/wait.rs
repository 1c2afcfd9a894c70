//! How long what is read may wait for more.

use core::time::Duration;

use crate::exit::Failure;

/// For pipes in which something comes from time to time.
#[derive(clap::Args)]
pub struct Wait {
    /// Write what was read at latest after so many seconds (0.5 is half a one), but for what does not fill a chunk of
    /// 16 KiB; without it, when 512 KiB are there
    #[arg(id = "flush_after", long = "flush-after", value_name = "SECONDS", value_parser = parse)]
    pub time: Option<Duration>,
}

fn parse(text: &str) -> Result<Duration, &'static str> {
    let seconds: Option<f64> = text.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    // Longer ones are beyond what systems can wait for.
    let within = time.filter(|time| time.as_secs() <= u64::from(u32::MAX));
    within.ok_or("it is no number of seconds")
}

impl Wait {
    /// Fails if it was given, where nothing is written in parts.
    pub fn refuse(&self, what: &str) -> Result<(), Failure> {
        match self.time {
            None => Ok(()),
            Some(_) => Err(Failure::usage(format!("{what} has no chunks to flush"))
                .hint("--flush-after is for all of a container or bare stream")),
        }
    }
}
