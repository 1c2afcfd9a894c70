#!/usr/bin/env python3
"""Makes the test vectors of this directory again, byte for byte. See README.md.

    generate.py mcgrew-viega          > gcm_mcgrew_viega.txt
    generate.py nist-cavp DIRECTORY   > gcm_nist_cavp.txt    (DIRECTORY holds gcm*.rsp)
    generate.py pyca                  > gcm_pyca.txt

Needs the package `cryptography`; nothing of carryless.
"""

import hashlib
import pathlib
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def seal(key, iv, aad, text):
    encryptor = Cipher(algorithms.AES(key), modes.GCM(iv)).encryptor()
    encryptor.authenticate_additional_data(aad)
    return encryptor.update(text) + encryptor.finalize(), encryptor.tag


def opens(key, iv, aad, ciphertext, tag):
    decryptor = Cipher(algorithms.AES(key), modes.GCM(iv, tag, min_tag_length=4)).decryptor()
    decryptor.authenticate_additional_data(aad)
    try:
        decryptor.update(ciphertext) + decryptor.finalize()
    except InvalidTag:
        return False
    return True


def line(name, valid, *fields):
    print(name, "valid" if valid else "invalid", *(field.hex() or "-" for field in fields))


def mcgrew_viega():
    """Inputs and tags of appendix B; the ciphertexts follow from them, and the tags confirm them."""
    print("# The Galois/Counter Mode of Operation (McGrew, Viega, 2005), appendix B, cases 1 to 18.")
    text = bytes.fromhex(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
    )
    aad = bytes.fromhex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    key = bytes.fromhex("feffe9928665731c6d6a8f9467308308" * 2)
    iv = bytes.fromhex("cafebabefacedbaddecaf888")
    long_iv = bytes.fromhex(
        "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728"
        "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b"
    )
    tags = """58e2fccefa7e3061367f1d57a4e7455a ab6e47d42cec13bdf53a67b21257bddf 4d5c2af327cd64a62cf35abd2ba6fab4
        5bc94fbc3221a5db94fae95ae7121a47 3612d2e79e3b0785561be14aaca2fccb 619cc5aefffe0bfa462af43c1699d050
        cd33b28ac773f74ba00ed1f312572435 2ff58d80033927ab8ef4d4587514f0fb 9924a7c8587336bfb118024db8674a14
        2519498e80f1478f37ba55bd6d27618c 65dcc57fcf623a24094fcca40d3533f8 dcf566ff291c25bbb8568fc3d376a6d9
        530f8afbc74536b9a963b4f1c4cb738b d0d1c8a799996bf0265b98b5d48ab919 b094dac5d93471bdec1a502270e3cc6c
        76fc6ece0f4e1768cddf8853bb2d551b 3a337dbf46a792c45e454913fe2ea8f2 a44a8266ee1c8eb0c8b5d4cf5ae9f19a"""
    for number, tag in enumerate(tags.split()):
        key_len = (16, 24, 32)[number // 6]
        kind = number % 6
        case = (
            (bytes(key_len), bytes(12), b"", b""),
            (bytes(key_len), bytes(12), b"", bytes(16)),
            (key[:key_len], iv, b"", text),
            (key[:key_len], iv, aad, text[:60]),
            (key[:key_len], iv[:8], aad, text[:60]),
            (key[:key_len], long_iv, aad, text[:60]),
        )[kind]
        ciphertext, computed = seal(*case)
        assert computed.hex() == tag, number + 1
        line(f"case-{number + 1}", True, *case, ciphertext, computed)


def nist_cavp(directory):
    """Two in three of the groups of the CAVP files, one case of each."""
    print("# NIST CAVP, gcmtestvectors.zip (CAVS 14.0): one case of two groups in three of gcmEncryptExtIV*.rsp")
    print("# and gcmDecrypt*.rsp in turns; every length of IV, text, AAD and tag that they have.")
    for size in (128, 192, 256):
        groups = {}
        for kind in ("EncryptExtIV", "Decrypt"):
            case, group = None, []
            for row in pathlib.Path(directory, f"gcm{kind}{size}.rsp").read_text().splitlines():
                name, _, value = (part.strip() for part in row.partition("="))
                if row.startswith("["):
                    group = [row] if row.startswith("[Keylen") else [*group, row]
                    sizes = " ".join(group)
                elif name == "Count":
                    case = {"Count": value}
                    groups.setdefault(sizes, {}).setdefault(kind, []).append(case)
                elif row and not row.startswith("#"):
                    case[name] = value
        for number, kinds in enumerate(groups.values()):
            if (number + size // 64) % 3 == 0:
                continue
            kind = ("EncryptExtIV", "Decrypt")[number % 2]
            fails = number // 2 % 2 == 1
            cases = [case for case in kinds[kind] if ("FAIL" in case) == fails] or kinds[kind]
            case = cases[number % len(cases)]
            valid = "FAIL" not in case
            fields = [bytes.fromhex(case.get(name, "")) for name in ("Key", "IV", "AAD", "PT", "CT", "Tag")]
            key, iv, aad, _, ciphertext, tag = fields
            assert len(iv) < 8 or opens(key, iv, aad, ciphertext, tag) == valid
            line(f"{kind}{size}-{number}-{case['Count']}", valid, *fields)


def pyca():
    """Cases of our own, computed by OpenSSL."""
    import cryptography
    from cryptography.hazmat.backends.openssl.backend import backend

    print(f"# Computed by {backend.openssl_version_text()} through pyca cryptography {cryptography.__version__}.")
    lengths = sorted({*range(0, 34), *(n + d for n in (48, 64, 96, 112, 128, 144, 256, 384, 512, 1024) for d in (-1, 0, 1)), 1500})
    number = 0
    for key_len in (16, 24, 32):
        for length in lengths:
            for aad_len, iv_len in ((0, 12), ((7 * length + key_len) % 150, (12, 8, 16, 13, 60, 64, 128)[number % 7])):
                stream = hashlib.shake_256(f"{number}".encode()).digest(key_len + iv_len + aad_len + length)
                key, rest = stream[:key_len], stream[key_len:]
                iv, rest = rest[:iv_len], rest[iv_len:]
                aad, text = rest[:aad_len], rest[aad_len:]
                line(f"pyca-{number}", True, key, iv, aad, text, *seal(key, iv, aad, text))
                number += 1


if __name__ == "__main__":
    {"mcgrew-viega": mcgrew_viega, "nist-cavp": nist_cavp, "pyca": pyca}[sys.argv[1]](*sys.argv[2:])
