@ ctr(args): counter mode over a text of any length (arguments in text.s; table and acc are not looked at).

@ The first round of six blocks, with the `values` for the next six; all else as `cipher` has it then.
.macro first_round
    pair q0, q6
    vld1.8 {q7}, [r9]
    add r0, r9, #16
    add r6, r5, #0
    pair q1, q6
    add r11, r5, #1
    rev r6, r6
    pair q2, q6
    vld1.8 {q6}, [r0]
    rev r11, r11
    pair q3, q7
    add r12, r5, #2
    add lr, r5, #3
    pair q4, q7
    rev r12, r12
    sub r1, r10, #2
    pair q5, q7
    vld1.8 {q7}, [r0]
    add r0, r0, #16
    rev lr, lr
.endm

    ldr r12, [r0, #52]
    cmp r12, #0
    beq 9f
    enter
    arguments
    values
    b 2f
1:
    add_text
    first_round
    b 6f                                @ into the rounds of `cipher`
2:
    cipher
    cmp r4, #96
    bhi 1b
    tail plain
    leave
9:
    bx lr
.purgem first_round
