//! C6: where counters end, how long data units of XTS are, and messages of CCM.

use carryless::error::InputError;
use carryless::hazmat::{Ctr, Xts};
use carryless::{Aes128, Ccm, Engine};

use crate::harness::{Checked, caught, engines, ensure, key, quick};

/// XORs the key stream from a byte on into a text.
type Apply<'a> = &'a dyn Fn(u128, &mut [u8]) -> Result<(), InputError>;

/// Whether key stream ends at a byte, and a text that goes beyond is refused as it stands.
fn key_stream_ends(limit: u128, apply: Apply<'_>) -> Checked {
    let lens = [0, 1, 2, 15, 16, 17, 40, 41, 300];
    let both = |before: usize| lens.map(|len| (before, len));
    let mut count = 0;
    for (before, len) in [0, 1, 15, 16, 17, 40].into_iter().flat_map(both) {
        let (at, mut text) = (limit - before as u128, vec![5; len]);
        let got = at.saturating_add(len as u128);
        let expected = match len <= before {
            true => Ok(()),
            false => Err(InputError::KeyStream { got, limit }),
        };
        let result = apply(at, &mut text);
        ensure!(
            result == expected,
            "{len} bytes, {before} before the end: {result:?}"
        );
        ensure!(
            result.is_ok() || text.iter().all(|byte| *byte == 5),
            "{len} bytes, {before} before the end: refused and written to"
        );
        count += 1;
    }
    if let Some(got) = limit.checked_add(1) {
        let result = apply(got, &mut []);
        ensure!(
            result == Err(InputError::KeyStream { got, limit }),
            "a byte behind the end: {result:?}"
        );
        count += 1;
    }
    Ok(count)
}

/// `ends! { engine, bits, limit }`: how many texts at the end of a counter. The position stays where one is refused.
macro_rules! ends {
    ($engine:ident, $bits:literal, $limit:expr) => {{
        let new = Ctr::<Aes128, $bits>::with_engine(&key(16), &[0xff; 16], $engine).unwrap();
        let go = |at: u128, text: &mut [u8], into: bool| -> Result<(), InputError> {
            let mut ctr = new.clone();
            ctr.seek(at)?;
            let result = match into {
                true => ctr.apply_into(&vec![0; text.len()], text),
                false => ctr.apply_in_place(text),
            };
            let end = at + result.map_or(0, |()| text.len() as u128);
            assert_eq!(ctr.position(), end, "{}", $engine);
            result
        };
        let mut count = 0;
        for into in [false, true] {
            count += key_stream_ends($limit, &|at, text| go(at, text, into))
                .unwrap_or_else(|error| panic!("{}: {error}", $engine));
        }
        count
    }};
}

#[test]
fn c6_key_stream_ends_with_its_counter_and_not_before() {
    for engine in engines() {
        let count = ends!(engine, 32, 1 << 36) + ends!(engine, 128, u128::MAX);
        println!("C6 {engine}: {count} texts at the ends of counters");
    }
}

#[test]
fn control_c6_key_stream_that_ends_elsewhere_is_noticed() {
    let limit = 1 << 36;
    // An imitation, with an end of its own.
    let ends = |end: u128, at: u128, text: &[u8]| match at.saturating_add(text.len() as u128) {
        got if got > end => Err(InputError::KeyStream { got, limit }),
        _ => Ok(()),
    };
    key_stream_ends(limit, &|at, text| ends(limit, at, text)).unwrap();
    for end in [limit - 16, limit - 1, limit + 1, limit + 16, u128::MAX] {
        caught(key_stream_ends(limit, &|at, text| ends(end, at, text)));
    }
    caught(key_stream_ends(limit, &|at, text| {
        text.fill(0);
        ends(limit, at, text)
    }));
}

/// Encrypts a data unit.
type Unit<'u> = &'u dyn Fn(&mut [u8]) -> Result<(), InputError>;

/// Bytes of the longest data unit, 2^20 blocks.
const UNIT: usize = 1 << 24;

/// Whether data units of 16 bytes to the longest are taken, and others refused as they stand.
///
/// * `longest`: whether that is tried.
fn units_have_their_lengths(longest: bool, call: Unit<'_>) -> Checked {
    let lens = [0, 1, 15, 16, 17, UNIT + 1].into_iter();
    let lens = Vec::from_iter(lens.chain(longest.then_some(UNIT)));
    for got in lens.iter().copied() {
        let mut text = vec![7; got];
        let expected = match (16..=UNIT).contains(&got) {
            true => Ok(()),
            false => Err(InputError::DataUnit { got }),
        };
        let result = call(&mut text);
        ensure!(result == expected, "{got} bytes: {result:?}");
        ensure!(
            result.is_ok() || text.iter().all(|byte| *byte == 7),
            "{got} bytes: refused and written to"
        );
    }
    Ok(lens.len())
}

#[test]
fn c6_data_units_of_xts_have_16_bytes_to_2_20_blocks() {
    for engine in engines() {
        let xts = Xts::<Aes128>::with_engine(&key(32), engine).unwrap();
        let calls: [Unit<'_>; 3] = [
            &|text| xts.encrypt_in_place(&[0; 16], text),
            &|text| xts.decrypt_in_place(&[0; 16], text),
            &|text| xts.encrypt_sectors_in_place(0, text.len(), text),
        ];
        let longest = engine == Engine::selected() && !quick();
        let mut count = 0;
        for call in calls {
            count += units_have_their_lengths(longest, call)
                .unwrap_or_else(|error| panic!("{engine}: {error}"));
        }
        println!("C6 {engine}: {count} data units");
    }
}

#[test]
fn control_c6_data_units_of_other_lengths_are_noticed() {
    let takes = |least: usize, most: usize, got: usize| match (least..=most).contains(&got) {
        true => Ok(()),
        false => Err(InputError::DataUnit { got }),
    };
    units_have_their_lengths(true, &|text| takes(16, UNIT, text.len())).unwrap();
    for (least, most) in [(15, UNIT), (17, UNIT), (16, UNIT - 1), (16, UNIT + 1)] {
        let call = |text: &mut [u8]| takes(least, most, text.len());
        caught(units_have_their_lengths(true, &call));
    }
    caught(units_have_their_lengths(false, &|text| {
        text.fill(0);
        takes(16, UNIT, text.len())
    }));
}

/// Begins a message, with a nonce and a text of so many bytes.
type Begin<'b> = &'b dyn Fn(usize, u64) -> Result<(), InputError>;

/// Whether nonces have 7 to 13 bytes, and texts as many as what they leave of 15 bytes counts.
fn messages_have_the_lengths_of_ccm(begin: Begin<'_>) -> Checked {
    let mut count = 0;
    let mut expect = |nonce: usize, text: u64, expected: Result<(), InputError>| {
        let result = begin(nonce, text);
        ensure!(
            result == expected,
            "a nonce of {nonce} bytes, a text of {text}: {result:?}"
        );
        count += 1;
        Ok(())
    };
    for got in (0..7).chain(14..=20) {
        expect(got, 0, Err(InputError::CcmNonce { got }))?;
    }
    for nonce in 7..=13 {
        let most = (0..15 - nonce).fold(0_u64, |most, _| most << 8 | 0xff);
        expect(nonce, 0, Ok(()))?;
        expect(nonce, most, Ok(()))?;
        for got in most.checked_add(1).into_iter().chain([u64::MAX]) {
            if got > most {
                expect(nonce, got, Err(InputError::CcmText { got, most }))?;
            }
        }
    }
    Ok(count)
}

#[test]
fn c6_messages_in_ccm_have_the_lengths_of_sp_800_38c() {
    let nonce = [1; 20];
    for engine in engines() {
        let ccm = Ccm::<Aes128>::with_engine(&key(16), engine).unwrap();
        let begins: [Begin<'_>; 2] = [
            &|len, text| ccm.sealer(&nonce[..len], u64::MAX, text).map(drop),
            &|len, text| ccm.opener(&nonce[..len], 0, text).map(drop),
        ];
        let mut count = 0;
        for begin in begins {
            count += messages_have_the_lengths_of_ccm(begin)
                .unwrap_or_else(|error| panic!("{engine}: {error}"));
        }
        println!("C6 {engine}: {count} lengths in CCM");
    }
}

#[test]
fn control_c6_lengths_that_ccm_has_not_are_noticed() {
    /// An imitation, with nonces and texts of its own.
    fn begins(
        nonces: core::ops::RangeInclusive<usize>,
        nonce: usize,
        text: u64,
        longest: impl Fn(usize) -> u64,
    ) -> Result<(), InputError> {
        if !nonces.contains(&nonce) {
            return Err(InputError::CcmNonce { got: nonce });
        }
        let most = longest(15_usize.saturating_sub(nonce));
        match text <= most {
            true => Ok(()),
            false => Err(InputError::CcmText { got: text, most }),
        }
    }
    // By how many bytes count the text.
    let longest = |count: usize| u64::MAX >> (8 * (8 - count.min(8)));
    let check = messages_have_the_lengths_of_ccm;
    check(&|nonce, text| begins(7..=13, nonce, text, longest)).unwrap();
    caught(check(&|nonce, text| begins(6..=13, nonce, text, longest)));
    caught(check(&|nonce, text| begins(7..=14, nonce, text, longest)));
    // One byte more, all that 64 bits hold, and a shift that is taken modulo 64.
    let more = |count| longest(count).saturating_add(1);
    caught(check(&|nonce, text| begins(7..=13, nonce, text, more)));
    caught(check(&|nonce, text| {
        begins(7..=13, nonce, text, |_| u64::MAX)
    }));
    let wraps = |count: usize| 1_u64.wrapping_shl(8 * count as u32).wrapping_sub(1);
    caught(check(&|nonce, text| begins(7..=13, nonce, text, wraps)));
}
