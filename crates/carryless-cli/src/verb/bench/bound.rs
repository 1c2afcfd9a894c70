//! The least time that the units of a CPU allow, which plots show below what was measured.
//!
//! Counted are the AES rounds of a block and three carry-less products for its hash (Karatsuba), at the
//! rate at which the CPU starts them, each on vectors of the width asked for; reductions, loads, shuffles and XORs are taken
//! to be free. No code that multiplies like this can be faster; how near it comes is another matter.
//! `xtask` has this file too.

use super::cpu::Cpu;
use super::plot::Bound;

/// Products of a block.
const PRODUCTS: f64 = 3.0;

/// A family of CPUs.
#[derive(Debug, PartialEq)]
pub struct Units {
    pub name: &'static str,
    /// By width of the vectors.
    rates: &'static [Rate],
}

/// What the CPU starts of vectors of a width.
#[derive(Debug, PartialEq)]
struct Rate {
    /// Bytes of a vector.
    width: u32,
    /// Cycles from one AES round to the next.
    round: f64,
    /// Cycles from one carry-less product to the next.
    product: f64,
    /// Cycles for which a product keeps the pipes from AES rounds.
    shared: f64,
}

const fn rate(width: u32, round: f64, product: f64, shared: f64) -> Rate {
    Rate {
        width,
        round,
        product,
        shared,
    }
}

/// What is done to each block.
#[derive(Clone, Copy)]
pub struct Work {
    /// Key length in bits, if the block is encrypted.
    pub cipher_bits: Option<u32>,
    /// Whether the block is hashed.
    pub hashed: bool,
}

impl Work {
    fn rounds(self) -> f64 {
        self.cipher_bits
            .map_or(0.0, |bits| f64::from(6 + bits / 32))
    }

    fn products(self) -> f64 {
        if self.hashed { PRODUCTS } else { 0.0 }
    }
}

impl Units {
    /// What is known of a CPU.
    pub fn of(cpu: &Cpu) -> Option<&'static Self> {
        let units = match (cpu.vendor.as_deref()?, cpu.family?, cpu.model?) {
            ("AuthenticAMD", 23, _) => &ZEN_2,
            ("AuthenticAMD", 25, 0x00..=0x0f | 0x20..=0x5f) => &ZEN_3,
            ("AuthenticAMD", 25, 0x10..=0x1f | 0x60..=0x7f | 0xa0..=0xaf) => &ZEN_4,
            ("GenuineIntel", 6, 0x2a | 0x2d | 0x3a | 0x3e) => &SANDY_BRIDGE,
            ("GenuineIntel", 6, 0x3c | 0x3f | 0x45 | 0x46) => &HASWELL,
            ("GenuineIntel", 6, 0x3d | 0x47 | 0x4f | 0x56) => &BROADWELL,
            ("GenuineIntel", 6, 0x4e | 0x55 | 0x5e | 0x8e | 0x9e | 0xa5 | 0xa6) => &SKYLAKE,
            ("GenuineIntel", 6, 0x6a | 0x6c | 0x7d | 0x7e | 0x8c | 0x8d | 0xa7) => &ICE_LAKE,
            ("GenuineIntel", 6, 0x8f | 0xcf) => &SAPPHIRE_RAPIDS,
            _ => return None,
        };
        Some(units)
    }

    /// Core cycles a byte on vectors of so many bytes.
    pub fn cycles_per_byte(&self, work: Work, width: u32) -> Option<f64> {
        let rate = self.rates.iter().find(|rate| rate.width == width)?;
        let (rounds, products) = (work.rounds(), work.products());
        let cycles = (rounds * rate.round + products * rate.shared).max(products * rate.product);
        Some(cycles / f64::from(width))
    }

    /// The bounds on vectors of these widths, in units of which one core cycle is `scale`; those that are
    /// equal are one.
    pub fn bounds(&self, work: Work, widths: &[u32], scale: f64) -> Vec<Bound> {
        let mut bounds: Vec<(f64, Vec<String>)> = Vec::new();
        for width in widths {
            let Some(level) = self.cycles_per_byte(work, *width) else {
                continue;
            };
            match bounds.iter_mut().find(|(known, _)| *known == level) {
                Some((_, widths)) => widths.push(width.to_string()),
                None => bounds.push((level, vec![width.to_string()])),
            }
        }
        let bounds = bounds.into_iter().map(|(level, widths)| Bound {
            label: format!(
                "{:.3}: bound on vectors of {} bytes",
                level * scale,
                widths.join(" and ")
            ),
            level: level * scale,
        });
        bounds.collect()
    }

    /// What the bound rests on, in a sentence.
    pub fn assumption(&self, width: u32) -> Option<String> {
        let rate = self.rates.iter().find(|rate| rate.width == width)?;
        let shared = if rate.shared > 0.0 {
            format!(" that keeps AES waiting for {}", cycles(rate.shared))
        } else {
            String::new()
        };
        Some(format!(
            "Bound on vectors of {width} bytes: {}, an AES round every {}, one of three products a block every {}{shared}, all else free",
            self.name,
            cycles(rate.round),
            cycles(rate.product),
        ))
    }
}

fn cycles(count: f64) -> String {
    if count == 1.0 {
        "cycle".into()
    } else {
        format!("{count} cycles")
    }
}

/// The width of the vectors of an engine, in bytes, if its bound is known.
pub fn vector_width(engine: &str) -> Option<u32> {
    match engine.split(':').next()? {
        "aesni" | "avx" => Some(16),
        "vaes256" => Some(32),
        "vaes512" => Some(64),
        _ => None,
    }
}

// Zen 3: measured (`uarch` of the peers benchmark). The others: published instruction tables, not measured.

static ZEN_2: Units = Units {
    name: "Zen to Zen 2",
    rates: &[rate(16, 0.5, 2.0, 0.0)],
};
static ZEN_3: Units = Units {
    name: "Zen 3",
    rates: &[rate(16, 0.5, 2.0, 0.0), rate(32, 0.5, 2.0, 0.0)],
};
/// Products go through the two pipes of AES, those of 64 bytes through both at once.
static ZEN_4: Units = Units {
    name: "Zen 4",
    rates: &[
        rate(16, 0.5, 2.0, 0.5),
        rate(32, 0.5, 2.0, 0.5),
        rate(64, 1.0, 2.0, 1.0),
    ],
};
static SANDY_BRIDGE: Units = Units {
    name: "Sandy Bridge, Ivy Bridge",
    rates: &[rate(16, 1.0, 8.0, 0.0)],
};
static HASWELL: Units = Units {
    name: "Haswell",
    rates: &[rate(16, 1.0, 2.0, 0.0)],
};
static BROADWELL: Units = Units {
    name: "Broadwell",
    rates: &[rate(16, 1.0, 1.0, 0.0)],
};
static SKYLAKE: Units = Units {
    name: "Skylake to Comet Lake",
    rates: &[rate(16, 1.0, 1.0, 0.0)],
};
static ICE_LAKE: Units = Units {
    name: "Ice Lake to Rocket Lake",
    rates: WIDE_INTEL,
};
static SAPPHIRE_RAPIDS: Units = Units {
    name: "Sapphire Rapids, Emerald Rapids",
    rates: WIDE_INTEL,
};
const WIDE_INTEL: &[Rate] = &[
    rate(16, 0.5, 1.0, 0.0),
    rate(32, 0.5, 1.0, 0.0),
    rate(64, 1.0, 1.0, 0.0),
];

#[cfg(test)]
mod tests {
    use super::{Cpu, Units, Work, vector_width};

    fn cpu(vendor: &str, family: u32, model: u32) -> Cpu {
        Cpu {
            vendor: Some(vendor.into()),
            family: Some(family),
            model: Some(model),
            name: None,
        }
    }

    fn bound(cpu: &Cpu, bits: Option<u32>, hashed: bool, width: u32) -> Option<f64> {
        let work = Work {
            cipher_bits: bits,
            hashed,
        };
        Units::of(cpu)?.cycles_per_byte(work, width)
    }

    #[test]
    fn bounds_are_those_of_the_busiest_unit() {
        let zen_3 = cpu("AuthenticAMD", 25, 1);
        // Three products at two cycles; fourteen rounds at half a cycle.
        assert_eq!(bound(&zen_3, Some(128), true, 32), Some(6.0 / 32.0));
        assert_eq!(bound(&zen_3, Some(256), true, 32), Some(7.0 / 32.0));
        assert_eq!(bound(&zen_3, Some(192), false, 16), Some(6.0 / 16.0));
        assert_eq!(bound(&zen_3, None, true, 16), Some(6.0 / 16.0));
        assert_eq!(bound(&zen_3, Some(128), true, 64), None);
        let zen_4 = cpu("AuthenticAMD", 25, 0x11);
        for width in [32, 64] {
            assert_eq!(bound(&zen_4, Some(128), true, width), Some(13.0 / 64.0));
        }
        let cascade_lake = cpu("GenuineIntel", 6, 0x55);
        assert_eq!(bound(&cascade_lake, Some(128), true, 16), Some(0.625));
    }

    #[test]
    fn equal_bounds_are_one() {
        let zen_4 = Units::of(&cpu("AuthenticAMD", 25, 0x11)).expect("known");
        let work = Work {
            cipher_bits: Some(128),
            hashed: true,
        };
        let bounds = zen_4.bounds(work, &[16, 32, 64, 128], 0.5);
        let labels: Vec<&str> = bounds.iter().map(|bound| bound.label.as_str()).collect();
        let expected = [
            "0.203: bound on vectors of 16 bytes",
            "0.102: bound on vectors of 32 and 64 bytes",
        ];
        assert_eq!(labels, expected);
        assert_eq!(bounds[1].level, 13.0 / 128.0);
    }

    #[test]
    fn unknown_cpus_have_no_bound() {
        assert_eq!(Units::of(&Cpu::default()), None);
        assert_eq!(Units::of(&cpu("AuthenticAMD", 26, 2)), None);
        assert_eq!(Units::of(&cpu("GenuineIntel", 6, 0x97)), None);
    }

    #[test]
    fn a_bound_says_what_it_rests_on() {
        let units = Units::of(&cpu("AuthenticAMD", 25, 0x11)).expect("known");
        let says = units.assumption(64).expect("known");
        assert!(
            says.contains("Zen 4") && says.contains("all else free"),
            "{says}"
        );
        assert_eq!(units.assumption(8), None);
    }

    #[test]
    fn variants_have_the_width_of_their_engine() {
        assert_eq!(vector_width("vaes256:school"), Some(32));
        assert_eq!(vector_width("soft64"), None);
    }
}
