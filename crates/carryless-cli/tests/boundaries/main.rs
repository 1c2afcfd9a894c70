//! Whatever the command handles in groups is cut, extended, changed and read at, before and behind each
//! boundary of these groups: in files, through pipes, by ranges, each format, with one thread and more.

#[path = "../common/mod.rs"]
mod common;

#[cfg(unix)]
mod changing;
#[cfg(unix)]
mod failing;
mod groups;
mod lengths;
mod model;
mod ranges;
mod table;
mod tampered;
mod ways;
