"""Encapsulation of ML-KEM-768 (FIPS 203) with a given message, which pyca does not take: vectors are the same at every run.

Key generation and decapsulation are pyca's, which opens what this makes.
"""

import hashlib

Q, N, K = 3329, 256, 3
ETA = 2
DU, DV = 10, 4


def reversed_bits(number):
    return int(f"{number:07b}"[::-1], 2)


ZETAS = [pow(17, reversed_bits(i), Q) for i in range(128)]
GAMMAS = [pow(17, 2 * reversed_bits(i) + 1, Q) for i in range(128)]


def ntt(f):
    """Algorithm 9."""
    f, i, length = list(f), 1, 128
    while length >= 2:
        for start in range(0, N, 2 * length):
            for j in range(start, start + length):
                t = ZETAS[i] * f[j + length]
                f[j + length], f[j] = (f[j] - t) % Q, (f[j] + t) % Q
            i += 1
        length //= 2
    return f


def inverse_ntt(f):
    """Algorithm 10."""
    f, i, length = list(f), 127, 2
    while length <= 128:
        for start in range(0, N, 2 * length):
            for j in range(start, start + length):
                t = f[j]
                f[j], f[j + length] = (t + f[j + length]) % Q, ZETAS[i] * (f[j + length] - t) % Q
            i -= 1
        length *= 2
    return [x * 3303 % Q for x in f]


def product(f, g):
    """Algorithms 11 and 12."""
    h = []
    for i in range(128):
        (a, b), (c, d) = f[2 * i : 2 * i + 2], g[2 * i : 2 * i + 2]
        h += [(a * c + b * d * GAMMAS[i]) % Q, (a * d + b * c) % Q]
    return h


def add(*polynomials):
    return [sum(terms) % Q for terms in zip(*polynomials)]


def dot(one, two):
    return add(*map(product, one, two))


def bits(data):
    return [byte >> i & 1 for byte in data for i in range(8)]


def encode(f, d):
    """Algorithm 5."""
    return sum(x << d * i for i, x in enumerate(f)).to_bytes(32 * d, "little")


def decode(data, d):
    """Algorithm 6."""
    whole = int.from_bytes(data, "little")
    return [whole >> d * i & (1 << d) - 1 for i in range(N)]


def compress(f, d):
    return [((x << d) + Q // 2) // Q % (1 << d) for x in f]


def uniform(seed):
    """Algorithm 7."""
    data, f = hashlib.shake_128(seed).digest(3 * 1024), []
    for a, b, c in zip(data[::3], data[1::3], data[2::3]):
        f += [x for x in (a + 256 * (b % 16), b // 16 + 16 * c) if x < Q]
    return f[:N]


def noise(seed, number):
    """Algorithm 8."""
    drawn = bits(hashlib.shake_256(seed + bytes([number])).digest(64 * ETA))
    return [(sum(drawn[4 * i : 4 * i + 2]) - sum(drawn[4 * i + 2 : 4 * i + 4])) % Q for i in range(N)]


def is_reduced(public):
    """The check of the modulus, section 7.2."""
    return all(x < Q for i in range(K) for x in decode(public[384 * i : 384 * (i + 1)], 12))


def encrypt(public, message, coins):
    """Algorithm 14."""
    t = [decode(public[384 * i : 384 * (i + 1)], 12) for i in range(K)]
    rho = public[384 * K :]
    transposed = [[uniform(rho + bytes([i, j])) for j in range(K)] for i in range(K)]
    y = [ntt(noise(coins, i)) for i in range(K)]
    errors = [noise(coins, K + i) for i in range(K + 1)]
    u = [add(inverse_ntt(dot(row, y)), error) for row, error in zip(transposed, errors)]
    halves = [bit * (Q + 1) // 2 for bit in bits(message)]
    v = add(inverse_ntt(dot(t, y)), errors[K], halves)
    return b"".join(encode(compress(f, DU), DU) for f in u) + encode(compress(v, DV), DV)


def encapsulate(public, message):
    """Algorithm 17: the ciphertext and the key."""
    both = hashlib.sha3_512(message + hashlib.sha3_256(public).digest()).digest()
    return encrypt(public, message, both[32:]), both[:32]
