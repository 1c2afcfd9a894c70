"""Opens with pyca `cryptography` what carryless sealed, and the other way round.

interop_pyca.py CARRYLESS: prints one line per case and exits 1 at the first difference; exits 77 if this
Python has no `cryptography.cobblestone` (50.0 or later).
"""

import hashlib
import os
import subprocess
import sys
import tempfile

try:
    from cryptography import cobblestone
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

LENGTHS = [0, 1, 16383, 16384, 16385, 32768, 1_000_000]
CONTEXTS = [b"", b"a context", bytes(range(256))]


def text(length):
    return hashlib.shake_128(b"text").digest(length)


def main(program):
    with tempfile.TemporaryDirectory() as place:
        key_path = os.path.join(place, "key")

        def run(verb, data, context, form="cobblestone"):
            command = [program, verb, "--raw-key-file", key_path, "--format", form]
            if form == "cobblestone":
                command += ["--context-hex", context.hex()]
            return subprocess.run(command, input=data, capture_output=True)

        for bits in (128, 256):
            encryptor_of = getattr(cobblestone, f"Cobblestone{bits}Encryptor")
            decryptor_of = getattr(cobblestone, f"Cobblestone{bits}Decryptor")
            key = encryptor_of.generate_key()
            with open(os.open(key_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(key)
            for length in LENGTHS:
                for context in CONTEXTS:
                    case = f"Cobblestone-{bits}, {length} bytes, context of {len(context)}"
                    plain = text(length)
                    sealed = run("seal", plain, context)
                    assert sealed.returncode == 0, sealed.stderr
                    decryptor = decryptor_of(key, context)
                    assert decryptor.update(sealed.stdout) + decryptor.finalize() == plain, case
                    encryptor = encryptor_of(key, context)
                    theirs = encryptor.update(plain) + encryptor.finalize()
                    opened = run("open", theirs, context)
                    assert (opened.returncode, opened.stdout) == (0, plain), case
                    changed = bytearray(theirs)
                    changed[-1] ^= 1
                    assert run("open", bytes(changed), context).returncode == 3, case
                    print(f"{case}: both ways")
            for length in LENGTHS:
                messages(bits, length, key, run)


def messages(bits, length, key, run):
    """One GCM message: nonce, ciphertext and tag, without additional data."""
    case = f"AES-{bits}-GCM, {length} bytes"
    plain = text(length)
    sealed = run("seal", plain, b"", "gcm")
    assert sealed.returncode == 0, sealed.stderr
    assert AESGCM(key).decrypt(sealed.stdout[:12], sealed.stdout[12:], None) == plain, case
    nonce = os.urandom(12)
    theirs = nonce + AESGCM(key).encrypt(nonce, plain, None)
    opened = run("open", theirs, b"", "gcm")
    assert (opened.returncode, opened.stdout) == (0, plain), case
    changed = bytearray(theirs)
    changed[-1] ^= 1
    assert run("open", bytes(changed), b"", "gcm").returncode == 3, case
    print(f"{case}: both ways")


main(sys.argv[1])
