//! The linear layers around the products of the S-box, for either direction (`docs/math.md` 11): sums found by search. `x0` to `x7`
//! are bits 0 to 7 of the byte.
#![forbid(unsafe_code)]

use super::gates;
use crate::simd::Planes;

/// The forms of the bits that [`sub_bytes`](super::sub_bytes) multiplies.
#[inline(always)]
pub(super) fn forms<P: Planes>(planes: [P; 8]) -> [P; 22] {
    gates! {
        [x0 x1 x2 x3 x4 x5 x6 x7] = planes;
        y9 = x0 xor x6;
        y3 = x2 xor y9;
        y21 = x4 xor y9;
        y16 = x3 xor y3;
        y1 = x7 xor y16;
        y13 = y21 xor y16;
        y20 = x5 xor y13;
        y11 = y9 xor y20;
        y0 = x7 xor y11;
        y8 = x0 xor y0;
        y14 = x6 xor y0;
        y5 = y3 xor y8;
        y12 = y13 xor y14;
        y2 = y13 xor y5;
        y4 = y3 xor y12;
        y18 = x7 xor y2;
        y6 = x1 xor y18;
        y10 = y1 xor y6;
        y19 = y8 xor y10;
        y17 = y11 xor y10;
        y15 = y0 xor y6;
    }
    [
        y0, y1, y2, y3, y4, y5, y6, x7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19,
        y20, y21,
    ]
}

/// The sums of products that are its output.
#[inline(always)]
pub(super) fn sums<P: Planes>(products: [P; 18]) -> [P; 8] {
    gates! {
        [z0 z1 z2 z3 z4 z5 z6 z7 z8 z9 z10 z11 z12 z13 z14 z15 z16 z17] = products;
        t0 = z12 xor z15;
        t1 = z13 xor t0;
        t2 = z16 xor t1;
        t3 = z4 xor z1;
        t4 = z5 xor t3;
        t5 = z3 xor t3;
        t6 = t5 xor z0;
        t7 = z2 xor t2;
        t8 = t7 xor t4;
        t9 = t6 xor t8;
        t10 = z8 xor t4;
        t11 = z9 xor z15;
        t12 = z7 xor z1;
        t13 = z6 xor z0;
        t14 = z11 xor t11;
        t15 = t14 xor t12;
        t16 = t15 xor t13;
        t17 = z17 xor t9;
        s7 = t17 xor t16;
        t18 = z10 xor t1;
        t19 = t18 xor t8;
        s6 = t19 xor t11;
        t20 = t2 xor t10;
        s4 = t20 xor t13;
        t21 = z14 xor t0;
        s3 = t21 xor t16;
        s2 = t10 xor t12;
    }
    [t9, t6, s2, s3, s4, t2, s6, s7]
}

/// The same forms of [`inverse_sub_bytes`](super::inverse_sub_bytes).
#[inline(always)]
pub(super) fn inverse_forms<P: Planes>(planes: [P; 8]) -> [P; 22] {
    gates! {
        [x0 x1 x2 x3 x4 x5 x6 x7] = planes;
        y9 = x1 xor x7;
        y18 = x5 xor x6;
        y2 = x3 xor y9;
        y7 = y18 xor y2;
        y12 = x2 xor y18;
        y3 = x3 xor y12;
        y5 = x1 xor x5;
        y8 = y3 xor y5;
        y14 = y9 xor y8;
        y13 = y2 xor y5;
        y6 = x0 xor y13;
        y21 = x4 xor y8;
        y0 = x5 xor y6;
        y11 = y7 xor y0;
        y20 = y9 xor y11;
        y16 = y13 xor y21;
        y1 = y7 xor y16;
        y17 = x5 xor y16;
        y10 = y6 xor y1;
        y19 = y8 xor y10;
    }
    [
        y0, y1, y2, y3, x3, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, x5, y16, y17, y18, y19,
        y20, y21,
    ]
}

/// The sums of products that are its output.
#[inline(always)]
pub(super) fn inverse_sums<P: Planes>(products: [P; 18]) -> [P; 8] {
    gates! {
        [z0 z1 z2 z3 z4 z5 z6 z7 z8 z9 z10 z11 z12 z13 z14 z15 z16 z17] = products;
        t0 = z1 xor z7;
        t1 = z12 xor z14;
        t2 = z13 xor z14;
        t3 = z16 xor t2;
        t4 = z15 xor t1;
        t5 = t4 xor t3;
        t6 = z10 xor t2;
        t7 = z2 xor t0;
        t8 = z8 xor z11;
        t9 = t8 xor t7;
        t10 = z0 xor z6;
        t11 = t10 xor t0;
        t12 = t11 xor t5;
        t13 = t6 xor t9;
        t14 = t13 xor t12;
        t15 = z9 xor t1;
        t16 = t15 xor t9;
        t17 = z5 xor t7;
        t18 = z3 xor z6;
        t19 = t18 xor t17;
        t20 = z4 xor z7;
        t21 = t20 xor t17;
        t22 = z11 xor t6;
        s7 = t22 xor t19;
        s5 = t14 xor t21;
        s3 = t16 xor t19;
        t23 = z17 xor t3;
        s1 = t23 xor t14;
    }
    [t12, s1, t21, s3, t16, s5, t5, s7]
}
