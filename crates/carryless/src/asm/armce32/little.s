@ A block of POLYVAL, which is that of GHASH reversed (RFC 8452 appendix A), as `products` takes it.
.macro element to, from
    vext.8 \to, \from, \from, #8
.endm
