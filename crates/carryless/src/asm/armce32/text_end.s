@ Forgets the macros of text.s.
.purgem enter
.purgem arguments
.purgem leave
.purgem value
.purgem values
.purgem lanes
.purgem cipher
.purgem add_text
.purgem tail
