@ Forgets the macros of macros.s: functions share one assembler.
.purgem pair
.purgem half
.purgem products
.purgem accumulate
.purgem reduce
.purgem copy
.purgem clear_vectors
.purgem clear
