@ What all functions of this module begin with. Instructions are those of ARMv7-A with NEON; ARMv8-A is said to the assembler as whoever
@ comes behind may have more.
    .syntax unified
    .arch armv8-a
    .fpu neon
    @ What the program needs is for the rest of it to say: this is run where it is there.
    .object_arch armv4t
