@ AES on planes of eight blocks: counter mode, or blocks as they are.
@
@ Takes r0: arguments (struct Crypt): keys, rounds, dst, src, len, counter (or null: blocks), mask (or null).
@
@ Batches of counters begin at multiples of 8, so that planes are made of one block; key stream before the
@ first counter is dropped. A batch that is no whole one, or is the first, goes by way of `stream` on the
@ stack. Where two more batches follow in the same half of 256 counters, they begin behind the first round: what their last
@ bytes are there, less what that of the first batch is, lies in `steps` (docs/math.md 6).
@
@ r0  round key         r4  bytes left             r8   tables by rounds     r11  batches that `steps` serve
@ r1  pairs of rounds   r5  spills of sub_bytes    r9   orders of bytes for mix_columns
@ r2  src               r6  counter, a multiple    r10  -16
@ r3  dst               r7  stream to drop, 256: the mask is wanted            r12  addresses
@
@ Stack: 720 bytes and 100 for registers. Secret: keys, text, key stream. Public: lengths, rounds, counter.
    .set CRYPT_STREAM, 0
    .set CRYPT_BASE, 128
    .set CRYPT_STEPS, 256
    .set CRYPT_HALF, 192
    .set CRYPT_SPILLS, 640
    .set CRYPT_SECRET, 704
    .set CRYPT_ARGUMENTS, 704
    .set CRYPT_TABLES, 708
    .set CRYPT_FRAME, 720

.macro argument r, at
    ldr     \r, [sp, #CRYPT_ARGUMENTS]
    ldr     \r, [\r, #\at]
.endm

@ Zeros where the stream was.
.macro clear_stream
    vmov.i8 q0, #0
    vmov.i8 q1, #0
    mov     r12, sp
    .rept 4
    vst1.8  {d0-d3}, [r12]!
    .endr
.endm

    b       1f
    .balign 4
70: @ Words of a column further, one and three: rows 0 and 2, rows 1 and 3.
    .byte   1, 2, 3, 0, 5, 6, 7, 4, 5, 6, 7, 4, 1, 2, 3, 0
    .byte   3, 0, 1, 2, 7, 4, 5, 6, 7, 4, 5, 6, 3, 0, 1, 2
    @ Numbers.
    .byte   0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    @ For 10 and 14 rounds, which begin two ShiftRows behind: from a block to its rows; the last byte; to
    @ which bytes it comes in the first round, once (0), twice (8) or thrice (16); where it stands.
    .byte   0, 4, 8, 12, 2, 6, 10, 14, 9, 13, 1, 5, 11, 15, 3, 7
    .byte   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0
    .byte   0, 128, 128, 128, 128, 128, 16, 128, 128, 128, 128, 0, 128, 8, 128, 128
    .byte   13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    @ For 12 rounds.
    .byte   0, 4, 8, 12, 2, 6, 10, 14, 1, 5, 9, 13, 3, 7, 11, 15
    .byte   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255
    .byte   0, 128, 128, 128, 128, 128, 16, 128, 128, 0, 128, 128, 128, 128, 128, 8
    .byte   15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
1:
    push    {r4-r11, lr}
    vpush   {d8-d15}
    sub     sp, sp, #CRYPT_FRAME
    str     r0, [sp, #CRYPT_ARGUMENTS]
    ldr     r3, [r0, #8]
    ldr     r2, [r0, #12]
    ldr     r4, [r0, #16]
    ldr     r12, [r0, #4]
    add     r5, sp, #CRYPT_SPILLS + 32
    mvn     r10, #15
    adr     r8, 70b
    str     r8, [sp, #CRYPT_TABLES]
    add     r8, r8, #48
    cmp     r12, #12
    bne     1f
    add     r8, r8, #64
1:  clear_stream
    mov     r11, #0
    mov     r7, #0
    argument r12, 20
    cmp     r12, #0
    beq     50f
    vld1.8  {q0}, [r12]
    vrev32.8 q0, q0
    vmov.32 r6, d1[1]
    and     r7, r6, #7
    bic     r6, r6, #7
    lsl     r7, r7, #4
    argument r12, 24
    cmp     r12, #0
    beq     10f
    orr     r7, r7, #256

10: @ A batch.
    cmp     r4, #0
    bne     11f
    tst     r7, #256
    beq     60f
11: cmp     r11, #0
    beq     20f

    @ Its planes behind the first round: those of the first batch, and the step from there.
    sub     r11, r11, #1
    ubfx    r12, r6, #3, #3
    vdup.8  q12, r12
    add     r12, r8, #32
    vld1.8  {q13}, [r12]
    add     r1, sp, #CRYPT_STEPS
    tst     r6, #64
    beq     12f
    add     r1, r1, #CRYPT_HALF
12: add     r12, sp, #CRYPT_BASE
    planes_at vld1
    vadd.i8 q12, q12, q13
    add_steps q0, q1
    add_steps q2, q3
    add_steps q4, q5
    add_steps q6, q7
    argument r0, 0
    add     r0, r0, #256
    b       30f

20: @ Its planes of a counter block, whose last byte (q12) has three bits that differ.
    argument r12, 20
    vld1.8  {q10}, [r12]
    vrev32.8 q10, q10
    vmov.32 d21[1], r6
    vrev32.8 q10, q10
    vld1.8  {d22-d25}, [r8]
    vtbl.8  d16, {d20, d21}, d22
    vtbl.8  d17, {d20, d21}, d23
    vmov.i8 q13, #0xaa
    vmov.i8 q14, #0xcc
    vmov.i8 q15, #0xf0
    vand    q13, q13, q12
    vand    q14, q14, q12
    vand    q15, q15, q12
    bit     q0, q8, 1, q10
    bit     q1, q8, 2, q11
    bit     q2, q8, 4, q12
    bit     q3, q8, 8, q10
    bit     q4, q8, 16, q11
    bit     q5, q8, 32, q12
    bit     q6, q8, 64, q10
    bit     q7, q8, 128, q11
    veor    q0, q0, q13
    veor    q1, q1, q14
    veor    q2, q2, q15
    argument r0, 0
    add_key
    mov     r1, #1
    bl      80f

    @ Steps from here, if two more whole batches follow in this half of 256 counters: for fewer they cost more.
    ubfx    r12, r6, #3, #4
    rsb     r12, r12, #15
    cmp     r12, #2
    blo     30f
    cmp     r4, #384
    blo     30f
    mov     r11, r12
    add     r12, sp, #CRYPT_BASE
    planes_at vst1
    @ The last bytes of the 16 batches, each at the position of its number.
    ldr     r12, [sp, #CRYPT_TABLES]
    add     r12, r12, #32
    vld1.8  {q8}, [r12]
    sbfx    r12, r6, #7, #1
    vmov.i8 q0, #0xaa
    vmov.i8 q1, #0xcc
    vmov.i8 q2, #0xf0
    bit     q3, q8, 1, q10
    bit     q4, q8, 2, q11
    bit     q5, q8, 4, q12
    bit     q6, q8, 8, q13
    vdup.8  q7, r12
    argument r12, 0
    ldrb    r1, [r8, #48]
    add     r12, r12, r1
    mov     r1, #16
    add_byte q0, q1
    add_byte q2, q3
    add_byte q4, q5
    add_byte q6, q7
    bl      88f
    ubfx    r12, r6, #3, #4
    vdup.8  d15, r12
    from_one d15
    add     r1, sp, #CRYPT_STEPS
    add     r12, r1, #CRYPT_HALF
    keep_step q0, d0, d1, q7, d14, d15
    veor    q8, q0, q7
    keep_step q1, d2, d3, q8, d16, d17
    keep_step q2, d4, d5, q1, d2, d3
    veor    q8, q2, q7
    keep_step q3, d6, d7, q8, d16, d17
    veor    q8, q3, q7
    keep_step q4, d8, d9, q8, d16, d17
    keep_step q5, d10, d11, q4, d8, d9
    keep_step q6, d12, d13, q5, d10, d11
    keep_step q7, d14, d15, q6, d12, d13
    add     r12, sp, #CRYPT_BASE
    planes_at vld1

30: @ The other rounds.
    add     r6, r6, #8
    argument r1, 4
    lsr     r1, r1, #1
    sub     r1, r1, #1
    bl      81f
    bl      88f
    cmp     r4, #128
    blo     40f
    cmp     r7, #0
    bne     40f
    mov     r12, r2
    mov     r1, r3
    add     r2, r2, #128
    add     r3, r3, #128
    sub     r4, r4, #128
    bl      90f
    b       10b

40: @ By way of the stream.
    mov     r12, sp
    mov     r1, sp
    bl      90f
    tst     r7, #256
    beq     41f
    and     r7, r7, #255
    add     r12, sp, r7
    vld1.8  {q0}, [r12]
    argument r12, 24
    vst1.8  {q0}, [r12]
    add     r7, r7, #16
41: add     r12, sp, r7
    rsb     r1, r7, #128
    mov     r7, #0
    cmp     r1, r4
    bls     42f
    mov     r1, r4
42: sub     r4, r4, r1
43: subs    r1, r1, #16
    blo     44f
    vld1.8  {q0}, [r12]!
    vld1.8  {q1}, [r2]!
    veor    q0, q0, q1
    vst1.8  {q0}, [r3]!
    b       43b
44: tst     r1, #8
    beq     45f
    vld1.8  {d0}, [r12]!
    vld1.8  {d2}, [r2]!
    veor    d0, d0, d2
    vst1.8  {d0}, [r3]!
45: ands    r1, r1, #7
    beq     47f
46: vld1.8  {d0[0]}, [r12]!             @ byte by byte: larger elements may have to be aligned
    vld1.8  {d2[0]}, [r2]!
    veor    d0, d0, d2
    subs    r1, r1, #1
    vst1.8  {d0[0]}, [r3]!
    bne     46b
47: clear_stream
    b       10b

50: @ Blocks: up to eight in `stream`.
    cmp     r4, #0
    beq     60f
    mov     r12, r2
    cmp     r4, #128
    bhs     52f
    mov     r12, sp
    mov     r1, r4
51: vld1.8  {q0}, [r2]!
    vst1.8  {q0}, [r12]!
    subs    r1, r1, #16
    bne     51b
    mov     r12, sp
    sub     r2, r2, #128
52: add     r2, r2, #128
    vld4.8  {d0-d3}, [r12]!
    vld4.8  {d4-d7}, [r12]!
    vld4.8  {d8-d11}, [r12]!
    vld4.8  {d12-d15}, [r12]!
    vtrn.32 q0, q1
    vtrn.32 q2, q3
    vtrn.32 q4, q5
    vtrn.32 q6, q7
    transpose q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10
    argument r1, 4
    cmp     r1, #12
    beq     53f
    @ Two ShiftRows behind: the rows 1 and 3 stand two columns apart.
    .irp    rows, d1, d3, d5, d7, d9, d11, d13, d15
    vrev32.16 \rows, \rows
    .endr
53: argument r0, 0
    add_key
    lsr     r1, r1, #1
    bl      80f
    bl      88f
    clear_stream
    mov     r12, sp
    mov     r1, r3
    add     r3, r3, #128
    cmp     r4, #128
    bhs     54f
    mov     r1, sp
54: bl      90f
    subs    r4, r4, #128
    bhs     50b
    add     r4, r4, #128
    sub     r3, r3, #128
    mov     r12, sp
55: vld1.8  {q0}, [r12]!
    vst1.8  {q0}, [r3]!
    subs    r4, r4, #16
    bne     55b

60: @ Nothing stays behind.
    .irp    q, q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15
    vmov.i8 \q, #0
    .endr
    mov     r12, sp
    .rept   CRYPT_SECRET / 64
    vstmia  r12!, {d0-d7}
    .endr
    add     sp, sp, #CRYPT_FRAME
    vpop    {d8-d15}
    pop     {r4-r11, pc}

80: @ Rounds from the first on; pairs of them in r1.
    argument r12, 4
    ldr     r9, [sp, #CRYPT_TABLES]
    cmp     r12, #12
    add     r12, sp, #CRYPT_SPILLS
    beq     83f
    add     r9, r9, #16
    b       85f
81: @ The same behind the first.
    argument r12, 4
    ldr     r9, [sp, #CRYPT_TABLES]
    cmp     r12, #12
    add     r12, sp, #CRYPT_SPILLS
    beq     89f
82: sub_bytes
    mix_columns_0
83: sub_bytes
    mix_columns_1
    subs    r1, r1, #1
    beq     87f
84: sub_bytes
    mix_columns_2
85: sub_bytes
    mix_columns_3
    subs    r1, r1, #1
    bne     82b
87: bx      lr
89: add     r9, r9, #16
    b       84b
88: @ SubBytes alone.
    add     r12, sp, #CRYPT_SPILLS
    sub_bytes
    bx      lr
90: @ What that has left, as blocks, to the text at r12 and from there to r1.
    behind_sub_bytes transpose, , q0, q1, q2
    behind_sub_bytes add_blocks
    bx      lr

    .purgem argument
    .purgem add_two
    .purgem add_key
    .purgem bit
    .purgem planes_at
    .purgem clear_stream
    .purgem add_byte
    .purgem keep_step
    .purgem add_steps
    .purgem add_blocks
    .purgem exchange
    .purgem exchange_nibbles
    .purgem transpose
    .purgem sub_bytes
    .purgem behind_sub_bytes
    .purgem from_one
    .purgem mix_columns_0
    .purgem mix_columns_1
    .purgem mix_columns_2
    .purgem mix_columns_3
