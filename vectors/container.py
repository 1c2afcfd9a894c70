"""The container of docs/format.md, read and written by its specification alone.

  container.py make            prints vectors/container.txt, the same at every run
  container.py check FILE      opens every vector of FILE; exit status 1 if one has another result
  container.py open            for each line `CREDENTIAL FILE` prints `ok TEXT`, or what refused it
  container.py seal            for each line `CIPHER CREDENTIAL,.. TEXT` prints a new file

A credential is `key:HEX` or `passphrase:HEX`; files and texts are in hexadecimal, `-` for an empty one.
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
except ImportError as error:
    print(f"not run: {error}", file=sys.stderr)
    sys.exit(77)

MAGIC = b"\x93CLESS\r\n"
PREFIX, FIXED, MAC = 26, 28, 32
HEADER, CHUNK, TAG = 56, 16384, 16
WRAPPED = HEADER + 32 + TAG
KEY, PASSPHRASE = 1, 2
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
    refuse_unless(slots_len <= 4096, "length")
    end = FIXED + slots_len
    refuse_unless(len(data) >= end + MAC, "short")
    slots, at = [], FIXED
    while at < end:
        refuse_unless(len(slots) < 16, "count")
        refuse_unless(at + 3 <= end, "length")
        body_len = number(data[at + 1 : at + 3])
        expected = {KEY: body_len == 112, PASSPHRASE: body_len == 129}
        refuse_unless(expected.get(data[at], body_len <= 1024), "length")
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
    wanted = KEY if kind == "key" else PASSPHRASE
    fitting = [slot for slot in slots if slot[0] == wanted]
    if kind == "key":
        fitting = [slot for slot in fitting if slot[3:11] == key_id(secret)]
    refuse_unless(fitting, "no-slot")
    for slot in fitting:
        key = secret if kind == "key" else stretch(secret, slot[3:28])
        try:
            return open_stream(key, slot_context(prefix, slot), slot[-WRAPPED:], "slot", "slot")
        except Refused:
            continue
    raise Refused("slot")


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
    if kind == "key":
        slot, key = bytes([KEY]) + (112).to_bytes(2, "big") + key_id(secret), secret
    else:
        m, t, p = cost
        body = m.to_bytes(4, "big") + t.to_bytes(4, "big") + bytes([p]) + random(16)
        slot, key = bytes([PASSPHRASE]) + (129).to_bytes(2, "big") + body, stretch(secret, body)
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


# The vectors.


def text_of(length):
    return bytes((7 * i + i // 251) & 255 for i in range(length))


def credential(text):
    kind, _, secret = text.partition(":")
    return kind, bytes.fromhex(secret)


def written(kind, secret):
    return f"{kind}:{secret.hex()}"


def flipped(data, at, bit=0):
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def vectors():
    """Name, result, credential, length of the text, file."""
    state = hashlib.shake_256(b"carryless container vectors v1").digest(1 << 16)
    used = 0

    def random(count):
        nonlocal used
        used += count
        return state[used - count : used]

    one, two = ("key", bytes(range(16))), ("key", bytes(range(32)))
    word, other = ("passphrase", "Käse und Brot".encode()), ("passphrase", b"\x00\xff\n")
    unknown = b"\x07" + (5).to_bytes(2, "big") + b"later"
    for length in [0, 1]:
        yield f"length-{length}", "ok", one, length, seal_file(1, [one], text_of(length), random)
    yield "cipher-256", "ok", two, 14, seal_file(2, [two], text_of(14), random)
    yield "cipher-256-key-16", "ok", one, 14, seal_file(2, [one], text_of(14), random)
    several = seal_file(1, [one, word, two, other], text_of(40), random, [unknown])
    for name, holder in [("first", one), ("second", word), ("third", two), ("fourth", other)]:
        yield f"several-{name}", "ok", holder, 40, several
    dear = seal_file(1, [word], text_of(3), random, cost=(256, 3, 4))
    yield "argon2id-lanes", "ok", word, 3, dear
    chunks = seal_file(1, [two], text_of(CHUNK + 5), random)
    yield "chunk+5", "ok", two, CHUNK + 5, chunks

    stream = seal_stream(one[1], b"", text_of(7), random(24))
    yield "bare-stream", "ok", one, 7, stream
    yield "bare-stream-passphrase", "stream", word, 0, stream
    yield "wrong-key", "no-slot", ("key", bytes(16)), 0, several
    yield "wrong-passphrase", "slot", ("passphrase", b"Kase und Brot"), 0, several
    yield "zeros-are-no-key", "no-slot", ("key", one[1] + bytes(16)), 0, several
    yield "no-passphrase", "no-slot", word, 0, seal_file(1, [one], b"", random)
    base = seal_file(1, [one, word], text_of(20), random)
    first, second, tail = FIXED, FIXED + 115, FIXED + 115 + 132
    for name, result, at in [
        ("magic", "stream", 0),
        ("version", "version", 8),
        ("cipher", "cipher", 9),
        ("file-id", "slot", 10),
        ("slots-len", "length", PREFIX + 1),
        ("type", "no-slot", first),
        ("key-id", "no-slot", first + 3),
        ("slot-salt", "slot", first + 11),
        ("slot-commitment", "slot", first + 35),
        ("slot-tag", "slot", second - 1),
        ("other-memory", "mac", second + 3 + 3),
        ("other-salt", "mac", second + 12),
        ("mac", "mac", tail),
        ("mac-end", "mac", tail + 31),
        ("payload-salt", "payload", tail + 32),
        ("payload-commitment", "payload", tail + 32 + 24),
        ("payload-chunk", "chunk", tail + 32 + 56),
        ("payload-tag", "chunk", len(base) - 1),
    ]:
        yield f"flipped-{name}", result, one, 0, flipped(base, at, bit=1 if name == "cipher" else 0)
    yield "flipped-memory", "slot", word, 0, flipped(base, second + 3 + 2)
    yield "flipped-lanes", "argon2id", word, 0, flipped(base, second + 11)
    for name, result, end in [
        ("fixed", "short", 20),
        ("mac", "short", tail + 31),
        ("payload", "payload", tail + 32 + 55),
        ("chunk", "chunk", len(base) - 1),
        ("last", "chunk", tail + 32 + 56),
    ]:
        yield f"cut-{name}", result, one, 0, base[:end]
    yield "longer", "chunk", one, 0, base + b"\0"
    again = seal_file(1, [one, word], text_of(20), random)
    yield "other-header", "payload", one, 0, again[: tail + 32] + base[tail + 32 :]
    yield "other-prefix", "slot", one, 0, again[:PREFIX] + base[PREFIX:]
    removed = PREFIX
    yield "slot-removed", "mac", one, 0, (
        base[:removed] + (115).to_bytes(2, "big") + base[first:second] + base[tail:]
    )
    moved = base[:first] + base[second:tail] + base[first:second] + base[tail:]
    yield "slots-swapped", "mac", one, 0, moved
    # Rekeying: the same prefix and file key, other slots, the payload as it was.
    prefix, slots, _, payload = parse(base)
    file_key = file_key_of(prefix, slots, *one)
    renewed = make_header(prefix, file_key, [make_slot(prefix, file_key, *two, random)])
    yield "rekeyed", "ok", two, 20, renewed + payload
    yield "rekeyed-old-key", "no-slot", one, 0, renewed + payload
    yield from hostile(prefix, file_key, payload, one, word, random)


def hostile(prefix, file_key, payload, one, word, random):
    """Right in all but one limit: the MAC is that of what is there."""
    own = make_slot(prefix, file_key, *one, random)
    empty = b"\x09\0\0"

    def costs(m, t, p):
        body = m.to_bytes(4, "big") + t.to_bytes(4, "big") + bytes([p]) + bytes(120)
        return b"\x02" + (129).to_bytes(2, "big") + body

    for name, result, slots in [
        ("16-slots", "ok", [own] + [empty] * 15),
        ("17-slots", "count", [own] + [empty] * 16),
        ("no-slots", "count", []),
        ("long-unknown-slot", "length", [own, b"\x09" + (1025).to_bytes(2, "big") + bytes(1025)]),
        ("4096-bytes", "ok", [own] + [b"\x09" + (1013).to_bytes(2, "big") + bytes(1013)] * 3
         + [b"\x09" + (930).to_bytes(2, "big") + bytes(930)]),
        ("memory", "argon2id", [own, costs((1 << 20) + 1, 1, 1)]),
        ("little-memory", "argon2id", [own, costs(31, 1, 4)]),
        ("passes", "argon2id", [own, costs(8, 65, 1)]),
        ("no-passes", "argon2id", [own, costs(8, 0, 1)]),
        ("lanes", "argon2id", [own, costs(1 << 10, 1, 17)]),
        ("no-lanes", "argon2id", [own, costs(8, 1, 0)]),
        ("sum", "argon2id", [own, costs(1 << 20, 3, 1), costs(1 << 20, 2, 1)]),
        ("sum-at-limit", "ok", [own, costs(1 << 20, 2, 1), costs(1 << 20, 2, 1)]),
        ("5-passphrases", "argon2id", [own] + [costs(8, 1, 1)] * 5),
        ("4-passphrases", "ok", [own] + [costs(8, 1, 1)] * 4),
    ]:
        length = 20 if result == "ok" else 0
        yield f"limit-{name}", result, one, length, make_header(prefix, file_key, slots) + payload


def result_of(data, kind, secret):
    try:
        return "ok", open_file(data, kind, secret)
    except Refused as refused:
        return str(refused), b""


def make():
    print("# Containers by docs/format.md, made by container.py; byte i of a text is (7 i + i / 251) mod 256.")
    print("# name result credential text_len file")
    for name, result, holder, length, data in vectors():
        print(name, result, written(*holder), length, data.hex() or "-")


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
        case ["make"]:
            make()
        case ["check", path]:
            check(path)
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


main()
