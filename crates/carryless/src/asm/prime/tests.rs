use super::super::Assembly as _;
use super::super::tests::check;
use super::*;

#[test]
fn functions_keep_registers_and_leave_zeros() {
    if Neon32::detect().is_err() {
        return;
    }
    let powers = Limbs::new(&[5; 16]);
    let mut hash = [7; 5];
    let text = [9_u8; 16 * 40];
    for blocks in 1..=40 {
        check!(
            sghash,
            powers.as_ptr(),
            hash.as_mut_ptr(),
            text.as_ptr(),
            blocks
        )
    }
}
