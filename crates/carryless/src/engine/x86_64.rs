//! The engines of x86-64.

use super::entries::{
    BulkEntries, CipherEntries, HashEntries, KeyEntries, MacEntries, MessageEntries,
};
use super::{
    Aes, Aes128, Aes192, Aes256, Backend, Block, Counter, Direction, Features, InOut, Missing,
    Open, Quad, Seal,
};
use crate::kernel::Refused;
use crate::kernel::aes::{self, RoundKeys, Ten, Twelve};
use crate::kernel::batch::{self, Way};
use crate::kernel::counters::FirstRounds;
use crate::kernel::gcm::{self, bulk, gmac, segment};
use crate::kernel::message::Header;
use crate::kernel::product::Powers;
use crate::kernel::{ctr, ghash, keys, once, schedule, tiny};
use crate::simd::Simd;
use crate::simd::tuning::{SAVED_FRAME, SMALL_FRAME, Tuning};
use crate::simd::x86_64::{
    Aesni, Avx, Vaes256, Vaes512, aesni_entry, avx_entry, vaes256_entry, vaes512_entry,
};

/// A place for the tag, or the tag that a message came with.
type Given<'a, D> = <D as Direction>::Given<'a>;
/// Nothing, or whether it is right.
type Answer<D> = <D as Direction>::Answer;
/// The same of four.
type Answers<D> = <D as Way>::Answers;

engine!(vaes512: Vaes512, vaes512_entry, "vaes512");
engine!(vaes256: Vaes256, vaes256_entry, "vaes256");
engine!(avx: Avx, avx_entry, "avx");
engine!(aesni: Aesni, aesni_entry, "aesni");
