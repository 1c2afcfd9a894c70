//! GHASH, POLYVAL and the hash of SGCM alone, for those who build their own modes.

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::engine::{self, Aes128, Block, Engine, Field, Gf128, HashKeys};
use crate::error::Unavailable;
use crate::secret::ZeroedOnDrop;

/// `hash! { #[doc ..] Name(Field) selected: .., tested: .. }`: the engine that new keys take, and what one is asked for.
macro_rules! hash {
    ($(#[$doc:meta])* $Name:ident($Field:ty) selected: $selected:expr, tested: $tested:expr) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $Name {
            key: ZeroedOnDrop<HashKeys<$Field>>,
            acc: <$Field as Field>::Acc,
        }

        impl fmt::Debug for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($Name))
                    .field("engine", &self.engine())
                    .finish_non_exhaustive()
            }
        }

        impl Drop for $Name {
            fn drop(&mut self) {
                self.acc.zeroize();
            }
        }

        impl ZeroizeOnDrop for $Name {}

        impl $Name {
            /// Begins a hash under the key `h` on the selected engine.
            ///
            /// # Panics
            /// As [`Engine::selected`].
            #[inline(always)]
            pub fn new(h: &Block) -> Self {
                Self::with_engine(h, $selected).expect("selected engines are available")
            }

            /// Begins a hash on the engine named.
            ///
            /// # Errors
            /// The reason why this machine can't use it.
            #[inline(always)]
            pub fn with_engine(h: &Block, engine: Engine) -> Result<Self, Unavailable> {
                $tested(engine)?;
                Ok(Self {
                    key: ZeroedOnDrop::new(HashKeys::with_engine(engine, h)?),
                    acc: Default::default(),
                })
            }

            /// The engine that this hash uses.
            pub const fn engine(&self) -> Engine {
                self.key.get().engine()
            }

            /// Hashes `data`; a last block that is not full is filled up with zeros.
            pub fn update(&mut self, data: &[u8]) {
                self.key.get().absorb(&mut self.acc, data);
            }

            /// The hash of all that came.
            #[must_use]
            pub fn finish(self) -> Block {
                self.key.get().finish(self.acc)
            }
        }
    };
}

hash! {
    /// The hash of GCM under one key H (SP 800-38D section 6.4). **By itself it is no message
    /// authentication code**: whoever sees one hash can solve for H.
    ///
    /// # Examples
    /// ```
    /// use carryless::hazmat::Ghash;
    ///
    /// let h = 0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2eu128.to_be_bytes();
    /// let c = 0x0388_dace_60b6_a392_f328_c2b9_71b2_fe78u128.to_be_bytes();
    /// let len = 128u128.to_be_bytes();
    /// let mut hash = Ghash::new(&h);
    /// hash.update(&c);
    /// hash.update(&len);
    /// assert_eq!(hash.finish(), 0xf38c_bb1a_d692_23dc_c345_7ae5_b6b0_f885u128.to_be_bytes());
    /// ```
    Ghash(Gf128) selected: Engine::selected(), tested: Engine::availability
}

hash! {
    /// The hash of AES-GCM-SIV under one key H (RFC 8452 section 3): GHASH with all bytes in reverse. **By itself it is no
    /// message authentication code**: whoever sees one hash can solve for H.
    ///
    /// # Examples
    /// The one of RFC 8452 appendix A:
    ///
    /// ```
    /// use carryless::hazmat::Polyval;
    ///
    /// let h = 0x2562_9347_5892_4276_1d31_f826_ba4b_757bu128.to_be_bytes();
    /// let mut hash = Polyval::new(&h);
    /// hash.update(&0x4f4f_9566_8c83_dfb6_4017_62bb_2d01_a262u128.to_be_bytes());
    /// hash.update(&0xd1a2_4ddd_2721_d006_bbe4_5f20_d3c9_f362u128.to_be_bytes());
    /// assert_eq!(hash.finish(), 0xf7a3_b47b_8461_19fa_e5b7_866c_f5e5_b77eu128.to_be_bytes());
    /// ```
    Polyval(engine::Polyval) selected: Engine::selected_for_siv::<Aes128>(), tested: Engine::runs_siv::<Aes128>
}

#[cfg(feature = "sgcm")]
hash! {
    /// The hash of SGCM under one key H: `(.. (X1 H + X2) H + .. + Xn) H` modulo 2^128 + 12451, blocks as big-endian integers. **By
    /// itself it is no message authentication code**: whoever sees one hash can solve for H.
    ///
    /// [`finish`](Self::finish) gives its low 128 bits, [`element`](Self::element) all 129.
    ///
    /// # Examples
    /// ```
    /// use carryless::hazmat::sgcm::Sghash;
    ///
    /// let mut hash = Sghash::new(&3u128.to_be_bytes());
    /// hash.update(&u128::MAX.to_be_bytes());
    /// // 3 (2^128 - 1) is 3 (-12451 - 1), and that much less than 2^128 + 12451.
    /// assert_eq!(hash.element().to_be_bytes()[..4], [0, 0xff, 0xff, 0xff]);
    /// assert_eq!(hash.finish(), (12451 - 3 * 12452_i128).to_be_bytes());
    /// ```
    Sghash(engine::P12451) selected: Engine::selected_for_sghash(), tested: Engine::runs_sghash
}

#[cfg(feature = "sgcm")]
impl Sghash {
    /// The hash of all that came, below 2^128 + 12451. It is as secret as the hash key, and nobody wipes it but the caller.
    #[must_use]
    pub const fn element(&self) -> engine::prime::Element {
        self.acc
    }
}
