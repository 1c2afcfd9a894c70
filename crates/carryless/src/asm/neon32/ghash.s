@ GHASH by products of bytes (docs/math.md 9): sums of up to 16 products with as many powers, put together
@ once.
@
@ Takes r0: table of powers (the 16th first; see power.s), r1: acc, 16 bytes, r2: data, r3: bytes of it, the
@ last block of which is filled up with zeros. Gives acc = (acc + first block) H^n + .. + last block H.
@
@ Two passes over a batch, as not all sums have room: the products of the limbs (rows 0 to 3), then those of
@ sums of limbs.
@
@ r3  blocks left             r6  block            r9   first block of the batch
@ r4  blocks of the batch     r7  a filled block?  r10  power
@ r5  count                   r8  power of the first block   r11  to the next power   r12  the filled block
@     is still to come
@
@ Stack: 48 bytes and 100 for registers. Secret: table, acc, data. Public: length.
    .set GHASH_FILLED, 0
    .set GHASH_LIMBS, 16
    .set GHASH_FRAME, 48

@ Adds the products of the limbs of q8 to q0-q7: row k by the low limbs to q[2k], by the high ones to q[2k +
@ 1].
.macro times_limbs
    vld1.8  {d18-d21}, [r10]!
    vld1.8  {d22-d25}, [r10], r11
    vmull.p8 q13, d16, d18
    vmull.p8 q14, d17, d19
    vmull.p8 q15, d16, d20
    vmull.p8 q9, d17, d21
    veor    q0, q0, q13
    vmull.p8 q13, d16, d22
    veor    q1, q1, q14
    vmull.p8 q14, d17, d23
    veor    q2, q2, q15
    vmull.p8 q15, d16, d24
    veor    q3, q3, q9
    vmull.p8 q9, d17, d25
    veor    q4, q4, q13
    veor    q5, q5, q14
    veor    q6, q6, q15
    veor    q7, q7, q9
.endm

@ Adds the products of sums of limbs of q10 to q0-q9: in rows of S and U (0, 1; 2, 3), V and W (0 to 3), T (0,
@ 1; 2, 3).
.macro times_sums
    vld1.8  {d26-d29}, [r10]!
    vrev64.32 q11, q10
    veor    d24, d20, d21
    veor    q10, q10, q11
    vrev64.32 d25, d24
    vmull.p8 q11, d20, d26
    vmull.p8 q15, d21, d27
    veor    d25, d25, d24
    vmull.p8 q13, d20, d28
    veor    q0, q0, q11
    vmull.p8 q11, d21, d29
    veor    q1, q1, q15
    vld1.8  {d28-d31}, [r10]!
    veor    q2, q2, q13
    vmull.p8 q10, d24, d28
    veor    q3, q3, q11
    vmull.p8 q11, d24, d29
    vmull.p8 q13, d24, d30
    vmull.p8 q14, d24, d31
    vld1.8  {d30-d31}, [r10], r11
    veor    q4, q4, q10
    veor    q5, q5, q11
    vmull.p8 q10, d25, d30
    veor    q6, q6, q13
    vmull.p8 q11, d25, d31
    veor    q7, q7, q14
    veor    q8, q8, q10
    veor    q9, q9, q11
.endm

@ A pass over the batch: \times on each block, in q registers \m, the first with acc added (by \t).
.macro pass times, m, t
    mov     r5, r4
    mov     r6, r9
    vld1.8  {\m}, [r6]!
    vld1.8  {\t}, [r1]
    mov     lr, r12
    tst     r5, #1
    veor    \m, \m, \t
    beq     2f
    add     r5, r5, #1
    b       3f
1:  vld1.8  {\m}, [r6]!
2:  \times
    vld1.8  {\m}, [r6]!
3:  \times
    subs    r5, r5, #2
    bne     1b
    cmp     lr, #0
    beq     4f
    mov     lr, #0
    mov     r5, #2
    mov     r6, sp
    vld1.8  {\m}, [r6]
    b       3b
4:
.endm

@ The product of limbs, 64 bits each, from those of rows, to \r0. Products of bytes i and j lie at byte i + j:
@ in row 0 at 0, 2, 4, 6; in row 1 at 1, 1, 5, 5; in row 2 at 2, 4, 2, 4; in row 3 at 3. \middle: lanes 1, 2;
@ \lane: lane 2. Clobbers \t.
.macro fold r0, r1, r2, r3, t, middle, lane
    vrev64.32 \t, \r2
    veor    \r2, \r2, \t
    vrev64.32 \t, \r3
    vshl.i64 \r2, \r2, #16
    veor    \r3, \r3, \t
    vand    \r2, \r2, \middle
    vrev32.16 \t, \r3
    veor    \r0, \r0, \r2
    veor    \r3, \r3, \t
    vrev32.16 \t, \r1
    vrev64.16 \r0, \r0
    veor    \r1, \r1, \t
    vbit    \r1, \r3, \lane
    vrev64.16 \r1, \r1
    vshl.i64 \r1, \r1, #16
    vshr.u64 \r1, \r1, #8
    veor    \r0, \r0, \r1
.endm

    push    {r4-r11, lr}
    cmp     r3, #0
    beq     9f
    vpush   {d8-d15}
    sub     sp, sp, #GHASH_FRAME

    @ The last block, if it has to be filled up.
    lsr     r4, r3, #4
    ands    r7, r3, #15
    beq     5f
    vmov.i8 q0, #0
    vst1.8  {q0}, [sp]
    add     r12, r2, r4, lsl #4
    mov     r5, sp
    and     r3, r3, #15                 @ byte by byte: larger elements may have to be aligned
1:  vld1.8  {d0[0]}, [r12]!
    subs    r3, r3, #1
    vst1.8  {d0[0]}, [r5]!
    bne     1b
    add     r4, r4, #1
5:  @ All batches but the first have 16 blocks.
    mov     r3, r4
    sub     r4, r4, #1
    and     r4, r4, #15
    add     r4, r4, #1

6:  @ A batch.
    mov     r5, #144
    rsb     r8, r4, #16
    mla     r8, r8, r5, r0
    mov     r9, r2
    mov     r12, #0
    subs    r3, r3, r4
    bne     7f
    cmp     r7, #0
    beq     7f
    mov     r12, #1
    subs    r4, r4, #1
    bne     7f
    mov     r4, #1
    mov     r12, #0
    mov     r9, sp
7:  .irp    q, q0, q1, q2, q3, q4, q5, q6, q7
    vmov.i8 \q, #0
    .endr
    mov     r10, r8
    mov     r11, #112
    pass    times_limbs, q8, q9
    vmov.i64 q8, #0x0000ffffffff0000
    vmov.i64 q9, #0x0000ffff00000000
    fold    q0, q2, q4, q6, q10, q8, q9
    fold    q1, q3, q5, q7, q11, q8, q9
    add     r5, sp, #GHASH_LIMBS
    vst1.8  {d0-d3}, [r5]

    .irp    q, q0, q1, q2, q3, q4, q5, q6, q7, q8, q9
    vmov.i8 \q, #0
    .endr
    add     r10, r8, #64
    mov     r11, #80
    pass    times_sums, q10, q11
    mov     r2, r6
    vmov.i64 q10, #0x0000ffffffff0000
    vmov.i64 q11, #0x0000ffff00000000
    vswp    d1, d2
    vswp    d5, d6
    fold    q4, q5, q6, q7, q12, q10, q11
    fold    q0, q1, q2, q3, q13, q10, q11
    fold    d16, d17, d18, d19, d24, d20, d22
    add     r5, sp, #GHASH_LIMBS
    vld1.8  {d20-d23}, [r5]

    @ Karatsuba: L0 L1 L2 L3 (d20-d23), S U (q0), V W (q4), T (d16) to the coefficients of 2^32: 1 and 5, 3, 2
    @ and 4.
    veor    d24, d20, d21
    veor    d25, d22, d23
    veor    d16, d16, d8
    veor    q0, q0, q12
    veor    d16, d16, d9
    veor    q4, q4, q12
    veor    d17, d0, d1
    veor    d8, d8, d22
    veor    d9, d9, d21
    veor    d16, d16, d17
    vshr.u64 q2, q0, #32
    vshl.i64 q1, q0, #32
    vshr.u64 d6, d16, #32
    vshl.i64 d7, d16, #32
    @ Words, the highest first: d20, d8, d9, d23.
    veor    q4, q4, q3
    veor    d20, d20, d4
    veor    d8, d8, d2
    veor    d9, d9, d5
    veor    d23, d23, d3

    @ Reduction (Gueron and Lopez, algorithm 8) of the low words q11 into the high ones q10.
    vmov    d21, d8
    vmov    d22, d9
    vshl.i64 q0, q11, #57
    vshl.i64 q1, q11, #62
    vshl.i64 q2, q11, #63
    veor    q0, q0, q1
    veor    q0, q0, q2
    veor    d22, d22, d1
    veor    d21, d21, d0
    vshr.u64 q1, q11, #1
    vshr.u64 q2, q11, #2
    vshr.u64 q3, q11, #7
    veor    q10, q10, q11
    veor    q1, q1, q2
    veor    q10, q10, q3
    veor    q10, q10, q1
    vrev64.8 q10, q10
    vst1.8  {q10}, [r1]
    mov     r4, #16
    cmp     r3, #0
    bne     6b

    @ Nothing stays behind.
    .irp    q, q0, q1, q2, q3, q8, q9, q10, q11, q12, q13, q14, q15
    vmov.i8 \q, #0
    .endr
    mov     r12, sp
    vst1.8  {d0-d3}, [r12]!
    vst1.8  {d0-d1}, [r12]
    add     sp, sp, #GHASH_FRAME
    vpop    {d8-d15}
9:  pop     {r4-r11, pc}

    .purgem times_limbs
    .purgem times_sums
    .purgem pass
    .purgem fold
