"""Prints container.txt, the same at every run: containers by docs/format.md and what opening them gives."""

import mlkem
from container import (
    CHUNK,
    FIXED,
    PREFIX,
    TYPES,
    file_key_of,
    make_header,
    make_slot,
    parse,
    recipient_info,
    seal_file,
    seal_stream,
    source,
    text_of,
    two,
    wrap,
    written,
)
from hpke import KEMS, XWing, exported


def flipped(data, at, bit=0):
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def vectors():
    """Name, result, credential, length of the text, file."""
    random = source(b"carryless container vectors v1", 1 << 16)
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
    yield from recipients("x25519", "", one, word, random)
    yield from recipients("x-wing", "x-wing-", one, word, random)
    yield from both_kinds(one, word, random)


def hostile(prefix, file_key, payload, one, word, random):
    """Right in all but one limit: the MAC is that of what is there."""
    own = make_slot(prefix, file_key, *one, random)

    def unknown(length):
        return b"\x09" + two(length) + bytes(length)

    def costs(m, t, p):
        body = m.to_bytes(4, "big") + t.to_bytes(4, "big") + bytes([p]) + bytes(120)
        return b"\x02" + (129).to_bytes(2, "big") + body

    for name, result, slots in [
        ("16-slots", "ok", [own] + [unknown(0)] * 15),
        ("17-slots", "count", [own] + [unknown(0)] * 16),
        ("no-slots", "count", []),
        ("long-unknown-slot", "length", [own, unknown(2049)]),
        ("20480-bytes", "ok", [own] + [unknown(2048)] * 9 + [unknown(1903)]),
        ("20481-bytes", "length", [own] + [unknown(2048)] * 9 + [unknown(1904)]),
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


def recipients(kind, before, one, word, random):
    """Files for recipients of a kind."""
    mine, other = (kind, bytes(range(1, 33))), (kind, bytes(range(201, 233)))
    base = seal_file(1, [mine], text_of(20), random)
    yield f"{before}recipient", "ok", mine, 20, base
    several = seal_file(2, [one, other, word, mine], text_of(40), random)
    for name, holder in [("key", one), ("first", other), ("passphrase", word), ("second", mine)]:
        yield f"{before}recipients-and-{name}", "ok", holder, 40, several
    yield f"{before}recipient-another", "slot", other, 0, base
    yield f"{before}recipient-none", "no-slot", mine, 0, seal_file(1, [one], b"", random)
    yield f"{before}recipient-bare-stream", "stream", mine, 0, seal_stream(one[1], b"", text_of(7), random(24))
    unclamped = (kind, bytes([mine[1][0] | 7]) + mine[1][1:])
    yield f"{before}recipient-unclamped", "ok", unclamped, 20, seal_file(1, [unclamped], text_of(20), random)
    body, wrapped = FIXED + 3, FIXED + 3 + KEMS[kind].SENT
    for name, result, at in [
        ("file-id", "slot", 10),
        ("type", "no-slot", FIXED),
        ("encapsulated", "slot", body),
        ("encapsulated-point", "slot", wrapped - 32),
        ("encapsulated-end", "slot", wrapped - 1),
        ("slot-salt", "slot", wrapped),
        ("slot-tag", "slot", wrapped + 103),
        ("mac", "mac", wrapped + 104),
    ]:
        yield f"{before}recipient-flipped-{name}", result, mine, 0, flipped(base, at, bit=2)
    # The bit that X25519 ignores, which is hashed.
    yield f"{before}recipient-flipped-ignored", "slot", mine, 0, flipped(base, wrapped - 1, bit=7)
    for name, point in small_order():
        yield f"{before}recipient-{name}", "slot", mine, 0, base[: wrapped - 32] + point + base[wrapped:]
    prefix, slots, _, payload = parse(base)
    file_key, own, length = file_key_of(prefix, slots, *mine), slots[0], len(slots[0]) - 3
    for name, slot in [
        ("short", own[:1] + two(length - 1) + own[4:]),
        ("long", own[:1] + two(length + 1) + bytes(length + 1)),
        ("other-type", bytes([TYPES["x25519"] + TYPES["x-wing"] - own[0]]) + own[1:]),
    ]:
        yield f"{before}recipient-{name}", "length", mine, 0, make_header(prefix, file_key, [slot]) + payload
    full = [make_slot(prefix, file_key, *other, random) for _ in range(15)]
    yield f"{before}recipient-last-of-16", "ok", mine, 20, make_header(prefix, file_key, [*full, own]) + payload
    # Of the longer kind there is no room for more.
    result = "count" if 17 * len(own) <= 20480 else "length"
    yield f"{before}recipients-17", result, mine, 0, make_header(prefix, file_key, [*full, own, own]) + payload


def both_kinds(one, word, random):
    """What only a file with both kinds, or the hybrid one, has."""
    secret = bytes(range(1, 33))
    point, hybrid = ("x25519", secret), ("x-wing", secret)
    mixed = seal_file(1, [hybrid, one, point, word], text_of(20), random)
    for holder in [hybrid, one, point, word]:
        yield f"both-kinds-{holder[0]}", "ok", holder, 20, mixed
    for holder, other in [(point, hybrid), (hybrid, point)]:
        yield f"only-{holder[0]}", "no-slot", other, 0, seal_file(1, [holder], b"", random)
    prefix, slots, _, payload = parse(mixed)
    file_key = file_key_of(prefix, slots, *hybrid)
    for name, sent in small_order():
        slot = without_point(prefix, file_key, secret, sent, random)
        yield f"x-wing-without-{name}", "slot", hybrid, 0, make_header(prefix, file_key, [slot]) + payload


def without_point(prefix, file_key, secret, point, random):
    """A slot that is right but for a point which adds nothing: a reader that lets it pass opens it."""
    public = XWing.public(secret)
    first, shared = mlkem.encapsulate(public[: XWing.FIRST_PUBLIC], random(32))
    shared = XWing.combined(shared, bytes(32), point, public[XWing.FIRST_PUBLIC :])
    key = exported(XWing, shared, recipient_info(prefix))
    return wrap(prefix, file_key, "x-wing", first + point, key, random)


def small_order():
    """Points that give zeros, whatever they are multiplied with."""
    prime = 2**255 - 19
    eight = 0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F
    for name, point in [("0", 0), ("1", 1), ("order-8", eight), ("minus-1", prime - 1), ("prime", prime)]:
        yield f"point-{name}", point.to_bytes(32, "little")


def make():
    print("# Containers by docs/format.md, made by container_vectors.py; byte i of a text is (7 i + i / 251) mod 256.")
    print("# name result credential text_len file")
    for name, result, holder, length, data in vectors():
        print(name, result, written(*holder), length, data.hex() or "-")


make()
