//! A source, and what must be so when it could not be sealed or opened.

use super::{Kind, Place, Run, text};

/// A source of five megabytes, and it sealed.
pub struct Victim {
    pub place: Place,
    pub kind: Kind,
    pub text: Vec<u8>,
}

impl Victim {
    pub fn new(kind: Kind) -> Self {
        let (place, text) = (Place::of(kind), text(5_000_000));
        place.write("text", &text);
        place.ok(&kind.args("seal", &["text", "-o", "sealed"]));
        Self { place, kind, text }
    }

    pub fn source(verb: &str) -> &'static str {
        if verb == "seal" { "text" } else { "sealed" }
    }

    /// Runs a verb by way of another program, which brings the fault.
    pub fn through(&self, fault: &[&str], verb: &str, rest: &[&str]) -> Run {
        let args = self
            .kind
            .args(verb, &[&[Self::source(verb)], rest].concat());
        self.place.through(fault, &args)
    }

    /// What must be so after every failure of output.
    pub fn assert_clean(&self, run: &Run, what: &str) {
        let what = format!("{}, {what}: {run:?}", self.kind.name);
        assert_eq!(run.code, Some(5), "{what}");
        assert_eq!(run.stderr.matches("error:").count(), 1, "{what}");
        self.assert_nothing_left(&what);
    }

    pub fn assert_nothing_left(&self, what: &str) {
        assert!(!self.place.has("target"), "{what}");
        assert!(self.place.temporaries().is_empty(), "{what}");
        assert!(self.place.read("text") == self.text, "{what}");
    }
}
