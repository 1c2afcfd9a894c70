@ powers(r0 H, r1 table): the table of macros.s, 216 bytes, from the hash key as GCM writes it.
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

    mov r3, #7
1:                                      @ Each power from the one before.
    products q8, q9, q10
    reduce d0
    veor d22, d20, d21
    vst1.8 {d20-d22}, [r1], r2
    vmov d22, d21
    vmov d23, d20
    subs r3, r3, #1
    bne 1b
    clear_vectors
    bx lr
