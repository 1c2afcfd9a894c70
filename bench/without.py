"""Runs a program as if the CPU lacked a part of what it has: without.py vaes|avx512 PROGRAM [ARGS].

    vaes      no VAES, VPCLMULQDQ or GFNI, and none of AVX-512
    avx512    none of AVX-512

So libraries take the code that they have for such CPUs, at the full speed of this one. Programs ask the CPU what it has by
the instruction CPUID. In copies of the program and of its shared libraries, made for the run, each CPUID becomes a trap; a library
that is preloaded answers it as the CPU does, with those bits cleared. Linux on x86-64; it takes cc, objdump and readelf.

For the peers benchmark, whose peers are shared libraries in native/build: they are copied as well, and named by --native.
Not hidden from the C library and the loader, which are the same for all.
"""

import os
import re
import subprocess
import sys
import tempfile

HANDLER = r"""
#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>

static void answer(int signal, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  unsigned leaf = registers[REG_RAX], part = registers[REG_RCX];
  unsigned a = leaf, b, c = part, d;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  if (leaf == 7 && part == 0) {
    b &= ~EBX;
    c &= ~ECX;
    d &= ~EDX;
  }
  if (leaf == 7 && part == 1) a &= ~(1u << 5);
  registers[REG_RAX] = a;
  registers[REG_RBX] = b;
  registers[REG_RCX] = c;
  registers[REG_RDX] = d;
  registers[REG_RIP] += 1;
}

__attribute__((constructor)) static void begin(void) {
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGTRAP, &action, 0);
}
"""
CPUID, TRAP = b"\x0f\xa2", b"\xcc\x90"
# Bits of leaf 7 (Intel SDM volume 2, CPUID): AVX512F, DQ, IFMA, PF, ER, CD, BW, VL; VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ; 4VNNIW,
# 4FMAPS, VP2INTERSECT, FP16. With VAES go GFNI and VPCLMULQDQ.
AVX512 = {"EBX": (16, 17, 21, 26, 27, 28, 30, 31), "ECX": (1, 6, 11, 12, 14), "EDX": (2, 3, 8, 23)}
VAES = {"EBX": (), "ECX": (8, 9, 10), "EDX": ()}
# They ask as well, but who calls them does not take from that how it encrypts.
AS_THEY_ARE = ("linux-vdso", "ld-linux", "libc.so", "libm.so", "libgcc_s", "libstdc++")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def questions(file):
    """Where in the file there is a CPUID."""
    code = []
    for line in output("readelf", "-SW", file).splitlines():
        part = re.match(r"\s*\[ *\d+\] \S+ +PROGBITS +([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+)", line)
        if part:
            code.append([int(number, 16) for number in part.groups()])
    for line in output("objdump", "-d", "--no-show-raw-insn", file).splitlines():
        found = re.match(r"\s*([0-9a-f]+):\s+cpuid", line)
        if found:
            at = int(found[1], 16)
            yield from (offset + at - start for start, offset, size in code if 0 < start <= at < start + size)


def copy(file, folder):
    """Copies the file with a trap for each CPUID; how many there are."""
    with open(file, "rb") as source:
        data = bytearray(source.read())
    count = 0
    for at in questions(file):
        if data[at : at + 2] != CPUID:
            sys.exit(f"without.py: {file}: no CPUID at {at:#x}")
        data[at : at + 2] = TRAP
        count += 1
    name = os.path.join(folder, os.path.basename(file))
    with open(name, "wb") as target:
        target.write(data)
    os.chmod(name, 0o755)
    return name, count


def needed(files):
    """The shared libraries that they load, but those that stay as they are."""
    found = set()
    for file in files:
        for line in output("ldd", file).splitlines():
            path = re.search(r"=> (/\S+)", line)
            if path and not any(name in path[1] for name in AS_THEY_ARE):
                found.add(path[1])
    return sorted(found)


def handler(without, folder):
    """The library that answers."""
    hidden = [AVX512, VAES] if without == "vaes" else [AVX512]
    bits = [f"-D{register}={sum(1 << bit for part in hidden for bit in part[register]):#x}u" for register in AVX512]
    name = os.path.join(folder, "answer.so")
    command = ["cc", "-O2", "-shared", "-fPIC", *bits, "-xc", "-", "-o", name]
    subprocess.run(command, input=HANDLER, text=True, check=True)
    return name


def main(without, program, *args):
    if "--native" in args:
        sys.exit("without.py: --native would bring libraries that ask the CPU itself")
    peers = os.path.join(os.getcwd(), "native/build")
    peers = [os.path.join(peers, name) for name in sorted(os.listdir(peers))] if os.path.isdir(peers) else []
    peers = [file for file in peers if file.endswith(".so")]
    with tempfile.TemporaryDirectory() as folder:
        native, libraries = os.path.join(folder, "native"), os.path.join(folder, "libraries")
        os.mkdir(native)
        os.mkdir(libraries)
        hidden, count = copy(program, folder)
        if count == 0:
            sys.exit(f"without.py: {program}: asks the CPU for nothing")
        count += sum(copy(file, native)[1] for file in peers)
        count += sum(copy(file, libraries)[1] for file in needed([program, *peers]))
        print(f"without.py: {count} questions to the CPU are answered without {without}", file=sys.stderr)
        env = dict(os.environ, LD_PRELOAD=handler(without, folder), LD_LIBRARY_PATH=libraries)
        named = ["--native", native] if peers else []
        return subprocess.run([hidden, *named, *args], env=env, check=False).returncode


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("vaes", "avx512"):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
