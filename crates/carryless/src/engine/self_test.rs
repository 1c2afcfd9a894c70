//! The known-answer test that an engine passes before its first use.

use super::list::{AeadKeys, Engine, EveryAead, EveryCipher};
use super::results::{Tests, tests};
use super::{Aes128, Aes192, Aes256, Block, BlockCipher, Counter, InOut, Message, Missing, Tag};
use super::{block_test, siv_test};

/// Bytes of AAD and text of each known message: such that every word of every engine's keys enters a tag,
/// as the test that flips them finds (`tests/corrupted.rs`). The first has turns of the loop, and an
/// AAD of as many blocks as are hashed at a time; the others are the longest last passes on four lanes, two, and one, and on one in a
/// build for size, with a block of AAD before them, and one of an odd number of blocks. On Arm one more, behind whose first
/// rounds `neon` and `neon32` begin.
pub const LENGTHS: [(usize, usize); 6 + LONG as usize] = [
    (124, 764),
    (20, 506),
    (20, 250),
    (20, 124),
    (20, 60),
    (20, 108),
    #[cfg(any(carryless_a64, carryless_a32))]
    (0, 2200),
];

/// Whether there is an engine that treats long texts in another way.
const LONG: bool = cfg!(any(carryless_a64, carryless_a32));

/// The longest of them.
const MAX: usize = if LONG { 2200 } else { 764 };

/// A cipher with the tags of the known messages.
pub trait KnownAnswer: BlockCipher {
    /// The tags, in the order of [`LENGTHS`].
    const TAGS: [u128; LENGTHS.len()];

    /// What is known of the engines for this cipher.
    fn tests() -> &'static Tests;
}

/// `known! { Cipher [tags] [of the long text on Arm]; .. }`
macro_rules! known {
    ($($Cipher:ident [$($tag:literal)+] [$long:literal];)+) => {$(
        impl KnownAnswer for $Cipher {
            const TAGS: [u128; LENGTHS.len()] = [
                $($tag,)+
                #[cfg(any(carryless_a64, carryless_a32))]
                $long,
            ];

            tests! { tests }
        }
    )+};
}
#[cfg(feature = "lea")]
pub(super) use known;

known! {
    Aes128 [
        0xa6e8_fe5d_3b06_a610_2e3b_2060_5b8f_6320
        0x99fd_5c6e_085d_fbfd_733a_344a_a58b_477c
        0x8d55_9ee0_5271_a720_64b8_4a2d_0546_8338
        0xf150_bee5_d645_92e5_a0fc_c3e8_d1b9_a1e1
        0x4b78_db43_ddd5_f2cb_3eaa_6bce_68ea_cff1
        0xbf5c_a5e3_b66d_93d2_d62d_d0e7_f58b_6d99
    ] [0x6f10_1826_f888_24b8_b7a8_e3ea_b6f7_4ede];
    Aes192 [
        0x3f93_4dc7_4342_bc12_5b26_da59_477d_5fa4
        0x259b_55d3_0f3a_3abc_c971_c2cb_f3fe_4bc9
        0x650c_dcb7_9e5a_5ee1_19a5_0944_411e_0cd9
        0x2e7e_ec82_08a3_99bf_b38e_9910_f889_30a0
        0xb971_9fff_ade7_8052_d5d0_362b_c5ee_6572
        0xfaae_baec_245b_0cf5_1e59_2a8e_9c9d_7c92
    ] [0xac1d_dafe_902b_c0d0_2532_2314_19d1_c550];
    Aes256 [
        0x3119_35b6_bb91_e7cb_49b2_39ac_06da_dacc
        0x4502_4639_5f15_e139_979b_f95c_eb91_ff65
        0x2c04_4134_711b_0137_9f91_4388_dd25_76fe
        0x05b9_098d_e3b2_756b_dc81_406e_1f90_238b
        0xbf8e_bdf9_3365_42b1_84bc_b760_f801_47c1
        0x7eb8_2aa9_791a_b61b_fe77_2cd4_8fdb_af2c
    ] [0x0add_c107_bf17_d1c1_2b27_0ef1_b024_17cf];
}

/// Whether `engine`, which this CPU must be able to run, gives the right answers.
pub(super) fn run(engine: Engine) -> bool {
    #[cfg(feature = "sgcm")]
    if !super::sghash::passes(engine) {
        return false;
    }
    with_all_modes::<Aes128>(engine)
        && with_all_modes::<Aes192>(engine)
        && with_all_modes::<Aes256>(engine)
        && siv_test::passes::<Aes128>(engine)
        && siv_test::passes::<Aes256>(engine)
        && run_lea(engine)
}

/// The same for LEA.
#[cfg(feature = "lea")]
fn run_lea(engine: Engine) -> bool {
    use super::{Lea128, Lea192, Lea256};

    with_all_modes::<Lea128>(engine)
        && with_all_modes::<Lea192>(engine)
        && with_all_modes::<Lea256>(engine)
}

#[cfg(not(feature = "lea"))]
fn run_lea(_: Engine) -> bool {
    true
}

/// The same for one cipher, in GCM, alone, and in SGCM.
fn with_all_modes<C: EveryAead + EveryCipher>(engine: Engine) -> bool {
    #[cfg(feature = "sgcm")]
    if !super::sgcm_test::passes::<C>(engine) {
        return false;
    }
    passes::<C>(engine) && block_test::passes::<C>(engine)
}

/// The same for one cipher in GCM.
pub(super) fn passes<C: EveryAead>(engine: Engine) -> bool {
    passes_with(engine, C::NAME, || {
        known_keys::<C>(engine).is_ok_and(|keys| known_answers(&keys))
    })
}

/// Whether `engine` passes `test`. In our tests it fails by order, with the cipher or hash of this name: they see what that leads to.
#[inline(always)]
pub(super) fn passes_with(engine: Engine, name: &str, test: impl FnOnce() -> bool) -> bool {
    #[cfg(any(test, all(carryless_failing, feature = "std")))]
    if fails_by_order(engine, name) {
        return false;
    }
    #[cfg(not(any(test, all(carryless_failing, feature = "std"))))]
    let _ = (engine, name);
    test()
}

/// The engine that fails from now on, by a test's order, and the cipher that it fails with; with all if none is named.
#[cfg(all(test, feature = "std"))]
pub(crate) static FAILING_NOW: std::sync::Mutex<Option<(Engine, Option<&str>)>> =
    std::sync::Mutex::new(None);

/// Whether `CARRYLESS_FAILING` names the engine: in tests alone, which see what a failure leads to.
#[cfg(any(test, all(carryless_failing, feature = "std")))]
fn fails_by_order(engine: Engine, cipher: &str) -> bool {
    #[cfg(all(test, feature = "std"))]
    if FAILING_NOW.lock().is_ok_and(|failing| {
        failing.is_some_and(|(this, with)| this == engine && with.is_none_or(|with| with == cipher))
    }) {
        return true;
    }
    #[cfg(not(all(test, feature = "std")))]
    let _ = cipher;
    let names = std::env::var("CARRYLESS_FAILING").unwrap_or_default();
    names.split(' ').any(|name| name == engine.name())
}

/// Bytes that count, modulo 256: known keys and texts.
#[expect(clippy::cast_possible_truncation, reason = "modulo 256")]
#[inline(always)]
pub(super) fn counting<const N: usize>() -> [u8; N] {
    core::array::from_fn(|i| i as u8)
}

/// The keys of the known key.
pub(super) fn known_keys<C: EveryAead>(engine: Engine) -> Result<AeadKeys<C>, Missing> {
    AeadKeys::untested(engine, &counting::<32>()[..C::KEY_LEN])
}

/// Seals and opens the known messages: each tag must be right, and the text come back.
pub(super) fn known_answers<C: EveryAead>(keys: &AeadKeys<C>) -> bool {
    LENGTHS
        .into_iter()
        .zip(C::TAGS)
        .all(|((aad_len, text_len), tag)| known_answer(keys, aad_len, text_len, tag))
}

/// Seals and opens a text made of its positions.
#[inline(never)]
fn known_answer<C: EveryAead>(
    keys: &AeadKeys<C>,
    aad_len: usize,
    text_len: usize,
    expected: u128,
) -> bool {
    let aad = counting::<MAX>().map(|byte| !byte);
    let j0 = Counter::from_nonce(&[0x5a; 12]);
    let mut buffer = counting::<MAX>();
    let plain = buffer;
    let (Some(aad), Some(text)) = (aad.get(..aad_len), buffer.get_mut(..text_len)) else {
        return false;
    };
    let expected: Block = expected.to_be_bytes();
    let mut sealed = [0; 16];
    let message = Message {
        j0,
        aad,
        text: InOut::in_place(text),
    };
    keys.seal(message, &mut sealed);
    let message = Message {
        j0,
        aad,
        text: InOut::in_place(text),
    };
    let tag = Tag {
        bytes: expected,
        len: 16,
    };
    // The known message is no secret.
    let opened = keys.open(message, &tag).publish();
    [sealed == expected, opened, buffer == plain] == [true; 3]
}
