"""A test program on one CPU model of the emulator, which may report what it does not have.

  models.py TOOLS MODEL XCR0 REPORT NAME=VALUE.. -- PROGRAM ARGS..

TOOLS is the folder of vaes_run.py. XCR0 is `-` for the model's own value, or what the system has
enabled (0: nothing, OSXSAVE is clear). REPORT is `-`, or changes of what CPUID says, separated by
commas: `1.ecx+25` sets a bit of leaf 1, `7.ebx-5` clears one. What the CPU can do stays as it is.
"""
import ctypes
import os
import sys

FUNCTIONS = {  # bx_cpuid_t::get_std_cpuid_leaf_..(unsigned) const
    "1.ecx": "_ZNK10bx_cpuid_t24get_std_cpuid_leaf_1_ecxEj",
    "7.ebx": "_ZNK10bx_cpuid_t24get_std_cpuid_leaf_7_ebxEj",
    "7.ecx": "_ZNK10bx_cpuid_t24get_std_cpuid_leaf_7_ecxEj",
}
JUMP = 12  # mov rax, ADDRESS; jmp rax
ALIVE = []  # what the emulator calls must not be collected


def falsify(library, word, set_bits, clear_bits):
    """Makes the emulator's function for this word of CPUID report other bits."""
    address = ctypes.cast(getattr(library, FUNCTIONS[word]), ctypes.c_void_p).value
    kind = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32)
    libc = ctypes.CDLL(None)
    if libc.mprotect(ctypes.c_void_p(address & ~4095), 8192, 7):
        sys.exit("models: cannot change what CPUID says")
    original = ctypes.string_at(address, JUMP)

    def report(this, extra):
        ctypes.memmove(address, original, JUMP)
        bits = kind(address)(this, extra)
        ctypes.memmove(address, jump, JUMP)
        return (bits | set_bits) & ~clear_bits

    callback = kind(report)
    target = ctypes.cast(callback, ctypes.c_void_p).value
    jump = b"\x48\xb8" + target.to_bytes(8, "little") + b"\xff\xe0"
    ctypes.memmove(address, jump, JUMP)
    ALIVE.append(callback)


def changes(report):
    """`1.ecx+25,1.ecx-28` by word: the bits to set and those to clear."""
    words = {}
    for change in report.split(",") if report != "-" else []:
        word, sign, bit = change[:5], change[5], 1 << int(change[6:])
        bits = words.setdefault(word, [0, 0])
        bits[sign == "-"] |= bit
    return words


def main():
    tools, model, xcr0, report = sys.argv[1:5]
    split = sys.argv.index("--")
    sys.path.insert(0, tools)
    import vaes_run

    if model not in vaes_run.CPUS:
        sys.exit(f"models: the emulator has no model {model}")
    if xcr0 != "-":
        vaes_run.CPUS[model] = (vaes_run.CPUS[model][0], int(xcr0, 0))
    import_bochs = vaes_run.import_bochs

    def import_and_falsify(cpu):
        bochs = import_bochs(cpu)
        library = ctypes.CDLL(sys.modules["bochscpu._bochscpu"].__file__)
        for word, (set_bits, clear_bits) in changes(report).items():
            falsify(library, word, set_bits, clear_bits)
        return bochs

    vaes_run.import_bochs = import_and_falsify
    environment = [part for pair in sys.argv[5:split] for part in ("--env", pair)]
    sys.argv = ["vaes_run", "--cpu", model, *environment, *sys.argv[split + 1:]]
    status = vaes_run.main()
    sys.stdout.flush()
    os._exit(status)


main()
