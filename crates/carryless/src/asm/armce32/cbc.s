@ Beside a block goes the one before (CBC, SP 800-38A section 6.2): decryption.

.macro begin
.endm

@ Keeps the block for the next.
.macro read_block q, before, block
    vld1.8 {\q}, [r3]!
    vmov \block, \q
    vst1.8 {\q}, [r8]
.endm

.macro addend before
.endm
