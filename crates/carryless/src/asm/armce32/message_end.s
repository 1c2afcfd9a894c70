@ Forgets the macros of message.s.
.purgem hash_round
.purgem turn
.purgem header
.purgem finish
.purgem message
