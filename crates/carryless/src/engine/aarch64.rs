//! The engines of AArch64.

use super::entries::of_engines::*;
use crate::simd::aarch64::{Armce, armce_entry};

engine!(armce: Armce, armce_entry, "armce", Any);
