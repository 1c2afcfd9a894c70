#!/usr/bin/env python3
"""Compares the traces of calls under different secrets, on an emulated CPU.

  trace.py VAES_RUN CPU PROGRAM [ARGS...]

VAES_RUN is the script vaes_run.py, which emulates a CPU with the package bochscpu-python 0.4.0;
PROGRAM is crates/carryless-assure's `ct`, linked statically. The program tells by a system call
that no system has where a case begins, and where each call that is watched begins and ends. A trace
is all that happens in between: the address of every instruction, and address, size and direction of
every access to memory. All calls of a case must have the same trace, whatever the secrets.

Each case that leaks is printed with the first place where two traces part. The last line has the
counts. The exit status is the program's, or 1 if a case leaked, or 2 if nothing was compared.
"""
import bisect
import importlib.util
import os
import struct
import sys

CALL, ANSWER = 0x63741000, 0x6374  # as in src/bin/ct/probe.rs
HELLO, CASE, BEGIN, END = range(4)
BASE = 0x10000000  # where vaes_run.py loads a position independent program


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

    def begin_case(self, name):
        self.case, self.reference, self.leaked = name, None, False
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


def emulator(path):
    spec = importlib.util.spec_from_file_location("vaes_run", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def watch(run, comparison):
    """Makes the emulator call `comparison`, and trace between the marks only.

    A hook costs a hundred times the instruction, so the emulator stops and goes on with other hooks
    where a call begins and ends.
    """
    tracing = False

    class Machine(run.Machine):
        def syscall(self, state):
            nonlocal tracing
            if state.rax != CALL:
                return super().syscall(state)
            event = state.rdi
            if event == CASE:
                comparison.begin_case(self.read(state.rsi, state.rdx).decode())
            elif event == BEGIN:
                comparison.begin_call()
                tracing = True
            elif event == END:
                comparison.end_call()
                tracing = False
            if event in (BEGIN, END):
                self.session.stop()
            return ANSWER

    run.Machine = Machine
    import_bochs = run.import_bochs

    def hooked(cpu):
        bochs = import_bochs(cpu)
        tracer = bochs.Hook()
        add = comparison.events.append

        def before(session, _cpu, _instruction):
            add(session.cpu.rip)

        def access(_session, _cpu, address, _physical, size, _kind, direction):
            add(-(address << 13 | size << 1 | direction & 1))

        tracer.before_execution = before
        tracer.lin_access = access

        class Session(bochs.Session):
            def run(self, hooks):
                machine = hooks[0].cache_cntrl.__closure__
                machine = next(c.cell_contents for c in machine if isinstance(c.cell_contents, Machine))
                machine.session = self
                while machine.code is None:
                    super().run(hooks + [tracer] if tracing else hooks)

        class Bochs:
            def __getattr__(self, name):
                return Session if name == "Session" else getattr(bochs, name)

        return Bochs()

    run.import_bochs = hooked


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    path, cpu, program, *args = sys.argv[1:]
    comparison = Comparison(Symbols(program))
    run = emulator(path)
    watch(run, comparison)
    # Of files the program opens /dev/urandom.
    sys.argv = [path, "--cpu", cpu, "--root", "/", program, *args]
    code = run.main()
    for leak in comparison.leaks:
        print(f"leak: {leak}")
    print(
        f"trace: {comparison.cases} cases, {comparison.calls} calls, {comparison.instructions} instructions, "
        f"{comparison.accesses} accesses, {len(comparison.leaks)} leaks"
    )
    if code == 0 and comparison.calls == 0:
        return 2
    return code or bool(comparison.leaks)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    # The emulator's threads and memory are not for the interpreter to clear away.
    os._exit(status)
