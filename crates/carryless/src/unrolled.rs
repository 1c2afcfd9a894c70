//! Loops that are spelled out, and what is asked and done in them. In builds without optimization they stay loops.

/// `each!(i in N => { .. })`: the block for `i` from 0 to `N - 1`, `N <= 16`, unrolled.
/// `each!(i of range => { .. })`: for `i` in a constant [`Range`](core::ops::Range) within that.
///
/// The condition is a `const` block: what is outside is not handed to LLVM, in which a build spends most of its time (m73). Most loops
/// have eight steps at most, and one condition decides that the others are outside.
#[cfg(not(carryless_rolled))]
macro_rules! each {
    ($i:ident in $n:expr => $body:block) => {
        each!($i of 0..$n => $body)
    };
    ($i:ident of $range:expr => $body:block) => {
        each!(@ $i, $range, $body, 0 1 2 3 4 5 6 7);
        if const { ($range).end > 8 } {
            each!(@ $i, $range, $body, 8 9 10 11 12 13 14 15);
        }
    };
    (@ $i:ident, $range:expr, $body:block, $($k:literal)*) => {
        $(if const {
            let range = $range;
            range.start <= $k && $k < range.end
        } {
            let $i: usize = $k;
            $body
        })*
    };
}

/// [`each!`] for `N <= 4`: nested ones are compiled in a reasonable time.
#[cfg(not(carryless_rolled))]
macro_rules! up_to_four {
    ($i:ident in $n:expr => $body:block) => {
        each!(@ $i, 0..$n, $body, 0 1 2 3)
    };
}

/// `part!(part of array[range] => { .. })`: the block with those elements of an array that are in a constant range, as an array of one to
/// eight.
macro_rules! part {
    ($part:ident of $array:ident[$range:expr] => $body:block) => {{
        if const { ($range).end <= ($range).start || ($range).end - ($range).start > 8 } {
            unreachable!("one to eight elements");
        }
        part!(@ $part, $array, $range, $body, 1 2 3 4 5 6 7 8);
    }};
    (@ $part:ident, $array:ident, $range:expr, $body:block, $($k:literal)*) => {
        $(if const { ($range).end - ($range).start == $k }
            && let Some($part) = $array[const { $range }].first_chunk_mut::<$k>()
        {
            $body
        })*
    };
}

/// `decided!(condition)`: a condition on constants and the number of a round of `rounds!`. The compiler decides it, and only what is done is
/// handed to LLVM. Where loops stay loops it is asked in each step.
#[cfg(not(carryless_rolled))]
macro_rules! decided {
    ($condition:expr) => {
        const { $condition }
    };
}

#[cfg(carryless_rolled)]
macro_rules! each {
    ($i:ident in $n:expr => $body:block) => {
        for $i in 0..const { $n } $body
    };
    ($i:ident of $range:expr => $body:block) => {
        for $i in const { $range } $body
    };
}
#[cfg(carryless_rolled)]
macro_rules! up_to_four {
    ($($steps:tt)*) => {
        each!($($steps)*)
    };
}
#[cfg(carryless_rolled)]
macro_rules! decided {
    ($condition:expr) => {
        $condition
    };
}
