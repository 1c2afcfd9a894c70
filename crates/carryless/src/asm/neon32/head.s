@ What all functions of this module begin with: ARMv7-A with NEON, and nothing of the later extensions.
    .syntax unified
    .arch armv7-a
    .fpu neon
