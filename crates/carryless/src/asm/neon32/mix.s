@ MixColumns and AddRoundKey on planes of 8 blocks; rows stand as a state that is n ShiftRows behind has them
@ (fixslicing, ePrint 2020/1123). Words of a plane are the rows 0, 2, 1, 3. For plane i:
@   u = the rows below by one, c = plane + u,
@   result = u + c[i - 1] (+ c[7] for i = 1, 3, 4) + (c two rows below) + key.
@
@ Takes planes as sub_bytes gives them, r0: the round key, advances, r9: order of bytes, to and fro, r10: -16.
@ Gives planes in q0-q7.

@ Rows stand in their columns.
.macro mix_columns_0
    vmov d14, d17           @ u7
    vrev64.32 d15, d16      @ u7
    vmov d0, d23            @ u0
    vrev64.32 d1, d22       @ u0
    veor q8, q8, q7         @ c7
    veor q11, q11, q0       @ c0
    vmov d2, d29            @ u1
    vrev64.32 d3, d28       @ u1
    vrev64.32 q5, q11       @ c0, two rows below
    veor q14, q14, q1       @ c1
    vld1.8 {d4-d7}, [r0]!   @ key 0, 1
    veor q0, q0, q8         @ 0 += c7
    vrev64.32 q4, q14       @ c1, two rows below
    veor q1, q1, q11        @ 1 += c0
    veor q0, q0, q5         @ 0 += c0 below
    veor q1, q1, q8         @ 1 += c7
    veor q0, q0, q2         @ 0 += key
    veor q1, q1, q4         @ 1 += c1 below
    vmov d4, d21            @ u2
    vrev64.32 d5, d20       @ u2
    veor q1, q1, q3         @ 1 += key
    veor q10, q10, q2       @ c2
    vmov d6, d31            @ u3
    vrev64.32 d7, d30       @ u3
    vrev64.32 q11, q10      @ c2, two rows below
    veor q15, q15, q3       @ c3
    veor q2, q2, q14        @ 2 += c1
    vld1.8 {d8-d11}, [r0]!  @ key 2, 3
    vrev64.32 q14, q15      @ c3, two rows below
    veor q3, q3, q10        @ 3 += c2
    veor q2, q2, q11        @ 2 += c2 below
    veor q3, q3, q8         @ 3 += c7
    veor q2, q2, q4         @ 2 += key
    veor q3, q3, q14        @ 3 += c3 below
    vmov d8, d19            @ u4
    vrev64.32 d9, d18       @ u4
    veor q3, q3, q5         @ 3 += key
    vmov d10, d27           @ u5
    veor q9, q9, q4         @ c4
    vrev64.32 d11, d26      @ u5
    veor q4, q4, q15        @ 4 += c3
    vrev64.32 q14, q9       @ c4, two rows below
    veor q13, q13, q5       @ c5
    vld1.8 {d20-d23}, [r0]! @ key 4, 5
    vrev64.32 q15, q13      @ c5, two rows below
    veor q4, q4, q8         @ 4 += c7
    veor q5, q5, q9         @ 5 += c4
    veor q4, q4, q14        @ 4 += c4 below
    vmov d18, d25           @ u6
    veor q5, q5, q15        @ 5 += c5 below
    vrev64.32 d19, d24      @ u6
    veor q4, q4, q10        @ 4 += key
    veor q5, q5, q11        @ 5 += key
    veor q12, q12, q9       @ c6
    vrev64.32 q15, q8       @ c7, two rows below
    vld1.8 {d20-d23}, [r0]! @ key 6, 7
    veor q9, q9, q13        @ 6 += c5
    vrev64.32 q14, q12      @ c6, two rows below
    veor q7, q7, q12        @ 7 += c6
    veor q9, q9, q14        @ 6 += c6 below
    veor q7, q7, q15        @ 7 += c7 below
    veor q6, q9, q10        @ 6 += key
    veor q7, q7, q11        @ 7 += key
.endm

@ Rows stand 1 columns apart.
.macro mix_columns_1
    vld1.8 {q6}, [r9]!      @ order of bytes
    vtbl.8 d14, {d17}, d12  @ u7
    vtbl.8 d15, {d16}, d13  @ u7
    vtbl.8 d0, {d23}, d12   @ u0
    vtbl.8 d1, {d22}, d13   @ u0
    veor q8, q8, q7         @ c7
    veor q11, q11, q0       @ c0
    vtbl.8 d2, {d29}, d12   @ u1
    vtbl.8 d3, {d28}, d13   @ u1
    vrev64.16 q5, q11       @ c0, two rows below
    veor q14, q14, q1       @ c1
    vld1.8 {d4-d7}, [r0]!   @ key 0, 1
    veor q0, q0, q8         @ 0 += c7
    vrev64.16 q4, q14       @ c1, two rows below
    veor q1, q1, q11        @ 1 += c0
    veor q0, q0, q5         @ 0 += c0 below
    veor q1, q1, q8         @ 1 += c7
    veor q0, q0, q2         @ 0 += key
    veor q1, q1, q4         @ 1 += c1 below
    vtbl.8 d4, {d21}, d12   @ u2
    vtbl.8 d5, {d20}, d13   @ u2
    veor q1, q1, q3         @ 1 += key
    veor q10, q10, q2       @ c2
    vtbl.8 d6, {d31}, d12   @ u3
    vtbl.8 d7, {d30}, d13   @ u3
    vrev64.16 q11, q10      @ c2, two rows below
    veor q15, q15, q3       @ c3
    veor q2, q2, q14        @ 2 += c1
    vld1.8 {d8-d11}, [r0]!  @ key 2, 3
    vrev64.16 q14, q15      @ c3, two rows below
    veor q3, q3, q10        @ 3 += c2
    veor q2, q2, q11        @ 2 += c2 below
    veor q3, q3, q8         @ 3 += c7
    veor q2, q2, q4         @ 2 += key
    veor q3, q3, q14        @ 3 += c3 below
    vtbl.8 d8, {d19}, d12   @ u4
    vtbl.8 d9, {d18}, d13   @ u4
    veor q3, q3, q5         @ 3 += key
    vtbl.8 d10, {d27}, d12  @ u5
    veor q9, q9, q4         @ c4
    vtbl.8 d11, {d26}, d13  @ u5
    veor q4, q4, q15        @ 4 += c3
    vrev64.16 q14, q9       @ c4, two rows below
    veor q13, q13, q5       @ c5
    vld1.8 {d20-d23}, [r0]! @ key 4, 5
    vrev64.16 q15, q13      @ c5, two rows below
    veor q4, q4, q8         @ 4 += c7
    veor q5, q5, q9         @ 5 += c4
    veor q4, q4, q14        @ 4 += c4 below
    vtbl.8 d18, {d25}, d12  @ u6
    veor q5, q5, q15        @ 5 += c5 below
    vtbl.8 d19, {d24}, d13  @ u6
    veor q4, q4, q10        @ 4 += key
    veor q5, q5, q11        @ 5 += key
    veor q12, q12, q9       @ c6
    vrev64.16 q15, q8       @ c7, two rows below
    vld1.8 {d20-d23}, [r0]! @ key 6, 7
    veor q9, q9, q13        @ 6 += c5
    vrev64.16 q14, q12      @ c6, two rows below
    veor q7, q7, q12        @ 7 += c6
    veor q9, q9, q14        @ 6 += c6 below
    veor q7, q7, q15        @ 7 += c7 below
    veor q6, q9, q10        @ 6 += key
    veor q7, q7, q11        @ 7 += key
.endm

@ Rows stand 2 columns apart.
.macro mix_columns_2
    vrev32.16 d14, d17      @ u7
    vrev64.16 d15, d16      @ u7
    vrev32.16 d0, d23       @ u0
    vrev64.16 d1, d22       @ u0
    veor q8, q8, q7         @ c7
    veor q11, q11, q0       @ c0
    vrev32.16 d2, d29       @ u1
    vrev64.16 d3, d28       @ u1
    vrev64.32 q5, q11       @ c0, two rows below
    veor q14, q14, q1       @ c1
    vld1.8 {d4-d7}, [r0]!   @ key 0, 1
    veor q0, q0, q8         @ 0 += c7
    vrev64.32 q4, q14       @ c1, two rows below
    veor q1, q1, q11        @ 1 += c0
    veor q0, q0, q5         @ 0 += c0 below
    veor q1, q1, q8         @ 1 += c7
    veor q0, q0, q2         @ 0 += key
    veor q1, q1, q4         @ 1 += c1 below
    vrev32.16 d4, d21       @ u2
    vrev64.16 d5, d20       @ u2
    veor q1, q1, q3         @ 1 += key
    veor q10, q10, q2       @ c2
    vrev32.16 d6, d31       @ u3
    vrev64.16 d7, d30       @ u3
    vrev64.32 q11, q10      @ c2, two rows below
    veor q15, q15, q3       @ c3
    veor q2, q2, q14        @ 2 += c1
    vld1.8 {d8-d11}, [r0]!  @ key 2, 3
    vrev64.32 q14, q15      @ c3, two rows below
    veor q3, q3, q10        @ 3 += c2
    veor q2, q2, q11        @ 2 += c2 below
    veor q3, q3, q8         @ 3 += c7
    veor q2, q2, q4         @ 2 += key
    veor q3, q3, q14        @ 3 += c3 below
    vrev32.16 d8, d19       @ u4
    vrev64.16 d9, d18       @ u4
    veor q3, q3, q5         @ 3 += key
    vrev32.16 d10, d27      @ u5
    veor q9, q9, q4         @ c4
    vrev64.16 d11, d26      @ u5
    veor q4, q4, q15        @ 4 += c3
    vrev64.32 q14, q9       @ c4, two rows below
    veor q13, q13, q5       @ c5
    vld1.8 {d20-d23}, [r0]! @ key 4, 5
    vrev64.32 q15, q13      @ c5, two rows below
    veor q4, q4, q8         @ 4 += c7
    veor q5, q5, q9         @ 5 += c4
    veor q4, q4, q14        @ 4 += c4 below
    vrev32.16 d18, d25      @ u6
    veor q5, q5, q15        @ 5 += c5 below
    vrev64.16 d19, d24      @ u6
    veor q4, q4, q10        @ 4 += key
    veor q5, q5, q11        @ 5 += key
    veor q12, q12, q9       @ c6
    vrev64.32 q15, q8       @ c7, two rows below
    vld1.8 {d20-d23}, [r0]! @ key 6, 7
    veor q9, q9, q13        @ 6 += c5
    vrev64.32 q14, q12      @ c6, two rows below
    veor q7, q7, q12        @ 7 += c6
    veor q9, q9, q14        @ 6 += c6 below
    veor q7, q7, q15        @ 7 += c7 below
    veor q6, q9, q10        @ 6 += key
    veor q7, q7, q11        @ 7 += key
.endm

@ Rows stand 3 columns apart.
.macro mix_columns_3
    vld1.8 {q6}, [r9], r10  @ order of bytes
    vtbl.8 d14, {d17}, d12  @ u7
    vtbl.8 d15, {d16}, d13  @ u7
    vtbl.8 d0, {d23}, d12   @ u0
    vtbl.8 d1, {d22}, d13   @ u0
    veor q8, q8, q7         @ c7
    veor q11, q11, q0       @ c0
    vtbl.8 d2, {d29}, d12   @ u1
    vtbl.8 d3, {d28}, d13   @ u1
    vrev64.16 q5, q11       @ c0, two rows below
    veor q14, q14, q1       @ c1
    vld1.8 {d4-d7}, [r0]!   @ key 0, 1
    veor q0, q0, q8         @ 0 += c7
    vrev64.16 q4, q14       @ c1, two rows below
    veor q1, q1, q11        @ 1 += c0
    veor q0, q0, q5         @ 0 += c0 below
    veor q1, q1, q8         @ 1 += c7
    veor q0, q0, q2         @ 0 += key
    veor q1, q1, q4         @ 1 += c1 below
    vtbl.8 d4, {d21}, d12   @ u2
    vtbl.8 d5, {d20}, d13   @ u2
    veor q1, q1, q3         @ 1 += key
    veor q10, q10, q2       @ c2
    vtbl.8 d6, {d31}, d12   @ u3
    vtbl.8 d7, {d30}, d13   @ u3
    vrev64.16 q11, q10      @ c2, two rows below
    veor q15, q15, q3       @ c3
    veor q2, q2, q14        @ 2 += c1
    vld1.8 {d8-d11}, [r0]!  @ key 2, 3
    vrev64.16 q14, q15      @ c3, two rows below
    veor q3, q3, q10        @ 3 += c2
    veor q2, q2, q11        @ 2 += c2 below
    veor q3, q3, q8         @ 3 += c7
    veor q2, q2, q4         @ 2 += key
    veor q3, q3, q14        @ 3 += c3 below
    vtbl.8 d8, {d19}, d12   @ u4
    vtbl.8 d9, {d18}, d13   @ u4
    veor q3, q3, q5         @ 3 += key
    vtbl.8 d10, {d27}, d12  @ u5
    veor q9, q9, q4         @ c4
    vtbl.8 d11, {d26}, d13  @ u5
    veor q4, q4, q15        @ 4 += c3
    vrev64.16 q14, q9       @ c4, two rows below
    veor q13, q13, q5       @ c5
    vld1.8 {d20-d23}, [r0]! @ key 4, 5
    vrev64.16 q15, q13      @ c5, two rows below
    veor q4, q4, q8         @ 4 += c7
    veor q5, q5, q9         @ 5 += c4
    veor q4, q4, q14        @ 4 += c4 below
    vtbl.8 d18, {d25}, d12  @ u6
    veor q5, q5, q15        @ 5 += c5 below
    vtbl.8 d19, {d24}, d13  @ u6
    veor q4, q4, q10        @ 4 += key
    veor q5, q5, q11        @ 5 += key
    veor q12, q12, q9       @ c6
    vrev64.16 q15, q8       @ c7, two rows below
    vld1.8 {d20-d23}, [r0]! @ key 6, 7
    veor q9, q9, q13        @ 6 += c5
    vrev64.16 q14, q12      @ c6, two rows below
    veor q7, q7, q12        @ 7 += c6
    veor q9, q9, q14        @ 6 += c6 below
    veor q7, q7, q15        @ 7 += c7 below
    veor q6, q9, q10        @ 6 += key
    veor q7, q7, q11        @ 7 += key
.endm
