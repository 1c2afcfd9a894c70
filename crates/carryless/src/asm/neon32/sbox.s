@ SubBytes on eight planes but for the constant 0x63, which is in the round keys: Boyar and Peralta, "A small
@ depth-16 circuit for the AES S-box", with the inverse in GF(2^4) by selects. Names are those of the paper (x0,
@ s0: bit 7).
@
@ The order of the gates is that of the fewest instructions which a search found for sixteen registers: most
@ values that have none are added up again from two that have one; four are stored.
@
@ Takes q0-q7, plane i in q[i]; r5, r12: 32 bytes each, left as they were, r10: -16.
@ Gives planes 0 to 7 in q11, q14, q10, q15, q9, q13, q12, q8. Clobbers q0-q15.
.macro sub_bytes
    veor q10, q7, q1        @ y13
    veor q13, q4, q2        @ y14
    veor q5, q6, q5         @ t0
    veor q11, q10, q13      @ y12
    veor q8, q7, q2         @ y8
    veor q3, q3, q11        @ t1
    veor q15, q5, q0        @ y1
    veor q2, q3, q2         @ y15
    veor q6, q3, q6         @ y20
    vand q3, q11, q2        @ t2
    veor q9, q2, q5         @ y10
    veor q2, q2, q0         @ y6
    veor q12, q7, q4        @ y9
    veor q4, q15, q4        @ y4
    veor q1, q15, q1        @ y5
    veor q7, q15, q7        @ y2
    vand q4, q4, q0         @ t5
    vand q11, q1, q15       @ t8
    veor q14, q6, q12       @ y11
    veor q1, q1, q8         @ y3
    veor q5, q5, q14        @ y16
    vand q15, q12, q14      @ t12
    vand q12, q1, q2        @ t3
    vst1.8 {q2}, [r12]!     @ y6
    veor q2, q9, q14        @ y17
    veor q14, q0, q14       @ y7
    veor q4, q4, q3         @ t6
    vst1.8 {q0}, [r12], r10 @ x7
    vand q0, q13, q2        @ t13
    veor q3, q12, q3        @ t4
    vand q12, q10, q5       @ t7
    veor q0, q0, q15        @ t14
    veor q11, q11, q12      @ t9
    veor q3, q3, q0         @ t17
    veor q0, q11, q0        @ t19
    veor q6, q3, q6         @ t21
    veor q3, q10, q5        @ y21
    vand q11, q7, q14       @ t10
    veor q3, q0, q3         @ t23
    veor q0, q11, q12       @ t11
    vand q11, q8, q9        @ t15
    veor q12, q9, q8        @ y19
    veor q11, q11, q15      @ t16
    veor q0, q0, q11        @ t20
    veor q4, q4, q11        @ t18
    veor q15, q7, q14       @ y18
    veor q4, q4, q12        @ t22
    vand q12, q6, q3        @ t26
    veor q0, q0, q15        @ t24
    veor q15, q0, q12       @ t27
    vmov q11, q4            @ t29
    vbit q11, q6, q15       @ t29
    veor q12, q4, q12       @ t31
    vand q7, q11, q7        @ z14
    vbsl q4, q12, q11       @ m40
    vbsl q12, q3, q0        @ t33
    vst1.8 {q7}, [r5]!      @ z14
    veor q7, q11, q12       @ t42
    vbsl q0, q15, q12       @ m37
    veor q6, q4, q6         @ t40
    veor q4, q8, q13        @ y9
    vand q4, q7, q4         @ z15
    veor q3, q0, q3         @ t37
    veor q0, q9, q2         @ y11
    vand q0, q7, q0         @ z6
    veor q7, q6, q3         @ t41
    veor q15, q5, q14       @ y1
    vand q15, q6, q15       @ z4
    veor q3, q12, q3        @ t44
    vand q14, q11, q14      @ z5
    veor q11, q11, q6       @ t43
    vst1.8 {q14}, [r5]      @ z5
    veor q14, q1, q8        @ y5
    vand q6, q6, q14        @ z13
    vand q9, q7, q9         @ z8
    veor q14, q11, q3       @ t45
    vand q7, q7, q8         @ z17
    veor q8, q5, q2         @ y15
    vand q8, q3, q8         @ z0
    vand q2, q14, q2        @ z7
    vand q5, q11, q5        @ z3
    veor q0, q0, q2         @ t54
    veor q8, q8, q5         @ t53
    veor q0, q5, q0         @ t59
    veor q2, q2, q9         @ t52
    veor q5, q10, q13       @ y12
    veor q9, q5, q1         @ y4
    vand q9, q12, q9        @ z11
    vand q10, q11, q10      @ z12
    vand q13, q14, q13      @ z16
    veor q11, q12, q3       @ t37
    vld1.8 {q14}, [r12]!    @ y6
    vand q14, q11, q14      @ z1
    vand q1, q11, q1        @ z10
    vand q5, q3, q5         @ z9
    vld1.8 {q3}, [r12], r10 @ x7
    vand q3, q12, q3        @ z2
    veor q7, q13, q7        @ t55
    veor q12, q3, q10       @ t50
    veor q5, q5, q1         @ t49
    veor q4, q4, q13        @ t46
    veor q13, q12, q8       @ t57
    veor q11, q15, q4       @ t58
    veor q1, q1, q9         @ t47
    vld1.8 {q9}, [r5], r10  @ z5
    veor q3, q3, q9         @ t51
    veor q6, q9, q6         @ t48
    veor q5, q5, q11        @ t63
    veor q10, q10, q6       @ t56
    veor q2, q2, q11        @ t62
    veor q4, q4, q13        @ t60
    veor q11, q14, q5       @ t66
    veor q12, q15, q0       @ t64
    veor q9, q8, q11        @ s3
    veor q14, q10, q2       @ s6
    vld1.8 {q15}, [r5]      @ z14
    veor q13, q15, q13      @ t61
    veor q8, q0, q5         @ s0
    veor q15, q3, q11       @ s4
    veor q5, q13, q2        @ t65
    veor q11, q6, q4        @ s7
    veor q0, q12, q5        @ t67
    veor q10, q1, q5        @ s5
    veor q13, q7, q0        @ s2
    veor q12, q12, q9       @ s1
.endm

@ What comes of sub_bytes, as arguments.
.macro behind_sub_bytes do, rest:vararg
    \do q11, q14, q10, q15, q9, q13, q12, q8 \rest
.endm

@ Planes of sub_bytes to q0-q7, to each position what that at \at has is added. \at is d15.
.macro from_one at
    vtbl.8  d0, {d22, d23}, \at
    vtbl.8  d1, {d22, d23}, \at
    veor    q0, q0, q11
    vtbl.8  d2, {d28, d29}, \at
    vtbl.8  d3, {d28, d29}, \at
    veor    q1, q1, q14
    vtbl.8  d4, {d20, d21}, \at
    vtbl.8  d5, {d20, d21}, \at
    veor    q2, q2, q10
    vtbl.8  d6, {d30, d31}, \at
    vtbl.8  d7, {d30, d31}, \at
    veor    q3, q3, q15
    vtbl.8  d8, {d18, d19}, \at
    vtbl.8  d9, {d18, d19}, \at
    veor    q4, q4, q9
    vtbl.8  d10, {d26, d27}, \at
    vtbl.8  d11, {d26, d27}, \at
    veor    q5, q5, q13
    vtbl.8  d12, {d24, d25}, \at
    vtbl.8  d13, {d24, d25}, \at
    veor    q6, q6, q12
    vtbl.8  d14, {d16, d17}, \at
    vtbl.8  d15, {d16, d17}, \at
    veor    q7, q7, q8
.endm
