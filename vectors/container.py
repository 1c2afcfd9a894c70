"""The container of docs/format.md, read and written by its specification alone.

  container.py check FILE      opens every vector of FILE; exit status 1 if one has another result
  container.py open            for each line `CREDENTIAL FILE` prints `ok TEXT`, or what refused it
  container.py seal            for each line `CIPHER CREDENTIAL,.. TEXT` prints a new file
  container.py recipients      for each line `CREDENTIAL` prints the recipient of an identity

A credential is `key:HEX`, `passphrase:HEX` or an identity, `x25519:HEX` or `x-wing:HEX`, for whose recipient is sealed;
files and texts are in hexadecimal, `-` for an empty one. container_vectors.py makes the vectors.
Cryptography is that of pyca `cryptography` (OpenSSL); no line is shared with the Rust code. Exits 77 if
this Python has none of it, 50.0 or later.
"""

import hashlib
import hmac
import os
import sys

try:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA512
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
    from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

    from hpke import KEMS, Undecapsulated, decapsulate, encapsulate, recipient, two
except ImportError as error:
    print(f"not run: {error}", file=sys.stderr)
    sys.exit(77)

MAGIC = b"\x93CLESS\r\n"
PREFIX, FIXED, MAC = 26, 28, 32
HEADER, CHUNK, TAG = 56, 16384, 16
WRAPPED = HEADER + 32 + TAG
TYPES = {"key": 1, "passphrase": 2, "x25519": 3, "x-wing": 4}
KEY, PASSPHRASE = 1, 2
BODIES = {KEY: 8 + WRAPPED, PASSPHRASE: 25 + WRAPPED} | {TYPES[name]: kem.SENT + WRAPPED for name, kem in KEMS.items()}
KEY_LENGTHS = {1: 16, 2: 32}


class Refused(Exception):
    """With the word for why."""


def refuse_unless(right, why):
    if not right:
        raise Refused(why)


def number(data):
    return int.from_bytes(data, "big")


def expand(key, info, length):
    return HKDFExpand(SHA512(), length, info).derive(key)


# The stream of c2sp.org/chunked-encryption.


def stream_keys(key, context, salt):
    name = {16: b"AEAD_AES_128_GCM", 32: b"AEAD_AES_256_GCM"}[len(key)]
    info = b"c2sp.org/chunked-encryption@v1+" + name + b"\0" + salt + context
    out = expand(key, info, len(key) + 12 + 32)
    return AESGCM(out[: len(key)]), number(out[len(key) : len(key) + 12]), out[len(key) + 12 :]


def seal_stream(key, context, text, salt):
    aead, base, commitment = stream_keys(key, context, salt)
    sealed = salt + commitment
    for index in range(len(text) // CHUNK + 1):
        chunk = text[index * CHUNK :][:CHUNK]
        sealed += aead.encrypt((base ^ index).to_bytes(12, "big"), chunk, None)
    return sealed


def open_stream(key, context, sealed, header_error, chunk_error):
    refuse_unless(len(sealed) >= HEADER, header_error)
    aead, base, commitment = stream_keys(key, context, sealed[:24])
    refuse_unless(hmac.compare_digest(commitment, sealed[24:HEADER]), header_error)
    chunks, text = sealed[HEADER:], b""
    for index in range(len(chunks) // (CHUNK + TAG) + 1):
        chunk = chunks[index * (CHUNK + TAG) :][: CHUNK + TAG]
        try:
            refuse_unless(len(chunk) >= TAG, chunk_error)
            text += aead.decrypt((base ^ index).to_bytes(12, "big"), chunk, None)
        except InvalidTag:
            raise Refused(chunk_error) from None
    return text


# The container.


def key_id(key):
    return expand(key, b"carryless key id v1" + bytes([len(key)]), 8)


def stretch(passphrase, parameters):
    m, t, p, salt = number(parameters[:4]), number(parameters[4:8]), parameters[8], parameters[9:25]
    kdf = Argon2id(salt=salt, length=32, iterations=t, lanes=p, memory_cost=m)
    return kdf.derive(passphrase)


def mac(file_key, covered):
    key = expand(file_key, b"carryless container v1 mac" + covered[:PREFIX], 64)
    return hmac.digest(key, covered, "sha512")[:MAC]


def payload_key(file_key, prefix):
    length = KEY_LENGTHS[prefix[9]]
    return expand(file_key, b"carryless container v1 payload" + prefix, length)


def slot_context(prefix, slot):
    return b"carryless container v1 slot" + prefix + slot[:-WRAPPED]


def parse(data):
    """The prefix, the slots, the MAC and the payload."""
    refuse_unless(data.startswith(MAGIC), "magic")
    refuse_unless(len(data) >= FIXED, "short")
    refuse_unless(data[8] == 1, "version")
    refuse_unless(data[9] in KEY_LENGTHS, "cipher")
    slots_len = number(data[PREFIX:FIXED])
    refuse_unless(slots_len <= 20480, "length")
    end = FIXED + slots_len
    refuse_unless(len(data) >= end + MAC, "short")
    slots, at = [], FIXED
    while at < end:
        refuse_unless(len(slots) < 16, "count")
        refuse_unless(at + 3 <= end, "length")
        body_len = number(data[at + 1 : at + 3])
        right = body_len == BODIES[data[at]] if data[at] in BODIES else body_len <= 2048
        refuse_unless(right, "length")
        refuse_unless(at + 3 + body_len <= end, "length")
        slots.append(data[at : at + 3 + body_len])
        at += 3 + body_len
        if slots[-1][0] == PASSPHRASE:
            cost(slots[-1])
    refuse_unless(slots, "count")
    costs = [cost(slot) for slot in slots if slot[0] == PASSPHRASE]
    refuse_unless(len(costs) <= 4 and sum(costs) <= 1 << 22, "argon2id")
    return data[:PREFIX], slots, data[end : end + MAC], data[end + MAC :]


def cost(slot):
    m, t, p = number(slot[3:7]), number(slot[7:11]), slot[11]
    within = 1 <= p <= 16 and 8 * p <= m <= 1 << 20 and 1 <= t <= 64
    refuse_unless(within, "argon2id")
    return m * t


def file_key_of(prefix, slots, kind, secret):
    """From the first slot that opens."""
    fitting = [slot for slot in slots if slot[0] == TYPES[kind]]
    if kind == "key":
        fitting = [slot for slot in fitting if slot[3:11] == key_id(secret)]
    refuse_unless(fitting, "no-slot")
    for slot in fitting:
        try:
            key = slot_key(prefix, slot, kind, secret)
            return open_stream(key, slot_context(prefix, slot), slot[-WRAPPED:], "slot", "slot")
        except (Refused, Undecapsulated):
            continue
    raise Refused("slot")


def slot_key(prefix, slot, kind, secret):
    match kind:
        case "key":
            return secret
        case "passphrase":
            return stretch(secret, slot[3:28])
    return decapsulate(KEMS[kind], secret, recipient_info(prefix), slot[3:-WRAPPED])


def recipient_info(prefix):
    return b"carryless container v1 recipient" + prefix


def open_file(data, kind, secret):
    if not data.startswith(MAGIC):
        refuse_unless(kind == "key", "stream")
        return open_stream(secret, b"", data, "stream", "chunk")
    prefix, slots, given, payload = parse(data)
    file_key = file_key_of(prefix, slots, kind, secret)
    covered = data[: FIXED + sum(map(len, slots))]
    refuse_unless(hmac.compare_digest(mac(file_key, covered), given), "mac")
    context = hashlib.sha512(prefix).digest()
    return open_stream(payload_key(file_key, prefix), context, payload, "payload", "chunk")


def make_slot(prefix, file_key, kind, secret, random, cost=(8, 1, 1)):
    match kind:
        case "key":
            body, key = key_id(secret), secret
        case "passphrase":
            m, t, p = cost
            body = m.to_bytes(4, "big") + t.to_bytes(4, "big") + bytes([p]) + random(16)
            key = stretch(secret, body)
        case _:
            kem = KEMS[kind]
            body, key = encapsulate(kem, kem.public(secret), recipient_info(prefix), random)
    return wrap(prefix, file_key, kind, body, key, random)


def wrap(prefix, file_key, kind, body, key, random):
    slot = bytes([TYPES[kind]]) + two(BODIES[TYPES[kind]]) + body
    context = slot_context(prefix, slot + bytes(WRAPPED))
    return slot + seal_stream(key, context, file_key, random(24))


def make_header(prefix, file_key, slots):
    covered = prefix + len(b"".join(slots)).to_bytes(2, "big") + b"".join(slots)
    return covered + mac(file_key, covered)


def seal_file(cipher, credentials, text, random, more_slots=(), cost=(8, 1, 1)):
    prefix = MAGIC + bytes([1, cipher]) + random(16)
    file_key = random(32)
    slots = [make_slot(prefix, file_key, *credential, random, cost) for credential in credentials]
    header = make_header(prefix, file_key, [*slots, *more_slots])
    context = hashlib.sha512(prefix).digest()
    return header + seal_stream(payload_key(file_key, prefix), context, text, random(24))


# The command.


def written(kind, secret):
    """A credential as lines of vectors have it."""
    return f"{kind}:{secret.hex()}"


def source(label, length):
    """What gives up to so many bytes, the same ones each time."""
    state = hashlib.shake_256(label).digest(length)
    used = 0

    def random(count):
        nonlocal used
        used += count
        return state[used - count : used]

    return random


def text_of(length):
    return bytes((7 * i + i // 251) & 255 for i in range(length))


def credential(text):
    kind, _, secret = text.partition(":")
    return kind, bytes.fromhex(secret)


def result_of(data, kind, secret):
    try:
        return "ok", open_file(data, kind, secret)
    except Refused as refused:
        return str(refused), b""


def check(path):
    count = 0
    with open(path, encoding="ascii") as file:
        for line in file:
            if line.startswith("#"):
                continue
            name, result, holder, length, data = line.split()
            found, text = result_of(bytes.fromhex(data), *credential(holder))
            expected = (result, text_of(int(length)))
            if (found, text) != expected:
                sys.exit(f"{name}: {found}, {len(text)} bytes of text; expected {result}, {length}")
            count += 1
    print(f"{count} vectors")


def main():
    match sys.argv[1:]:
        case ["check", path]:
            check(path)
        case ["recipients"]:
            for line in sys.stdin:
                kind, secret = credential(line.strip())
                print(recipient(KEMS[kind], secret))
        case ["open"]:
            for line in sys.stdin:
                holder, data = line.split()
                found, text = result_of(bytes.fromhex(data.strip("-")), *credential(holder))
                print(found, text.hex() or "-")
        case ["seal"]:
            for line in sys.stdin:
                cipher, holders, text = line.split()
                holders = [credential(holder) for holder in holders.split(",")]
                print(seal_file(int(cipher), holders, bytes.fromhex(text.strip("-")), os.urandom).hex())
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
