@ InvSubBytes and InvMixColumns on planes, as SubBytes and MixColumns between two linear maps.

@ The inverse of the linear part of the affine map (FIPS 197 section 5.3.2), in place on q0-q7: plane i is the sum of the planes i + 2, i + 5 and
@ i + 7, modulo 8. Clobbers q8-q12.
.macro inverse_affine
    veor    q8, q2, q7
    veor    q9, q3, q0
    veor    q10, q4, q1
    veor    q11, q0, q2
    veor    q12, q1, q3
    veor    q0, q8, q5
    veor    q1, q9, q6
    veor    q2, q10, q7
    veor    q3, q11, q5
    veor    q8, q8, q4
    veor    q4, q12, q6
    veor    q7, q10, q6
    veor    q6, q9, q5
    vmov    q5, q8
.endm

@ The same from where sub_bytes leaves them to q0-q7.
.macro inverse_affine_behind
    veor    q5, q10, q8
    veor    q6, q15, q11
    veor    q7, q9, q14
    veor    q3, q13, q11
    veor    q4, q12, q14
    veor    q0, q5, q13
    veor    q1, q6, q12
    veor    q2, q7, q8
    veor    q3, q3, q10
    veor    q4, q4, q15
    veor    q5, q5, q9
    veor    q6, q6, q13
    veor    q7, q7, q12
.endm

@ From q0-q7 to where sub_bytes leaves planes: s + 4 (s + t), t the row below by two, as vrev64 of \rows finds it; MixColumns of that is
@ InvMixColumns of s. x^8 = x^4 + x^3 + x + 1, x^9 = x^5 + x^4 + x^2 + x.
.macro before_mix_columns rows
    vrev64.\rows q11, q6
    vrev64.\rows q14, q7
    vrev64.\rows q10, q0
    vrev64.\rows q15, q1
    vrev64.\rows q9, q2
    vrev64.\rows q13, q3
    vrev64.\rows q12, q4
    vrev64.\rows q8, q5
    veor    q11, q11, q6    @ 6
    veor    q14, q14, q7    @ 7
    veor    q10, q10, q0    @ 0
    veor    q15, q15, q1    @ 1
    veor    q9, q9, q2      @ 2
    veor    q13, q13, q3    @ 3
    veor    q12, q12, q4    @ 4
    veor    q8, q8, q5      @ 5
    veor    q10, q10, q2
    veor    q15, q15, q3
    veor    q9, q9, q4
    veor    q13, q13, q5
    veor    q12, q12, q6
    veor    q8, q8, q7
    veor    q10, q10, q14
    veor    q13, q13, q14
    veor    q14, q14, q11
    veor    q15, q15, q11
    veor    q11, q11, q0
    veor    q9, q9, q14
    veor    q14, q14, q1
.endm
