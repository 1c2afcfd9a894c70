@ What the functions on texts have in common: counter mode, six blocks a turn, and the last blocks.
@
@   r0 next round key      r4 bytes left            r8  row of H^6                q0-q5 states
@   r1 rounds left         r5 next counter          r9  round keys                q6, q7 round keys
@   r2 destination         r7 what is hashed next,  r10 rounds                    q8-q15 macros.s
@   r3 source                 then the arguments    r6, r11, r12, lr counters and anything
@
@ Arguments, at r0: round keys 0, rounds 4, table 8, counter block 12 (16 bytes), acc 28 (16 bytes),
@ destination 44, source 48, length 52; of message.s: AAD 56, its bytes that are not in acc yet 60, all its bytes 64,
@ tag 68, ones where it is compared 72, whether lengths and mask make a tag of the hash 76: 1 or 0, and then there is text.
@ Stack frame: the counter block twice, and at last six blocks of key stream; one for the last bytes; the mask.

.equ .Lframe, 128
.equ .Lrest, 96
.equ .Lmask, 112
.equ .Largs, .Lframe + 64

@ Saves what the caller keeps and makes the frame.
.macro enter
    push {r0, r4-r11, lr}
    vpush {d8-d15}
    sub sp, sp, #.Lframe
.endm

@ Loads the arguments and the first key; makes the first counter blocks, from one behind that of the `mask` on.
.macro arguments mask
    add r12, r0, #12
    ldr r9, [r0]
    vld1.8 {q0}, [r12]
    ldr r10, [r0, #4]
    ldr r8, [r0, #8]
    vmov.32 r5, d1[1]
    ldr r2, [r0, #44]
    vmov q1, q0
    vld1.8 {q6}, [r9]
    vmov q2, q0
    rev r5, r5
    .ifnb \mask
    add r5, r5, #1
    .endif
    ldr r3, [r0, #48]
    vmov q3, q0
    ldr r4, [r0, #52]
    vmov q4, q0
    vst1.8 {d0-d3}, [sp]
    values
    vmov q5, q0
    value r0, 4
    value r1, 5
    lanes
    add r5, r5, #6
    add r8, r8, #48
.endm

@ Clears frame and registers, and returns.
.macro leave
    clear q0, q1
    mov r12, sp
    vst1.8 {d0-d3}, [r12]!
    clear q2, q3, q8
    vst1.8 {d0-d3}, [r12]!
    clear q9, q10, q11
    vst1.8 {d0-d3}, [r12]!
    clear q12, q13, q14
    vst1.8 {d0-d3}, [r12]
    clear q15
    add sp, sp, #.Lframe
    vpop {d8-d15}
    pop {r0, r4-r11, pc}
.endm

@ The counter \i blocks on, as the lane of a block takes it: in the order of memory, on both endiannesses.
.macro value r, i
    add \r, r5, #\i
    rev \r, \r
.endm

.macro values
    value r6, 0
    value r11, 1
    value r12, 2
    value lr, 3
.endm

@ Puts six of them into counter blocks: only the last four bytes count.
.macro lanes
    vmov.32 d1[1], r6
    vmov.32 d3[1], r11
    vmov.32 d5[1], r12
    vmov.32 d7[1], lr
    vmov.32 d9[1], r0
    vmov.32 d11[1], r1
.endm

@ All rounds but the last on as many of the states as r4 bytes want: one, two, four or six. Takes the first
@ key in q6, gives that of the last round there, and the one behind it in q7. In two registers, each key is
@ there before its round. With `mask`, the counter block of the frame is one more, encrypted to its end.
.macro cipher mask
    vld1.8 {q7}, [r9]
    add r0, r9, #16
    .ifnb \mask
    vld1.8 {q14}, [sp]
    .endif
    sub r1, r10, #1
6:
    pair q0, q6
    .ifnb \mask
    pair q14, q6
    .endif
    vld1.8 {q6}, [r0]
    cmp r4, #16
    bls 8f
    pair q1, q7
    cmp r4, #32
    bls 7f
    pair q2, q7
    pair q3, q7
    cmp r4, #64
    bls 7f
    pair q4, q7
    pair q5, q7
7:
    vld1.8 {q7}, [r0]
8:
    add r0, r0, #16
    subs r1, r1, #1
    bne 6b
    vld1.8 {q7}, [r0]
    .ifnb \mask
    aese.8 q14, q6
    add r0, sp, #.Lmask
    veor q14, q14, q7
    vst1.8 {q14}, [r0]
    .endif
.endm

@ The last round of six blocks, and their addition to the text; the next counter blocks, from `values`, and
@ the first key in q6. Clobbers r0, r1, q7-q9, q11-q14.
.macro add_text
    aese.8 q0, q6
    vld1.8 {d22-d25}, [r3]!
    aese.8 q1, q6
    add r0, r5, #4
    aese.8 q2, q6
    add r1, r5, #5
    aese.8 q3, q6
    vld1.8 {d26-d29}, [r3]!
    aese.8 q4, q6
    rev r0, r0
    aese.8 q5, q6
    rev r1, r1
    veor q11, q11, q7
    vld1.8 {d16-d19}, [r3]!
    veor q12, q12, q7
    veor q11, q11, q0
    vld1.8 {q6}, [r9]
    veor q12, q12, q1
    vld1.8 {d0-d3}, [sp]
    veor q13, q13, q7
    add r5, r5, #6
    veor q14, q14, q7
    vst1.8 {d22-d25}, [r2]!
    veor q13, q13, q2
    sub r4, r4, #96
    veor q14, q14, q3
    vld1.8 {d4-d7}, [sp]
    veor q8, q8, q7
    veor q9, q9, q7
    vst1.8 {d26-d29}, [r2]!
    veor q8, q8, q4
    veor q9, q9, q5
    vld1.8 {d8-d11}, [sp]
    lanes
    vst1.8 {d16-d19}, [r2]!
.endm

@ The last 1 to 96 bytes: the last round, the addition of the key stream and, unless \mode is `plain`, the
@ hash in q10: of what is added to when it is `open`, of the sum when `seal`. There may be none of a message, whose
@ lengths are hashed behind them.
.macro tail mode
    aese.8 q0, q6
    .ifnc \mode, plain
    ldr r7, [sp, #.Largs]               @ The first of n blocks meets H^n, 24 n bytes before the row behind H;
    add r12, r4, #15                    @ the hash before goes with it. Products are added up one block behind.
    ldr r0, [r7, #76]
    add r12, r0, r12, lsr #4
    add r12, r12, r12, lsl #1
    add r8, r8, #144
    sub r8, r8, r12, lsl #3
    vld1.8 {d28-d30}, [r8]!
    vmov d22, d21
    vmov d23, d20
    clear q8, q9, q10
    .endif
    cmp r4, #16
    bls 6f
    .irp q, q1, q2, q3, q4, q5
    aese.8 \q, q6
    .endr
    .irp q, q1, q2, q3, q4, q5
    veor \q, \q, q7
    .endr
6:
    veor q0, q0, q7
    mov r0, sp
    vst1.8 {d0-d3}, [r0]!
    vst1.8 {d4-d7}, [r0]!
    .ifnc \mode, plain
    products mi=q2
    .endif
    vst1.8 {d8-d11}, [r0]
    mov r0, sp
    .ifnc \mode, plain
    cmp r4, #0
    beq 8f
    .endif
6:
    vld1.8 {q0}, [r0]!
    cmp r4, #16
    bhs 7f
    sub r1, r0, #16                     @ Zeros behind the last bytes of the key stream and of the text, which
    add r12, r1, r4                     @ is copied into the frame; so is what becomes of it.
    vmov.i8 q1, #0
    vst1.8 {q1}, [r12]
    vld1.8 {q1}, [r1]
    add r1, sp, #.Lrest
    vmov.i8 q0, #0
    vst1.8 {q0}, [r1]
    copy r1, r3, r4, r12
    vmov q0, q1
    mov lr, r2
    add r2, sp, #.Lrest
    mov r3, r2
7:
    vld1.8 {q11}, [r3]!
    .ifnc \mode, plain
    accumulate q2
    .endif
    .ifc \mode, open
    veor q0, q0, q11
    vst1.8 {q0}, [r2]!
    .else
    veor q11, q11, q0
    vst1.8 {q11}, [r2]!
    .endif
    .ifnc \mode, plain
    vrev64.8 q11, q11
    products mi=q2
    vld1.8 {d28-d30}, [r8]!             @ At last the row with the fold constant.
    .endif
    subs r4, r4, #16
    bhi 6b
    ands r4, r4, #15
    beq 8f
    add r3, sp, #.Lrest
    copy lr, r3, r4, r12
8:
    .ifnc \mode, plain
    accumulate q2
    ldr r12, [r7, #76]
    ldr r0, [r7, #64]
    cmp r12, #0
    beq 9f
    mov r12, #0
    ldr r1, [r7, #52]
    vmov d22, r0, r12
    vmov d23, r1, r12
    vshl.i64 q11, q11, #3               @ in bits
    products mi=q2
    vld1.8 {d28}, [r8]
    accumulate q2
9:
    reduce
    .endif
.endm
