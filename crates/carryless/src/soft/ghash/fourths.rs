//! Words as four classes.
#![forbid(unsafe_code)]

/// `fourths!(Word Product)`: the classes of a word, and the product of words from those of classes.
macro_rules! fourths {
    ($Word:ident $Product:ident) => {
        /// Every fourth bit: class 0.
        const CLASS: $Word = $Word::MAX / 15;
        /// The parities in a sum of products of classes.
        pub(super) const PARITIES: $Product = $Product::MAX / 15;

        /// The nine words whose products, as [`combine`] wants them, make that of words.
        #[inline(always)]
        fn classes(w: $Word) -> [$Word; 9] {
            let (a, b, c, d) = (w & CLASS, w >> 1 & CLASS, w >> 2 & CLASS, w >> 3 & CLASS);
            [a, b, a ^ b, c, d, c ^ d, a ^ c, b ^ d, a ^ b ^ c ^ d]
        }

        /// The product of words that the sums of its nine products on classes make.
        #[inline(always)]
        fn combine(p: &[$Product; 9]) -> $Product {
            let (low, high) = (p[2] ^ p[0] ^ p[1], p[5] ^ p[3] ^ p[4]);
            // The coefficients: `c[k]` belongs to x^k, its parities stand at multiples of x^4.
            let c = [
                p[0],
                low,
                p[1] ^ p[6] ^ p[0] ^ p[3],
                p[8] ^ p[6] ^ p[7] ^ low ^ high,
                p[3] ^ p[7] ^ p[1] ^ p[4],
                high,
                p[4],
            ];
            ((c[0] ^ c[4] << 4) & PARITIES)
                | ((c[1] ^ c[5] << 4) & PARITIES) << 1
                | ((c[2] ^ c[6] << 4) & PARITIES) << 2
                | (c[3] & PARITIES) << 3
        }
    };
}
pub(super) use fourths;
