"""A test program on one CPU model of the emulator, which may report what it does not have.

  models.py SCRIPT MODEL XCR0 REPORT NAME=VALUE.. -- PROGRAM ARGS..

SCRIPT is vaes_run.py. XCR0 is `-` for the model's own value, or what the system has
enabled (0: nothing, OSXSAVE is clear). REPORT is `-`, or changes of what CPUID says, separated by
commas: `1.ecx+25` sets a bit of leaf 1, `7.ebx-5` clears one. What the CPU can do stays as it is.
"""
import ctypes
import os
import re
import sys

REGISTERS = ["eax", "ebx", "ecx", "edx"]
JUMP = 12  # mov rax, ADDRESS; jmp rax
ALIVE = []  # what the emulator calls must not be collected


def falsify(library, constructor, words):
    """Makes the model's function for the leaves of CPUID report other bits."""
    name = re.search(r"create_(\w+)_cpuidP", constructor)[1] + "_t"
    symbol = f"_ZNK{len(name)}{name}14get_cpuid_leafEjjP16cpuid_function_t"
    address = ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
    words_of_leaf = ctypes.POINTER(ctypes.c_uint32)
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32, words_of_leaf)
    libc = ctypes.CDLL(None)
    if libc.mprotect(ctypes.c_void_p(address & ~4095), 8192, 7):
        sys.exit("models: cannot change what CPUID says")
    original = ctypes.string_at(address, JUMP)

    def report(this, leaf, subleaf, result):
        ctypes.memmove(address, original, JUMP)
        kind(address)(this, leaf, subleaf, result)
        ctypes.memmove(address, jump, JUMP)
        for (changed, register), (set_bits, clear_bits) in words.items():
            if leaf == changed and subleaf == 0:
                result[register] = (result[register] | set_bits) & ~clear_bits

    callback = kind(report)
    target = ctypes.cast(callback, ctypes.c_void_p).value
    jump = b"\x48\xb8" + target.to_bytes(8, "little") + b"\xff\xe0"
    ctypes.memmove(address, jump, JUMP)
    ALIVE.append(callback)


def changes(report):
    """`1.ecx+25,1.ecx-28` by leaf and register: the bits to set and those to clear."""
    words = {}
    for change in report.split(",") if report != "-" else []:
        leaf, register, sign, bit = re.fullmatch(r"(\d+)\.(\w+)([+-])(\d+)", change).groups()
        bits = words.setdefault((int(leaf), REGISTERS.index(register)), [0, 0])
        bits[sign == "-"] |= 1 << int(bit)
    return words


def main():
    script, model, xcr0, report = sys.argv[1:5]
    split = sys.argv.index("--")
    sys.path.insert(0, os.path.dirname(script))
    import vaes_run

    if model not in vaes_run.CPUS:
        sys.exit(f"models: the emulator has no model {model}")
    if xcr0 != "-":
        vaes_run.CPUS[model] = (vaes_run.CPUS[model][0], int(xcr0, 0))
    import_bochs = vaes_run.import_bochs

    def import_and_falsify(cpu):
        bochs = import_bochs(cpu)
        library = ctypes.CDLL(sys.modules["bochscpu._bochscpu"].__file__)
        if report != "-":
            falsify(library, vaes_run.CPUS[cpu][0], changes(report))
        return bochs

    vaes_run.import_bochs = import_and_falsify
    environment = [part for pair in sys.argv[5:split] for part in ("--env", pair)]
    sys.argv = ["vaes_run", "--cpu", model, *environment, *sys.argv[split + 1:]]
    status = vaes_run.main()
    sys.stdout.flush()
    os._exit(status)


main()
