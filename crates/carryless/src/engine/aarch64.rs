//! The engines of AArch64.

use super::entries::of_engines::*;
use crate::simd::aarch64::{Armce, Armce3, armce_entry, armce3_by_armce, armce3_entry};

engine!(armce: Armce, armce_entry, "armce", Any);
engine!(armce3: Armce3, armce3_entry, "armce3", Any, armce3_by_armce);
