use super::super::Assembly as _;
use super::super::tests::check;
use super::*;

#[test]
fn functions_keep_registers_and_leave_zeros() {
    if Neon32::detect().is_err() {
        return;
    }
    let keys: [RoundKey; 32] = [[3; 6]; 32];
    let (mut text, mut block) = ([9_u8; 7 * GROUP], [7; 16]);
    let (src, dst, block) = (text.as_ptr(), text.as_mut_ptr(), &raw mut block);
    for rounds in [24, 28, 32] {
        for groups in 0..=7 {
            check!(
                lea_encrypt,
                keys.as_ptr(),
                rounds,
                dst,
                src,
                groups,
                null::<Block>()
            );
            check!(lea_encrypt, keys.as_ptr(), rounds, dst, src, groups, block);
            check!(
                lea_decrypt,
                keys.as_ptr(),
                rounds,
                dst,
                src,
                groups,
                null::<Block>()
            );
            check!(lea_decrypt, keys.as_ptr(), rounds, dst, src, groups, block);
        }
    }
}
