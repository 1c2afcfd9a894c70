@ lea_decrypt(r0 round keys, r1 rounds, r2 dst, r3 src, [sp] groups, [sp + 4] chain or null): groups of four blocks, or of a chain: the block
@ before the first of them, in whose place the last is left.

@ Word \x of the three groups: (ROL(\x) - (\p + key)) + key, the sums XORs, \p the word before it. The two words of the key are in q12 and q13;
@ afterwards the next two are, if \last is not said, and the step behind them (none: to the next word) is \step.
.macro unmix x, p, left, last, step
    vshl.i32 q14, f\x, #\left
    vshl.i32 q15, g\x, #\left
    vsri.32 q14, f\x, #32 - \left
    vsri.32 q15, g\x, #32 - \left
    veor    f\x, f\p, q12
    veor    g\x, g\p, q12
    vsub.i32 f\x, q14, f\x
    vshl.i32 q14, h\x, #\left
    vsub.i32 g\x, q15, g\x
    vsri.32 q14, h\x, #32 - \left
    veor    h\x, h\p, q12
    .ifb \last
    spread  d24, d25
    .endif
    veor    f\x, f\x, q13
    vsub.i32 h\x, q14, h\x
    veor    g\x, g\x, q13
    veor    h\x, h\x, q13
    .ifb \last
    spread  d26, d27, \step
    .endif
.endm

@ A round of the group f.
.macro unround w, x, y, z
    spread_six r8
    vshl.i32 q10, f\w, #23
    vshl.i32 q11, f\x, #5
    vshl.i32 q12, f\y, #3
    vsri.32 q10, f\w, #9
    vsri.32 q11, f\x, #27
    vsri.32 q12, f\y, #29
    veor    f\w, f\z, q4
    vsub.i32 f\w, q10, f\w
    veor    f\w, f\w, q5
    veor    f\x, f\w, q6
    vsub.i32 f\x, q11, f\x
    veor    f\x, f\x, q7
    veor    f\y, f\x, q8
    vsub.i32 f\y, q12, f\y
    veor    f\y, f\y, q9
.endm

@ Adds two blocks of the source to what stands behind them.
.macro add_two a, b
    vld1.8  {d24-d27}, [r3]!
    veor    \a, \a, q12
    veor    \b, \b, q13
.endm

@ Adds the chain to the first block, and from the source, of which so many bytes are read, all blocks but the last.
.macro chain len
    vld1.8  {q12}, [r5]
    sub     r3, r3, #\len
    veor    f0, f0, q12
    add_two f1, f2
.endm
@ Its end: the last block is the chain.
.macro keep_chain last
    vld1.8  {d24-d27}, [r3]!
    veor    \last, \last, q12
    vst1.8  {q13}, [r5]
.endm

    enter
    @ Rounds go back, from the first word of the last one.
    add     r12, r1, r1, lsl #1
    add     r9, r9, r12, lsl #3
    sub     r9, r9, #24
    mvn     r8, #43

10: @ Three groups.
    cmp     r4, #3
    blo     20f
    sub     r4, r4, #3
    groups  vld1, r3
    transpose_f
    transpose_g
    transpose_h
    mov     r0, r9
    mov     r12, r1
11: spread  d24, d25
    spread  d26, d27
    unmix   0, 3, 23
    unmix   1, 0, 5, , r8
    unmix   2, 1, 3
    unmix   3, 2, 23
    unmix   0, 3, 5, , r8
    unmix   1, 0, 3
    unmix   2, 1, 23
    unmix   3, 2, 5, , r8
    unmix   0, 3, 3
    unmix   1, 0, 23
    unmix   2, 1, 5, , r8
    unmix   3, 2, 3, last
    subs    r12, r12, #4
    bne     11b
    transpose_f
    transpose_g
    transpose_h
    cmp     r5, #0
    beq     12f
    chain   192
    add_two f3, g0
    add_two g1, g2
    add_two g3, h0
    add_two h1, h2
    keep_chain h3
12: groups  vst1, r2
    b       10b

20: @ One.
    cmp     r4, #0
    beq     90f
    sub     r4, r4, #1
    group   vld1, r3
    transpose_f
    mov     r0, r9
    mov     r12, r1
21: unround 0, 1, 2, 3
    unround 3, 0, 1, 2
    unround 2, 3, 0, 1
    unround 1, 2, 3, 0
    subs    r12, r12, #4
    bne     21b
    transpose_f
    cmp     r5, #0
    beq     22f
    chain   64
    keep_chain f3
22: group   vst1, r2
    b       20b
90: leave

    .purgem unmix
    .purgem unround
    .purgem add_two
    .purgem chain
    .purgem keep_chain
