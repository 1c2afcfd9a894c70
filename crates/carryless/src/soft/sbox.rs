//! The S-box of AES as a circuit of 115 gates, or 108.
//!
//! From Boyar and Peralta, "A small depth-16 circuit for the AES S-box" (SEC 2012; ePrint 2011/332):
//! a linear layer, the inverse in GF(2^8) by way of GF(2^4), a linear layer. Bit 7 of the byte is
//! their `x0` and `s0`. The four NOTs at the end are left to the round keys ([`NEGATED`]).
#![forbid(unsafe_code)]

use crate::simd::Planes;

/// The bits of the output that [`sub_bytes`] leaves complemented: where the constant of the affine
/// map (FIPS 197 section 5.1.1) has ones.
pub(super) const NEGATED: u8 = 0x63;

// The names are those of the paper.
macro_rules! gates {
    ($($out:ident = $a:ident $gate:ident $b:ident;)*) => { $(let $out = $a.$gate($b);)* };
}

/// SubBytes but for [`NEGATED`]; plane `i` holds bit `i`.
///
/// # Constant time
/// Secret: the planes.
#[inline(always)]
pub(super) fn sub_bytes<P: Planes>(planes: [P; 8]) -> [P; 8] {
    let [x7, x6, x5, x4, x3, x2, x1, x0] = planes;
    gates! {
        y14 = x3 xor x5;
        y13 = x0 xor x6;
        y9 = x0 xor x3;
        y8 = x0 xor x5;
        t0 = x1 xor x2;
        y1 = t0 xor x7;
        y4 = y1 xor x3;
        y12 = y13 xor y14;
        y2 = y1 xor x0;
        y5 = y1 xor x6;
        y3 = y5 xor y8;
        t1 = x4 xor y12;
        y15 = t1 xor x5;
        y20 = t1 xor x1;
        y6 = y15 xor x7;
        y10 = y15 xor t0;
        y11 = y20 xor y9;
        y7 = x7 xor y11;
        y17 = y10 xor y11;
        y19 = y10 xor y8;
        y16 = t0 xor y11;
        y21 = y13 xor y16;
        y18 = x0 xor y16;

        t2 = y12 and y15;
        t3 = y3 and y6;
        t4 = t3 xor t2;
        t5 = y4 and x7;
        t6 = t5 xor t2;
        t7 = y13 and y16;
        t8 = y5 and y1;
        t9 = t8 xor t7;
        t10 = y2 and y7;
        t11 = t10 xor t7;
        t12 = y9 and y11;
        t13 = y14 and y17;
        t14 = t13 xor t12;
        t15 = y8 and y10;
        t16 = t15 xor t12;
        t17 = t4 xor t14;
        t18 = t6 xor t16;
        t19 = t9 xor t14;
        t20 = t11 xor t16;
        t21 = t17 xor y20;
        t22 = t18 xor y19;
        t23 = t19 xor y21;
        t24 = t20 xor y18;
    }
    let [t29, t33, t37, t40] = inverse(t21, t22, t23, t24);
    gates! {
        t41 = t40 xor t37;
        t42 = t29 xor t33;
        t43 = t29 xor t40;
        t44 = t33 xor t37;
        t45 = t42 xor t41;

        z0 = t44 and y15;
        z1 = t37 and y6;
        z2 = t33 and x7;
        z3 = t43 and y16;
        z4 = t40 and y1;
        z5 = t29 and y7;
        z6 = t42 and y11;
        z7 = t45 and y17;
        z8 = t41 and y10;
        z9 = t44 and y12;
        z10 = t37 and y3;
        z11 = t33 and y4;
        z12 = t43 and y13;
        z13 = t40 and y5;
        z14 = t29 and y2;
        z15 = t42 and y9;
        z16 = t45 and y14;
        z17 = t41 and y8;

        t46 = z15 xor z16;
        t47 = z10 xor z11;
        t48 = z5 xor z13;
        t49 = z9 xor z10;
        t50 = z2 xor z12;
        t51 = z2 xor z5;
        t52 = z7 xor z8;
        t53 = z0 xor z3;
        t54 = z6 xor z7;
        t55 = z16 xor z17;
        t56 = z12 xor t48;
        t57 = t50 xor t53;
        t58 = z4 xor t46;
        t59 = z3 xor t54;
        t60 = t46 xor t57;
        t61 = z14 xor t57;
        t62 = t52 xor t58;
        t63 = t49 xor t58;
        t64 = z4 xor t59;
        t65 = t61 xor t62;
        t66 = z1 xor t63;
        s0 = t59 xor t63;
        s6 = t56 xor t62;
        s7 = t48 xor t60;
        t67 = t64 xor t65;
        s3 = t53 xor t66;
        s4 = t51 xor t66;
        s5 = t47 xor t65;
        s1 = t64 xor s3;
        s2 = t55 xor t67;
    }
    [s7, s6, s5, s4, s3, s2, s1, s0]
}

/// [`sub_bytes`], a function for all that want it where its planes are [rare](Planes::RARE).
#[inline(always)]
pub(super) fn sub_bytes_or_call<P: Planes>(mut planes: [P; 8]) -> [P; 8] {
    #[inline(never)]
    fn apart<P: Planes>(planes: &mut [P; 8]) {
        *planes = sub_bytes(*planes);
    }
    if P::RARE {
        apart(&mut planes);
        planes
    } else {
        sub_bytes(planes)
    }
}

/// InvSubBytes of bytes to which [`NEGATED`] is added: the inverse of the affine map, the S-box but for its constant, and
/// the inverse of the map again, as `S^-1(x) = A^-1(S(A^-1(x + c)) + c)` where `S(x) = A(x^-1) + c`.
///
/// # Constant time
/// Secret: the planes.
#[inline(always)]
pub(super) fn inverse_sub_bytes<P: Planes>(planes: [P; 8]) -> [P; 8] {
    inverse_affine(sub_bytes_or_call(inverse_affine(planes)))
}

/// The inverse of the linear part of the affine map (FIPS 197 section 5.3.2): bit `i` is the sum of bits `i + 2`, `i + 5` and
/// `i + 7`, modulo 8.
#[inline(always)]
fn inverse_affine<P: Planes>([a, b, c, d, e, f, g, h]: [P; 8]) -> [P; 8] {
    [
        c.xor(f).xor(h),
        d.xor(g).xor(a),
        e.xor(h).xor(b),
        f.xor(a).xor(c),
        g.xor(b).xor(d),
        h.xor(c).xor(e),
        a.xor(d).xor(f),
        b.xor(e).xor(g),
    ]
}

/// The inverse in GF(2^4), from `t21` to `t24` to what it leaves in `t29`, `t33`, `t37` and `t40`: 16 gates, or nine of which
/// four select. `a and (b xor c) xor c` selects `b` or `c` by `a`, which is `t29`, `t33` and, with `t23` added, `t37` as they stand;
/// the last, where `t40 = t21 xor t22 xor (t29 and t38)`, holds on all 256 values of a byte (P5).
#[inline(always)]
fn inverse<P: Planes>(t21: P, t22: P, t23: P, t24: P) -> [P; 4] {
    if P::SELECTS {
        let t26 = t21.and(t23);
        let (t27, t31) = (t24.xor(t26), t22.xor(t26));
        let (t29, t33) = (t27.select(t21, t22), t31.select(t23, t24));
        let t37 = t24.select(t27, t33).xor(t23);
        let t40 = t22.select(t31, t29).xor(t21);
        return [t29, t33, t37, t40];
    }
    gates! {
        t25 = t21 xor t22;
        t26 = t21 and t23;
        t27 = t24 xor t26;
        t28 = t25 and t27;
        t29 = t28 xor t22;
        t30 = t23 xor t24;
        t31 = t22 xor t26;
        t32 = t31 and t30;
        t33 = t32 xor t24;
        t34 = t23 xor t33;
        t35 = t27 xor t33;
        t36 = t24 and t35;
        t37 = t36 xor t34;
        t38 = t27 xor t36;
        t39 = t29 and t38;
        t40 = t25 xor t39;
    }
    [t29, t33, t37, t40]
}
