@ Forgets the names and macros of macros.s: functions share one assembler.
    .irp    name, f0, f1, f2, f3, g0, g1, g2, g3, h0, h1, h2, h3
    .unreq  \name
    .endr
    .purgem transpose
    .purgem transpose_f
    .purgem transpose_g
    .purgem transpose_h
    .purgem group
    .purgem groups
    .purgem spread
    .purgem spread_six
    .purgem enter
    .purgem leave
