//! What T4 refuses on each architecture, whatever the list says.

/// Beginnings of mnemonics, and why no list may hold them.
type Forbidden = &'static [(&'static str, &'static str)];

pub(super) struct Rules {
    /// What stands before the names of the groups that all architectures have.
    pub(super) prefix: &'static str,
    pub(super) forbidden: Forbidden,
    /// Whether a line is of an instruction on vectors.
    pub(super) on_vectors: fn(&str) -> bool,
    /// Whether a mnemonic on vectors is of arithmetic with carries, which a hash over GF(2) has none of: the linearity that P1
    /// rests on would be broken.
    pub(super) carries: fn(&str) -> bool,
    /// Faults that must be noticed: what they are, an instruction of a kernel, and what is put before it.
    pub(super) seeded: &'static [(&'static str, &'static str, &'static str)],
}

const DIVISION: &str = "its time depends on the operands";

/// The kind of a call of a function that divides.
pub(super) const DIVIDING_CALL: &str = "call-of-a-division";
const DEPOSIT: &str = "a loop of microcode on AMD before Zen 3";
const GATHER: &str = "a load for each element, at an address made of it";
const SCATTER: &str = "a store for each element, at an address made of it";

pub(super) static X86_64: Rules = Rules {
    prefix: "",
    forbidden: &[
        (DIVIDING_CALL, DIVISION),
        ("div", DIVISION),
        ("idiv", DIVISION),
        ("vdiv", DIVISION),
        ("pextl", DEPOSIT),
        ("pextq", DEPOSIT),
        ("pdep", DEPOSIT),
        ("vpgather", GATHER),
        ("vgather", GATHER),
        ("vpscatter", SCATTER),
        ("vscatter", SCATTER),
        ("repe", "it stops at the first difference"),
        ("repne", "it stops at the first match"),
    ],
    on_vectors: |line| line.contains("mm"),
    carries: |kind| {
        ["padd", "psub", "pmul"]
            .iter()
            .any(|part| kind.contains(part))
    },
    seeded: &[
        ("pext in a kernel", "\taesenc\t", "pextq\t%rax, %rcx, %rdx"),
        (
            "a gather in a kernel",
            "\taesenc\t",
            "vpgatherdd\t%ymm0, (%rax,%ymm1), %ymm2",
        ),
        ("an instruction nobody looked up", "\taesenc\t", "fsin"),
        (
            "an addition in a hash",
            "\tpclmulqdq\t",
            "paddd\t%xmm0, %xmm1",
        ),
    ],
};

pub(super) static AARCH64: Rules = Rules {
    prefix: "aarch64-",
    forbidden: &[
        (DIVIDING_CALL, DIVISION),
        ("sdiv", DIVISION),
        ("udiv", DIVISION),
        ("fdiv", DIVISION),
        ("fsqrt", DIVISION),
    ],
    on_vectors: |line| {
        let first = line.split('\t').nth(1).unwrap_or_default();
        let is_register = first.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        is_register && first.starts_with(['v', 'q', 'd', 's', 'h', 'b'])
    },
    carries: |kind| !kind.starts_with("pmul") && has_carries(kind),
    seeded: &[
        ("a division in a kernel", "\tpmull\t", "udiv\tx0, x1, x2"),
        (
            "an instruction nobody looked up",
            "\taese\t",
            "frintx\td0, d1",
        ),
        (
            "an addition in a hash",
            "\tpmull\t",
            "add\tv0.4s, v1.4s, v2.4s",
        ),
        ("a sum of halves in a hash", "\tpmull\t", "addp\td0, v1.2d"),
    ],
};

pub(super) static AARCH32: Rules = Rules {
    prefix: "aarch32-",
    forbidden: &[
        (DIVIDING_CALL, DIVISION),
        ("sdiv", DIVISION),
        ("udiv", DIVISION),
        ("vdiv", DIVISION),
        ("vsqrt", DIVISION),
    ],
    on_vectors: |line| line.starts_with('v'),
    carries: |kind| {
        let of_polynomials = kind.ends_with(".p8") || kind.ends_with(".p64");
        !of_polynomials && has_carries(kind)
    },
    seeded: &[
        (
            "a division in a kernel",
            "\tvmull.p8\t",
            "bl\t__aeabi_uidivmod",
        ),
        (
            "an instruction nobody looked up",
            "\taese.8\t",
            "vcvt.f32.s32\tq0, q1",
        ),
        (
            "an addition in a hash",
            "\tvmull.p8\t",
            "vadd.i8\tq0, q1, q2",
        ),
    ],
};

/// Whether a mnemonic of Arm's vectors adds, subtracts or multiplies, of numbers or of polynomials.
fn has_carries(kind: &str) -> bool {
    let parts = ["add", "sub", "mul", "mla", "mls"];
    parts.iter().any(|part| kind.contains(part))
}
