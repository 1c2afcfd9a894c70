//! The cores for which cycles are modelled: what is published of them, what is asked for, and how far their models are off.

use super::committed::Cycles;
use super::{Counts, LONG};

/// How cycles are found.
pub(super) enum Model {
    /// Instructions times what one takes on this core in code of the same kind, as others measured it.
    Instruction(f64),
    /// By [`super::in_order`].
    InOrder,
    /// By LLVM's model of this name, AESE and AESMC as two instructions, as it has them.
    Llvm(&'static str),
    /// The same, as one: the core joins them.
    LlvmJoined(&'static str),
    /// The same, as one and as two: a core does now this, now that.
    LlvmEither(&'static str),
}

/// A core and an engine.
pub(super) struct Core {
    pub(super) name: &'static str,
    pub(super) engine: &'static str,
    pub(super) model: Model,
    /// Of the model, against published figures of other code.
    pub(super) error: &'static str,
    /// What it does, by the names of `count` or [`IN_GCM`], the bytes, and what is known of that.
    pub(super) works: &'static [(&'static str, usize, Figures)],
}

/// Cycles a byte, published and asked for.
#[derive(Clone, Copy)]
pub(super) struct Figures {
    pub(super) published: Option<f64>,
    pub(super) must: Option<f64>,
}

const fn both(published: f64, must: f64) -> Figures {
    Figures {
        published: Some(published),
        must: Some(must),
    }
}

const fn published(published: f64) -> Figures {
    Figures {
        published: Some(published),
        must: None,
    }
}

const fn must(must: f64) -> Figures {
    Figures {
        published: None,
        must: Some(must),
    }
}

/// Published: Gouvêa and López 2015, table 2, and the comments of OpenSSL's assembly; of `armce` and `armce3` but for the
/// Cortex-A57 and the Apple A7 OpenSSL's loop under the same model; of modes on the Cortex-A53 the posts on the kernel (seed 003).
pub(super) const CORES: [Core; 13] = [
    Core {
        name: "Cortex-A53",
        engine: "neon",
        model: Model::Instruction(1.05),
        error: "4 %",
        works: &[
            (IN_GCM, LONG, both(17.5, 13.2)),
            ("ghash", LONG, both(8.4, 4.0)),
            ("seal", LONG, both(29.0, 17.0)),
            ("ctr", LONG, both(19.8, 13.2)),
            ("xts encrypt", LONG, both(20.1, 15.5)),
            ("xts decrypt", LONG, both(22.7, 18.0)),
            ("cbc decrypt", LONG, both(22.2, 18.0)),
        ],
    },
    // Blocks that wait for each other.
    Core {
        name: "Cortex-A53",
        engine: "neon",
        model: Model::InOrder,
        error: "one check: -4 %",
        works: &[
            ("cbc encrypt", LONG, both(24.7, 22.0)),
            ("cmac", LONG, both(24.7, 22.0)),
        ],
    },
    Core {
        name: "Cortex-A72",
        engine: "neon",
        model: Model::Instruction(0.97),
        error: "-10 to 18 %",
        works: &[
            (IN_GCM, LONG, both(14.4, 12.5)),
            ("seal", LONG, both(22.0, 16.0)),
        ],
    },
    Core {
        name: "Cortex-A9",
        engine: "neon32",
        model: Model::Instruction(1.22),
        error: "8 %",
        works: &[
            ("ctr", LONG, both(22.0, 18.5)),
            (IN_GCM, LONG, both(22.0, 18.5)),
            ("ghash", LONG, both(10.2, 5.5)),
            ("seal", LONG, both(32.8, 24.0)),
        ],
    },
    Core {
        name: "Cortex-A9",
        engine: "neon32",
        model: Model::Instruction(1.22),
        error: "unknown: not vectors alone",
        works: &[
            ("lea-sgcm seal", 64, must(46.0)),
            ("lea-sgcm seal", 256, must(22.0)),
            ("lea-sgcm seal", 1024, must(15.0)),
        ],
    },
    Core {
        name: "Cortex-A15",
        engine: "neon32",
        model: Model::Instruction(0.89),
        error: "9 %",
        works: &[
            (IN_GCM, LONG, published(15.6)),
            ("ghash", LONG, published(7.6)),
            ("seal", LONG, both(23.9, 17.5)),
        ],
    },
    Core {
        name: "Cortex-A53, AArch32",
        engine: "armce32",
        model: Model::InOrder,
        error: "13 %",
        works: &[
            ("ctr", LONG, both(1.46, 1.55)),
            ("ghash", LONG, both(1.01, 0.85)),
            ("seal", LONG, both(3.08, 2.25)),
        ],
    },
    Core {
        name: "Cortex-A57, AArch32",
        engine: "armce32",
        model: Model::LlvmEither("cortex-a57"),
        error: "between the two",
        works: &[("seal", LONG, both(2.78, 1.4))],
    },
    Core {
        name: "Cortex-A53",
        engine: "armce",
        model: Model::InOrder,
        error: "13 %",
        works: &[("seal", LONG, both(2.34, 2.15))],
    },
    Core {
        name: "Cortex-A57",
        engine: "armce",
        model: Model::LlvmEither("cortex-a57"),
        error: "between the two",
        works: &[("seal", LONG, both(1.62, 1.15))],
    },
    Core {
        name: "Apple A7",
        engine: "armce",
        model: Model::Llvm("apple-a7"),
        error: "-31 to 2 %",
        works: &[("seal", LONG, both(1.71, 1.4))],
    },
    Core {
        name: "Neoverse N1",
        engine: "armce",
        model: Model::LlvmJoined("neoverse-n1"),
        error: "one check: -10 %",
        works: &[("seal", LONG, both(0.89, 0.86))],
    },
    Core {
        name: "Neoverse V1",
        engine: "armce3",
        model: Model::LlvmJoined("neoverse-v1"),
        error: "unknown",
        works: &[("seal", LONG, both(0.36, 0.37))],
    },
];

/// Counter mode within a message of GCM.
pub(super) const IN_GCM: &str = "ctr in gcm";

impl Core {
    /// What its cycles are committed under.
    pub(super) fn key(&self, work: &str) -> String {
        format!("{}, {} {work}", self.name, self.engine)
    }

    /// Cycles a byte of this work, least and most; `None` if they are not committed.
    pub(super) fn cycles(
        &self,
        work: &str,
        length: usize,
        counts: &Counts,
        modelled: &Cycles,
    ) -> Option<[f64; 2]> {
        let Model::Instruction(cycles) = self.model else {
            return modelled.get(&self.key(work)).copied();
        };
        let a_byte = |work| a_byte(counts, self.engine, work, length);
        let instructions = match work {
            IN_GCM => a_byte("seal") - a_byte("ghash"),
            work => a_byte(work),
        };
        Some([instructions * cycles; 2])
    }
}

/// Instructions a byte of a text.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(super) fn a_byte(counts: &Counts, engine: &str, work: &str, length: usize) -> f64 {
    let works = counts.get(engine);
    let count = works.and_then(|works| works.get(&format!("{work} {length}")));
    count.copied().unwrap_or_default() as f64 / length as f64
}
