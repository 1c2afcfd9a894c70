@ expand(r0 key, r1 its words: 4, 6 or 8, r2 round keys): FIPS 197 section 5.2, 16 (r1 + 7) bytes.
@
@ SubWord is AESE with a zero key on four equal columns, where ShiftRows moves nothing (docs/math.md 7).
@   q0, q1 the last 4 to 8 words   q2, q3 clobbered   q8 round constant   q15 zero

@ The next four words in place of \k, from the word before; with `rotate`, by RotWord and a round constant.
@ Sums of \k are made while SubWord is under way.
.macro next_key k, word, rotate
    vdup.32 q2, \word[1]
    vext.8 q3, q15, \k, #12
    .ifnb \rotate
    ldrb r1, [r3], #1
    vext.8 q2, q2, q2, #1
    vdup.32 q8, r1
    .endif
    veor \k, \k, q3
    aese.8 q2, q15
    vext.8 q3, q15, \k, #8
    veor \k, \k, q3
    .ifnb \rotate
    veor \k, \k, q8
    .endif
    veor \k, \k, q2
.endm

    vmov.i8 q15, #0
    adr r3, 9f
    vld1.8 {q0}, [r0]!
    cmp r1, #6
    beq 6f
    bhi 8f

    mov r12, #10
4:
    vst1.8 {q0}, [r2]!
    next_key q0, d1, rotate
    subs r12, r12, #1
    bne 4b
    vst1.8 {q0}, [r2]
    b 5f

6:                                      @ Six words a step; the last step is four.
    vld1.8 {d2}, [r0]
    mov r12, #8
7:
    vst1.8 {d0-d2}, [r2]!
    next_key q0, d2, rotate
    vshl.i64 d4, d2, #32
    vdup.32 d5, d1[1]
    veor d2, d2, d4
    veor d2, d2, d5
    subs r12, r12, #1
    bne 7b
    vst1.8 {q0}, [r2]
    b 5f

8:                                      @ Eight words a step; the last step is four.
    vld1.8 {q1}, [r0]
    mov r12, #7
    b 2f
1:
    next_key q1, d1
2:
    vst1.8 {d0-d3}, [r2]!
    next_key q0, d3, rotate
    subs r12, r12, #1
    bne 1b
    vst1.8 {q0}, [r2]
5:
    clear q0, q1, q2, q3, q8
    bx lr
    .balign 4
9:
    .byte 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36
    .balign 4
.purgem next_key
