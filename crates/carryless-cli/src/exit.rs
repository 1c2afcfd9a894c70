//! Exit codes, and the errors that carry them. The only place that knows the numbers.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use carryless_file::cobblestone::{Error, Tampering};
use carryless_file::{container, gcm};

/// Exit codes other than 0; 128 and the number of a signal are in [`signals`](crate::signals).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Success after all: somebody stopped reading a listing.
    Enough = 0,
    /// None of the others: a failed self-test, no random bytes.
    Other = 1,
    /// The command line, including a target that exists; clap uses it too.
    Usage = 2,
    /// The data is not what was sealed with this key.
    Tampered = 3,
    /// A file with a key, identity or recipients can't be read or is malformed.
    Key = 4,
    /// Reading or writing.
    Io = 5,
    /// Ctrl-C at a prompt, where it is no signal.
    Interrupted = 130,
}

/// What each code means, for `--help`.
pub const HELP: &str = "Exit codes: 0 success; 1 other failures; 2 wrong usage, or a target that exists or is an input; 3 the data is not what was sealed \
with this key (changed, cut, extended, another key, or no such file); 4 a file of keys or recipients, or the passphrase source, is unreadable or malformed; 5 reading or writing failed; \
130 and 143 interrupted or terminated, with temporary files removed.";

/// An error with its exit code, and what to do about it.
#[derive(Debug)]
pub struct Failure {
    code: Code,
    error: anyhow::Error,
    hint: Option<String>,
    /// The reader of our output went away: nobody wants to hear about it.
    quiet: bool,
}

impl Failure {
    /// An error with this code.
    pub fn new(code: Code, error: impl Into<anyhow::Error>) -> Self {
        Self {
            code,
            error: error.into(),
            hint: None,
            quiet: false,
        }
    }

    /// A usage error.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Code::Usage, anyhow::Error::msg(message.into()))
    }

    /// An input or output error: `what` could not be done with `name`.
    pub fn io(name: &str, what: &str, error: io::Error) -> Self {
        let quiet = error.kind() == io::ErrorKind::BrokenPipe;
        let error = anyhow::Error::new(error).context(format!("{name}: {what}"));
        Self {
            quiet,
            ..Self::new(Code::Io, error)
        }
    }

    /// An error of opening or sealing the stream that comes from `name`.
    pub fn stream(name: &str, error: Error) -> Self {
        match error {
            Error::Io(error) => Self::io(name, "can't be read", error),
            Error::Tampering(tampering) => {
                Self::unauthentic(name, &tampering.to_string()).hint(advice(tampering))
            }
            error => Self::new(Code::Other, anyhow::anyhow!("{name}: {error}")),
        }
    }

    /// A file that can't be one that was sealed.
    pub fn unauthentic(name: &str, why: &str) -> Self {
        Self::new(
            Code::Tampered,
            anyhow::anyhow!("{name}: not what was sealed with this key: {why}"),
        )
    }

    /// An error of a container's header, or of what follows it.
    pub fn container(name: &str, error: container::Error) -> Self {
        use container::{Error as E, Malformed};

        if let E::Stream(error) = error {
            return Self::stream(name, error);
        }
        let advice = match &error {
            E::Locks(Malformed::SlotCount | Malformed::Passphrases) => {
                let error = format!("{name}: too many keys, recipients and passphrases");
                return Self::usage(error).hint("one file takes 16, of which 4 are passphrases");
            }
            E::Locks(malformed) => return Self::usage(format!("{name}: {malformed}")),
            E::Argon2id { .. } => return Self::usage(format!("{name}: {error}")),
            error if !error.is_unauthentic() => {
                return Self::new(Code::Other, anyhow::anyhow!("{name}: {error}"));
            }
            E::Malformed(_) => "`carryless inspect` shows what it says of itself",
            E::NoSlot { .. } | E::NoPassphrase | E::NoRecipient { .. } => {
                "`carryless inspect` shows what it wants"
            }
            E::Passphrase => "try the passphrase again; if it is right, the header was changed",
            E::Identity => "try its other identities; if it is right, the header was changed",
            E::BareStream => "-k names its key file",
            _ => "get the whole file again from where it came from",
        };
        Self::unauthentic(name, &error.to_string()).hint(advice)
    }

    /// An error of a GCM message.
    pub fn message(name: &str, error: gcm::Error) -> Self {
        match error {
            gcm::Error::Io(error) => Self::io(name, "can't be read", error),
            gcm::Error::Unauthentic => {
                Self::new(Code::Tampered, anyhow::anyhow!("{name}: {error}"))
                    .hint("check that the key is the one, or get the whole file again")
            }
            error if error.is_unauthentic() => Self::unauthentic(name, &error.to_string()),
            error => Self::new(Code::Other, anyhow::anyhow!("{name}: {error}")),
        }
    }

    /// Says what to do next.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds to the message.
    pub fn and(mut self, more: &str) -> Self {
        self.error = anyhow::anyhow!("{:#}; {more}", self.error);
        self
    }

    /// For output that is a listing: a reader that has enough is no failure.
    pub fn listing(self) -> Self {
        if self.quiet {
            Self {
                code: Code::Enough,
                ..self
            }
        } else {
            self
        }
    }

    /// It is a reader of a listing that has enough.
    pub const fn is_of_a_reader(&self) -> bool {
        matches!(self.code, Code::Enough)
    }

    /// Whether it says more of several files: that one is not what was sealed must not be lost among others.
    pub fn is_worse_than(&self, other: &Self) -> bool {
        self.code == Code::Tampered && other.code != Code::Tampered
    }

    /// The exit code.
    pub const fn code(&self) -> u8 {
        self.code as u8
    }

    /// Prints the error; what is left is the exit code, for when there is no more to do.
    pub fn report_one(self) -> Self {
        let silent = Self {
            code: self.code,
            error: anyhow::Error::msg(""),
            hint: None,
            quiet: true,
        };
        self.report();
        silent
    }

    /// Prints the error, and gives the exit code.
    pub fn report(self) -> ExitCode {
        if !self.quiet {
            let hint = self
                .hint
                .map(|hint| format!("\n  {hint}"))
                .unwrap_or_default();
            crate::print::error(&format!("{:#}{hint}", self.error));
        }
        ExitCode::from(self.code as u8)
    }
}

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:#}", self.error)
    }
}

fn advice(tampering: Tampering) -> &'static str {
    match tampering {
        Tampering::TooShort { .. } | Tampering::Truncated { .. } => {
            "get the whole file again from where it came from"
        }
        Tampering::Header => "check that --key-file and --context are those it was sealed with",
        _ => "the key is right, the data is not: get the whole file again from where it came from",
    }
}

/// A path as messages show it: what a terminal would obey, or what changes the order of letters, is escaped.
pub fn show(path: &Path) -> String {
    let name = path.to_string_lossy();
    let unseen = |c| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    if name.chars().any(|c| c.is_control() || unseen(c)) {
        name.escape_debug().to_string()
    } else {
        name.into_owned()
    }
}
