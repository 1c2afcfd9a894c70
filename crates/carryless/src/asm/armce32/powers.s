@ powers(r0 H, r1 table): the table of macros.s, 216 bytes, from the hash key as GCM writes it.
@
@ From H^3 on each power is H^2 times the one two before: two chains, each under the latency of the other.
@   odd powers: halves d22 high, d23 low, products and sums as in macros.s; even ones: d6, d7, products q2 low,
@   q13 middle, q1 high, of which q11 is the fold
    vmov.i8 d0, #0xc2                   @ Row behind the powers: the fold constant.
    vmov.i8 d1, #0
    vmov.i8 d2, #0
    vshl.i64 d0, d0, #56
    add r1, r1, #192
    mvn r2, #23
    vst1.8 {d0-d2}, [r1], r2

    vld1.8 {q11}, [r0]                  @ H times x, the twist: d22 high half, d23 low half.
    vrev64.8 q11, q11
    vshr.u64 q8, q11, #63
    vshr.s64 d18, d22, #63
    vand d18, d18, d0
    vshl.i64 q11, q11, #1
    veor d23, d23, d16
    veor d22, d22, d17
    veor d22, d22, d18
    vmov d28, d23
    vmov d29, d22
    veor d30, d22, d23
    vst1.8 {d28-d30}, [r1], r2

    products q8, q9, q10                @ H^2: what it is multiplied by from here on.
    reduce d0
    vmov d28, d20
    vmov d29, d21
    veor d30, d20, d21
    vst1.8 {d28-d30}, [r1], r2
    vmov d6, d21
    vmov d7, d20
    mov r3, #3
1:
    veor d1, d6, d7
    products q8, q9, q10
    vmull.p64 q2, d7, d28
    vmull.p64 q1, d6, d29
    vmull.p64 q13, d1, d30
    vmull.p64 q12, d16, d0
    veor q9, q9, q8
    vmull.p64 q11, d4, d0
    veor q13, q13, q2
    veor q9, q9, q10
    veor q13, q13, q1
    veor d18, d18, d17
    veor d26, d26, d5
    veor d19, d19, d16
    veor d27, d27, d4
    veor q9, q9, q12
    veor q13, q13, q11
    vmull.p64 q12, d18, d0
    vmull.p64 q11, d26, d0
    veor d20, d20, d19
    veor d2, d2, d27
    veor d21, d21, d18
    veor d3, d3, d26
    veor q10, q10, q12
    veor q1, q1, q11
    veor d22, d20, d21
    veor d4, d2, d3
    vst1.8 {d20-d22}, [r1], r2
    vmov d22, d21
    vmov d23, d20
    vst1.8 {d2-d4}, [r1], r2
    vmov d6, d3
    vmov d7, d2
    subs r3, r3, #1
    bne 1b
    clear_vectors
    bx lr
