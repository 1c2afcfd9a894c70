#!/usr/bin/env python3
"""Writes sgcm.txt from the project's spec/vectors/sgcm.json: `sgcm.py sgcm.json > sgcm.txt`.

The hash and the frame do not know the cipher: what is there for each cipher and key size, and tests them, is kept once, with
key sizes in turn. What meets the cipher (nonces, the wrap of the counter, long texts) is kept with each.
"""

import json
import sys

HEADER = """\
# SGCM, carryless profile 1 (not standard), and its hash modulo p = 2^128 + 12451, of the project's spec/vectors/sgcm.json.
# field NAME a b sum product; hash NAME h blocks y (33 digits)
# aes and lea NAME result key nonce aad text ciphertext tag (an error has no text)
# aes-long and lea-long NAME key nonce aad:len text:len sha256(ciphertext) tag: len bytes of SHA-256(seed, 0) SHA-256(seed, 1) ..
"""


def words(group, test):
    name = "%s-%d" % (group["name"], test["id"])
    if group["type"] == "field":
        return ["field", name, test["a"], test["b"], test["sum"], test["product"]]
    if group["type"] == "sghash":
        return ["hash", name, test["h"], "".join(test["blocks"]), test["y"]]
    if "pt_gen" in test:
        seeds = ["%(seed)s:%(len)d" % test[part] for part in ("aad_gen", "pt_gen")]
        return [test["cipher"] + "-long", name, test["key"], test["iv"], *seeds, test["ct_sha256"], test["tag"]]
    parts = [test.get(part, "") for part in ("key", "iv", "aad", "pt", "ct", "tag")]
    return [test["cipher"], name, test["result"], *parts]


def in_turn(tests):
    """Of the tests with one comment one: that with the key size whose turn it is, or the first."""
    subjects = {}
    for test in tests:
        subjects.setdefault(test["comment"], []).append(test)
    for turn, same in enumerate(subjects.values()):
        size = (16, 24, 32)[turn % 3]
        yield next((test for test in same if len(test["key"]) == 2 * size), same[0])


def lengths(tests):
    """What has, with one cipher, a length of AAD or of text that none before has, or fills a batch of the hash as none does with
    its key size."""
    seen = set()
    for test in sorted(tests, key=lambda test: test["id"] % 3):
        aad, text = (len(test[part]) // 2 for part in ("aad", "pt"))
        blocks = -(-aad // 16) - (-text // 16) + 1
        found = {("aad", aad), ("text", text), (len(test["key"]), blocks % 8)}
        if not found <= seen:
            seen |= found
            yield test


def needed(group):
    name, tests = group["name"], group["tests"]
    aes, lea = ([test for test in tests if test.get("cipher") == cipher] for cipher in ("aes", "lea"))
    if name == "aead-lengths":
        return [*lengths(aes), *lengths(lea)]
    if name == "aead-edges":  # of the hash
        return in_turn(aes)
    if name == "aead-iv-edges":
        wraps = [test for test in tests if "counter field" in test["comment"]]
        return [*wraps, *in_turn(test for test in aes if test not in wraps)]
    if name == "aead-invalid":  # a message and what is wrong with it, with each cipher
        return [test for test in tests if (test["cipher"], len(test["key"])) in (("aes", 32), ("lea", 64))]
    if name == "aead-error":  # of lengths
        return aes
    return tests


print(HEADER, end="")
for group in json.load(open(sys.argv[1]))["groups"]:
    for test in needed(group):
        print(*(word or "-" for word in words(group, test)))
