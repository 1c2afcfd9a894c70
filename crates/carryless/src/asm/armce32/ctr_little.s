@ Beside a block goes its counter block, which is encrypted in its place, and then the text (AES-GCM-SIV, RFC 8452 section 4).

@ One, where the counter is.
.macro begin
    mov r0, #1
    mov r1, #0
    vmov d28, r0, r1
    vmov.i8 d29, #0
.endm

@ Counts.
.macro read_block q, counter, next
    vmov \q, \counter
    vadd.i32 \next, \counter, q14
    vst1.8 {\next}, [r8]
.endm

.macro addend text
    vld1.8 {\text}, [r3]!
.endm
