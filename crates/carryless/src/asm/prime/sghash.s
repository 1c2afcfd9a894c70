@ sghash(r0 powers, r1 hash, r2 data, r3 blocks, 1 or more): the hash of SGCM, hash = (hash + first block) H^n + .. + last block H.
@
@ Numbers have five limbs of 26 bits, so that products of limbs are added up in lanes of 64 bits and nothing is carried before the end of
@ a batch. Operand scanning: a limb of the blocks times all limbs of their powers, for two blocks side by side, one in each lane.
@
@ r0  powers      r2  data                    r4   pairs of the batch behind this one
@ r1  hash        r3  batches behind this one  r12  power
@
@ q0-q8  columns of products         d18, d20-d23  limbs of blocks     d29  4c
@ d0, d2, .. d8  limbs of the hash   d24-d28  limbs of powers          q15  26 ones in words, q13 in lanes of 64 bits
@
@ Stack: 72 bytes of registers. Secret: powers, hash, data. Public: blocks.

@ Limbs 0 to 4 of two blocks to d21, d22, d23, d20, d18. In q9 and q10 are the bytes of one block each, the highest first.
.macro limbs
    vrev32.8 q9, q9
    vrev32.8 q10, q10
    vtrn.32 q9, q10
    vshl.i32 d22, d19, #6
    vshl.i32 d23, d20, #12
    vsri.32 d22, d21, #26
    vsri.32 d23, d19, #20
    vshr.u32 d20, d20, #14
    vsli.32 d20, d18, #18
    vand    q11, q11, q15
    vand    q10, q10, q15
    vshr.u32 d18, d18, #8
.endm

@ Adds the products of a limb with those of the powers to five columns. The last of them has none yet in the first pair of a batch: it comes
@ to its own by \last.
.macro row a, c0, c1, c2, c3, c4, op, last
    \op\().u32 \c0, \a, d24
    \op\().u32 \c1, \a, d25
    \op\().u32 \c2, \a, d26
    \op\().u32 \c3, \a, d27
    \last\().u32 \c4, \a, d28
.endm
.macro products op
    vld1.32 {d24-d27}, [r12]!
    vld1.32 {d28}, [r12]!
    row     d21, q0, q1, q2, q3, q4, \op, \op
    row     d22, q1, q2, q3, q4, q5, vmlal, \op
    row     d23, q2, q3, q4, q5, q6, vmlal, \op
    row     d20, q3, q4, q5, q6, q7, vmlal, \op
    row     d18, q4, q5, q6, q7, q8, vmlal, \op
.endm

@ Carries from \a to \b, in lanes of 64 bits. In each lane of \ones are 26 of them.
.macro carry a, b, ones, op=vsra.u64
    \op     \b, \a, #26
    vand    \a, \a, \ones
.endm

    push    {r4, lr}
    vpush   {d8-d15}
    vmvn.i32 q15, #0xfc000000
    movw    r12, #4 * 12451
    vdup.32 d29, r12
    vshr.u64 d29, d29, #32
    .irp    d, d0, d2, d4, d6, d8
    vmov.i8 \d, #0
    .endr

    @ The first batch has what is left of batches of eight blocks. The first of an odd number has the second lane of a pair.
    sub     r3, r3, #1
    and     r4, r3, #7
    lsr     r3, r3, #3
    tst     r4, #1
    lsr     r4, r4, #1
    add     r12, r4, r4, lsl #2
    sub     r12, r0, r12, lsl #3
    add     r12, r12, #120
    bne     1f
    .irp    d, d0, d2, d4, d6, d8
    vld1.32 {\d[1]}, [r1]!
    .endr
    vmov.i8 q9, #0
    vld1.8  {q10}, [r2]!
    b       3f
1:  .irp    d, d0, d2, d4, d6, d8
    vld1.32 {\d[0]}, [r1]!
    .endr

2:  @ A batch.
    vld1.8  {d18-d21}, [r2]!
3:  limbs
    vadd.i32 d21, d21, d0
    vadd.i32 d22, d22, d2
    vadd.i32 d23, d23, d4
    vadd.i32 d20, d20, d6
    vadd.i32 d18, d18, d8
    products vmull
    cmp     r4, #0
    beq     5f
4:  vld1.8  {d18-d21}, [r2]!
    limbs
    products vmlal
    subs    r4, r4, #1
    bne     4b

5:  @ Both lanes become one. Columns 0 to 4 go to the low halves of q0-q4, 5 to 8 to the high ones, from where both are carried at once, up to
    @ what is limb 9.
    vshr.u64 q13, q15, #32
    vadd.i64 d0, d0, d1
    vadd.i64 d2, d2, d3
    vadd.i64 d1, d10, d11
    vadd.i64 d3, d12, d13
    vadd.i64 d4, d4, d5
    vadd.i64 d5, d14, d15
    carry   q0, q1, q13
    vadd.i64 d6, d6, d7
    vadd.i64 d7, d16, d17
    carry   q1, q2, q13
    vadd.i64 d8, d8, d9
    vmov.i8 d9, #0
    carry   q2, q3, q13
    vshr.u32 d19, d29, #2
    vmov.i32 d20, #1 << 24
    carry   q3, q4, q13
    vshr.u64 d20, d20, #32
    carry   d8, d1, d26
    carry   d1, d3, d26

    @ 2^130 is -4c: five limbs, and then what is above the fifth, which is not positive.
    vmlsl.u32 q4, d9, d29
    vmlsl.u32 q0, d1, d29
    vmlsl.u32 q1, d3, d29
    vmlsl.u32 q2, d5, d29
    vshr.s64 d18, d8, #26
    vand    d8, d8, d26
    vmlsl.u32 q3, d7, d29
    vmlsl.s32 q0, d18, d29
    @ With p added the highest limb is positive, so that all are.
    vadd.i64 d8, d8, d20
    vadd.i64 d0, d0, d19
    carry   d0, d2, d26, vsra.s64
    carry   d2, d4, d26, vsra.s64
    carry   d4, d6, d26, vsra.s64
    carry   d6, d8, d26, vsra.s64
    mov     r12, r0
    mov     r4, #3
    subs    r3, r3, #1
    bhs     2b

    sub     r1, r1, #20
    .irp    d, d0, d2, d4, d6, d8
    vst1.32 {\d[0]}, [r1]!
    .endr
    @ Nothing stays behind.
    .irp    q, q0, q1, q2, q3, q8, q9, q10, q11, q12, q13, q14, q15
    vmov.i8 \q, #0
    .endr
    vpop    {d8-d15}
    pop     {r4, pc}

    .purgem limbs
    .purgem row
    .purgem products
    .purgem carry
