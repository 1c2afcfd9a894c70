"""The CPUs of the emulator, which is Bochs in the Python package bochscpu-python 0.4.0.

Each model raises a real illegal instruction for what it lacks. The package is made for one model and
holds the code of many: what makes that one, and what it says of itself to CPUID, is replaced here in
memory before a CPU exists.
"""
import ctypes
import os
import re
import subprocess
import sys
import tempfile

# Functions of glibc 2.38 that the package wants, for an older system.
SHIM = r"""
#include <stdlib.h>
#include <stdarg.h>
#include <stdio.h>
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return strtoull(s, end, base); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }
long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }
long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
int __isoc23_sscanf(const char *s, const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  int read = vsscanf(s, format, rest);
  va_end(rest);
  return read;
}
"""

# By model: the function that makes it, and what the system enables, as in XCR0 (0: no XSAVE).
MODELS = {
    "tigerlake": ("_Z22create_tigerlake_cpuidP8BX_CPU_C", 0xE7),
    "icelake": ("_Z29create_corei7_icelake_u_cpuidP8BX_CPU_C", 0xE7),
    "sapphirerapids": ("_Z28create_sapphire_rapids_cpuidP8BX_CPU_C", 0xE7),
    "skylakex": ("_Z29create_corei7_skylake_x_cpuidP8BX_CPU_C", 0xE7),
    "arrowlake": ("_Z23create_arrow_lake_cpuidP8BX_CPU_C", 7),
    "ryzen": ("_Z18create_ryzen_cpuidP8BX_CPU_C", 7),
    "haswell": ("_Z32create_corei7_haswell_4770_cpuidP8BX_CPU_C", 7),
    "sandybridge": ("_Z38create_corei7_sandy_bridge_2600k_cpuidP8BX_CPU_C", 7),
    "arrandale": ("_Z34create_corei5_arrandale_m520_cpuidP8BX_CPU_C", 0),
    "lynnfield": ("_Z33create_corei5_lynnfield_750_cpuidP8BX_CPU_C", 0),
    "penryn": ("_Z31create_core2_penryn_t9600_cpuidP8BX_CPU_C", 0),
    "athlon64": ("_Z32create_athlon64_clawhammer_cpuidP8BX_CPU_C", 0),
}
# What makes the one model that the package is made for.
PACKAGED = "_Z23create_corei3_cnl_cpuidP8BX_CPU_C"

REGISTERS = ["eax", "ebx", "ecx", "edx"]
JUMP = 12  # bytes of: mov rax, ADDRESS; jmp rax
ALIVE = []  # what the emulator calls must not be collected


def load(model, report):
    """The package, which then makes CPUs of this model, with `report` changed in what CPUID says."""
    supply_new_functions()
    import bochscpu
    import bochscpu._bochscpu
    import bochscpu.cpu
    import bochscpu.memory

    library = ctypes.CDLL(bochscpu._bochscpu.__file__)
    constructor = MODELS[model][0]
    redirect(address_of(library, PACKAGED), address_of(library, constructor))
    words = changes(report)
    if words:
        falsify(library, constructor, words)
    return bochscpu


def supply_new_functions():
    """Puts a library with the functions of `SHIM` before the package's own."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = folder + "/shim.c", folder + "/shim.so"
        with open(source, "w") as file:
            file.write(SHIM)
        subprocess.check_call([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", library, source])
        ctypes.CDLL(library, ctypes.RTLD_GLOBAL)


def address_of(library, symbol):
    return ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value


def redirect(address, target):
    """Makes the function at `address` jump to `target`; the bytes that do so."""
    jump = b"\x48\xb8" + target.to_bytes(8, "little") + b"\xff\xe0"
    if ctypes.CDLL(None).mprotect(ctypes.c_void_p(address & ~4095), 8192, 7):
        sys.exit("emulate: the code of the CPU model cannot be changed")
    ctypes.memmove(address, jump, JUMP)
    return jump


def changes(report):
    """`1.ecx+25,1.ecx-28` by leaf and register: the bits to set and those to clear."""
    words = {}
    for change in report.split(",") if report else []:
        parts = re.fullmatch(r"(\d+)\.(e[abcd]x)([+-])(\d+)", change)
        if not parts:
            sys.exit(f"emulate: no change of CPUID: {change}")
        leaf, register, sign, bit = parts.groups()
        bits = words.setdefault((int(leaf), REGISTERS.index(register)), [0, 0])
        bits[sign == "-"] |= 1 << int(bit)
    return words


def falsify(library, constructor, words):
    """Makes the model's function for the leaves of CPUID report other bits."""
    name = re.search(r"create_(\w+)_cpuidP", constructor)[1] + "_t"
    address = address_of(library, f"_ZNK{len(name)}{name}14get_cpuid_leafEjjP16cpuid_function_t")
    words_of_leaf = ctypes.POINTER(ctypes.c_uint32)
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32, words_of_leaf)
    original = ctypes.string_at(address, JUMP)

    def answer(this, leaf, subleaf, result):
        ctypes.memmove(address, original, JUMP)
        kind(address)(this, leaf, subleaf, result)
        ctypes.memmove(address, jump, JUMP)
        for (changed, register), (set_bits, clear_bits) in words.items():
            if leaf == changed and subleaf == 0:
                result[register] = (result[register] | set_bits) & ~clear_bits

    callback = kind(answer)
    ALIVE.append(callback)
    jump = redirect(address, ctypes.cast(callback, ctypes.c_void_p).value)
