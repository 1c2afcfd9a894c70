#!/usr/bin/env python3
"""Makes block_modes.txt again, byte for byte. See README.md.

    block_modes.py DIRECTORY > block_modes.txt    (DIRECTORY: ciphers/AES of the package cryptography_vectors)

Needs the package `cryptography`; nothing of carryless.
"""

import pathlib
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

MODES = {"ecb": lambda _: modes.ECB(), "cbc": modes.CBC, "ctr": modes.CTR, "xts": modes.XTS}


def line(name, mode, key, iv, text, ciphertext):
    print(name, mode, *(field.hex() or "-" for field in (key, iv, text, ciphertext)))


def computed(name, mode, key, iv, text, printed):
    """An example whose ciphertext begins as printed."""
    key, iv, text = bytes.fromhex(key), bytes.fromhex(iv), bytes.fromhex(text)
    encryptor = Cipher(algorithms.AES(key), MODES[mode](iv)).encryptor()
    ciphertext = encryptor.update(text) + encryptor.finalize()
    assert ciphertext.startswith(bytes.fromhex(printed)), name
    line(name, mode, key, iv, text, ciphertext)


def examples():
    print("# SP 800-38A appendix F (ECB, CBC, CTR) and IEEE 1619 annex B, computed from the inputs, begin as printed.")
    keys = [
        "2b7e151628aed2a6abf7158809cf4f3c",
        "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
    ]
    text = (
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
    )
    ecb = ["3ad77bb40d7a3660a89ecaf32466ef97", "bd334f1d6e45f25ff712a214571fa5cc", "f3eed1bdb5d2a03c064b5a7e3db181f8"]
    cbc = ["7649abac8119b246cee98e9b12e9197d", "4f021db243bc633d7178183a9fa071e8", "f58c4c04d6e5f1ba779eabfb5f7bfbd6"]
    ctr = ["874d6191b620e3261bef6864990db6ce", "1abc932417521ca24f2b0459fe7e6e0b", "601ec313775789a5b7a7f504bbf3d228"]
    for key, alone, chained, counted in zip(keys, ecb, cbc, ctr):
        bits = 4 * len(key)
        computed(f"F.1-{bits}", "ecb", key, "", text, alone)
        computed(f"F.2-{bits}", "cbc", key, "000102030405060708090a0b0c0d0e0f", text, chained)
        computed(f"F.5-{bits}", "ctr", key, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", text, counted)
    computed("B-2", "xts", "11" * 16 + "22" * 16, "3333333333" + "00" * 11, "44" * 32,
             "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0")
    computed("B-15", "xts", "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", "9a78563412" + "00" * 11,
             "000102030405060708090a0b0c0d0e0f10", "6c1625db4671522d3d7599601de7ca09ed")


def cases(file):
    """The cases of a file of NIST's, as dictionaries."""
    case = {}
    for text in file.read_text().splitlines() + [""]:
        name, equals, value = text.partition(" = ")
        if equals:
            case[name.upper()] = value
        elif case:
            yield case
            case = {}


def published(directory):
    print("# NIST CAVP (ECB, CBC: CAVS 11.1, all of MMT, every eighth of the others; XTS: CAVS 11.0, every eighth of whole bytes) and")
    print("# RFC 3686 (CTR), as shipped in the Python package cryptography_vectors 50.0.2.")
    for mode in ("ecb", "cbc"):
        for file in sorted(directory.glob(f"{mode.upper()}/*.rsp")):
            step = 1 if "MMT" in file.stem else 8
            for number, case in list(enumerate(cases(file)))[::step]:
                fields = (bytes.fromhex(case[name]) if name in case or mode != "ecb" else b"" for name in ("KEY", "IV", "PLAINTEXT", "CIPHERTEXT"))
                line(f"{file.stem}-{number}", mode, *fields)
    for file in sorted(directory.glob("CTR/*.txt")):
        for number, case in enumerate(cases(file)):
            fields = (bytes.fromhex(case[name]) for name in ("KEY", "IV", "PLAINTEXT", "CIPHERTEXT"))
            line(f"{file.stem}-{number}", "ctr", *fields)
    for file in sorted(directory.glob("XTS/*/*.rsp")):
        whole = [case for case in cases(file) if "PT" in case and int(case["DATAUNITLEN"]) % 8 == 0]
        for number, case in list(enumerate(whole))[::8]:
            sector = case.get("DATAUNITSEQNUMBER")
            tweak = bytes.fromhex(case["I"]) if sector is None else int(sector).to_bytes(16, "little")
            fields = (bytes.fromhex(case[name]) for name in ("KEY", "PT", "CT"))
            key, text, ciphertext = fields
            line(f"{file.parent.name}-{file.stem}-{number}", "xts", key, tweak, text, ciphertext)


if __name__ == "__main__":
    examples()
    published(pathlib.Path(sys.argv[1]))
