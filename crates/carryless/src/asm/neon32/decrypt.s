@ Decryption of blocks, eight at a time, those of a batch that is no whole one by way of `stream` on the stack.
@
@ Takes r0: round keys in the order of use, those between the first, which is a block, and the last behind InvMixColumns, r1: rounds, r2: dst,
@ r3: src, [sp]: bytes, a multiple of 16.
@
@ r0  round key         r2  dst         r5  spills of sub_bytes   r9   orders of bytes for mix_columns
@ r1  pairs of rounds   r3  src         r6  round keys            r10  -16
@ r4  bytes left        r7  rounds      r8  tables                r12  addresses
@
@ Stack: 192 bytes and 100 for registers. Secret: keys, text. Public: lengths, rounds.
    .set DECRYPT_SPILLS, 128
    .set DECRYPT_FRAME, 192

    b       1f
    .balign 4
70: @ Words of a column further, one and three: rows 0 and 2, rows 1 and 3.
    .byte   1, 2, 3, 0, 5, 6, 7, 4, 5, 6, 7, 4, 1, 2, 3, 0
    .byte   3, 0, 1, 2, 7, 4, 5, 6, 7, 4, 5, 6, 3, 0, 1, 2
1:  push    {r4-r11, lr}
    vpush   {d8-d15}
    sub     sp, sp, #DECRYPT_FRAME
    ldr     r4, [sp, #DECRYPT_FRAME + 100]
    adr     r8, 70b
    add     r8, r8, #16
    add     r5, sp, #DECRYPT_SPILLS + 32
    mov     r6, r0
    mov     r7, r1
    mvn     r10, #15
    vmov.i8 q0, #0
    vmov.i8 q1, #0
    mov     r12, sp
    .rept   4
    vst1.8  {d0-d3}, [r12]!
    .endr

10: @ A batch.
    cmp     r4, #0
    beq     60f
    mov     r12, r3
    add     r3, r3, #128
    cmp     r4, #128
    bhs     12f
    sub     r3, r3, #128
    mov     r12, sp
    mov     r1, r4
11: vld1.8  {q0}, [r3]!
    vst1.8  {q0}, [r12]!
    subs    r1, r1, #16
    bne     11b
    mov     r12, sp
12: vld1.8  {q8}, [r6]
    vld4.8  {d0-d3}, [r12]!
    vld4.8  {d4-d7}, [r12]!
    vld4.8  {d8-d11}, [r12]!
    vld4.8  {d12-d15}, [r12]!
    vtrn.32 q0, q1
    vtrn.32 q2, q3
    vtrn.32 q4, q5
    vtrn.32 q6, q7
    .irp    block, q0, q1, q2, q3, q4, q5, q6, q7
    veor    \block, \block, q8
    .endr
    transpose q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10
    add     r0, r6, #128
    mov     r9, r8
    lsr     r1, r7, #1
    bl      80f
20: @ Rounds: first one whose rows stand three columns apart, then pairs.
    before_mix_columns 16
    mix_columns_3
    subs    r1, r1, #1
    bl      80f
    beq     30f
    before_mix_columns 32
    mix_columns_2
    bl      80f
    before_mix_columns 16
    mix_columns_1
    subs    r1, r1, #1
    bl      80f
    beq     30f
    before_mix_columns 32
    mix_columns_0
    bl      80f
    b       20b
30: add_key
    cmp     r7, #12
    beq     31f
    @ Two ShiftRows behind: the rows 1 and 3 stand two columns apart.
    .irp    rows, d1, d3, d5, d7, d9, d11, d13, d15
    vrev32.16 \rows, \rows
    .endr
31: transpose q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10
    vtrn.32 q0, q1
    vtrn.32 q2, q3
    vtrn.32 q4, q5
    vtrn.32 q6, q7
    mov     r12, r2
    add     r2, r2, #128
    cmp     r4, #128
    bhs     32f
    sub     r2, r2, #128
    mov     r12, sp
32: vst4.8  {d0-d3}, [r12]!
    vst4.8  {d4-d7}, [r12]!
    vst4.8  {d8-d11}, [r12]!
    vst4.8  {d12-d15}, [r12]!
    subs    r4, r4, #128
    bhs     10b
    add     r4, r4, #128
    mov     r12, sp
33: vld1.8  {q0}, [r12]!
    vst1.8  {q0}, [r2]!
    subs    r4, r4, #16
    bne     33b

60: @ Nothing stays behind.
    .irp    q, q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15
    vmov.i8 \q, #0
    .endr
    mov     r12, sp
    .rept   DECRYPT_FRAME / 64
    vstmia  r12!, {d0-d7}
    .endr
    add     sp, sp, #DECRYPT_FRAME
    vpop    {d8-d15}
    pop     {r4-r11, pc}

80: @ InvSubBytes, flags left as they are.
    add     r12, sp, #DECRYPT_SPILLS
    inverse_affine
    sub_bytes
    inverse_affine_behind
    bx      lr

    .purgem add_two
    .purgem add_key
    .purgem bit
    .purgem planes_at
    .purgem add_blocks
    .purgem exchange
    .purgem exchange_nibbles
    .purgem transpose
    .purgem sub_bytes
    .purgem behind_sub_bytes
    .purgem from_one
    .purgem inverse_affine
    .purgem inverse_affine_behind
    .purgem before_mix_columns
    .purgem mix_columns_0
    .purgem mix_columns_1
    .purgem mix_columns_2
    .purgem mix_columns_3
