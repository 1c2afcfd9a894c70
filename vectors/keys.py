"""What docs/format.md says of streams, key files and several credentials, by it alone.

  keys.py make          prints vectors/keys.txt, the same at every run
  keys.py check FILE    reads every vector of FILE; exit status 1 if one has another result

Streams, containers and recipients are those of container.py beside it; no line is shared with the Rust code.
"""

import hashlib
import re
import sys

from container import (
    KEMS, Refused, credential, file_key_of, make_header, make_slot, open_file, open_stream, parse, refuse_unless, seal_file,
    seal_stream, source, text_of, written,
)
from hpke import read_recipient, recipient, word

MAGIC = b"\x93CLESS\r\n"
NAMES = ["carryless-key", "kind", "key", "checksum"]


# Key files.


def checksum(kind, key):
    return hashlib.sha512(b"carryless-key v1\0" + kind.encode() + b"\0" + key).hexdigest()[:16]


def key_file(kind, key):
    lines = ["# A key.", "carryless-key: v1", f"kind: {kind}", f"key: {key.hex()}", f"checksum: {checksum(kind, key)}"]
    return "".join(line + "\n" for line in lines).encode()


def is_hex(data):
    return re.fullmatch(rb"[0-9a-fA-F]+", data.strip()) is not None


def raw_result(data):
    """What a file of raw bytes is to a writer."""
    if is_hex(data):
        return "hex"
    if len(data) not in (16, 32):
        return "length"
    try:
        # Control characters are those of C0 and C1, and 0x7f.
        if not re.search("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]", data.decode()):
            return "text"
    except UnicodeDecodeError:
        pass
    return "equal" if len(set(data)) == 1 else "ok"


def read_key_file(data, kind):
    """The key in a text key file."""
    looks = raw_result(data)
    refuse_unless(looks != "hex", "hex")
    refuse_unless(looks not in ("ok", "equal"), "raw")
    refuse_unless(9 <= len(data) <= 4096, "length")
    fields = {}
    for line in data.split(b"\n"):
        line = line.strip(b" \t\n\x0c\r")
        if not line or line.startswith(b"#"):
            continue
        try:
            name, colon, value = line.decode().partition(":")
        except UnicodeDecodeError:
            raise Refused("line") from None
        refuse_unless(colon, "line")
        refuse_unless(name in NAMES and name not in fields, "name")
        fields[name] = value.strip(" \t\n\x0c\r")
    for name, error in zip(NAMES, ["version", "kind", "key", "checksum"]):
        refuse_unless(name in fields, "missing")
        if name == "carryless-key":
            refuse_unless(fields[name] == "v1", error)
        if name == "kind":
            refuse_unless(fields[name] == kind, error)
        if name == "key":
            refuse_unless(re.fullmatch("(?:[0-9a-fA-F]{32}){1,2}", fields[name]), error)
    key = bytes.fromhex(fields["key"])
    refuse_unless(kind not in KEMS or len(key) == 32, "key")
    refuse_unless(fields["checksum"].lower() == checksum(kind, key), "checksum")
    return key


def read_protected(data, kind, passphrase):
    refuse_unless(data.startswith(MAGIC), "magic")
    return read_key_file(open_file(data, "passphrase", passphrase), kind)


# Several credentials, and the writer's choice.


def open_with(data, credentials):
    """By the first that opens: keys, then passphrases; else the error of the last."""
    refused = None
    for kind, secret in sorted(credentials, key=lambda credential: credential[0] != "key"):
        try:
            return open_file(data, kind, secret)
        except Refused as error:
            # What is wrong behind the header is wrong for all of them.
            if str(error) not in ("no-slot", "slot", "mac"):
                raise
            refused = error
    raise refused


def cipher_of(credentials):
    return 2 if any(kind == "key" and len(secret) == 32 for kind, secret in credentials) else 1


# The vectors.


def vectors():
    """The fields of each line."""
    random = source(b"carryless key vectors v1", 1 << 14)
    short, long = bytes(range(16)), bytes(range(32))
    for name, key, context, length in [
        ("128", short, b"", 14), ("256", long, b"", 14), ("128-context", short, b"invoices", 0),
        ("256-context", long, b"invoices", 16384),
    ]:
        yield "stream", name, "ok", key.hex(), context.hex() or "-", length, seal_stream(key, context, text_of(length), random(24))
    yield from texts(short, long)
    yield from protected(short, long, random)
    for name, data in [
        ("16", random(16)), ("32", random(32)), ("15", random(15)), ("64", random(64)), ("zeros", bytes(16)),
        ("same", b"\xff" * 32), ("words", b"correct horse 1\n"), ("umlaut", "Käse und Brot.\n".encode()),
        ("bell", b"correct horse 1\x07"), ("delete", b"correct horse 1\x7f"), ("c1", "correct horse \x9f".encode()),
        ("digits", b"0123456789abcdef"), ("spaced-digits", b"0123456789ABCDE\n"), ("spaces", b" " * 16),
    ]:
        yield "raw", name, raw_result(data), data
    yield from several(short, long, random)
    yield from recipients(long)


def texts(short, long):
    good = key_file("file", long)
    lines = good.splitlines(keepends=True)
    for name, kind, data in [
        ("128", "file", key_file("file", short)),
        ("256", "file", good),
        ("gcm", "gcm", key_file("gcm", short)),
        ("no-comment", "file", b"".join(lines[1:])),
        ("any-order", "file", b"".join(reversed(lines))),
        ("crlf-and-space", "file", b"\r\n\r\n \t# more\r\n".join(line.replace(b": ", b":\t ").strip() for line in lines)),
        ("capitals", "file", good.replace(long.hex().encode(), long.hex().upper().encode())),
        ("4096", "file", good + b"\n" * (4096 - len(good))),
        ("4097", "file", good + b"\n" * (4097 - len(good))),
        ("empty", "file", b""),
        ("other-kind", "gcm", good),
        ("renamed-kind", "gcm", good.replace(b"file", b"gcm")),
        ("version", "file", good.replace(b"v1", b"v2")),
        ("repeated", "file", good + b"kind: file\n"),
        ("unknown-name", "file", good + b"made: today\n"),
        ("space-in-name", "file", good.replace(b"kind:", b"kind :")),
        ("no-colon", "file", good + b"the end\n"),
        ("latin-1", "file", good + b"k\xe4se: yes\n"),
        ("no-checksum", "file", b"".join(lines[:4])),
        ("wrong-checksum", "file", good.replace(b"checksum: ", b"checksum: 0")),
        ("other-checksum", "file", good.replace(checksum("file", long).encode(), b"0" * 16)),
        ("24-bytes", "file", key_file("file", long[:24])),
        ("31-digits", "file", good.replace(long.hex().encode(), long.hex()[:31].encode())),
        ("bare-hex", "file", long.hex().encode() + b"\n"),
        ("raw", "file", long),
        ("passphrase", "file", b"correct horse 1\n"),
        ("identity-x25519", "x25519", key_file("x25519", long)),
        ("identity-x-wing", "x-wing", key_file("x-wing", long)),
        ("identity-renamed", "x-wing", key_file("x25519", long).replace(b"x25519", b"x-wing")),
        ("identity-16-bytes", "x-wing", key_file("x-wing", short)),
        ("identity-as-key", "file", key_file("x-wing", long)),
    ]:
        yield "text", name, *key_result(read_key_file, data, kind), kind, data


def protected(short, long, random):
    word, good = "Käse und Brot".encode(), key_file("file", long)

    def under(text, words=(word,), cost=(8, 1, 1)):
        return seal_file(2, [("passphrase", word) for word in words], text, random, cost=cost)

    sealed = under(good)
    for name, kind, passphrase, data in [
        ("256", "file", word, sealed),
        ("gcm", "gcm", word, under(key_file("gcm", short), cost=(64, 2, 2))),
        ("second-passphrase", "file", b"other", under(good, (word, b"other"))),
        ("wrong-passphrase", "file", b"Kase und Brot", sealed),
        ("other-kind", "gcm", word, sealed),
        ("no-key-file", "file", word, under(b"a letter, no key\n")),
        ("cut", "file", word, sealed[:-1]),
        ("changed-mac", "file", word, sealed[:160] + bytes([sealed[160] ^ 1]) + sealed[161:]),
        ("under-a-key", "file", word, seal_file(2, [("key", short)], good, random)),
    ]:
        result = key_result(lambda data, kind: read_protected(data, kind, passphrase), data, kind)
        yield "protected", name, *result, kind, passphrase.hex(), data


def key_result(read, data, kind):
    """The result, and the key or nothing."""
    try:
        return "ok", read(data, kind).hex()
    except Refused as refused:
        return str(refused), "-"


def several(short, long, random):
    one, two, word = ("key", short), ("key", long), ("passphrase", b"correct horse")
    base = seal_file(1, [one, word], text_of(20), random)
    other = seal_file(1, [one, word], text_of(20), random)
    # A slot that opens, with another file key in it: the MAC is not of that.
    prefix, slots, mac, payload = parse(base)
    stranger = make_slot(prefix, random(32), *one, random)
    mixed = rejoined(prefix, [stranger, slots[1]], mac, payload)
    yours = remade(base, word, lambda slots: [stranger, slots[1]])
    for name, result, holders, data in [
        ("key-then-passphrase", "ok", [two, word], base),
        ("passphrase-given-first", "ok", [word, one], base),
        ("none", "slot", [two, ("passphrase", b"wrong")], base),
        ("none-but-keys", "no-slot", [two, ("key", long[::-1])], other),
        ("mac-of-the-only", "mac", [one], yours),
        ("mac-then-passphrase", "ok", [one, word], yours),
        ("mac-for-both", "mac", [one, word], mixed),
        ("type-0", "ok", [one], remade(base, one, lambda slots: [b"\0\0\0", *slots])),
        ("type-0-with-a-body", "ok", [word], remade(base, one, lambda slots: [*slots, b"\0\0\x05later"])),
        ("type-0-alone", "no-slot", [one], remade(base, one, lambda slots: [b"\0" + slots[0][1:]])),
    ]:
        length = 20 if result == "ok" else 0
        yield "several", name, result, ",".join(written(*holder) for holder in holders), length, data
    for name, holders in [
        ("key-16", [one]), ("key-32", [two]), ("passphrase", [word]), ("both-keys", [one, two]),
        ("key-16-and-passphrase", [one, word]), ("key-32-and-passphrase", [word, two]),
    ]:
        yield "cipher", name, cipher_of(holders), ",".join(written(*holder) for holder in holders)


def recipients(secret):
    """Public keys as text, and what is none."""
    for kind, kem in KEMS.items():
        public, good = kem.public(secret), recipient(kem, secret)
        other = next(other for other in KEMS.values() if other is not kem)
        for name, text in [
            ("right", good),
            ("capitals", good.upper()),
            ("mixed-case", good[0].upper() + good[1:]),
            ("slip", good[:9] + ("p" if good[9] == "q" else "q") + good[10:]),
            ("swapped", good[:20] + good[21] + good[20] + good[22:]),
            ("cut", good[:-1]),
            ("other-prefix", other.PREFIX + good[len(kem.PREFIX) :]),
            ("other-kind", word(other.PREFIX, public)),
            ("unknown-kind", word("clessx", public)),
            ("short", word(kem.PREFIX, public[:-1])),
            ("long", word(kem.PREFIX, public + b"\0")),
            ("point-0", word(kem.PREFIX, public[:-32] + bytes(32))),
            ("point-1", word(kem.PREFIX, public[:-32] + b"\1" + bytes(31))),
            ("ignored-bit", word(kem.PREFIX, public[:-1] + bytes([public[-1] | 128]))),
        ] + [
            ("not-reduced", word(kem.PREFIX, public[:381] + b"\xff\xff\xff" + public[384:])),
        ] * (kind == "x-wing"):
            yield "recipient", f"{kind}-{name}", *recipient_result(text), text


def recipient_result(text):
    """The result, the kind and the public key, or nothing."""
    try:
        kind, public = read_recipient(text)
        return "ok", kind, public.hex()
    except ValueError as refused:
        return str(refused), "-", "-"


def rejoined(prefix, slots, mac, payload):
    joined = b"".join(slots)
    return prefix + len(joined).to_bytes(2, "big") + joined + mac + payload


def remade(data, holder, change):
    """Other slots under the right MAC."""
    prefix, slots, _, payload = parse(data)
    return make_header(prefix, file_key_of(prefix, slots, *holder), change(slots)) + payload


def result_of(kind, fields):
    """The fields of a line by what this reads in it."""
    data = bytes.fromhex(fields[-1].strip("-")) if kind not in ("cipher", "recipient") else b""
    match kind:
        case "stream":
            key, context, length = bytes.fromhex(fields[1]), bytes.fromhex(fields[2].strip("-")), int(fields[3])
            right = open_stream(key, context, data, "stream", "chunk") == text_of(length)
            return ["ok" if right else "text", *fields[1:]]
        case "text":
            return [*key_result(read_key_file, data, fields[2]), *fields[2:]]
        case "protected":
            passphrase = bytes.fromhex(fields[3])
            result = key_result(lambda data, kind: read_protected(data, kind, passphrase), data, fields[2])
            return [*result, *fields[2:]]
        case "recipient":
            return [*recipient_result(fields[3]), fields[3]]
        case "raw":
            return [raw_result(data), fields[1]]
        case "several":
            holders = [credential(holder) for holder in fields[1].split(",")]
            try:
                result, text = "ok", open_with(data, holders)
            except Refused as refused:
                result, text = str(refused), b""
            return [result, fields[1], str(len(text)), fields[3]]
        case "cipher":
            return [str(cipher_of([credential(holder) for holder in fields[1].split(",")])), fields[1]]


def make():
    print("# By docs/format.md, made by keys.py; byte i of a text is (7 i + i / 251) mod 256. Fields:")
    print("# stream name result key context text_len stream")
    print("# text name result key kind file")
    print("# protected name result key kind passphrase file")
    print("# raw name result file")
    print("# several name result credentials text_len file")
    print("# cipher name number credentials")
    print("# recipient name result kind key text")
    for fields in vectors():
        print(*((field.hex() or "-") if isinstance(field, bytes) else field for field in fields))


def check(path):
    count = 0
    with open(path, encoding="ascii") as file:
        for line in file:
            if line.startswith("#"):
                continue
            kind, name, *fields = line.split()
            found = result_of(kind, fields)
            if found != fields:
                sys.exit(f"{kind} {name}: {found[0]}, expected {fields[0]}")
            count += 1
    print(f"{count} vectors")


def main():
    match sys.argv[1:]:
        case ["make"]:
            make()
        case ["check", path]:
            check(path)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
