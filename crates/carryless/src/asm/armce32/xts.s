@ Beside a block goes its tweak, which is added to it before, too (XTS, IEEE 1619 section 5.3).

@ The polynomial of the carry: of the high half for the low one, and the other way round.
.macro begin
    mov r0, #0x87
    mov r1, #0
    mov r12, #1
    vmov d28, r0, r1
    vmov d29, r12, r1
.endm

@ Adds the tweak, and doubles it.
.macro read_block q, tweak, next
    vld1.8 {\q}, [r3]!
    vshr.s64 q7, \tweak, #63
    vadd.i64 \next, \tweak, \tweak
    vext.8 q7, q7, q7, #8
    veor \q, \q, \tweak
    vand q7, q7, q14
    veor \next, \next, q7
    vst1.8 {\next}, [r8]
.endm

.macro addend tweak
.endm
