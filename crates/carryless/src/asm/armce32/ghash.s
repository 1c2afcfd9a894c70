@ ghash(r0 table, r1 acc, r2 data, r3 length, less than 2^31 bytes): acc = (acc + block) H for each block of the data, the last
@ one filled up with zeros. Eight blocks a group, which one reduction ends; fewer start at a lower power. Behind big.s. Behind
@ little.s it is POLYVAL by GHASH (RFC 8452 appendix A), whose table and acc these are.
@
@   r2 next block         r4 where whole blocks end      q11 this block, `element`; q0 the next
@   r3 blocks left        r5 of this group, r6 next row  d28-d30 row
@ Behind the whole blocks the frame is read: the last bytes, or what is not used.

@ Where the next block is: behind the whole blocks, in the frame.
.macro locate
    cmp r2, r4
    bne .Lwhole\@
    mov r2, sp
    add r4, sp, #16
.Lwhole\@:
.endm

    cmp r3, #0
    beq 9f
    push {r4-r6, lr}
    sub sp, sp, #16
    bic r12, r3, #15
    add r4, r2, r12
    ands r12, r3, #15
    beq 1f
    clear q0
    vst1.8 {q0}, [sp]
    mov r5, sp
    mov r6, r4
    copy r5, r6, r3, r12
1:
    add r3, r3, #15
    lsr r3, r3, #4
    vld1.8 {q10}, [r1]
    vrev64.8 q10, q10
    vswp d20, d21
    locate
    vld1.8 {q11}, [r2]!
    locate
    vld1.8 {q0}, [r2]!
    element q11, q11
2:
    clear q8, q9
    mov r5, #8
    cmp r3, #8
    bhs 3f
    mov r5, r3
3:
    sub r3, r3, r5
    add r6, r0, #192
    add r12, r5, r5, lsl #1
    sub r6, r6, r12, lsl #3
    vld1.8 {d28-d30}, [r6]!
    veor d22, d22, d21
    veor d23, d23, d20
    clear q10
4:
    veor d31, d22, d23
    vmull.p64 q12, d23, d28
    locate
    vmull.p64 q13, d22, d29
    subs r5, r5, #1
    vmull.p64 q3, d31, d30
    vld1.8 {d28-d30}, [r6]!             @ At last the row with the fold constant.
    element q11, q0
    vld1.8 {q0}, [r2]!
    accumulate q3
    bne 4b
    reduce
    cmp r3, #0
    bne 2b
    vswp d20, d21
    vrev64.8 q10, q10
    vst1.8 {q10}, [r1]
    clear_vectors
    vst1.8 {q0}, [sp]
    add sp, sp, #16
    pop {r4-r6, pc}
9:
    bx lr
.purgem locate
.purgem element
