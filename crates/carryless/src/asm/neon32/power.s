@ The rows of a power for ghash.s. Takes r0: the power, twisted, 16 bytes, r1: where its 144 bytes go.
@
@ For the limbs b0 to b3, with S = b0 + b1, U = b2 + b3, V = b0 + b2, W = b1 + b3, T = S + U, and rows k of
@ the bytes 0 ^ k .. 3 ^ k:
@   0 to 3: row k of b0, b1, b2, b3;  4, 5: two rows of S, two of U;  6, 7: a row of V and of W, the next of
@     both;
@   8: the rows of T.
    vld1.8  {q0}, [r0]
    vrev16.8 q1, q0
    vrev32.16 q2, q0
    vrev32.8 q3, q0
    vst1.8  {d0-d3}, [r1]!
    vst1.8  {d4-d7}, [r1]!
    @ V W (d16), S S U U (q0), T T (d20).
    veor    d16, d0, d1
    vrev64.32 q1, q0
    veor    q0, q0, q1
    vrev64.32 d20, d16
    veor    d20, d20, d16
    vrev16.8 q1, q0
    vrev32.16 q2, q0
    vrev32.8 q3, q0
    vtrn.32 q0, q1
    vtrn.32 q2, q3
    vmov    q1, q2
    vst1.8  {d0-d3}, [r1]!
    vrev16.8 d17, d16
    vrev32.16 d18, d16
    vrev32.8 d19, d16
    vst1.8  {d16-d19}, [r1]!
    vrev16.8 d22, d20
    vrev32.16 d21, d20
    vrev32.8 d23, d20
    vtrn.32 d20, d22
    vtrn.32 d21, d23
    vst1.8  {d20-d21}, [r1]
    @ Nothing stays behind.
    .irp    q, q0, q1, q2, q3, q8, q9, q10, q11
    vmov.i8 \q, #0
    .endr
    bx      lr
