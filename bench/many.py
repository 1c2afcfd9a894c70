"""Times many small files beside `cp -r` with `sync`, and beside programs that take one file a call: many.py [OPTIONS] (--help).

Every round runs all programs one after the other on the same files, so that a quiet or a busy minute is one for all; what is
printed are medians, and medians of the ratios to `cp` of the same round. All programs leave their files on the disk: who does
not flush them is followed by `sync -f`. In memory and on a disk, as each hides what the other shows.
"""

import argparse
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=os.path.join(HERE, "../target/release/carryless"))
    parser.add_argument("--count", type=int, default=2000, help="files (default: %(default)s)")
    parser.add_argument("--bytes", type=int, default=4096, help="in each (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="after one for warming up (default: %(default)s)")
    parser.add_argument("--memory", default="/dev/shm", help="a memory file system (default: %(default)s)")
    parser.add_argument("--disk", default=tempfile.gettempdir(), help="a disk (default: %(default)s)")
    parser.add_argument("--only", default="", help="comma-separated beginnings of names of programs")
    return parser.parse_args()


def key(path, content):
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(content)
    return path


def programs(carryless, place):
    """Lines of a shell by the name of the program, which seal all of $source into $target; and those that are missing."""
    secret, words = os.path.join(place, "key"), key(os.path.join(place, "words"), b"correct horse")
    subprocess.run([carryless, "keygen", "-o", secret], check=True)
    carryless = shlex.quote(carryless) + " seal -q"
    each = 'for f in "$source"/*; do %s || exit 1; done && sync -f "$target"'
    found, missing = {
        "cp -r, sync": 'cp -r "$source" "$target"/ && sync -f "$target"',
        "carryless": f'{carryless} -k {secret} "$source"/* -o "$target"/',
        "carryless, passphrase": f'{carryless} --passphrase-file {words} "$source"/* -o "$target"/',
    }, []
    for age in ("age", "rage"):
        if shutil.which(age) and shutil.which(age + "-keygen"):
            identity = os.path.join(place, age)
            made = subprocess.run([age + "-keygen", "-o", identity], check=True, capture_output=True, text=True)
            public = [line.split()[-1] for line in made.stderr.splitlines() if "ublic key" in line][0]
            found[age] = each % f'{age} -r {public} -o "$target/${{f##*/}}" "$f"'
        else:
            missing.append(age)
    if shutil.which("gpg"):
        home = os.path.join(place, "gnupg")
        os.mkdir(home, 0o700)
        found["gpg"] = each % (f"gpg --batch --quiet --homedir {home} --passphrase-file {words} --pinentry-mode loopback "
                               "--symmetric --cipher-algo AES128 --compress-algo none --s2k-count 1024 "
                               '-o "$target/${f##*/}" "$f"')
    else:
        missing.append("gpg")
    return found, missing


def timed(line, place, count):
    """Seconds that a program takes for all files."""
    target = os.path.join(place, "target")
    shutil.rmtree(target, ignore_errors=True)
    os.mkdir(target)
    subprocess.run(["sync", "-f", target], check=True)
    environment = {**os.environ, "source": os.path.join(place, "source"), "target": target}
    began = time.perf_counter()
    subprocess.run(["sh", "-c", line], check=True, env=environment)
    seconds = time.perf_counter() - began
    made = sum(len(files) for _, _, files in os.walk(target))
    if made != count:
        raise SystemExit(f"{made} files instead of {count}: {line}")
    return seconds


def measure(where, args):
    with tempfile.TemporaryDirectory(dir=where) as place:
        os.mkdir(os.path.join(place, "source"))
        for number in range(args.count):
            with open(os.path.join(place, "source", f"file{number}"), "wb") as file:
                file.write(os.urandom(args.bytes))
        found, missing = programs(os.path.abspath(args.program), place)
        base, *_ = found
        found = {name: line for name, line in found.items() if name == base or name.startswith(tuple(args.only.split(",")))}
        taken = {name: [] for name in found}
        for round_ in range(args.rounds + 1):
            seconds = {name: timed(line, place, args.count) for name, line in found.items()}
            if round_:
                for name, time_ in seconds.items():
                    taken[name].append((time_, time_ / seconds[base]))
    print(f"\n{args.count} files of {args.bytes} bytes in {where}, medians of {args.rounds} rounds")
    if missing:
        print("not here: " + ", ".join(missing))
    print("\n| program | seconds | to cp |\n|---|---:|---:|")
    for name, both in taken.items():
        seconds, ratio = (statistics.median(column) for column in zip(*both))
        print(f"| {name} | {seconds:.3g} | {ratio:.3g} |")
    sys.stdout.flush()


def main():
    args = parse()
    for where in (args.memory, args.disk):
        if os.path.isdir(where):
            measure(where, args)


main()
