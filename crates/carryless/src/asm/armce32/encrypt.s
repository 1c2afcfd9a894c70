@ encrypt(r0 round keys, r1 rounds, r2 destination, r3 source, [sp] blocks): blocks by themselves (ECB); behind inverse.s decrypt.

@ \op on as many of q0-q5 as the r4 bytes left want.
.macro each op
    \op q0
    cmp r4, #16
    bls .Leach\@
    \op q1
    cmp r4, #32
    bls .Leach\@
    \op q2
    cmp r4, #48
    bls .Leach\@
    \op q3
    cmp r4, #64
    bls .Leach\@
    \op q4
    cmp r4, #80
    bls .Leach\@
    \op q5
.Leach\@:
.endm

.macro read_block q
    vld1.8 {\q}, [r3]!
.endm

@ The last round, with the keys q6 and q7.
.macro write_block q
    half \q, q6
    veor \q, \q, q7
    vst1.8 {\q}, [r2]!
.endm

    ldr r12, [sp]
    push {r3-r11, lr}
    vpush {d8-d15}
    mov r9, r0
    mov r10, r1
    lsls r4, r12, #4
    beq 9f
1:
    vld1.8 {q6}, [r9]
    each read_block
    cipher
    each write_block
    subs r4, r4, #96
    bhi 1b
9:
    clear_vectors
    vpop {d8-d15}
    pop {r3-r11, pc}
.purgem each
.purgem read_block
.purgem write_block
