@ chain(r0 round keys, r1 rounds, r2 chain, r3 destination or null, [sp] source, [sp + 4] blocks): encrypts a chain of blocks (CBC, SP 800-38A
@ section 6.2), of which only the last stays if there is no destination (CBC-MAC). A block waits for the one before, so keys come
@ from memory meanwhile, for any number of rounds.
    push {r4-r6, lr}
    ldr r12, [sp, #16]
    ldr r4, [sp, #20]
    vld1.8 {q0}, [r2]
    lsr r1, r1, #1
    sub r1, r1, #1
1:
    subs r4, r4, #1
    blo 9f
    vld1.8 {q1}, [r12]!
    veor q0, q0, q1
    mov r5, r0
    mov r6, r1
2:
    vld1.8 {q2-q3}, [r5]!
    pair q0, q2
    pair q0, q3
    subs r6, r6, #1
    bne 2b
    vld1.8 {q2-q3}, [r5]!
    vld1.8 {q1}, [r5]
    pair q0, q2
    half q0, q3
    veor q0, q0, q1
    cmp r3, #0
    beq 1b
    vst1.8 {q0}, [r3]!
    b 1b
9:
    vst1.8 {q0}, [r2]
    clear q0, q1, q2, q3
    pop {r4-r6, pc}
