//! The S-box of AES and its inverse as circuits of 110 gates each, or 103.
//!
//! Both are linear layers ([`layers`], found by search) around one inversion in GF(2^8) by way of GF(2^4), whose gates are those of
//! Boyar and Peralta, "A small depth-16 circuit for the AES S-box" (SEC 2012; ePrint 2011/332). The published layers of SubBytes
//! take five gates more. Constants are left to the round keys ([`NEGATED`]).
#![forbid(unsafe_code)]

mod layers;

use crate::simd::Planes;

/// The bits of the output that [`sub_bytes`] leaves complemented: where the constant of the affine
/// map (FIPS 197 section 5.1.1) has ones.
pub(super) const NEGATED: u8 = 0x63;
/// The same in each byte of a word.
pub(super) const NEGATED_WORD: u32 = u32::from_ne_bytes([NEGATED; 4]);

/// `gates! { a = b xor c; .. }`, behind names for the places of an array: `[a b ..] = array;`.
macro_rules! gates {
    ($([$($name:ident)+] = $array:ident;)? $($out:ident = $a:ident $gate:ident $b:ident;)*) => {
        $(let [$($name),+] = $array;)?
        $(let $out = $a.$gate($b);)*
    };
}
use gates;

/// SubBytes but for [`NEGATED`]; plane `i` holds bit `i`.
///
/// # Constant time
/// Secret: the planes.
#[inline(always)]
pub(super) fn sub_bytes<P: Planes>(planes: [P; 8]) -> [P; 8] {
    layers::sums(products(layers::forms(planes)))
}

/// InvSubBytes of bytes to which [`NEGATED`] is added: the S-box is `S(x) = A(1 / x) + c`, so that with `c` gone `1 / A^-1(x)` is left.
///
/// # Constant time
/// Secret: the planes.
#[inline(always)]
pub(super) fn inverse_sub_bytes<P: Planes>(planes: [P; 8]) -> [P; 8] {
    layers::inverse_sums(products(layers::inverse_forms(planes)))
}

/// `or_call! { name: circuit }`: the circuit, but where its planes are [rare](Planes::RARE) a function for all that want it. Not a
/// parameter: with that LLVM makes more instructions (m66).
macro_rules! or_call {
    ($($name:ident: $circuit:ident)+) => {$(
        #[doc = concat!("[`", stringify!($circuit), "`], inlined or called.")]
        #[inline(always)]
        pub(super) fn $name<P: Planes>(mut planes: [P; 8]) -> [P; 8] {
            #[inline(never)]
            fn apart<P: Planes>(planes: &mut [P; 8]) {
                *planes = $circuit(*planes);
            }
            if P::RARE {
                apart(&mut planes);
                planes
            } else {
                $circuit(planes)
            }
        }
    )+};
}

or_call! {
    sub_bytes_or_call: sub_bytes
    inverse_sub_bytes_or_call: inverse_sub_bytes
}

/// The products whose sums are the inverse of an element with these forms. Names are those of the paper, but for `y0`, its `x7`.
#[inline(always)]
fn products<P: Planes>(forms: [P; 22]) -> [P; 18] {
    gates! {
        [y0 y1 y2 y3 y4 y5 y6 y7 y8 y9 y10 y11 y12 y13 y14 y15 y16 y17 y18 y19 y20 y21] = forms;
        t2 = y12 and y15;
        t3 = y3 and y6;
        t4 = t3 xor t2;
        t5 = y4 and y0;
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
        z2 = t33 and y0;
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
    }
    [
        z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13, z14, z15, z16, z17,
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
