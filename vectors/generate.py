#!/usr/bin/env python3
"""Makes the test vectors of this directory again, byte for byte. See README.md.

    generate.py mcgrew-viega          > gcm_mcgrew_viega.txt
    generate.py nist-cavp DIRECTORY   > gcm_nist_cavp.txt    (DIRECTORY holds gcm*.rsp)
    generate.py pyca                  > gcm_pyca.txt
    generate.py cmac DIRECTORY        > cmac_sp800_38b.txt   (DIRECTORY holds nist-800-38b-aes*.txt)
    generate.py ccm-sp800-38c         > ccm_sp800_38c.txt
    generate.py ccm-nist-cavp DIRECTORY > ccm_nist_cavp.txt  (DIRECTORY holds DVPT*.rsp and its like)

Needs the package `cryptography`; nothing of carryless.
"""

import hashlib
import pathlib
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from cryptography.hazmat.primitives.cmac import CMAC


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


def records(path):
    """The cases of a file of NIST's: each with what stands above it in the file."""
    common, case = {}, None
    for row in path.read_text().splitlines():
        name, _, value = (part.strip() for part in row.strip("[]").partition("="))
        if "=" not in row:
            continue
        if row.startswith("["):
            common.update(pair.split(" = ") for pair in row.strip("[]").split(", "))
            case = None
        elif name.lower() == "count":
            case = {**common, "Count": value}
            yield case
        elif case is None or name in ("Key", "Nonce") and "Adata" in case:
            common[name], case = value, None
        else:
            case[name] = value


def cmac(directory):
    """The examples of SP 800-38B, each key size."""
    print("# SP 800-38B, appendix D as updated: name key message tag.")
    for size in (128, 192, 256):
        for case in list(records(pathlib.Path(directory, f"nist-800-38b-aes{size}.txt"))):
            key, message, tag = (bytes.fromhex(case[name]) for name in ("KEY", "MESSAGE", "OUTPUT"))
            mac = CMAC(algorithms.AES(key))
            mac.update(message)
            mac.verify(tag)
            print(f"aes{size}-{case['Count']}", *(field.hex() or "-" for field in (key, message, tag)))


def ccm_line(name, valid, key, nonce, aad, ciphertext, tag, text=None):
    try:
        opened = AESCCM(key, len(tag)).decrypt(nonce, ciphertext + tag, aad)
    except InvalidTag:
        opened = None
    assert (opened is not None) == valid and text in (None, opened), name
    line(name, valid, key, nonce, aad, opened or b"", ciphertext, tag)


def ccm_sp800_38c():
    print("# SP 800-38C, appendix C, examples 1 to 3; the fourth, of a long AAD, is in the test.")
    count = bytes(range(256))
    for number, nonce, aad, text, tag_len, sealed in (
        (1, 7, 8, 4, 4, "7162015b4dac255d"),
        (2, 8, 16, 16, 6, "d2a1f0e051ea5f62081a7792073d593d1fc64fbfaccd"),
        (3, 12, 20, 24, 8, "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951"),
    ):
        sealed = bytes.fromhex(sealed)
        ciphertext, tag = sealed[:-tag_len], sealed[-tag_len:]
        ccm_line(
            f"example-{number}", True, count[64:80], count[16 : 16 + nonce], count[:aad], ciphertext, tag, count[32 : 32 + text]
        )


def ccm_nist_cavp(directory):
    """Of each group of the CAVP files a case or two: one that opens and one that does not, where there are such."""
    print("# NIST CAVP, ccmtestvectors.zip (CAVS 11.0): of each group of each file one case, of DVPT one that opens and one that")
    print("# does not; every length of nonce, text, AAD and tag that they have.")
    for size in (128, 192, 256):
        for kind in ("DVPT", "VADT", "VNT", "VPT", "VTT"):
            seen = set()
            for case in list(records(pathlib.Path(directory, f"{kind}{size}.rsp"))):
                aad_len, text_len, nonce_len, tag_len = (int(case[name]) for name in ("Alen", "Plen", "Nlen", "Tlen"))
                valid = case.get("Result", "Pass") == "Pass"
                group = (aad_len, text_len, nonce_len, tag_len, valid)
                if group in seen:
                    continue
                seen.add(group)
                key, nonce, aad, sealed = (bytes.fromhex(case[name]) for name in ("Key", "Nonce", "Adata", "CT"))
                ciphertext, tag = sealed[:text_len], sealed[text_len:]
                assert len(nonce) == nonce_len and len(tag) == tag_len
                text = bytes.fromhex(case["Payload"])[:text_len] if valid else None
                ccm_line(f"{kind}{size}-{case['Count']}", valid, key, nonce, aad[:aad_len], ciphertext, tag, text)


if __name__ == "__main__":
    sets = mcgrew_viega, nist_cavp, pyca, cmac, ccm_sp800_38c, ccm_nist_cavp
    {made.__name__.replace("_", "-"): made for made in sets}[sys.argv[1]](*sys.argv[2:])
