@ Counter mode and GHASH in one pass (arguments in text.s), of a message or of a part of one: a byte at least. The counter
@ block is the one before the first of the text, which makes the mask of the tag.
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

@ Hashes AAD block by block, before there is anything else in q8, q9, q11-q15 and q7.
.macro header
    ldr r12, [sp, #.Largs]
    ldr r11, [r12, #60]
    ldr r6, [r12, #56]
    cmp r11, #0
    beq 9f
    add r0, r8, #120
    vld1.8 {d28-d30}, [r0]!
    vld1.8 {d14}, [r0]
7:
    cmp r11, #16
    bhs 8f
    add r0, sp, #.Lrest
    vmov.i8 q11, #0
    vst1.8 {q11}, [r0]
    copy r0, r6, r11, r1, d22
    add r6, sp, #.Lrest
8:
    vld1.8 {q11}, [r6]!
    vrev64.8 q11, q11
    veor d22, d22, d21
    veor d23, d23, d20
    products q8, q9, q10
    reduce d14
    subs r11, r11, #16
    bhi 7b
9:
.endm

@ The hash as it is, or the tag that it makes: stored, or if \direction is `open` whether it is the given one: all ones.
.macro finish direction
    ldr r12, [r7, #76]
    vswp d20, d21
    cmp r12, #0
    vrev64.8 q10, q10
    add r12, r7, #28
    .ifc \direction, seal
    beq 8f
    add r0, sp, #.Lmask
    ldr r12, [r7, #68]
    vld1.8 {q0}, [r0]
    veor q10, q10, q0
8:
    vst1.8 {q10}, [r12]
    .else
    bne 8f
    vst1.8 {q10}, [r12]
    b 9f
8:
    add r0, sp, #.Lmask
    ldr r12, [r7, #68]
    vld1.8 {q0}, [r0]
    ldr r0, [r7, #72]
    vld1.8 {q1}, [r12]
    veor q10, q10, q0
    vld1.8 {q0}, [r0]
    veor q10, q10, q1
    vand q10, q10, q0
    vorr d20, d20, d21
    vpmax.u32 d20, d20, d20
    vceq.i32 d20, d20, #0
    vmov.32 r0, d20[0]
    str r0, [sp, #.Largs]               @ What is returned.
9:
    .endif
.endm

.macro message direction
    enter
    add r12, r0, #28
    vld1.8 {q10}, [r12]
    arguments mask
    vrev64.8 q10, q10
    vswp d20, d21
    header
    .ifc \direction, seal
    mov r7, r2
    cipher mask
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
    cipher mask
    .endif
    tail \direction
    finish \direction
    leave
.endm
