#!/usr/bin/env python3
"""Runs a static x86-64 Linux program on an emulated CPU, for instructions that this one lacks.

  emulate.py [OPTIONS] PROGRAM [ARGS..]

Needs the Python package bochscpu-python 0.4.0 and a C compiler. The exit status is the program's; 132
for an illegal instruction, 139 for a bad access, 70 for a fault of the emulation.
"""
import argparse
import os
import sys
import traceback

import guest
import processors

ILLEGAL = 132  # as a signal would give it

# Exceptions that end a program: division, illegal instruction, double fault, protection, page fault.
FATAL = {0: guest.OUTSIDE, 6: ILLEGAL, 8: guest.OUTSIDE, 13: guest.OUTSIDE, 14: guest.OUTSIDE}


class Run(guest.Machine):
    """A program on its CPU. A class made of this one may answer more system calls, and watch."""

    def __init__(self, bochs, options):
        super().__init__(bochs, options.root)
        self.bochs = bochs
        self.fault = None
        self.paused = False
        self.session = bochs.Session()
        self.session.missing_page_handler = self.missing
        words = [options.program, *options.arguments]
        entry, stack = self.load(options.program, words, options.env)
        xcr0 = processors.MODELS[options.cpu][1] if options.xcr0 is None else options.xcr0
        self.session.cpu.state = self.registers(entry, stack, xcr0)
        self.hook = bochs.Hook()
        self.hook.cache_cntrl = self.on_system_call
        self.hook.exception = self.on_exception

    def registers(self, entry, stack, xcr0):
        """Those of a process of Linux when it begins, on a system that enables `xcr0`."""
        state = self.bochs.State()
        self.bochs.cpu.set_long_mode(state)
        # OSFXSR, OSXMMEXCPT and, where there is XSAVE, OSXSAVE; no alignment check, a present FPU.
        state.cr4 = state.cr4 | 1 << 9 | 1 << 10 | (1 << 18 if xcr0 else 0)
        state.cr0 = state.cr0 & ~(1 << 18) | 2
        state.cr3 = guest.PML4
        state.xcr0 = xcr0 or 1
        # SYSCALL is on, goes to `ENTRY` with interrupts and single steps off, and comes back to user code.
        state.efer = state.efer | 1
        state.star = 0x10 << 32 | 0x23 << 48
        state.lstar = guest.ENTRY
        state.sfmask = 0x300
        state.cs = self.segment(0x33, 0xA0FB)
        for name in ("ss", "ds", "es", "fs", "gs"):
            setattr(state, name, self.segment(0x2B, 0xC0F3))
        state.rflags = 2
        state.mxcsr, state.mxcsr_mask = 0x1F80, 0xFFFF
        state.fpcw, state.fptw = 0x37F, 0xFFFF
        state.rip, state.rsp = entry, stack
        return state

    def segment(self, selector, attributes):
        """All of memory, with these rights."""
        segment = self.bochs.Segment()
        segment.present, segment.selector, segment.attr = True, selector, attributes
        segment.base, segment.limit = 0, 0xFFFFFFFF
        return segment

    def on_system_call(self, session, _cpu, *_):
        try:
            state = session.cpu
            state.rax = self.system_call(state) & (1 << 64) - 1
        except guest.Exit:
            pass
        # Nothing may unwind through the emulator's own code.
        except BaseException as fault:
            self.fault = fault
            self.status = guest.BROKEN
        if self.status is not None:
            session.stop()

    def on_exception(self, session, _cpu, vector, code):
        if vector not in FATAL:
            return
        state = session.cpu.state
        sys.stderr.write(
            f"emulate: exception {vector} code {code:#x} at rip {state.rip:#x} "
            f"cr2 {state.cr2:#x} rsp {state.rsp:#x} bytes {self.read(state.rip, 12).hex()}\n"
        )
        self.status = FATAL[vector]
        session.stop()

    def hooks(self):
        """What the emulator calls until it pauses or the program ends."""
        return [self.hook]

    def pause(self):
        """Stops the emulator, for it to go on with other hooks."""
        self.paused = True
        self.session.stop()

    def to_the_end(self):
        """Runs the program; its exit status."""
        going = True
        while going:
            self.paused = False
            self.session.run(self.hooks())
            going = self.paused and self.status is None
        if self.fault:
            traceback.print_exception(type(self.fault), self.fault, self.fault.__traceback__)
        return 1 if self.status is None else self.status


def options(arguments, description):
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", default="tigerlake", choices=processors.MODELS, help="the model (default: tigerlake)")
    number = lambda text: int(text, 0)
    parser.add_argument("--xcr0", type=number, help="what the system enables (0: nothing), not all there is")
    parser.add_argument(
        "--cpuid", default="", help="false reports of CPUID: 1.ecx+25,7.ebx-5 sets a bit of leaf 1, clears one of 7"
    )
    parser.add_argument("--root", help="files below this folder can be opened for reading")
    parser.add_argument("--env", action="append", default=[], help="NAME=VALUE of the environment, else empty")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser.parse_args(arguments)


def start(wanted, kind=Run):
    """The program on its CPU, at its beginning."""
    return kind(processors.load(wanted.cpu, wanted.cpuid), wanted)


def leave(status):
    """Ends this process: the emulator's threads and memory are not for the interpreter to clear away."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    leave(start(options(sys.argv[1:], __doc__)).to_the_end())
