//! Bytes of LEA where it has no entry points: one source for words, and for vectors that every CPU of an architecture has.

use std::collections::BTreeMap;
use std::fs;

use super::symbols::{entry_name, place};
use super::{AARCH64, bytes, library};

/// What it is called in a build.
const BUILDS: [(&str, Option<&str>); 2] = [("Sse2-lea", None), ("Neon64-lea", Some(AARCH64))];

/// Parts of the symbols of its functions.
const MODULES: [&str; 3] = ["6engine3lea", "6kernel3lea", "engine..lea.."];

/// The bytes of each function, as the libraries have it.
pub(super) fn look() -> Result<BTreeMap<String, u64>, String> {
    if !control() {
        return Err("the sum of LEA does not catch its control".into());
    }
    let mut found = BTreeMap::new();
    for (engine, target) in BUILDS {
        let object = library(target, None)?.with_extension("o");
        let object = fs::read(&object).map_err(|error| format!("{}: {error}", object.display()))?;
        found.extend(of(engine, &bytes::of_symbols(&object)?));
    }
    Ok(found)
}

/// Those that are no entry points, by module and name: instances of one name together.
fn of(engine: &str, sizes: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    let is_one = |symbol: &String| MODULES.iter().any(|part| symbol.contains(part));
    for (symbol, size) in sizes.iter().filter(|(symbol, _)| is_one(symbol)) {
        if entry_name(symbol).is_none()
            && let Some((module, path)) = place(symbol)
        {
            let name = path.rsplit("::").next().unwrap_or(&path);
            *found
                .entry(format!("{engine} {module} {name}"))
                .or_default() += size;
        }
    }
    found
}

/// Whether instances are added up, and neither entry points nor other code with them.
fn control() -> bool {
    let symbol = |path: &str, hash: u8| format!("_ZN9carryless{path}17h{hash:016x}E");
    let of_avx2 = "_$LT$impl$u20$carryless..engine..entries..LeaEntries$u20$for$u20$carryless..simd..x86_64..Avx2$GT$";
    let entry = symbol(
        &format!("6engine3lea{}{of_avx2}3ctr5entry", of_avx2.len()),
        4,
    );
    if entry_name(&entry).is_none() || place(&entry).is_none() {
        return false;
    }
    let sizes = [
        (symbol("6engine3lea7batches3run", 1), 4),
        (symbol("6engine3lea7batches3run", 2), 8),
        (symbol("4soft3aes3run", 3), 16),
        (entry, 32),
    ];
    let expected = [("Sse2-lea engine::lea::batches run".to_owned(), 12)];
    of("Sse2-lea", &BTreeMap::from(sizes)) == BTreeMap::from(expected)
}
