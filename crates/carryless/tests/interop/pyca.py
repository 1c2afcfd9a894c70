"""The other side of this suite: modes of AES by pyca cryptography, thus OpenSSL.

A line is a case: the mode, and in hexadecimal, "-" for nothing, key, nonce, AAD, text and tag. An IV, a counter block and
a tweak stand as nonce, the message of a MAC as AAD. Each has a line of output:

    seal    ciphertext and tag, which is as long as the one that came
    open    the text of a ciphertext, or "refused"

A mode that this OpenSSL lacks ends the program with pyca's exception.
"""

import sys

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, AESGCMSIV
from cryptography.hazmat.primitives.cmac import CMAC
from cryptography.hazmat.primitives.padding import PKCS7


def cmac(key, data):
    mac = CMAC(algorithms.AES(key))
    mac.update(data)
    return mac


class XAes256Gcm:
    """XAES-256-GCM (C2SP), which OpenSSL lacks: its GCM under a key that its CMAC derives."""

    def __init__(self, key):
        self.key = key

    def derived(self, nonce):
        inputs = (bytes([0, count]) + b"X\0" + nonce[:12] for count in (1, 2))
        return AESGCM(b"".join(cmac(self.key, data).finalize() for data in inputs))

    def encrypt(self, nonce, text, aad):
        return self.derived(nonce).encrypt(nonce[12:], text, aad)

    def decrypt(self, nonce, sealed, aad):
        return self.derived(nonce).decrypt(nonce[12:], sealed, aad)


AEADS = {
    "AES-GCM": lambda key, tag_len: AESGCM(key),
    "GMAC": lambda key, tag_len: AESGCM(key),
    "CCM": AESCCM,
    "AES-GCM-SIV": lambda key, tag_len: AESGCMSIV(key),
    "XAES-256-GCM": lambda key, tag_len: XAes256Gcm(key),
}
CIPHERS = {"CBC": modes.CBC, "CBC-PKCS7": modes.CBC, "CTR": modes.CTR, "XTS": modes.XTS}


def cipher(mode, key, nonce):
    return Cipher(algorithms.AES(key), CIPHERS[mode](nonce))


def run(context, data):
    return context.update(data) + context.finalize()


def seal(mode, key, nonce, aad, text, tag):
    if mode in AEADS:
        sealed = AEADS[mode](key, len(tag)).encrypt(nonce, text, aad)
        return sealed[: len(text)], sealed[len(text) :]
    if mode == "CMAC":
        return b"", cmac(key, aad).finalize()
    if mode == "CBC-PKCS7":
        text = run(PKCS7(128).padder(), text)
    return run(cipher(mode, key, nonce).encryptor(), text), b""


def opened(mode, key, nonce, aad, sealed, tag):
    if mode in AEADS:
        return AEADS[mode](key, len(tag)).decrypt(nonce, sealed + tag, aad)
    if mode == "CMAC":
        cmac(key, aad).verify(tag)
        return b""
    text = run(cipher(mode, key, nonce).decryptor(), sealed)
    return run(PKCS7(128).unpadder(), text) if mode == "CBC-PKCS7" else text


def main(command):
    for row in sys.stdin:
        mode, *fields = row.split()
        fields = [bytes.fromhex(field.replace("-", "")) for field in fields]
        if command == "seal":
            print(*(made.hex() or "-" for made in seal(mode, *fields)))
            continue
        try:
            print(opened(mode, *fields).hex() or "-")
        except (InvalidSignature, InvalidTag, ValueError):  # the last of a padding
            print("refused")


main(sys.argv[1])
