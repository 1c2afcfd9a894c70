//! A core that goes in order: the Cortex-A53, as fitted to published timings of NEON, PMULL and AES.
//!
//! It begins two instructions a cycle. One at a time works on a whole vector, two on halves; AESMC goes with the AESE
//! before it. It knows no caches and no branch that is mispredicted.

use super::models::Set;

/// Instructions that begin in the same cycle at most.
const WIDTH: u32 = 2;

/// Cycles after which the vector unit is free again of AESE with its AESMC.
const PAIR: u64 = 2;

/// What works on an instruction.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    /// As many as begin.
    Integer,
    Branch,
    Memory,
    Vector,
    /// Either half of the vector unit.
    Half,
}

/// What the core has to know of an instruction.
pub(super) struct Instruction {
    unit: Unit,
    /// Cycles until the unit takes the next one.
    busy: u64,
    /// Cycles until the result can be used.
    latency: u64,
    /// Registers, one bit each.
    reads: u128,
    writes: u128,
    round: Option<Round>,
}

/// Half a round of AES.
#[derive(Clone, Copy, PartialEq)]
enum Round {
    Bytes,
    Columns,
}

/// The flags, beside the registers.
const FLAGS: u128 = 1 << 127;

/// Those of [`registers`] that are vectors.
const VECTORS: u128 = 0xffff_ffff;

/// Cycles that the instructions take, one after the other.
pub(super) fn cycles<'i>(instructions: impl Iterator<Item = &'i Instruction>) -> u64 {
    let mut ready = [0_u64; 128];
    let mut free = [0_u64; 3];
    let mut halves = [0_u64; 2];
    let (mut now, mut begun, mut end) = (0_u64, 0, 0);
    let mut before: Option<&Instruction> = None;
    for instruction in instructions {
        let goes_along = before.is_some_and(|before| before.takes_along(instruction));
        before = Some(instruction);
        let unit = instruction.unit;
        if goes_along {
            free[Unit::Vector.place()] = free[Unit::Vector.place()].max(now + PAIR);
            end = end.max(now + 1);
            continue;
        }
        let half = usize::from(halves[1] < halves[0]);
        let vector = free[Unit::Vector.place()];
        let free_at = match unit {
            Unit::Integer => 0,
            Unit::Half => halves[half].max(vector),
            Unit::Vector => vector.max(halves[0]).max(halves[1]),
            Unit::Branch | Unit::Memory => free[unit.place()],
        };
        let operands = each(instruction.reads).map(|register| ready[register]);
        let at = operands.fold(free_at, u64::max);
        if at > now {
            (now, begun) = (at, 0);
        }
        if begun == WIDTH {
            (now, begun) = (now + 1, 0);
        }
        begun += 1;
        match unit {
            Unit::Integer => (),
            Unit::Half => halves[half] = now + instruction.busy,
            _ => free[unit.place()] = now + instruction.busy,
        }
        for register in each(instruction.writes) {
            ready[register] = now + instruction.latency;
        }
        end = end.max(now + instruction.busy);
    }
    end
}

/// The numbers of the registers.
fn each(mut registers: u128) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lowest = registers.trailing_zeros();
        registers &= registers.wrapping_sub(1);
        (lowest < 128).then_some(lowest as usize)
    })
}

impl Unit {
    /// Among those that have one place each.
    const fn place(self) -> usize {
        match self {
            Self::Branch => 0,
            Self::Memory => 1,
            _ => 2,
        }
    }
}

impl Instruction {
    /// What LLVM writes of it.
    pub(super) fn read(text: &str, set: Set) -> Self {
        let (mnemonic, operands) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let base = mnemonic.split('.').next().unwrap_or(mnemonic);
        let vectors = registers(operands, set) & VECTORS != 0;
        let whole = match set {
            Set::A64 => [".16b", ".8h", ".4s", ".2d", ".1q", "q", ".s[", ".d["]
                .iter()
                .any(|part| operands.contains(part)),
            Set::A32 => operands.contains('q'),
        };
        let round = match base {
            "aese" | "aesd" => Some(Round::Bytes),
            "aesmc" | "aesimc" => Some(Round::Columns),
            _ => None,
        };
        let (reads, writes) = effects(base, operands, set);
        let (unit, busy, latency) = if is_branch(mnemonic) {
            (Unit::Branch, 1, 1)
        } else if is_memory(base) {
            let latency = if is_store(base) { 1 } else { 3 };
            let halves = if vectors { halves(operands, set) } else { 1 };
            (Unit::Memory, halves.div_ceil(2), latency)
        } else if !vectors {
            (Unit::Integer, 1, 1)
        } else {
            let general = reads & !VECTORS != 0 || writes & !VECTORS != 0;
            let (busy, latency) = times(base, mnemonic.ends_with("p64"), operands, general);
            let always = base.starts_with("aes") || ["vmull", "vtbl", "vtbx"].contains(&base);
            let unit = if whole || always {
                Unit::Vector
            } else {
                Unit::Half
            };
            (unit, busy, latency)
        };
        Self {
            unit,
            busy,
            latency,
            reads,
            writes,
            round,
        }
    }

    /// Whether the next one is the other half of its round.
    fn takes_along(&self, next: &Self) -> bool {
        let halves = (self.round, next.round) == (Some(Round::Bytes), Some(Round::Columns));
        halves && next.writes == self.writes && next.reads == self.writes
    }
}

/// Of a vector instruction that leaves memory alone: cycles that it occupies its unit, and that its result takes.
fn times(base: &str, p64: bool, operands: &str, general: bool) -> (u64, u64) {
    let name = base.strip_prefix('v').unwrap_or(base);
    let is = |names: &[&str]| names.contains(&name);
    let begins = |names: &[&str]| names.iter().any(|begin| name.starts_with(begin));
    if general {
        (1, 2)
    } else if base.contains("mull") {
        let of_64_bits = p64 || operands.contains(".1q");
        (1, if of_64_bits { 4 } else { 3 })
    } else if is(&["sri", "sli", "sra", "usra", "ssra"])
        || begins(&["shl", "shr", "ushr", "sshr", "ushl", "ushll", "xar"])
    {
        (2, 2)
    } else if is(&["eor", "and", "orr", "bic", "orn", "not", "mvn"])
        || is(&["bsl", "bit", "bif", "eor3", "bcax", "movi", "mvni"])
        || name == "mov" && !operands.contains('[')
    {
        (1, 1)
    } else if begins(&["ext", "rev", "trn", "zip", "uzp", "dup", "mov", "ins"])
        || is(&["rbit", "swp"])
    {
        (1, 2)
    } else if base.starts_with("tb") {
        // A cycle for each register of the table: then CBC by such look-ups, as Linux has it, is within 4 % of what was measured.
        let registers = operands.matches(".16b").count() as u64;
        let table = registers.saturating_sub(2).max(1);
        (table, 2 + table)
    } else {
        // Sums and AES.
        (1, 3)
    }
}

/// Whether it may go on elsewhere.
pub(super) fn is_branch(mnemonic: &str) -> bool {
    const OTHERS: [&str; 11] = [
        "b", "bl", "br", "blr", "bx", "blx", "ret", "cbz", "cbnz", "tbz", "tbnz",
    ];
    const CONDITIONS: [&str; 16] = [
        "eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt",
        "le",
    ];
    let condition = mnemonic.strip_prefix('b');
    let condition = condition.map(|condition| condition.strip_prefix('.').unwrap_or(condition));
    OTHERS.contains(&mnemonic) || condition.is_some_and(|condition| CONDITIONS.contains(&condition))
}

fn is_memory(base: &str) -> bool {
    let name = base.strip_prefix('v').unwrap_or(base);
    name.starts_with("ld") || name.starts_with("pop") || is_store(base)
}

fn is_store(base: &str) -> bool {
    let name = base.strip_prefix('v').unwrap_or(base);
    name.starts_with("st") || name.starts_with("push")
}

/// Halves of vectors that go to or from memory.
fn halves(operands: &str, set: Set) -> u64 {
    let vectors = u64::from((registers(operands, set) & VECTORS).count_ones());
    let of_halves = operands.contains(".8b") || operands.starts_with('d');
    match set {
        Set::A64 if !of_halves => 2 * vectors,
        _ => vectors,
    }
}

/// The registers that are read, and those that are written.
fn effects(base: &str, operands: &str, set: Set) -> (u128, u128) {
    let of = |text: &str| registers(text, set);
    if is_branch(base) || ["cmp", "cmn", "tst", "teq"].contains(&base) {
        let compares = base.starts_with(['c', 't']);
        let sets = compares && !base.ends_with('z');
        let reads = of(operands) | if compares { 0 } else { FLAGS };
        return (reads, if sets { FLAGS } else { 0 });
    }
    if is_memory(base) {
        let many = base.contains("ldm") || base.contains("stm");
        let (list, address) = match operands.find(if many { '{' } else { '[' }) {
            Some(at) if many => (&operands[at..], &operands[..at]),
            Some(_) => operands.split_at(operands.rfind('[').unwrap_or_default()),
            None => (operands, ""),
        };
        let moves_on = address.contains('!') || address.contains("],");
        let base_register = of(address.split(']').next().unwrap_or_default());
        let moved = if moves_on { base_register } else { 0 };
        if is_store(base) {
            return (of(list) | of(address), moved);
        }
        let kept = if list.contains("}[") || list.contains("]}") {
            of(list)
        } else {
            0
        };
        return (of(address) | kept, of(list) | moved);
    }
    let (first, others) = operands.split_once(',').unwrap_or((operands, ""));
    let name = base.strip_prefix('v').unwrap_or(base);
    let mut writes = of(first);
    let mut reads = of(others);
    if ["swp", "trn", "zip", "uzp"].contains(&name) && set == Set::A32 {
        (reads, writes) = (of(operands), of(operands));
    }
    const CHANGES: [&str; 16] = [
        "sri", "sli", "sra", "usra", "ssra", "bsl", "bit", "bif", "aese", "aesd", "tbx", "mla",
        "mlal", "ins", "movk", "movt",
    ];
    if CHANGES.contains(&name) || first.contains('[') {
        reads |= of(first);
    }
    if [
        "subs", "adds", "ands", "eors", "movs", "bics", "orrs", "lsls", "lsrs", "ccmp",
    ]
    .contains(&base)
    {
        writes |= FLAGS;
    }
    if [
        "csel", "cset", "csetm", "cinc", "csinc", "ccmp", "adc", "sbc",
    ]
    .contains(&base)
    {
        reads |= FLAGS;
    }
    (reads, writes)
}

/// The registers that a text names: vectors first, those of AArch32 in halves.
fn registers(text: &str, set: Set) -> u128 {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.fold(0, |all, word| all | register(word, set))
}

fn register(word: &str, set: Set) -> u128 {
    match word {
        "sp" => return 1 << 63,
        "lr" => return 1 << 46,
        _ => (),
    }
    let number = word.get(1..).and_then(|number| number.parse::<u32>().ok());
    let Some(number) = number.filter(|number| *number < 32) else {
        return 0;
    };
    match (&word[..1], set) {
        ("v" | "q" | "d" | "s" | "h" | "b", Set::A64) | ("d", Set::A32) => 1 << number,
        ("q", Set::A32) => 3 << (2 * number),
        ("s", Set::A32) => 1 << (number / 2),
        ("x" | "w", Set::A64) | ("r", Set::A32) => 1 << (32 + number),
        _ => 0,
    }
}
