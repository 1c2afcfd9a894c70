@ Blocks to planes and back.

@ Exchanges bits of \a and \b that are \n apart: those of \b that \m has go where those of \a lie that it has
@ not. Clobbers \t, \u.
.macro exchange n, a, b, m, t, u
    vshl.u8 \t, \b, #\n
    vshr.u8 \u, \a, #\n
    vbif    \a, \t, \m
    vbit    \b, \u, \m
.endm

@ The same for halves of bytes.
.macro exchange_nibbles a, b, t
    vmov    \t, \a
    vsli.8  \a, \b, #4
    vsri.8  \b, \t, #4
.endm

@ Transposes the 8 x 8 bits of each byte position: planes to blocks and blocks to planes, in place.
@ Clobbers \m, \t, \u.
.macro transpose a, b, c, d, e, f, g, h, m, t, u
    vmov.i8 \m, #0x55
    exchange 1, \a, \b, \m, \t, \u
    exchange 1, \c, \d, \m, \t, \u
    exchange 1, \e, \f, \m, \t, \u
    exchange 1, \g, \h, \m, \t, \u
    vmov.i8 \m, #0x33
    exchange 2, \a, \c, \m, \t, \u
    exchange 2, \b, \d, \m, \t, \u
    exchange 2, \e, \g, \m, \t, \u
    exchange 2, \f, \h, \m, \t, \u
    exchange_nibbles \a, \e, \t
    exchange_nibbles \b, \f, \u
    exchange_nibbles \c, \g, \t
    exchange_nibbles \d, \h, \u
.endm

@ Adds two vectors of a round key.
.macro add_two a, b
    vld1.8  {d16-d19}, [r0]!
    veor    \a, \a, q8
    veor    \b, \b, q9
.endm

.macro add_key
    add_two q0, q1
    add_two q2, q3
    add_two q4, q5
    add_two q6, q7
.endm

@ Plane of a bit of all blocks.
.macro bit plane, blocks, mask, t
    vmov.i8  \t, #\mask
    vtst.8   \plane, \blocks, \t
.endm

@ The planes q0-q7 at r12, or from there.
.macro planes_at op
    \op\().8 {d0-d3}, [r12]!
    \op\().8 {d4-d7}, [r12]!
    \op\().8 {d8-d11}, [r12]!
    \op\().8 {d12-d15}, [r12]!
.endm

@ Adds the last round key to what sub_bytes has left as blocks, and two blocks at a time to the text at r12,
@ to r1.
.macro add_blocks a, b, c, d, e, f, g, h
    vld1.8  {q7}, [r0]
    vld4.8  {d0-d3}, [r12]!
    .irp block, \a, \b, \c, \d, \e, \f, \g, \h
    veor    \block, \block, q7
    .endr
    vld4.8  {d4-d7}, [r12]!
    vtrn.32 \a, \b
    vld4.8  {d8-d11}, [r12]!
    vtrn.32 \c, \d
    vld4.8  {d12-d15}, [r12]!
    vtrn.32 \e, \f
    vtrn.32 \g, \h
    veor    q0, q0, \a
    veor    q1, q1, \b
    veor    q2, q2, \c
    veor    q3, q3, \d
    vst4.8  {d0-d3}, [r1]!
    veor    q4, q4, \e
    veor    q5, q5, \f
    vst4.8  {d4-d7}, [r1]!
    veor    q6, q6, \g
    veor    q7, q7, \h
    vst4.8  {d8-d11}, [r1]!
    vst4.8  {d12-d15}, [r1]!
.endm
