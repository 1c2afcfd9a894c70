"""Writes first inputs into corpus/: published vectors in the layout of each target.

cargo xtask assure F1 says how a corpus is run and made smaller; see README.md.
"""
import hashlib
import json
import pathlib

HERE = pathlib.Path(__file__).parent
KEY_LENS = [16, 24, 32]
TAG_LENS = [16, 4, 8, 12, 13, 14, 15]


def vectors():
    """(key, nonce, aad, text, ciphertext, tag): McGrew and Viega's all, one in twenty of the others."""
    for path in sorted((HERE / "../vectors").glob("gcm_*.txt")):
        lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
        for line in lines[:: 1 if "mcgrew" in path.name else 20]:
            yield [b"" if word == "-" else bytes.fromhex(word) for word in line.split(" ")[2:]]


def two(number):
    """A choice below something larger than 256."""
    return number.to_bytes(2, "big")


def write(target, content):
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(content).hexdigest()).write_bytes(content)


def gcm():
    for number, (key, nonce, aad, text, ciphertext, tag) in enumerate(vectors()):
        if len(nonce) > 64 or len(aad) >= 300 or len(text) >= 600:
            continue
        engines = bytes([number % 5, number // 5 % 10, (number + 1) % 5, (number + 3) % 10])
        lens = bytes([len(nonce)]) + two(len(aad)) + two(len(text))
        sizes = bytes([TAG_LENS.index(len(tag)), 16]) + two(number) + bytes([number % 64, 5, 0, 0])
        content = bytes([KEY_LENS.index(len(key))]) + key
        write("aead_differential", engines + lens + sizes + content + nonce + aad + text)
        lens = bytes([len(nonce) - 1]) + two(len(aad)) + two(len(ciphertext))
        start = engines[:2] + sizes[:1] + lens + b"\0" + content
        write("open_garbage", start + tag + nonce + aad + ciphertext)
        calls = bytes([3, 0, len(aad) % 100, 4, *two(len(text)), 6, *two(1)])
        start = bytes([KEY_LENS.index(len(key)), number % 5, number % 3, len(nonce)])
        write("segments", start + calls + calls + two(number) + key + nonce + aad + text)


def protocol():
    for number, (key, nonce, aad, text, ciphertext, tag) in enumerate(vectors()):
        common = {"id": number, "alg": "aes-gcm", "key": key.hex(), "iv": nonce.hex(), "aad": aad.hex()}
        paths = ["into", "in-place", "stream", "scatter"]
        seal = {"op": "seal", "pt": text.hex(), "tag_len": len(tag), "path": paths[number % 4]}
        open_ = {"op": "open", "ct": ciphertext.hex(), "tag": tag.hex(), "path": paths[number % 3]}
        if number % 4 == 2:
            seal |= {"split": [0, 1, 7], "aad_split": [1]}
        for request in [seal, open_]:
            write("vectors_protocol", json.dumps(common | request).encode())
    key, block = "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff"
    for request in [
        {"op": "info"},
        {"alg": "gmac", "op": "mac", "key": key, "iv": "00" * 12, "aad": "0102", "tag_len": 12},
        {"alg": "gmac", "op": "verify", "key": key, "iv": "00" * 12, "aad": "", "tag": "00" * 16},
        {"alg": "aes-ecb", "op": "encrypt", "key": key, "pt": block, "repeat": 3},
        {"alg": "aes-ctr", "op": "encrypt", "key": key, "iv": block, "pt": "aB" * 40, "ctr_bits": 32},
        {"alg": "aes-ctr", "op": "decrypt", "key": key, "iv": "ff" * 16, "ct": "00" * 40},
        {"alg": "ghash", "op": "hash", "h": key, "data": block * 3, "engine": "soft64", "offset": 3},
        {"alg": "xaes-256-gcm", "op": "seal", "key": key * 2, "iv": "07" * 24, "pt": block * 2, "path": "segments", "split": [20]},
        {"alg": "aes-gcm-siv", "op": "seal", "key": key, "iv": "07" * 12, "aad": "01", "pt": block + "aB"},
        {"alg": "aes-ccm", "op": "seal", "key": key, "iv": "07" * 13, "aad": "01", "pt": block + "aB", "tag_len": 4, "path": "stream"},
        {"alg": "aes-cmac", "op": "mac", "key": key, "msg": block * 3, "tag_len": 4, "path": "batch"},
        {"alg": "aes-cmac", "op": "verify", "key": key, "msg": block, "tag": "00" * 8, "path": "stream", "split": [3]},
        {"alg": "aes-cbc", "op": "encrypt", "key": key, "iv": block, "pt": "aB" * 40, "padding": "pkcs7", "path": "batch"},
        {"alg": "aes-cbc", "op": "decrypt", "key": key, "iv": block, "ct": block * 3, "path": "stream", "split": [20]},
        {"alg": "aes-xts", "op": "encrypt", "key": key + block, "iv": "07" + "00" * 15, "pt": "aB" * 40, "path": "batch"},
        {"alg": "aes-xts", "op": "decrypt", "key": key * 2, "iv": block, "ct": "00" * 40, "path": "in-place"},
        {"alg": "aes-ctr", "op": "decrypt", "key": key, "iv": "ff" * 16, "ct": "00" * 40, "path": "segments", "split": [3, 20]},
    ]:
        write("vectors_protocol", json.dumps({"id": "x"} | request).encode())


def files():
    for number in range(32):
        context = bytes([number % 20]) + bytes(number % 20)
        start = bytes([number % 2]) + bytes(range(16 * (1 + number % 2))) + context
        chunks = bytes([number // 2 % 16]) + two([0, 1, 15, 16, 16383][number % 5])
        write("chunked_stream", start + chunks + bytes([number // 4 % 4]) + bytes(range(number * 5)))
    for key in ["5a" * 16, "0f" * 32]:
        digest = hashlib.sha512(b"carryless-key v1\0file\0" + bytes.fromhex(key)).hexdigest()[:16]
        text = f"# a key\ncarryless-key: v1\nkind: file\nkey: {key}\nchecksum: {digest}\n".encode()
        for content in [text, text.replace(b"\n", b"\r\n"), text.replace(b"v1", b"v2"), text[:60]]:
            write("key_file", b"\0" + content)
        write("key_file", b"\0" + bytes.fromhex(key))
        write("key_file", b"\0" + key.encode()[:32])
        write("key_file", b"\1\0" + bytes.fromhex(key) + b"\x05" + bytes(range(20)))


def containers():
    for line in (HERE / "../vectors/container.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, *_, data = line.split(" ")
        data = bytes.fromhex(data)
        if len(data) <= 1000 and not name.startswith(("flipped-slot", "several-t", "several-f")):
            write("container_parse", b"\0" + data)
            if name.startswith("limit"):
                slots_len = int.from_bytes(data[26:28], "big")
                write("container_parse", b"\1" + data[28 : 28 + slots_len])
    for number in range(8):
        changes = b"".join(two(number * 97) + bytes([number + i]) for i in range(3))
        write("container_parse", b"\2" + bytes([number % 4]) + changes)


def recipients():
    for number in range(12):
        changes = b"".join(two(number * 41) + bytes([number % 5, 1]) + bytes([7 * number + i]) for i in range(3))
        write("recipient_slots", bytes([number % 5, 1, number % 4]) + changes)
        write("identity_file", bytes([2, number % 2]) + bytes(range(number, number + 32)) + bytes([number % 6]) + bytes(range(2 * number)))
    for line in (HERE / "../vectors/container.txt").read_text().splitlines():
        name = line.split(" ")[0]
        if name.startswith(("recipient", "x-wing-recipient-f")) and len(line) < 4000:
            data = bytes.fromhex(line.split(" ")[-1])
            slots_len = int.from_bytes(data[26:28], "big")
            which = 2 if name.startswith("x") else 0
            write("recipient_slots", bytes([which, 0]) + data[28 : 28 + slots_len])
    for line in (HERE / "../vectors/keys.txt").read_text().splitlines():
        kind, name, *fields = line.split(" ")
        if kind == "text" and name.startswith("identity"):
            text = bytes.fromhex(fields[-1])
            for content in [text, text.replace(b"\n", b"\r\n"), text[:60]]:
                write("identity_file", b"\0" + content)
        if kind == "recipient" and name.endswith(("right", "point-0", "not-reduced")):
            word = fields[-1].encode()
            for content in [word, word.upper() + b"\r\n#x\n\n" + word, word[:40]]:
                write("identity_file", b"\1" + content)


def modes():
    """Each mode with each key size, on texts of no block, one, partial ones and turns."""
    lens = [(0, 0), (16, 16), (13, 33), (20, 129), (64, 300)]
    for number in range(10 * 3 * len(lens)):
        mode, key_len, (aad_len, text_len) = number % 10, number // 10 % 3, lens[number // 30]
        start = bytes([number % 5, mode, key_len]) + two(aad_len) + two(text_len)
        sizes = bytes([number % 64]) + two(text_len // 3) + two(number * 97)
        write("modes", start + sizes + bytes(range(24)) + bytes(range(number, number + 64)))


gcm()
modes()
protocol()
files()
containers()
recipients()
