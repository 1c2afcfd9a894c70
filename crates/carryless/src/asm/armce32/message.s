@ Counter mode and GHASH in one pass (arguments in text.s).
@
@ \direction is `seal`, where six blocks are hashed under the rounds of the next six, or `open`: their own.

@ The next block is multiplied under a round; the `first` one with the hash before, without sums to add to.
.macro hash_round first
    pair q0, q6
    vld1.8 {q11}, [r7]!
    .ifnb \first
    add r0, r9, #16
    mov r1, #5
    .else
    subs r1, r1, #1
    .endif
    pair q1, q6
    vld1.8 {d28-d30}, [r8]!
    pair q2, q6
    vrev64.8 q11, q11
    .ifnb \first
    values
    pair q3, q6
    veor d22, d22, d21
    veor d23, d23, d20
    products q8, q9, q10
    pair q4, q6
    pair q5, q6
    vld1.8 {q6}, [r0]!
    .else
    pair q3, q6
    products
    pair q4, q6
    pair q5, q6
    vld1.8 {q6}, [r0]!
    accumulate
    .endif
.endm

@ All rounds but the last, and six blocks hashed: one under each of the first six, the reduction under the
@ seventh. Takes and gives round keys as `cipher`. Gives `values`.
.macro turn
    hash_round first
6:
    hash_round
    bne 6b
    pair q0, q6
    vld1.8 {d28}, [r8]
    veor q9, q9, q8
    veor q9, q9, q10
    sub r8, r8, #144
    pair q1, q6
    vmull.p64 q12, d16, d28
    veor d18, d18, d17
    veor d19, d19, d16
    sub r1, r10, #8
    pair q2, q6
    pair q3, q6
    veor q9, q9, q12
    pair q4, q6
    vmull.p64 q12, d18, d28
    pair q5, q6
    vld1.8 {q6}, [r0]!
    veor d20, d20, d19
    veor d21, d21, d18
    veor q10, q10, q12
7:
    pair q0, q6
    vld1.8 {q7}, [r0]!
    subs r1, r1, #2
    .irp q, q1, q2, q3, q4, q5
    pair \q, q6
    .endr
    vld1.8 {q6}, [r0]!
    .irp q, q0, q1, q2, q3, q4, q5
    pair \q, q7
    .endr
    bne 7b
    vld1.8 {q7}, [r0]
.endm

.macro message direction
    ldr r12, [r0, #52]
    cmp r12, #0
    beq 9f
    enter
    add r12, r0, #28
    vld1.8 {q10}, [r12]
    arguments
    vrev64.8 q10, q10
    vswp d20, d21
    .ifc \direction, seal
    mov r7, r2
    cipher
    cmp r4, #96
    bls 2f
    values
1:
    add_text
    turn
    cmp r4, #96
    bhi 1b
2:
    .else
    mov r7, r3
    cmp r4, #96
    bls 2f
1:
    turn
    add_text
    cmp r4, #96
    bhi 1b
2:
    cipher
    .endif
    tail \direction
    ldr r12, [sp, #.Lframe + 64]        @ the arguments
    vswp d20, d21
    vrev64.8 q10, q10
    add r12, r12, #28
    vst1.8 {q10}, [r12]
    leave
9:
    bx lr
.endm
