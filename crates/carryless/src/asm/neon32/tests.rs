use super::super::tests::check;
use super::*;

#[test]
fn functions_keep_registers_and_leave_zeros() {
    if Neon32::detect().is_err() {
        return;
    }
    let (mut keys, mut powers) = ([[[3_u8; 16]; 8]; 15], [[[5_u8; 16]; 9]; POWERS]);
    let (mut block, mut text) = ([7_u8; 16], [9_u8; 700]);
    let keys = keys.as_mut_ptr().cast::<u8>();
    let (powers, block) = (powers.as_mut_ptr().cast::<u8>(), block.as_mut_ptr());
    let (src, dst) = (text.as_ptr(), text.as_mut_ptr());
    check!(rows, block, powers);
    for (rounds, len) in [10, 12, 14]
        .into_iter()
        .flat_map(|n| (0..180).chain([384, 520, 700]).map(move |m| (n, m)))
    {
        check!(decrypt, keys, rounds, dst, src, len & !15);
        check!(hash, powers, block, src, len);
        let counted = Crypt {
            round_keys: keys,
            rounds,
            dst,
            src,
            len,
            counter: block,
            mask: null_mut(),
        };
        check!(crypt, &raw const counted);
        let mut mask = [0; 16];
        let masked = Crypt {
            mask: mask.as_mut_ptr(),
            ..counted
        };
        check!(crypt, &raw const masked);
        let blocks = Crypt {
            len: len & !15,
            counter: null(),
            ..counted
        };
        check!(crypt, &raw const blocks);
    }
}
