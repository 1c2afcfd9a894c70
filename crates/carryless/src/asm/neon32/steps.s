@ Steps: what the last byte of counters is behind the first round.

@ Two of the eight planes with the key of a byte.
.macro add_byte a, b
    vld1.8  {d16[], d17[]}, [r12], r1
    vld1.8  {d18[], d19[]}, [r12], r1
    veor    \a, \a, q8
    veor    \b, \b, q9
.endm

@ A plane of the steps: once, twice, thrice; eight batches at r1, eight at r12.
.macro keep_step once, low, high, twice, tlow, thigh
    veor    q9, \once, \twice
    vst1.8  {\low}, [r1]!
    vst1.8  {\tlow}, [r1]!
    vst1.8  {d18}, [r1]!
    vst1.8  {\high}, [r12]!
    vst1.8  {\thigh}, [r12]!
    vst1.8  {d19}, [r12]!
.endm

@ Adds the step of a batch (numbers in q12) to two planes.
.macro add_steps a, b
    vld1.8  {d16-d18}, [r1]!
    vld1.8  {d20-d22}, [r1]!
    vtbl.8  d26, {d16-d18}, d24
    vtbl.8  d27, {d16-d18}, d25
    vtbl.8  d28, {d20-d22}, d24
    vtbl.8  d29, {d20-d22}, d25
    veor    \a, \a, q13
    veor    \b, \b, q14
.endm
