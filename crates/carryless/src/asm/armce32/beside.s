@ encrypt_xts, decrypt_xts, decrypt_cbc, ctr_little(r0 round keys, r1 rounds, r2 beside, r3 destination, [sp] source, [sp + 4] blocks): blocks by
@ themselves, behind xts.s, cbc.s or ctr_little.s. Beside each goes another block, made from that beside the one before; it, or the text in its
@ place, is added behind the last round. r2 holds the first, and afterwards the one behind the last.
@
@ `begin` may change r0, r1 and r12, `read_block` q7.
@   r2 destination    r4 bytes left               q0-q5 states             q8-q13 beside them, q15 beside the next turn's first
@   r3 source         r8 beside                   q6, q7 round keys        q14 of `begin`
@   r0, r1 of text.s  r9 round keys, r10 rounds

@ \op on as many of q0-q5 as the r4 bytes left want, with what goes beside, and beside the next.
.macro each op
    \op q0, q8, q9
    cmp r4, #16
    bls .Leach\@
    \op q1, q9, q10
    cmp r4, #32
    bls .Leach\@
    \op q2, q10, q11
    cmp r4, #48
    bls .Leach\@
    \op q3, q11, q12
    cmp r4, #64
    bls .Leach\@
    \op q4, q12, q13
    cmp r4, #80
    bls .Leach\@
    \op q5, q13, q15
.Leach\@:
.endm

@ The last round, with the keys q6 and q7.
.macro write_block q, beside, next
    half \q, q6
    veor \q, \q, q7
    addend \beside
    veor \q, \q, \beside
    vst1.8 {\q}, [r2]!
.endm

    push {r3-r11, lr}
    ldr r12, [sp, #40]
    ldr r4, [sp, #44]
    vpush {d8-d15}
    mov r9, r0
    mov r10, r1
    mov r8, r2
    mov r2, r3
    mov r3, r12
    lsls r4, r4, #4
    beq 9f
    begin
    vld1.8 {q15}, [r8]
1:
    vmov q8, q15
    each read_block
    vld1.8 {q6}, [r9]
    cipher
    each write_block
    subs r4, r4, #96
    bhi 1b
9:
    clear_vectors
    vpop {d8-d15}
    pop {r3-r11, pc}
.purgem each
.purgem begin
.purgem read_block
.purgem addend
.purgem write_block
