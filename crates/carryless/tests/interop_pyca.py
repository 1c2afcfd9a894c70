"""The other side of interop.rs: AES-GCM by pyca cryptography, thus OpenSSL.

A line is a case: key, nonce, AAD, text, ciphertext, tag in hexadecimal, "-" for nothing.

    open    reads cases, opens and seals each, and counts them; status 1 for the first that differs
    seal    reads a number, and prints as many cases for each key size
"""

import os
import random
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def open_all():
    count = 0
    for number, row in enumerate(sys.stdin):
        key, nonce, aad, text, sealed, tag = (bytes.fromhex(field.replace("-", "")) for field in row.split(" "))
        aes = AESGCM(key)
        try:
            opened = aes.decrypt(nonce, sealed + tag, aad)
        except InvalidTag:
            sys.exit(f"case {number} is not authentic to OpenSSL: {row}")
        if opened != text or aes.encrypt(nonce, text, aad) != sealed + tag:
            sys.exit(f"case {number} is another text to OpenSSL: {row}")
        count += 1
    print(f"{count} cases opened and sealed again by OpenSSL")


def seal_all():
    sizes = random.Random(9)
    for key_len in (16, 24, 32):
        for number in range(cases):
            key = os.urandom(key_len)
            nonce = os.urandom(12 if number % 2 else sizes.randint(8, 128))
            aad = os.urandom(sizes.randrange((1, 40, 300)[number % 3]))
            text = os.urandom(sizes.randrange((40, 300, 300, 2000)[number % 4]))
            sealed = AESGCM(key).encrypt(nonce, text, aad)
            print(*(field.hex() or "-" for field in (key, nonce, aad, text, sealed[:-16], sealed[-16:])))


if __name__ == "__main__":
    if sys.argv[1] == "open":
        open_all()
    else:
        cases = int(sys.stdin.readline())
        seal_all()
