@ Rounds of decryption in place of those of encryption (FIPS 197 section 5.3.5): behind macros.s.
.purgem pair
.purgem half
.macro pair s, k
    aesd.8 \s, \k
    aesimc.8 \s, \s
.endm
.macro half s, k
    aesd.8 \s, \k
.endm
