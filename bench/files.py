"""Times carryless beside other programs that seal files, and cp: files.py [OPTIONS] (--help).

Every round runs all programs one after the other on the same file, so that a quiet or a busy minute is one for
all; what is printed are medians, and medians of the ratios to `cp` of the same round. Files lie in memory
(/dev/shm): disks would hide the programs. Programs that are not there are left out and named.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MIB, GIB = 1 << 20, 1 << 30
PYCA = """
import sys
from cryptography.cobblestone import Cobblestone128{0}
key, source, target = sys.argv[1:]
with open(key, 'rb') as file:
    worker = Cobblestone128{0}(file.read(), b'')
with open(source, 'rb') as source, open(target, 'wb') as target:
    while piece := source.read(1 << 20):
        target.write(worker.update(piece))
    target.write(worker.finalize())
"""


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=os.path.join(HERE, "../target/release/carryless"))
    parser.add_argument("--mib", type=int, default=1024, help="size of the file (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="after one for warming up (default: %(default)s)")
    parser.add_argument("--sparse-gib", type=int, default=20, help="for peak memory (default: %(default)s)")
    parser.add_argument("--only", default="", help="comma-separated beginnings of names of programs")
    parser.add_argument("--skip", default="", help="comma-separated of: rates, small, range, memory")
    parser.add_argument("--python", default=sys.executable, help="one with cryptography 50 or later")
    parser.add_argument("--json", help="write the figures here too")
    return parser.parse_args()


class Peer:
    """How one program seals `plain` and opens `sealed`; commands are lists, or text for a shell."""

    def __init__(self, name, seal, unseal, suffix=None):
        self.name, self.seal, self.open = name, seal, unseal
        self.suffix = suffix or name.replace(" ", "_")


def peers(program, python, place):
    """All programs of this machine, with keys made in `place`; and the names of those that are missing."""
    found, missing = [], []

    def path(name):
        return os.path.join(place, name)

    def key(name, content):
        with open(os.open(path(name), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(content)
        return path(name)

    raw, gcm = key("raw.key", os.urandom(16)), key("gcm.key", os.urandom(16))
    for label, file, options in [
        ("carryless", raw, []),
        ("carryless -t 1", raw, ["-t", "1"]),
        ("carryless cobblestone", raw, ["--format", "cobblestone"]),
        ("carryless gcm", gcm, ["--format", "gcm"]),
    ]:
        common = ["-q", "-f", "--raw-key-file", file, *options]
        found.append(Peer(
            label,
            lambda source, target, common=common: [program, "seal", *common, source, "-o", target],
            lambda source, target, common=common: [program, "open", *common, source, "-o", target],
        ))

    def add(name, tool, seal, unseal):
        if shutil.which(tool):
            found.append(Peer(name, seal, unseal))
        else:
            missing.append(name)

    for tool in ("age", "rage"):
        identity = path(tool + ".key")
        if shutil.which(tool) and shutil.which(tool + "-keygen"):
            subprocess.run([tool + "-keygen", "-o", identity], check=True, capture_output=True)
            with open(identity) as file:
                recipient = [line.split()[-1] for line in file if "public key" in line][0]
            found.append(Peer(
                tool,
                lambda s, t, tool=tool, to=recipient: [tool, "-r", to, "-o", t, s],
                lambda s, t, tool=tool, key=identity: [tool, "-d", "-i", key, "-o", t, s],
            ))
        else:
            missing.append(tool)
    password = key("password", b"0123456789abcdef")
    openssl = ["openssl", "enc", "-aes-128-ctr", "-pbkdf2", "-iter", "1", "-pass", "file:" + password]
    add("openssl enc (CTR, no tag)", "openssl",
        lambda s, t: [*openssl, "-in", s, "-out", t], lambda s, t: [*openssl, "-d", "-in", s, "-out", t])
    gpg = ["gpg", "--batch", "--yes", "--quiet", "--homedir", path("gnupg"), "--passphrase-file", password,
           "--pinentry-mode", "loopback"]
    os.mkdir(path("gnupg"), 0o700)
    gpg_seal = [*gpg, "--symmetric", "--cipher-algo", "AES128", "--compress-algo", "none", "--s2k-count", "1024"]
    add("gpg (AES-128, no compression)", "gpg",
        lambda s, t: [*gpg_seal, "-o", t, s], lambda s, t: [*gpg, "-o", t, "-d", s])
    probe = [python, "-c", "import cryptography.cobblestone"]
    if subprocess.run(probe, capture_output=True).returncode == 0:
        found.append(Peer(
            "pyca Cobblestone",
            lambda s, t: [python, "-c", PYCA.format("Encryptor"), raw, s, t],
            lambda s, t: [python, "-c", PYCA.format("Decryptor"), raw, s, t],
        ))
    else:
        missing.append("pyca Cobblestone")
    return found, missing


def timed(command, target=None):
    """Seconds that a program takes, after its target was removed."""
    if target and os.path.exists(target):
        os.remove(target)
    began = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - began


def rates(all_peers, place, args):
    """Whole files, beside cp."""
    plain, back = os.path.join(place, "plain"), os.path.join(place, "back")
    with open(plain, "wb") as file:
        for _ in range(args.mib):
            file.write(os.urandom(MIB))
    taken = {}
    for round_ in range(args.rounds + 1):
        copy = timed(["cp", plain, back], back)
        for peer in all_peers:
            sealed = os.path.join(place, peer.suffix)
            for verb, command, target in [
                ("seal", peer.seal(plain, sealed), sealed),
                ("open", peer.open(sealed, back), back),
            ]:
                seconds = timed(command, target)
                if round_:
                    taken.setdefault((peer.name, verb), []).append((seconds, seconds / copy))
            if not round_ and subprocess.run(["cmp", "-s", plain, back]).returncode:
                raise SystemExit(f"{peer.name}: what was opened is not what was sealed")
            os.remove(sealed)
        if round_:
            taken.setdefault(("cp", "copy"), []).append((copy, 1.0))
    os.remove(plain)
    os.remove(back)
    rows = []
    for (name, verb), both in taken.items():
        seconds, ratio = (statistics.median(column) for column in zip(*both))
        rows.append({"program": name, "verb": verb, "seconds": seconds, "to_cp": ratio,
                     "gb_s": args.mib * MIB / seconds / 1e9})
    return rows


def small(all_peers, place, args):
    """Milliseconds for a file of 4 KiB, starting the program included."""
    plain, back = os.path.join(place, "plain"), os.path.join(place, "back")
    with open(plain, "wb") as file:
        file.write(os.urandom(4096))
    rows = []
    for peer in all_peers:
        sealed = os.path.join(place, peer.suffix)
        row = {"program": peer.name}
        for verb, command, target in [
            ("seal", peer.seal(plain, sealed), sealed),
            ("open", peer.open(sealed, back), back),
        ]:
            runs = [timed(command, target) for _ in range(4 * args.rounds)]
            row[verb + "_ms"] = statistics.median(runs) * 1e3
        rows.append(row)
    return rows


def ranged(args, place):
    """1 MiB out of 100 GiB: a sparse file whose first, wanted and last chunks are real."""
    key = os.path.join(place, "raw.key")
    sealed = os.path.join(place, "sparse.cless")
    chunks = 100 * GIB // 16384
    wanted = chunks // 2
    stream = sparse_stream(key, chunks, [0, *range(wanted, wanted + 65), chunks])
    with open(sealed, "wb") as file:
        for at, piece in stream:
            file.seek(at)
            file.write(piece)
    rows = []
    for label, at, length in (("1 MiB in the middle", wanted * 16384 + 5, MIB), ("the first chunk", 0, 16384)):
        command = [args.program, "open", "-q", "-f", "--raw-key-file", key, "--format", "cobblestone", sealed,
                   "-o", os.path.join(place, "back"), "--range", f"{at}:{length}"]
        rows.append({"range": label, "ms": statistics.median(timed(command) for _ in range(args.rounds)) * 1e3})
    os.remove(sealed)
    return rows


def sparse_stream(key_path, last, numbers):
    """Some chunks of a Cobblestone-128 stream of zeros, with where they lie, by pyca's AES-GCM."""
    import hashlib
    import hmac

    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    with open(key_path, "rb") as file:
        key = file.read()
    salt = os.urandom(24)
    info = b"c2sp.org/chunked-encryption@v1+AEAD_AES_128_GCM\0" + salt
    block = hmac.digest(key, info + b"\1", hashlib.sha512)
    derived, base, commitment = block[:16], block[16:28], block[28:60]
    yield 0, salt + commitment
    aead = AESGCM(derived)
    for number in numbers:
        nonce = bytes(a ^ b for a, b in zip(base, number.to_bytes(12, "big")))
        text = bytes(100 if number == last else 16384)
        yield 56 + number * 16400, aead.encrypt(nonce, text, None)


# A small process in between: what it starts does not begin with the memory of this one.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""


def memory(args, place):
    """Peak memory of a huge sparse file and of a huge pipe, both to a redirected /dev/null. What
    starts the program has some 10 MiB itself, below which nothing is seen."""
    key, sparse = os.path.join(place, "raw.key"), os.path.join(place, "sparse")
    with open(sparse, "wb") as file:
        file.truncate(args.sparse_gib * GIB)
    rows = []
    for label, script in [
        ("sparse file", '"$0" seal -q --raw-key-file "$1" "$2" -o - > /dev/null'),
        ("pipe", 'cat "$2" | "$0" seal -q --raw-key-file "$1" > /dev/null'),
        ("pipe, sealed and opened", 'cat "$2" | "$0" seal -q --raw-key-file "$1" | "$0" open -q --raw-key-file "$1" > /dev/null'),
    ]:
        began = time.perf_counter()
        command = ["bash", "-o", "pipefail", "-c", script, args.program, key, sparse]
        peak = subprocess.run([sys.executable, "-S", "-E", "-c", PEAK, *command], check=True, capture_output=True)
        rows.append({"source": label, "gib": args.sparse_gib, "seconds": time.perf_counter() - began,
                     "peak_mib": float(peak.stdout)})
    os.remove(sparse)
    return rows


def show(title, rows):
    print(f"\n{title}\n")
    if not rows:
        return
    print("| " + " | ".join(rows[0]) + " |")
    print("|" + "---|" * len(rows[0]))
    for row in rows:
        cells = (f"{cell:.3g}" if isinstance(cell, float) else str(cell) for cell in row.values())
        print("| " + " | ".join(cells) + " |")


def main():
    args = parse()
    args.program = os.path.abspath(args.program)
    skipped = args.skip.split(",")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    root = "/dev/shm" if os.path.isdir("/dev/shm") else None
    figures = {}
    with tempfile.TemporaryDirectory(dir=root) as place:
        found, missing = peers(args.program, args.python, place)
        wanted = tuple(args.only.split(","))
        found = [peer for peer in found if peer.name.startswith(wanted)]
        if missing:
            print("not here: " + ", ".join(missing))
        for name, title, measure in [
            ("rates", f"{args.mib} MiB on {root or place}, {os.cpu_count()} cores, medians of {args.rounds} rounds",
             lambda: rates(found, place, args)),
            ("small", "4 KiB, the start of the program included", lambda: small(found, place, args)),
            ("range", "a range of a sparse file of 100 GiB", lambda: ranged(args, place)),
            ("memory", "peak memory", lambda: memory(args, place)),
        ]:
            if name not in skipped:
                figures[name] = measure()
                show(title, figures[name])
                sys.stdout.flush()
    if args.json:
        with open(args.json, "w") as file:
            json.dump(figures, file, indent=1)


main()
