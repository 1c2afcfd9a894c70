//! What the bytes of an input decide.

use std::sync::LazyLock;

use carryless::Engine;

use crate::harness::{KEY_LENS, Random, engines};

/// The engines of this machine.
static ENGINES: LazyLock<Vec<Engine>> = LazyLock::new(engines);

/// Takes decisions off the front of the input. One that is used up says zero.
pub(crate) struct Choices<'a> {
    rest: &'a [u8],
    /// For content that the input is too short for: small inputs make long texts.
    filling: Random,
}

impl<'a> Choices<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self {
            rest: data,
            filling: Random::new(data.len() as u64),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let (first, rest) = self.rest.split_first().unwrap_or((&0, &[]));
        self.rest = rest;
        *first
    }

    /// A number below `end`, which is at most 65,536.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let high = if end > 256 { self.byte() } else { 0 };
        usize::from(u16::from_be_bytes([high, self.byte()])) % end.max(1)
    }

    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    pub(crate) fn engine(&mut self) -> Engine {
        self.pick(&ENGINES)
    }

    pub(crate) fn key(&mut self) -> Vec<u8> {
        let len = self.pick(&KEY_LENS);
        self.content(len)
    }

    /// Up to `most` numbers below `end`.
    pub(crate) fn numbers(&mut self, most: usize, end: usize) -> Vec<usize> {
        let count = self.below(most + 1);
        (0..count).map(|_| self.below(end)).collect()
    }

    /// So many bytes: what the input has, and a filling.
    pub(crate) fn content(&mut self, len: usize) -> Vec<u8> {
        let (given, rest) = self.rest.split_at(len.min(self.rest.len()));
        self.rest = rest;
        let mut content = given.to_vec();
        content.extend(self.filling.bytes(len - given.len()));
        content
    }

    /// All that is left.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.rest
    }
}

/// Bytes that lie `offset` behind the start of their allocation and end with it, so that the
/// address sanitizer sees the first byte that is read or written behind them.
pub(crate) struct Placed {
    bytes: Box<[u8]>,
    offset: usize,
}

const MARGIN: u8 = 0x6d;

impl Placed {
    pub(crate) fn new(content: &[u8], offset: usize) -> Self {
        let mut bytes = vec![MARGIN; offset + content.len()].into_boxed_slice();
        bytes[offset..].copy_from_slice(content);
        Self { bytes, offset }
    }

    pub(crate) fn filled(byte: u8, len: usize, offset: usize) -> Self {
        Self::new(&vec![byte; len], offset)
    }

    /// The content, after a look at the margin before it.
    pub(crate) fn get(&self) -> &[u8] {
        let (margin, content) = self.bytes.split_at(self.offset);
        assert!(
            margin.iter().all(|byte| *byte == MARGIN),
            "written before the buffer"
        );
        content
    }

    pub(crate) fn get_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.offset..]
    }
}

/// Whether what begins here has the fault of a control behind it. So many bytes, compared at once, that libFuzzer finds them by the
/// comparison: of a comparison of one byte it learns nothing, and would take hundreds of thousands of runs for two.
pub(crate) fn is_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xc5, 0x3a, 0xa3, 0x5c])
}
