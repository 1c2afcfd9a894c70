#!/usr/bin/env python3
"""Compares the traces of calls under different secrets, on an emulated CPU.

  trace.py [OPTIONS] PROGRAM [ARGS..]

OPTIONS are those of emulate.py. PROGRAM is crates/carryless-assure's `ct`, linked statically. The
program tells by a system call that no system has where a case begins, and where each call that is
watched begins and ends. A trace is all that happens in between: the address of every instruction, and
address, size and direction of every access to memory. All calls of a case must have the same trace,
whatever the secrets.

Each case that leaks is printed with the first place where two traces part. The last line has the
counts. The exit status is the program's, or 1 if a case leaked, or 2 if nothing was compared.
"""
import bisect
import struct
import sys

import emulate
from guest import BASE, ENOSYS

CALL = 0x6374  # as in src/bin/ct/probe.rs
CASE, LETTER, BEGIN, END = range(4)


class Symbols:
    """Names of functions by address."""

    def __init__(self, path):
        data = open(path, "rb").read()
        offset, = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)]
        found = []
        for kind, at, length, names in [(s[1], s[4], s[5], s[6]) for s in sections]:
            if kind != 2:  # SHT_SYMTAB
                continue
            strings = sections[names][4]
            for entry in range(at, at + length, 24):
                name, info, _, _, value, _ = struct.unpack_from("<IBBHQQ", data, entry)
                if info & 15 == 2:  # STT_FUNC
                    start = strings + name
                    text = data[start:data.index(b"\0", start)].decode()
                    found.append((value, text))
        self.found = sorted(found)

    def name(self, address):
        at = bisect.bisect(self.found, (address - BASE, "~"))
        if at == 0:
            return f"{address:#x}"
        value, name = self.found[at - 1]
        return f"{name} + {address - BASE - value:#x}"


class Comparison:
    """The traces of the case at hand, and the counts of all."""

    def __init__(self, symbols):
        self.symbols = symbols
        self.case = ""
        self.reference = None
        self.events = []
        self.cases = self.calls = self.instructions = self.accesses = 0
        self.leaks = []

    def begin_case(self):
        self.case, self.reference, self.leaked = "", None, False
        self.cases += 1

    def begin_call(self):
        self.events.clear()

    def end_call(self):
        self.calls += 1
        accesses = sum(event < 0 for event in self.events)
        self.accesses += accesses
        self.instructions += len(self.events) - accesses
        if self.reference is None:
            self.reference = list(self.events)
        elif self.reference != self.events and not self.leaked:
            self.leaked = True
            self.leaks.append(f"{self.case}: {self.difference()}")

    def difference(self):
        """Where the traces part, and what came there."""
        first, other = self.reference, self.events
        at = next((i for i, (a, b) in enumerate(zip(first, other)) if a != b), min(len(first), len(other)))
        place = next((event for event in reversed(other[:at]) if event > 0), 0)
        shown = [self.show(events[at]) if at < len(events) else "the end" for events in (first, other)]
        return f"event {at}, after {self.symbols.name(place)}: {shown[0]}, or {shown[1]}"

    def show(self, event):
        if event > 0:
            return f"instruction {self.symbols.name(event)}"
        packed = -event
        verb = "write" if packed & 1 else "read"
        return f"{verb} of {packed >> 1 & 0xfff} bytes at {packed >> 13:#x}"


class Traced(emulate.Run):
    """A program that says where a call begins and ends, traced between these marks only.

    A hook costs a hundred times the instruction, so the emulator stops and goes on with other hooks
    where a call begins and ends.
    """

    def __init__(self, bochs, options):
        super().__init__(bochs, options)
        self.comparison = Comparison(Symbols(options.program))
        self.tracing = False
        self.tracer = bochs.Hook()
        add = self.comparison.events.append

        def before(session, _cpu, _instruction):
            add(session.cpu.rip)

        def access(_session, _cpu, address, _physical, size, _kind, direction):
            add(-(address << 13 | size << 1 | direction & 1))

        self.tracer.before_execution = before
        self.tracer.lin_access = access

    def hooks(self):
        return [self.hook, self.tracer] if self.tracing else [self.hook]

    def system_call(self, state):
        if state.rax != CALL:
            return super().system_call(state)
        event = state.rdi
        if event == CASE:
            self.comparison.begin_case()
        elif event == LETTER:
            self.comparison.case += chr(state.rsi)
        elif event == BEGIN:
            self.comparison.begin_call()
        elif event == END:
            self.comparison.end_call()
        if event in (BEGIN, END):
            self.tracing = event == BEGIN
            self.pause()
        return -ENOSYS


def main():
    run = emulate.start(emulate.options(sys.argv[1:], __doc__), Traced)
    code = run.to_the_end()
    found = run.comparison
    for leak in found.leaks:
        print(f"leak: {leak}")
    print(
        f"trace: {found.cases} cases, {found.calls} calls, {found.instructions} instructions, "
        f"{found.accesses} accesses, {len(found.leaks)} leaks"
    )
    if code == 0 and found.calls == 0:
        return 2
    return code or int(bool(found.leaks))


if __name__ == "__main__":
    emulate.leave(main())
