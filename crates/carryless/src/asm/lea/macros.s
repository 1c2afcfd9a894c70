@ What encryption and decryption of LEA have in common.
@
@ Blocks go in groups of four: as they are, one in a vector; transposed, word n of all four in vector n. Three groups f, g, h go side by side,
@ as a result takes some cycles and the twelve of a word give as many independent instructions; what is less goes group by group.
@ Memory is reached by vld1.8 and vst1.8, but for round keys, which are words: both fill registers alike on both endiannesses.
@
@ r0  round key         r3  src                  r6       counter of the next block      r9   round keys
@ r1  rounds            r4  groups left          r7, r8   steps from key to key          r10  numbers of blocks
@ r2  dst               r5  counter block or chain, or null                              r12  rounds left
@
@ Stack: 96 bytes of registers. Secret: keys, text, counter, chain. Public: rounds, groups, whether there is a counter or a chain.
f0  .req q0
f1  .req q1
f2  .req q2
f3  .req q3
g0  .req q4
g1  .req q5
g2  .req q6
g3  .req q7
h0  .req q8
h1  .req q9
h2  .req q10
h3  .req q11

@ Transposes a group: vectors, and those of their halves that change places.
.macro transpose a, b, c, d, high_a, low_c, high_b, low_d
    vtrn.32 \a, \b
    vtrn.32 \c, \d
    vswp    \high_a, \low_c
    vswp    \high_b, \low_d
.endm
.macro transpose_f
    transpose f0, f1, f2, f3, d1, d4, d3, d6
.endm
.macro transpose_g
    transpose g0, g1, g2, g3, d9, d12, d11, d14
.endm
.macro transpose_h
    transpose h0, h1, h2, h3, d17, d20, d19, d22
.endm

@ Loads or stores the blocks of one group, or of three.
.macro group op, at
    \op\().8 {d0-d3}, [\at]!
    \op\().8 {d4-d7}, [\at]!
.endm
.macro groups op, at
    group   \op, \at
    \op\().8 {d8-d11}, [\at]!
    \op\().8 {d12-d15}, [\at]!
    \op\().8 {d16-d19}, [\at]!
    \op\().8 {d20-d23}, [\at]!
.endm

@ Spreads the word of a round key at r0, which moves on by \step (none: to the next word).
.macro spread low, high, step:vararg
    .ifb \step
    vld1.32 {\low[], \high[]}, [r0]!
    .else
    vld1.32 {\low[], \high[]}, [r0], \step
    .endif
.endm

@ The six words of a round key.
.macro spread_six last:vararg
    spread  d8, d9
    spread  d10, d11
    spread  d12, d13
    spread  d14, d15
    spread  d16, d17
    spread  d18, d19, \last
.endm

.macro enter
    push    {r4-r10, lr}
    vpush   {d8-d15}
    ldr     r4, [sp, #96]
    ldr     r5, [sp, #100]
    mov     r9, r0
.endm

@ Returns with nothing in vector registers.
.macro leave
    .irp    q, q0, q1, q2, q3, q8, q9, q10, q11, q12, q13, q14, q15
    vmov.i8 \q, #0
    .endr
    vpop    {d8-d15}
    pop     {r4-r10, pc}
.endm
