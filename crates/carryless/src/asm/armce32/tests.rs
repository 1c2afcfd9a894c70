use super::super::tests::check;
use super::*;

#[test]
fn functions_keep_registers_and_leave_zeros() {
    if Armce32::detect().is_err() {
        return;
    }
    let (mut keys, mut table, mut block) = ([[3_u8; 16]; 15], [5_u8; POWERS], [7_u8; 16]);
    let (key, mut text, mut tag, ones) = ([7_u8; 32], [9_u8; 400], [0; 16], ones(16));
    let (keys, table, block) = (keys.as_mut_ptr(), table.as_mut_ptr(), block.as_mut_ptr());
    let (src, dst) = (text.as_ptr(), text.as_mut_ptr());
    for words in [4_usize, 6, 8] {
        check!(expand, key.as_ptr(), words, keys);
    }
    check!(powers, block, table);
    for (rounds, blocks) in [10, 12, 14]
        .into_iter()
        .flat_map(|n| (0..14).map(move |m| (n, m)))
    {
        check!(encrypt, keys, rounds, dst, src, blocks);
        check!(decrypt, keys, rounds, dst, src, blocks);
        check!(chain, keys, rounds, block, dst, src, blocks);
        check!(encrypt_xts, keys, rounds, block, dst, src, blocks);
        check!(decrypt_xts, keys, rounds, block, dst, src, blocks);
        check!(decrypt_cbc, keys, rounds, block, dst, src, blocks);
        check!(ctr_little, keys, rounds, block, dst, src, blocks);
        check!(chain, keys, rounds, block, null_mut::<u8>(), src, blocks);
    }
    check!(invert, keys, 10_usize);
    for len in (0..130).chain([255, 256, 400]) {
        check!(hash, table, block, src, len);
        check!(polyval, table, block, src, len);
        let mut given = Text {
            round_keys: keys.cast(),
            rounds: 10,
            powers: table,
            counter: [1; 16],
            acc: [2; 16],
            dst,
            src,
            len,
            aad: src,
            header: len % 21,
            aad_len: len % 21,
            tag: &raw mut tag,
            ones,
            whole: 1,
        };
        check!(ctr, &raw mut given);
        check!(open, &raw mut given);
        check!(seal, &raw mut given);
        (given.whole, given.header) = (0, 0);
        check!(open, &raw mut given);
        check!(seal, &raw mut given);
    }
}
