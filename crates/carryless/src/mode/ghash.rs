//! GHASH alone, for those who build their own modes.

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::engine::{Block, Engine, Gf128, HashKeys};
use crate::error::Unavailable;
use crate::secret::ZeroedOnDrop;

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
#[derive(Clone)]
pub struct Ghash {
    key: ZeroedOnDrop<HashKeys<Gf128>>,
    acc: u128,
}

impl fmt::Debug for Ghash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ghash")
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl Drop for Ghash {
    fn drop(&mut self) {
        self.acc.zeroize();
    }
}

impl ZeroizeOnDrop for Ghash {}

impl Ghash {
    /// Begins a hash under the key `h` on the selected engine.
    ///
    /// # Panics
    /// As [`Engine::selected`].
    #[inline(always)]
    pub fn new(h: &Block) -> Self {
        Self::with_engine(h, Engine::selected()).expect("selected engines are available")
    }

    /// Begins a hash on the engine named.
    ///
    /// # Errors
    /// The reason why this machine can't use it.
    #[inline(always)]
    pub fn with_engine(h: &Block, engine: Engine) -> Result<Self, Unavailable> {
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
