//! GHASH and POLYVAL alone, for those who build their own modes.

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::engine::{self, Aes128, Block, Engine, Gf128, HashKeys};
use crate::error::Unavailable;
use crate::secret::ZeroedOnDrop;

/// `hash! { #[doc ..] Name(Field) selected: .., tested: .. }`: the engine that new keys take, and what one is asked for.
macro_rules! hash {
    ($(#[$doc:meta])* $Name:ident($Field:ty) selected: $selected:expr, tested: $tested:expr) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $Name {
            key: ZeroedOnDrop<HashKeys<$Field>>,
            acc: u128,
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
                    acc: 0,
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
