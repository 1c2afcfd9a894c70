use super::super::Assembly as _;
use super::super::tests::check;
use super::*;

#[test]
fn functions_keep_registers_and_leave_zeros() {
    if Neon32::detect().is_err() {
        return;
    }
    let keys: [RoundKey; 32] = [[3; 6]; 32];
    let (mut text, mut block) = ([9_u8; 7 * GROUP], [7_u8; 16]);
    let (keys, src, dst) = (keys.as_ptr(), text.as_ptr(), text.as_mut_ptr());
    // A counter or a chain, or none.
    for block in [null_mut(), &raw mut block] {
        for (rounds, groups) in [24, 28, 32]
            .into_iter()
            .flat_map(|n| (0..=7).map(move |m| (n, m)))
        {
            check!(lea_encrypt, keys, rounds, dst, src, groups, block);
            check!(lea_decrypt, keys, rounds, dst, src, groups, block);
        }
    }
}
