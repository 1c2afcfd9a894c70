@ What the AES and GHASH functions for ARMv8 CPUs in AArch32 state have in common.
@
@ An element of GF(2^128) is the byte-reversed block of GCM; powers of H are twisted (docs/math.md 1, 2).
@ Products are summed up by Karatsuba's form and reduced together:
@   q8 low halves, q9 sums of halves, q10 high halves; after `reduce` q10 is the element, d20 its low half.
@ A block reversed in its halves by vrev64.8 has the *high* half in the lower d register: d22; the low in d23.
@ Table of H: nine rows of 24 bytes as vst1.8 writes three d registers:
@   H^8 .. H^1, each low half, high half, sum of both; then the fold constant 0xc2 << 56, 0, 0.
@
@ Memory is reached by vld1.8 and vst1.8 alone, which fill registers alike on both endiannesses.
.syntax unified
.arch armv8-a
.fpu crypto-neon-fp-armv8
@ What the program needs is for the rest of it to say: this is run where it is there.
.object_arch armv4t

@ One round of \s with the key \k before it. The two belong together: CPUs fuse them.
.macro pair s, k
    aese.8 \s, \k
    aesmc.8 \s, \s
.endm

@ The last one, without the key behind it.
.macro half s, k
    aese.8 \s, \k
.endm

@ Products of the block q11 with the row d28-d30: low q12, high q13, middle \mi. Clobbers d31.
.macro products lo=q12, mi=q11, hi=q13
    veor d31, d22, d23
    vmull.p64 \lo, d23, d28
    vmull.p64 \hi, d22, d29
    vmull.p64 \mi, d31, d30
.endm

@ Adds products to the sums.
.macro accumulate mi=q11
    veor q8, q8, q12
    veor q10, q10, q13
    veor q9, q9, \mi
.endm

@ The element that the sums stand for, in q10; \c is the fold constant. Clobbers q8, q9, q12.
@ Two folds of a low half: docs/math.md 2.
.macro reduce c=d28
    vmull.p64 q12, d16, \c
    veor q9, q9, q8
    veor q9, q9, q10
    veor d18, d18, d17
    veor d19, d19, d16
    veor q9, q9, q12
    vmull.p64 q12, d18, \c
    veor d20, d20, d19
    veor d21, d21, d18
    veor q10, q10, q12
.endm

@ Copies \n mod 16 bytes from \from to \to, both moved on. Clobbers \t, \d, flags.
@ Byte by byte below eight, as larger elements may have to be aligned.
.macro copy to, from, n, t, d=d0
    tst \n, #8
    beq .Lfew\@
    vld1.8 {\d}, [\from]!
    vst1.8 {\d}, [\to]!
.Lfew\@:
    tst \n, #4
    beq .Lbytes\@
    vld1.8 {\d[0]}, [\from]!
    vld1.8 {\d[1]}, [\from]!
    vld1.8 {\d[2]}, [\from]!
    vld1.8 {\d[3]}, [\from]!
    vst1.8 {\d[0]}, [\to]!
    vst1.8 {\d[1]}, [\to]!
    vst1.8 {\d[2]}, [\to]!
    vst1.8 {\d[3]}, [\to]!
.Lbytes\@:
    ands \t, \n, #3
    beq .Lcopied\@
.Lbyte\@:
    vld1.8 {\d[0]}, [\from]!
    subs \t, \t, #1
    vst1.8 {\d[0]}, [\to]!
    bne .Lbyte\@
.Lcopied\@:
.endm

@ Clears registers.
.macro clear registers:vararg
    .irp q, \registers
    vmov.i8 \q, #0
    .endr
.endm

@ Clears the vector registers that a function may leave to its caller with anything in them.
.macro clear_vectors
    clear q0, q1, q2, q3, q8, q9, q10, q11, q12, q13, q14, q15
.endm
