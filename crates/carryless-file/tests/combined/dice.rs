//! Draws that are the same each time.

#[derive(Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Self(seed);
        dice.below(2);
        dice
    }

    /// Others, for whoever draws at the same time.
    pub(crate) fn fork(&mut self) -> Self {
        Self::new(self.below(1 << 31) as u64)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }

    /// Once in so many.
    pub(crate) fn once_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    pub(crate) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.below(256).to_le_bytes()[0]).collect()
    }

    /// In another order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// The parts of something of this length, the empty ones included: multiples of a unit, but for the last.
    pub(crate) fn parts(&mut self, len: usize, unit: usize) -> Vec<core::ops::Range<usize>> {
        let (mut parts, mut from) = (Vec::new(), 0);
        while from < len || self.once_in(4) {
            let units = self.one(&[0, 1, 1, 2, 3, 31, 32, 33, 1000]);
            let to = len.min(from + units * unit);
            parts.push(from..to);
            // Behind the end there is no place for more.
            from = to;
            if from == len && !len.is_multiple_of(unit) {
                break;
            }
        }
        parts
    }

    /// How much somebody asks for at once: little, about a chunk, or much.
    pub(crate) fn amount(&mut self) -> usize {
        const CHUNK: usize = carryless_file::cobblestone::CHUNK_LEN;
        let around = self.below(3);
        let most = self.one(&[16, 16, 1000, 100_000]);
        let some = self.below(most);
        self.one(&[
            0,
            some,
            some,
            CHUNK - 1 + around,
            32 * CHUNK - 1 + around,
            40 * CHUNK,
        ])
    }
}
