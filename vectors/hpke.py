"""HPKE (RFC 9180) for container.py: base mode, HKDF-SHA256, the exporter of an export-only context; and
the text of recipients. Made from the RFC, draft-connolly-cfrg-xwing-kem and docs/format.md; curves, hashes and
most of ML-KEM are those of pyca.
"""

import hashlib
import hmac

from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

import mlkem


class Undecapsulated(Exception):
    """What was sent holds no key."""


def two(number):
    return number.to_bytes(2, "big")


def extract(suite, salt, label, material):
    return hmac.digest(salt, b"HPKE-v1" + suite + label + material, "sha256")


def expand(suite, key, label, info, length):
    info = two(length) + b"HPKE-v1" + suite + label + info
    return HKDFExpand(SHA256(), length, info).derive(key)


def product(secret, point):
    """X25519, unless it is zeros."""
    try:
        return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(point))
    except ValueError:
        raise Undecapsulated from None


class X25519:
    """DHKEM(X25519, HKDF-SHA256), RFC 9180 section 4.1."""

    SUITE = b"KEM" + two(0x0020)
    NUMBER, PREFIX, PUBLIC, SENT = 0x0020, "cless", 32, 32

    @staticmethod
    def is_reduced(public):
        return True

    @staticmethod
    def public(secret):
        return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()

    @classmethod
    def shared(cls, secret, other, sent, public):
        key = extract(cls.SUITE, b"", b"eae_prk", product(secret, other))
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


class XWing:
    """The draft's X-Wing: ML-KEM-768 and X25519, each key and ciphertext the one behind the other."""

    NUMBER, PREFIX, PUBLIC, SENT = 0x647A, "clesspq", 1216, 1120
    FIRST_PUBLIC, FIRST_SENT = 1184, 1088

    @staticmethod
    def is_reduced(public):
        return mlkem.is_reduced(public[:1184])

    @staticmethod
    def expanded(secret):
        """Of ML-KEM and of X25519."""
        seeds = hashlib.shake_256(secret).digest(96)
        return MLKEM768PrivateKey.from_seed_bytes(seeds[:64]), seeds[64:]

    @classmethod
    def public(cls, secret):
        first, second = cls.expanded(secret)
        return first.public_key().public_bytes_raw() + X25519.public(second)

    @staticmethod
    def combined(first, second, sent, public):
        return hashlib.sha3_256(first + second + sent + public + rb"\.//^" + b"\\").digest()

    @classmethod
    def encapsulate(cls, public, random):
        first, shared = mlkem.encapsulate(public[: cls.FIRST_PUBLIC], random(32))
        secret, public = random(32), public[cls.FIRST_PUBLIC :]
        second = X25519.public(secret)
        return first + second, cls.combined(shared, product(secret, public), second, public)

    @classmethod
    def decapsulate(cls, secret, sent):
        first, second = cls.expanded(secret)
        shared, sent = first.decapsulate(sent[: cls.FIRST_SENT]), sent[cls.FIRST_SENT :]
        return cls.combined(shared, product(second, sent), sent, X25519.public(second))


KEMS = {"x25519": X25519, "x-wing": XWing}


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


# The text of recipients: Bech32m (BIP 350), of any length.

LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def residue(prefix, values):
    residue = 1
    for value in [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + values:
        top, residue = residue >> 25, (residue & 0x1FFFFFF) << 5 ^ value
        for bit, row in enumerate([0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3]):
            residue ^= row if top >> bit & 1 else 0
    return residue ^ 0x2BC830A3


def word(prefix, data):
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    values = [int(bits[at : at + 5], 2) for at in range(0, len(bits), 5)]
    left = residue(prefix, values + [0] * 6)
    values += [left >> 5 * (5 - i) & 31 for i in range(6)]
    return prefix + "1" + "".join(LETTERS[value] for value in values)


def recipient(kem, secret):
    return word(kem.PREFIX, kem.public(secret))


def refuse_unless(right, why):
    if not right:
        raise ValueError(why)


def read_recipient(text):
    """The kind and the public key; a ValueError says why there are none."""
    prefix, one, letters = text.lower().partition("1")
    kinds = [kind for kind, kem in KEMS.items() if kem.PREFIX == prefix]
    one_case = text in (text.lower(), text.upper())
    refuse_unless(kinds and one and one_case and set(letters) <= set(LETTERS) and len(letters) >= 6, "text")
    values = [LETTERS.index(letter) for letter in letters]
    refuse_unless(residue(prefix, values) == 0, "checksum")
    bits = "".join(f"{value:05b}" for value in values[:-6])
    public = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8))
    refuse_unless(len(public) == KEMS[kinds[0]].PUBLIC, "length")
    refuse_unless(word(prefix, public) == text.lower(), "text")
    try:
        product(bytes([1] * 32), public[-32:])
    except Undecapsulated:
        raise ValueError("key") from None
    refuse_unless(public[-1] < 128 and KEMS[kinds[0]].is_reduced(public), "key")
    return kinds[0], public
