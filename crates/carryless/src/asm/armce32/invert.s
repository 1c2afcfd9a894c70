@ invert(r0 round keys, r1 rounds): their order reversed, and InvMixColumns of all but the first and the last (FIPS 197 section 5.3.5).
    add r1, r0, r1, lsl #4
    vld1.8 {q0}, [r0]
    vld1.8 {q1}, [r1]
    b 2f
1:                                      @ The number of keys is odd: both ends meet.
    vld1.8 {q0}, [r0]
    vld1.8 {q1}, [r1]
    aesimc.8 q0, q0
    aesimc.8 q1, q1
2:
    vst1.8 {q1}, [r0]!
    vst1.8 {q0}, [r1]
    sub r1, r1, #16
    cmp r0, r1
    bls 1b
    clear q0, q1
    bx lr
