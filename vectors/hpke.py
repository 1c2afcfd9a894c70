"""HPKE (RFC 9180) for container.py: base mode, HKDF-SHA256, the exporter of an export-only context; and
the text of recipients. Made from the RFC and docs/format.md; curves and hashes are those of pyca.
"""

import hmac

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand


class Undecapsulated(Exception):
    """What was sent holds no key."""


def two(number):
    return number.to_bytes(2, "big")


def extract(suite, salt, label, material):
    return hmac.digest(salt, b"HPKE-v1" + suite + label + material, "sha256")


def expand(suite, key, label, info, length):
    info = two(length) + b"HPKE-v1" + suite + label + info
    return HKDFExpand(SHA256(), length, info).derive(key)


class X25519:
    """DHKEM(X25519, HKDF-SHA256), RFC 9180 section 4.1."""

    SUITE = b"KEM" + two(0x0020)
    NUMBER, PREFIX, SENT = 0x0020, "cless", 32

    @staticmethod
    def public(secret):
        return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()

    @classmethod
    def shared(cls, secret, other, sent, public):
        try:
            point = X25519PublicKey.from_public_bytes(other)
            product = X25519PrivateKey.from_private_bytes(secret).exchange(point)
        except ValueError:
            raise Undecapsulated from None
        key = extract(cls.SUITE, b"", b"eae_prk", product)
        return expand(cls.SUITE, key, b"shared_secret", sent + public, 32)

    @classmethod
    def encapsulate(cls, public, random):
        key = extract(cls.SUITE, b"", b"dkp_prk", random(32))
        secret = expand(cls.SUITE, key, b"sk", b"", 32)
        sent = cls.public(secret)
        return sent, cls.shared(secret, public, sent, public)

    @classmethod
    def decapsulate(cls, secret, sent):
        return cls.shared(secret, sent, sent, cls.public(secret))


KEMS = {"x25519": X25519}


def exported(kem, shared, info):
    """The key schedule of section 5.1, and the exporter of section 5.3."""
    suite = b"HPKE" + two(kem.NUMBER) + two(1) + two(0xFFFF)
    context = b"\0" + extract(suite, b"", b"psk_id_hash", b"") + extract(suite, b"", b"info_hash", info)
    secret = extract(suite, shared, b"secret", b"")
    exporter = expand(suite, secret, b"exp", context, 32)
    return expand(suite, exporter, b"sec", b"slot key", 32)


def encapsulate(kem, public, info, random):
    """What is sent, and the slot key."""
    sent, shared = kem.encapsulate(public, random)
    return sent, exported(kem, shared, info)


def decapsulate(kem, secret, info, sent):
    return exported(kem, kem.decapsulate(secret, sent), info)


def recipient(kem, secret):
    """The text: Bech32m (BIP 350), of any length."""
    letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    bits = "".join(f"{byte:08b}" for byte in kem.public(secret))
    bits += "0" * (-len(bits) % 5)
    values = [int(bits[at : at + 5], 2) for at in range(0, len(bits), 5)]
    prefix = [ord(c) >> 5 for c in kem.PREFIX] + [0] + [ord(c) & 31 for c in kem.PREFIX]
    residue = 1
    for value in prefix + values + [0] * 6:
        top, residue = residue >> 25, (residue & 0x1FFFFFF) << 5 ^ value
        for bit, row in enumerate([0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3]):
            residue ^= row if top >> bit & 1 else 0
    residue ^= 0x2BC830A3
    values += [residue >> 5 * (5 - i) & 31 for i in range(6)]
    return kem.PREFIX + "1" + "".join(letters[value] for value in values)
