#!/usr/bin/env python3
"""Writes sgcm.txt from the project's spec/vectors/sgcm.json: `sgcm.py sgcm.json > sgcm.txt`."""

import json
import sys

HEADER = """\
# SGCM, carryless profile 1 (not standard), and its hash modulo p = 2^128 + 12451: all of the project's spec/vectors/sgcm.json.
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


print(HEADER, end="")
for group in json.load(open(sys.argv[1]))["groups"]:
    for test in group["tests"]:
        print(*(word or "-" for word in words(group, test)))
