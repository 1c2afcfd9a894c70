"""What carryless keeps in memory at its end: memory.py CARRYLESS DIRECTORY [ENGINE].

Each call runs on a pseudo-terminal under strace, which holds it at its last system call, when nothing more can be
wiped; all memory that it may write is then searched for every 8-byte window of what is secret. ENGINE is what seals
and opens: where nothing is optimized, kernels need larger frames than they overwrite.
"""

import os
import pty
import signal
import subprocess
import sys
import time

PROGRAM, PLACE = os.path.realpath(sys.argv[1]), sys.argv[2]
ENGINE = ["--engine", sys.argv[3]] if len(sys.argv) > 3 else []
# exit_group on x86-64 and AArch64.
LAST = {"231", "94"}
WINDOW = 8
LINE = 4096
# What prints the passphrase of key files, and what one costs.
COMMAND, CHEAP = ["--key-passphrase-command", "cat phrase"], ["--kdf-cost", "1m:1:1"]
PHRASE, OTHER_PHRASE = b"correct horse battery staple 7", b"paper tiger juggles 31 lemons"
# Enough for several threads.
MANY = [f"short{i}" for i in range(24)]
CHUNK = 16384
WHOLE = 3 * CHUNK + 500


def read(name):
    with open(os.path.join(PLACE, name), "rb") as file:
        return file.read()


def write(name, content):
    with open(os.open(os.path.join(PLACE, name), os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)


def run(*args):
    """What it prints."""
    return subprocess.run([PROGRAM, *args], cwd=PLACE, check=True, capture_output=True).stdout


def ends(child):
    """The exit status that the program is about to end with in this process, or None: strace has children of its own, too."""
    try:
        if os.readlink(f"/proc/{child}/exe") != PROGRAM:
            return None
        for task in os.listdir(f"/proc/{child}/task"):
            with open(f"/proc/{child}/task/{task}/syscall") as file:
                words = file.read().split()
            if words and words[0] in LAST:
                return int(words[1], 16)
    except (FileNotFoundError, ProcessLookupError):
        # A thread that ended meanwhile.
        pass
    return None


def mappings(child):
    with open(f"/proc/{child}/maps") as file:
        return file.read().splitlines()


def memory(child):
    """What it may write, and what that is called."""
    lines = mappings(child)
    with open(f"/proc/{child}/mem", "rb", buffering=0) as file:
        for line in lines:
            fields = line.split(maxsplit=5)
            if not fields[1].startswith("rw"):
                continue
            start, end = (int(word, 16) for word in fields[0].split("-"))
            content = b""
            try:
                file.seek(start)
                while len(content) < end - start:
                    content += file.read(end - start - len(content))
            except OSError:
                # A thread that ended meanwhile took its stack with it.
                if line in mappings(child):
                    raise
            yield os.path.basename(fields[5]) if len(fields) > 5 else "anonymous", content


def at_the_end(args, answers=(), environment=None):
    """The exit status of a call, and its memory at that moment."""
    # Not the commands that it runs, which would be held too: its own end comes from its first thread.
    strace = ["strace", "-qq", "-o", "/dev/null", "-e", "trace=exit_group",
              "-e", "inject=exit_group:delay_enter=100000000"]
    tracer, terminal = pty.fork()
    if tracer == 0:
        os.chdir(PLACE)
        # Looking a function up at its first call, the loader stores all registers, which are not ours to wipe.
        os.environ.update(environment or {}, LD_BIND_NOW="1")
        os.execvp(strace[0], [*strace, PROGRAM, *args])
    output = b""
    for answer in answers:
        while not output.endswith(b": "):
            output += os.read(terminal, 1000)
        output = b""
        time.sleep(0.2)
        os.write(terminal, answer + b"\n")
    children = f"/proc/{tracer}/task/{tracer}/children"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        time.sleep(0.02)
        with open(children) as file:
            ended = [(child, ends(child)) for child in file.read().split()]
        child, status = next((end for end in ended if end[1] is not None), (None, None))
        if status is not None:
            found = list(memory(child))
            # Not the program alone: strace would hold on to it.
            os.kill(tracer, signal.SIGKILL)
            os.kill(int(child), signal.SIGKILL)
            os.waitpid(tracer, 0)
            os.close(terminal)
            return status, found
    sys.exit(f"{args}: it does not come to its end")


def windows(secrets):
    """Every window, and the name of its secret; not those of few different bytes."""
    return {secret[at:at + WINDOW]: name
            for name, secret in secrets.items() for at in range(len(secret) - WINDOW + 1)
            if len(set(secret[at:at + WINDOW])) > 2}


def search(secrets, found):
    """Which secrets there are, where, how many windows."""
    wanted, left = windows(secrets), {}
    for place, content in found:
        # Most of it is zeros.
        lines = (content[at:at + LINE + WINDOW - 1] for at in range(0, len(content), LINE))
        used = b"".join(line for line in lines if line != bytes(len(line)))
        for window, name in wanted.items():
            if window in used:
                left[name, place] = left.get((name, place), 0) + 1
    return left


def key_secrets(name):
    """A key file, which may be under the passphrase: its digits, its bytes and what they are made to."""
    text = read(name)
    if b"carryless-key" not in text:
        text = run("open", "--passphrase-file", "phrase", name, "-o", "-")
    digits = next(line for line in text.splitlines() if line.startswith(b"key: "))[5:]
    key = bytes.fromhex(digits.decode())
    made = {f"{name}, with a pad of HMAC": bytes(byte ^ 0x36 for byte in key)}
    if b"kind: x25519" in text:
        made = {f"{name}, as a scalar": bytes([key[0] & 248, *key[1:31], key[31] & 127 | 64])}
    return {f"{name}, its digits": digits, f"{name}, its bytes": key, **made}


def prepare():
    for name in ["key", "other"]:
        run("keygen", "-o", name)
    run("keygen", "--kind", "gcm", "--bits", "256", "-o", "gcm.key")
    write("raw.key", os.urandom(32))
    write("phrase", PHRASE + b"\n")
    write("wrong", OTHER_PHRASE)
    write("text", os.urandom(WHOLE))
    run("seal", "-k", "key", "text", "-o", "by-key")
    run("seal", "--raw-key-file", "raw.key", "--format", "cobblestone", "text", "-o", "stream")
    run("seal", "-k", "gcm.key", "--format", "gcm", "text", "-o", "message")
    run("seal", "-k", "key", "--passphrase-file", "phrase", "text", "-o", "both")
    run("keygen", "--passphrase-file", "phrase", *CHEAP, "-o", "sealed.key")
    run("seal", "-k", "sealed.key", *COMMAND, "text", "-o", "by-sealed")
    for name, source in [("identity", []), ("other-identity", []),
                         ("sealed-identity", ["--passphrase-file", "phrase", *CHEAP])]:
        write(f"{name}.recipient", run("keygen", "--recipient", *source, "-o", name))
    run("seal", "-R", "identity.recipient", "-R", "sealed-identity.recipient", "text", "-o", "for-both")
    write("hybrid.recipient", run("keygen", "--recipient=x-wing", "-o", "hybrid"))
    run("seal", "-R", "hybrid.recipient", "text", "-o", "for-hybrid")
    for name in ["by-key", "stream", "message", "for-both"]:
        sealed = bytearray(read(name))
        sealed[-1] ^= 1
        write(f"{name}.forged", sealed)
    for name in MANY:
        write(name, read("text"))
        write(f"forged-{name}.cless", read("by-key.forged"))
    sealed = bytearray(read("by-key"))
    sealed[143] ^= 1
    write("by-key.mac", sealed)


# The exit status, the call, and what must not be left: keys, passphrases, the last so many bytes of the text, which no
# opening made authentic.
CALLS = [
    (0, ["keygen", "-o", "new"], ["new"], 0),
    (0, ["seal", "-k", "key", "text", "-o", "1"], ["key"], 0),
    (0, ["seal", "--raw-key-file", "raw.key", "text", "-o", "2", "--format", "cobblestone", "-t", "3"], ["raw.key"], 0),
    (0, ["seal", "-k", "gcm.key", "text", "-o", "3", "--format", "gcm"], ["gcm.key"], 0),
    (0, ["seal", "--passphrase-file", "phrase", "text", "-o", "4"], ["phrase"], 0),
    (0, ["open", "-k", "key", "by-key", "-o", "5"], ["key"], 0),
    (0, ["open", "--passphrase-file", "phrase", "both", "-o", "6"], ["phrase"], 0),
    (0, ["open", "-k", "key", "by-key", "--range", "100:50", "-o", "7"], ["key"], 0),
    (0, ["open", "-k", "gcm.key", "message", "--format", "gcm", "-o", "8"], ["gcm.key"], 0),
    (0, ["verify", "-k", "key", "by-key"], ["key"], 0),
    (0, ["rekey", "-k", "key", "--new-key-file", "other", "--new-passphrase-file", "phrase", "both", "-o", "9"],
     ["key", "other", "phrase"], 0),
    (3, ["open", "-k", "other", "by-key", "-o", "10"], ["other"], WHOLE),
    (3, ["open", "--passphrase-file", "wrong", "both", "-o", "11"], ["wrong"], WHOLE),
    (3, ["open", "-k", "key", "by-key.mac", "-o", "12"], ["key"], WHOLE),
    (3, ["open", "-k", "key", "by-key.forged", "-o", "13"], ["key"], 500),
    (3, ["open", "--raw-key-file", "raw.key", "stream.forged", "-o", "14"], ["raw.key"], 500),
    (3, ["open", "-k", "gcm.key", "message.forged", "--format", "gcm", "-o", "15"], ["gcm.key"], WHOLE),
    (3, ["verify", "-k", "key", "by-key", "by-key.forged"], ["key"], 0),
    (5, ["seal", "-k", "key", "text", "-o", "/dev/full"], ["key"], 0),
    (0, ["seal", "-k", "key", "--passphrase-file", "phrase", "-t", "3", *MANY], ["key", "phrase"], 0),
    (3, ["open", "-k", "key", "-t", "3", *(f"forged-{name}.cless" for name in MANY)], ["key"], 500),
    # A passphrase of a command, a key file under one, identities.
    (0, ["seal", "--passphrase-command", "cat phrase", "text", "-o", "19"], ["phrase"], 0),
    (0, ["keygen", "--passphrase-file", "phrase", *CHEAP, "-o", "new.sealed"], ["new.sealed", "phrase"], 0),
    (0, ["seal", "-k", "sealed.key", *COMMAND, "text", "-o", "20"], ["sealed.key", "phrase"], 0),
    (0, ["open", "-k", "sealed.key", *COMMAND, "by-sealed", "-o", "21"], ["sealed.key", "phrase"], 0),
    (4, ["open", "-k", "sealed.key", "--key-passphrase-command", "cat wrong", "by-sealed", "-o", "22"],
     ["sealed.key", "wrong"], WHOLE),
    (4, ["open", "-k", "sealed.key", "--key-passphrase-command", "cat phrase; exit 1", "by-sealed", "-o", "23"],
     ["sealed.key", "phrase"], WHOLE),
    (0, ["keygen", "--recipient", "-o", "new-identity"], ["new-identity"], 0),
    (0, ["keygen", "--recipient", "--passphrase-command", "cat phrase", *CHEAP, "-o", "new-sealed-identity"],
     ["new-sealed-identity", "phrase"], 0),
    (0, ["open", "-i", "identity", "for-both", "-o", "24"], ["identity"], 0),
    (0, ["open", "-i", "sealed-identity", *COMMAND, "for-both", "-o", "25"], ["sealed-identity", "phrase"], 0),
    (0, ["rekey", "-i", "sealed-identity", *COMMAND, "--new-recipients-file", "identity.recipient",
         "--new-key-file", "key", "for-both", "-o", "26"], ["sealed-identity", "key", "phrase"], 0),
    (0, ["keygen", "--recipient=x-wing", "-o", "new-hybrid"], ["new-hybrid"], 0),
    (0, ["open", "-i", "hybrid", "for-hybrid", "-o", "32"], ["hybrid"], 0),
    (3, ["open", "-i", "other-identity", "for-both", "-o", "27"], ["other-identity"], WHOLE),
    (3, ["open", "-i", "identity", "for-both.forged", "-o", "28"], ["identity"], 500),
    (4, ["open", "-i", "sealed-identity", "--key-passphrase-command", "cat wrong", "for-both", "-o", "29"],
     ["sealed-identity", "wrong"], WHOLE),
]

# What is typed, and the call, which ends well.
PROMPTS = [
    ((PHRASE, PHRASE), ["seal", "-p", "text", "-o", "16"], ["phrase"]),
    ((PHRASE,), ["open", "-p", "both", "-o", "17"], ["phrase"]),
    ((PHRASE, PHRASE), ["keygen", "-p", *CHEAP, "-o", "typed.sealed"], ["typed.sealed", "phrase"]),
    ((PHRASE,), ["open", "-k", "sealed.key", "by-sealed", "-o", "30"], ["sealed.key", "phrase"]),
    ((PHRASE,), ["open", "-i", "sealed-identity", "for-both", "-o", "31"], ["sealed-identity", "phrase"]),
]


def secrets_of(names, text):
    secrets = {}
    for name in names:
        if name in ("phrase", "wrong"):
            secrets["passphrase"] = read(name).strip()
        elif name == "raw.key":
            secrets[name] = read(name)
        else:
            secrets.update(key_secrets(name))
    if text:
        # Of much of it some places, the last one among them, as each window costs a search.
        last = read("text")[-text:]
        for at in range(len(last) - 100, -1, -max(100, text // 20)):
            secrets[f"text, byte {at} of the last {text}"] = last[at:at + 100]
    return secrets


def check(said, expected, args, names, text, answers=()):
    status, found = at_the_end([*ENGINE, *args], answers)
    assert status == expected, f"{args}: exit status {status}, expected {expected}"
    left = search(secrets_of(names, text), found)
    for (name, place), count in left.items():
        said.append(f"carryless {' '.join(args)}: {name} in {place}: {count} windows")
    return sum(len(content) for _, content in found)


def paced(said):
    """What waits behind a whole chunk, for more to come: in a buffer that is not unmapped with all that is in it."""
    os.mkfifo(os.path.join(PLACE, "pipe"))
    waits = os.urandom(100)
    write("slow", os.urandom(CHUNK) + waits)
    feeder = subprocess.Popen(["sh", "-c", "(cat slow; sleep 1) > pipe"], cwd=PLACE)
    args = ["seal", "-k", "key", "-t", "1", "--flush-after", "0.2", "pipe", "-o", "paced"]
    kept = "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=268435456"
    status, found = at_the_end(args, environment={"GLIBC_TUNABLES": kept})
    assert (status, feeder.wait()) == (0, 0), f"{args}: exit status {status}"
    for (name, place), count in search({"text that waited": waits}, found).items():
        said.append(f"carryless {' '.join(args)}: {name} in {place}: {count} windows")
    return sum(len(content) for _, content in found)


def main():
    prepare()
    said, size = [], 0
    for expected, args, names, text in CALLS:
        size += check(said, expected, args, names, text)
    for answers, args, names in PROMPTS:
        size += check(said, 0, args, names, 0, answers)
    size += paced(said)
    _, found = at_the_end(["open", "both", "-o", "18"], environment={"CARRYLESS_PASSPHRASE": PHRASE.decode()})
    seen = search(secrets_of(["phrase"], 0), found)
    assert seen, "control: a passphrase in the environment, which stays there, is not found"
    (name, place), count = next(iter(seen.items()))
    print(f"a passphrase in the environment: caught: {count} windows of {name} in {place}")
    print("\n".join(said))
    print(f"M6 command: {len(CALLS) + len(PROMPTS) + 1} calls, {size} bytes searched, {len(said)} left")
    sys.exit(bool(said))


main()
