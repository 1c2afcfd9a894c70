//! Round keys as the functions read them.

use crate::block::Block;

/// Planes 0 to 7 of a round key, of which all eight blocks have the same bits.
pub type Planes = [Block; 8];

/// The constant of the S-box, which the function leaves to the keys.
const CONSTANT: u8 = 0x63;

/// Puts a round key in the places that `round` of `rounds` wants: position `4w + j` has row 0, 2, 1, 3 for `w`, and the
/// column `j` that the skew of the round has there. The last, which is added to blocks, is one block.
///
/// # Constant time
/// Secret: `key`. Public: `round`, `rounds`.
#[inline(always)]
pub fn keep(key: &[u32; 4], round: usize, rounds: usize, planes: &mut Planes) {
    let skew = (round + 3 * rounds) % 4;
    let constant = if round == 0 { 0 } else { CONSTANT };
    for position in 0..16 {
        let row = [0, 2, 1, 3][position / 4];
        let column = key[(position + 16 - row * skew) % 4];
        let byte = column.to_le_bytes()[row] ^ constant;
        if round == rounds {
            planes[0][position] = byte;
        } else {
            for (bit, plane) in planes.iter_mut().enumerate() {
                plane[position] = 0u8.wrapping_sub(byte >> bit & 1);
            }
        }
    }
}

/// InvMixColumns of a column (FIPS 197 section 5.3.3), row `r` in byte `r`: MixColumns of `s + 4 (s + t)`, `t` the row below by two.
///
/// # Constant time
/// Secret: `column`.
#[inline(always)]
pub fn inverse_mix_column(column: u32) -> u32 {
    const LOW: u32 = u32::MAX / 0xff;
    let double = |x: u32| ((x & (0x7f * LOW)) << 1) ^ ((x >> 7 & LOW) * 0x1b);
    let s = column ^ double(double(column ^ column.rotate_right(16)));
    let u = s ^ s.rotate_right(8);
    double(u) ^ s.rotate_right(8) ^ u.rotate_right(16)
}
