@ A block of GHASH as `products` takes it.
.macro element to, from
    vrev64.8 \to, \from
.endm
