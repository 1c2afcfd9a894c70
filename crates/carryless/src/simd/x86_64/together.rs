//! Methods of several instructions, each in one function with the features. A vector is passed in memory. LLVM inlines every method, and
//! notes which memory belongs to which argument: fewer arguments are less of that (m73).

/// `together!(V, "features": xor, AES round, its inverse, product)`: AES rounds on several states and the products of a block, for a token
/// with vectors `V`. The features are of the token.
macro_rules! together {
    ($V:ty, $features:literal: $xor:ident $round:ident $inverse:ident $product:ident) => {
        together!(@rounds $V, $features, aes_rounds $round);
        together!(@rounds $V, $features, aes_inverse_rounds $inverse);
        #[inline(always)]
        fn add_product(self, r: &mut $V, f: &mut $V, x: $V, h: $V, d: $V) {
            #[inline]
            #[target_feature(enable = $features)]
            fn add(r: &mut $V, f: &mut $V, x: $V, h: $V, d: $V) {
                *r = $xor(*r, $xor($product::<0x10>(x, d), $product::<0x11>(x, h)));
                *f = $xor(*f, $xor($product::<0x00>(x, d), $product::<0x01>(x, h)));
            }
            // SAFETY: the token proves the features.
            unsafe { add(r, f, x, h, d) }
        }
    };
    (@rounds $V:ty, $features:literal, $name:ident $round:ident) => {
        #[inline(always)]
        fn $name<const N: usize>(self, states: &mut [$V; N], key: $V) {
            #[inline]
            #[target_feature(enable = $features)]
            fn rounds<const N: usize>(states: &mut [$V; N], key: $V) {
                each!(i in N => { states[i] = $round(states[i], key); });
            }
            // SAFETY: the token proves the features.
            unsafe { rounds(states, key) }
        }
    };
}
