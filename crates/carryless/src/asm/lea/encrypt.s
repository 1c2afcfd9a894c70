@ lea_encrypt(r0 round keys, r1 rounds, r2 dst, r3 src, [sp] groups, [sp + 4] counter block or null): groups of four blocks, or of a text to
@ which the key stream from the counter block on is added.

@ Word \y of the three groups: ROL((\x + key) + (\y + key)), the inner sums XORs. \a and \b are the two words of the key, \t and \u are for
@ use; afterwards the next two, if there are \low_b .. \high_t for them, are in \b and \t.
.macro mix x, y, a, b, t, u, left, low_b, high_b, low_t, high_t, step
    veor    \t, f\x, \a
    veor    \u, g\x, \a
    veor    \a, h\x, \a
    veor    f\y, f\y, \b
    veor    g\y, g\y, \b
    veor    h\y, h\y, \b
    .ifnb \low_b
    spread  \low_b, \high_b
    .endif
    vadd.i32 \t, \t, f\y
    vadd.i32 \u, \u, g\y
    vadd.i32 \a, \a, h\y
    vshl.i32 f\y, \t, #\left
    vshl.i32 g\y, \u, #\left
    vshl.i32 h\y, \a, #\left
    vsri.32 f\y, \t, #32 - \left
    .ifnb \low_t
    spread  \low_t, \high_t, \step
    .endif
    vsri.32 g\y, \u, #32 - \left
    vsri.32 h\y, \a, #32 - \left
.endm

@ Three of them, each with the vectors of keys moved on by one.
.macro mix_12 x, y, left, step
    mix     \x, \y, q12, q13, q14, q15, \left, d26, d27, d28, d29, \step
.endm
.macro mix_13 x, y, left, step
    mix     \x, \y, q13, q14, q15, q12, \left, d28, d29, d30, d31, \step
.endm
.macro mix_14 x, y, left, step
    mix     \x, \y, q14, q15, q12, q13, \left, d30, d31, d24, d25, \step
.endm
.macro mix_15 x, y, left, step
    mix     \x, \y, q15, q12, q13, q14, \left, d24, d25, d26, d27, \step
.endm

@ A round of the group f.
.macro round w, x, y, z
    spread_six
    veor    q10, f\w, q4
    veor    q11, f\x, q6
    veor    q12, f\y, q8
    veor    f\x, f\x, q5
    veor    f\y, f\y, q7
    veor    f\z, f\z, q9
    vadd.i32 q10, q10, f\x
    vadd.i32 q11, q11, f\y
    vadd.i32 q12, q12, f\z
    vshl.i32 f\x, q10, #9
    vshl.i32 f\y, q11, #27
    vshl.i32 f\z, q12, #29
    vsri.32 f\x, q10, #23
    vsri.32 f\y, q11, #5
    vsri.32 f\z, q12, #3
.endm

@ The next four counter blocks, transposed: q12 has their numbers, q15 the counter block.
.macro count w0, w1, w2, w3
    vdup.32 \w3, r6
    vdup.32 \w0, d30[0]
    vadd.i32 \w3, \w3, q12
    vdup.32 \w1, d30[1]
    add     r6, r6, #4
    vrev32.8 \w3, \w3
    vdup.32 \w2, d31[0]
.endm

@ Adds four blocks of the text.
.macro add_text a, b, c, d
    vld1.8  {d24-d27}, [r3]!
    vld1.8  {d28-d31}, [r3]!
    veor    \a, \a, q12
    veor    \b, \b, q13
    veor    \c, \c, q14
    veor    \d, \d, q15
.endm

.macro for_counting
    vld1.8  {q12}, [r10]
    vld1.8  {q15}, [r5]
.endm

    b       1f
    .balign 4
70: @ Numbers of blocks.
    .byte   0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0
1:  enter
    adr     r10, 70b
    mvn     r7, #11
    mov     r8, #36
    cmp     r5, #0
    beq     10f
    vld1.8  {q0}, [r5]
    vrev32.8 q0, q0
    vmov.32 r6, d1[1]

10: @ Three groups.
    cmp     r4, #3
    blo     20f
    sub     r4, r4, #3
    cmp     r5, #0
    beq     11f
    for_counting
    count   f0, f1, f2, f3
    count   g0, g1, g2, g3
    count   h0, h1, h2, h3
    b       12f
11: groups  vld1, r3
    transpose_f
    transpose_g
    transpose_h
12: @ Words of round keys in the order 4, 5, 2, 3, 0, 1: a result takes the place of a word that is not needed any more.
    add     r0, r9, #16
    mov     r12, r1
13: spread  d24, d25
    spread  d26, d27, r7
    mix_12  2, 3, 29, r7
    mix_13  1, 2, 27, r8
    mix_14  0, 1, 9, r7
    mix_15  3, 0, 29, r7
    mix_12  2, 3, 27, r8
    mix_13  1, 2, 9, r7
    mix_14  0, 1, 29, r7
    mix_15  3, 0, 27, r8
    mix_12  2, 3, 9, r7
    mix_13  1, 2, 29, r7
    mix_14  0, 1, 27, r8
    mix     3, 0, q15, q12, q13, q14, 9
    subs    r12, r12, #4
    bne     13b
    transpose_f
    transpose_g
    transpose_h
    cmp     r5, #0
    beq     14f
    add_text f0, f1, f2, f3
    add_text g0, g1, g2, g3
    add_text h0, h1, h2, h3
14: groups  vst1, r2
    b       10b

20: @ One.
    cmp     r4, #0
    beq     90f
    sub     r4, r4, #1
    cmp     r5, #0
    beq     21f
    for_counting
    count   f0, f1, f2, f3
    b       22f
21: group   vld1, r3
    transpose_f
22: mov     r0, r9
    mov     r12, r1
23: round   0, 1, 2, 3
    round   1, 2, 3, 0
    round   2, 3, 0, 1
    round   3, 0, 1, 2
    subs    r12, r12, #4
    bne     23b
    transpose_f
    cmp     r5, #0
    beq     24f
    add_text f0, f1, f2, f3
24: group   vst1, r2
    b       20b
90: leave

    .purgem mix
    .purgem mix_12
    .purgem mix_13
    .purgem mix_14
    .purgem mix_15
    .purgem round
    .purgem count
    .purgem add_text
    .purgem for_counting
