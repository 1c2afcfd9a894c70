//! Which CPU this is, as the system says it. `xtask` has this file too, for the runs that it records.

/// A CPU. Numbers are those of CPUID, with the extended ones added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cpu {
    /// The name to show, if the system knows it.
    pub name: Option<String>,
    /// `AuthenticAMD`, `GenuineIntel`.
    pub vendor: Option<String>,
    pub family: Option<u32>,
    pub model: Option<u32>,
}

impl Cpu {
    /// This machine's, as far as the system says.
    pub fn detect() -> Self {
        if let Ok(text) = std::fs::read_to_string("/proc/cpuinfo") {
            return Self::from_cpuinfo(&text);
        }
        // Windows: `AMD64 Family 25 Model 1 Stepping 1, AuthenticAMD`.
        std::env::var("PROCESSOR_IDENTIFIER")
            .map_or_else(|_| Self::default(), Self::from_identifier)
    }

    /// The first CPU of Linux's list.
    fn from_cpuinfo(text: &str) -> Self {
        let value = |wanted: &str| {
            let mut fields = text.lines().filter_map(|line| line.split_once(':'));
            let (_, value) = fields.find(|(key, _)| key.trim() == wanted)?;
            Some(value.trim().to_string()).filter(|value| !value.is_empty())
        };
        let number = |wanted| value(wanted)?.parse().ok();
        Self {
            name: value("model name"),
            vendor: value("vendor_id"),
            family: number("cpu family"),
            model: number("model"),
        }
    }

    fn from_identifier(text: String) -> Self {
        let number = |wanted: &str| {
            let mut words = text.split_whitespace();
            words.find(|word| *word == wanted)?;
            words.next()?.parse().ok()
        };
        Self {
            vendor: text.rsplit_once(", ").map(|(_, vendor)| vendor.into()),
            family: number("Family"),
            model: number("Model"),
            name: Some(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cpu;

    #[test]
    fn systems_say_it_in_their_ways() {
        let linux = "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC\n\nmodel\t: 2\n";
        let found = Cpu::from_cpuinfo(linux);
        assert_eq!((found.family, found.model), (Some(25), Some(1)));
        assert_eq!(found.name.as_deref(), Some("AMD EPYC"));
        let windows = "AMD64 Family 25 Model 1 Stepping 1, AuthenticAMD";
        let again = Cpu::from_identifier(windows.into());
        assert_eq!(
            (again.vendor, again.family, again.model),
            (found.vendor, found.family, found.model)
        );
        assert_eq!(Cpu::from_cpuinfo("CPU part\t: 0xd0c\n"), Cpu::default());
    }
}
