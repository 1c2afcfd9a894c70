"""The Linux that a program finds on the emulated CPU: memory, a loader, the few system calls it needs.

For one statically linked x86-64 program with one thread and no signals. It writes to its standard
output and error, and opens files for reading, below one folder at most.
"""
import ctypes
import os
import struct
import sys
import time

PAGE = 4096
BASE = 0x10000000  # where a position independent program is put
MEMORY = 1 << 30  # bytes; those touched are allocated
HEAP = 256 << 20  # bytes that `brk` may add
STACK = 64 << 20

ENTRY = 0x1000  # where a system call enters
PML4, PDPT = 0x2000, 0x3000  # the tables of pages

OUTSIDE = 139  # exit statuses: a page fault, as a signal would give it,
BROKEN = 70  # and a fault of this script
ENOENT, EBADF, EAGAIN, ENOMEM, EINVAL, ENOTTY, ENOSYS = 2, 9, 11, 12, 22, 25, 38


class Exit(Exception):
    """The program has ended."""


class Machine:
    """Memory and system of one program on the emulator `bochs`."""

    def __init__(self, bochs, root):
        self.memory = bochs.memory
        self.root = root and os.path.abspath(root)
        self.pages = {}
        self.files = {}
        self.heap_start = self.heap_end = 0
        self.mapped = MEMORY - STACK  # the lowest address given out by `mmap`
        self.status = None  # of the program, when it has ended
        self.began = time.time()
        self.map_memory()

    def map_memory(self):
        """Each of 4 GiB at its own address, in pages of 2 MiB, writable by the program."""
        self.write(PML4, struct.pack("<Q", PDPT | 7))
        for i in range(4):
            directory = PDPT + PAGE * (i + 1)
            entries = [(i << 30) + (j << 21) | 0x87 for j in range(512)]
            self.write(PDPT + 8 * i, struct.pack("<Q", directory | 7))
            self.write(directory, struct.pack("<512Q", *entries))
        # wbinvd, which the emulator tells of, and sysretq.
        self.write(ENTRY, b"\x0f\x09\x48\x0f\x07")

    def page(self, address):
        """The page at this address of the emulated memory, allocated and zero if it is new."""
        page = self.pages.get(address)
        if page is None:
            page = self.pages[address] = self.memory.allocate_host_page()
            ctypes.memset(page, 0, PAGE)
            self.memory.page_insert(address, page)
        return page

    def missing(self, address):
        """Called by the emulator for a page that was not touched before."""
        address &= ~(PAGE - 1)
        if address >= MEMORY:
            self.status = OUTSIDE
            sys.stderr.write(f"emulate: access outside memory at {address:#x}\n")
        self.page(address)

    def write(self, address, data):
        done = 0
        while done < len(data):
            offset = (address + done) % PAGE
            count = min(PAGE - offset, len(data) - done)
            page = self.page(address + done - offset)
            ctypes.memmove(page + offset, data[done:done + count], count)
            done += count

    def read(self, address, count):
        parts = []
        while count > 0:
            offset = address % PAGE
            part = min(PAGE - offset, count)
            parts.append(ctypes.string_at(self.page(address - offset) + offset, part))
            address, count = address + part, count - part
        return b"".join(parts)

    def read_string(self, address):
        text = b""
        while b"\0" not in text:
            text += self.read(address + len(text), 16)
        return text.split(b"\0")[0].decode()

    def load(self, path, arguments, environment):
        """Puts the program there; where it begins, and its stack."""
        with open(path, "rb") as file:
            data = file.read()
        kind, machine = struct.unpack_from("<HH", data, 16)
        if data[:6] != b"\x7fELF\x02\x01" or machine != 62:
            sys.exit("emulate: not an x86-64 ELF file")
        entry, headers = struct.unpack_from("<QQ", data, 24)
        size, count = struct.unpack_from("<HH", data, 54)
        base = BASE if kind == 3 else 0
        end = shown_at = 0
        for i in range(count):
            what, _, offset, at, _, in_file, in_memory, _ = struct.unpack_from("<IIQQQQQQ", data, headers + i * size)
            if what == 3:
                sys.exit("emulate: the program is linked dynamically")
            if what != 1:
                continue
            self.write(base + at, data[offset:offset + in_file])
            end = max(end, base + at + in_memory)
            if offset <= headers < offset + in_file:
                shown_at = base + at + headers - offset
        self.heap_start = self.heap_end = (end + 2 * PAGE) & ~(PAGE - 1)
        # AT_PHDR, AT_PHENT, AT_PHNUM, AT_ENTRY.
        described = [(3, shown_at), (4, size), (5, count), (9, base + entry)]
        return base + entry, self.fill_stack(arguments, environment, described)

    def fill_stack(self, arguments, environment, described):
        """Arguments, environment and auxiliary vector as a program finds them; the stack pointer."""
        top = MEMORY - PAGE

        def put(text):
            nonlocal top
            top -= len(text) + 1
            self.write(top, text.encode() + b"\0")
            return top

        arguments = [put(text) for text in arguments]
        environment = [put(text) for text in environment]
        top = (top - 16) & ~15
        self.write(top, os.urandom(16))
        # AT_PAGESZ, AT_BASE, the IDs, AT_HWCAP, AT_CLKTCK, AT_SECURE, AT_RANDOM, AT_EXECFN, the end.
        vector = described + [(6, PAGE), (7, 0), (11, 1000), (12, 1000), (13, 1000), (14, 1000), (16, 0)]
        vector += [(17, 100), (23, 0), (25, top), (31, arguments[0]), (0, 0)]
        words = [len(arguments), *arguments, 0, *environment, 0]
        words += [word for pair in vector for word in pair]
        top = (top - 8 * len(words)) & ~15
        self.write(top, struct.pack(f"<{len(words)}Q", *words))
        return top

    def system_call(self, state):
        """Does what the registers ask for; what is to be in rax then."""
        arguments = state.rdi, state.rsi, state.rdx, state.r10, state.r8, state.r9
        number = state.rax
        if number == 158:
            return self.set_thread_pointer(state)
        if number in ANSWERS:
            return ANSWERS[number]
        if number in CALLS:
            return CALLS[number](self, *arguments)
        sys.stderr.write(f"emulate: system call {number} not known, -ENOSYS\n")
        return -ENOSYS

    def set_thread_pointer(self, state):
        if state.rdi != 0x1002:  # ARCH_SET_FS
            return -EINVAL
        segment = state.fs
        segment.base = state.rsi
        state.fs = segment
        return 0

    def put_out(self, descriptor, address, count, *_):
        if descriptor not in (1, 2):
            return -EBADF
        stream = sys.stdout.buffer if descriptor == 1 else sys.stderr.buffer
        stream.write(self.read(address, count))
        stream.flush()
        return count

    def put_out_pieces(self, descriptor, pieces, count, *_):
        words = struct.unpack(f"<{2 * count}Q", self.read(pieces, 16 * count))
        done = [self.put_out(descriptor, *words[2 * i:2 * i + 2]) for i in range(count)]
        return min(done) if any(one < 0 for one in done) else sum(done)

    def exit(self, status, *_):
        self.status = status & 255
        raise Exit

    def set_heap(self, end, *_):
        if self.heap_start <= end < self.heap_start + HEAP:
            self.heap_end = end
        return self.heap_end

    def map(self, address, count, _, flags, descriptor, offset):
        whole = (count + PAGE - 1) & ~(PAGE - 1)
        if flags & 0x10:  # MAP_FIXED
            self.write(address, bytes(whole))
            return address
        address = self.place(whole)
        if address >= 0 and descriptor in self.files:
            file = self.files[descriptor]
            file.seek(offset)
            self.write(address, file.read(count))
        return address

    def map_again(self, address, old, new, *_):
        whole = (new + PAGE - 1) & ~(PAGE - 1)
        if whole <= old:
            return address
        moved = self.place(whole)
        if moved >= 0:
            self.write(moved, self.read(address, old))
        return moved

    def place(self, count):
        """Memory that nothing had before: none is given back."""
        if self.mapped - count < self.heap_start + HEAP:
            return -ENOMEM
        self.mapped -= count
        return self.mapped

    def close(self, descriptor, *_):
        if descriptor in self.files:
            self.files.pop(descriptor).close()
        return 0

    def limits(self, _process, _what, _new, old, *_):
        if old:
            self.write(old, struct.pack("<QQ", 8 << 20, 8 << 20))
        return 0

    def random(self, address, count, *_):
        self.write(address, os.urandom(count))
        return count

    def now(self):
        return time.time() - self.began + 1.7e9

    def clock(self, _, address, *_rest):
        now = self.now()
        self.write(address, struct.pack("<QQ", int(now), int(now % 1 * 1e9)))
        return 0

    def time_of_day(self, address, *_):
        now = self.now()
        self.write(address, struct.pack("<QQ", int(now), int(now % 1 * 1e6)))
        return 0

    def resolution(self, _, address, *_rest):
        self.write(address, struct.pack("<QQ", 0, 1))
        return 0

    def affinity(self, _process, _size, address, *_):
        self.write(address, struct.pack("<Q", 1))
        return 8

    def name(self, address, *_):
        fields = "Linux", "emulated", "6.1.0", "#1", "x86_64", ""
        self.write(address, b"".join(field.encode().ljust(65, b"\0") for field in fields))
        return 0

    def folder(self, address, *_):
        self.write(address, b"/\0")
        return 2

    def open(self, path, flags, *_):
        path = self.read_string(path)
        if self.root is None or flags & 3:
            return -ENOENT
        path = os.path.normpath(os.path.join(self.root, path.lstrip("/")))
        try:
            if os.path.commonpath([path, self.root]) != self.root:
                return -ENOENT
            file = open(path, "rb")
        except OSError:
            return -ENOENT
        descriptor = next(number for number in range(3, 4096) if number not in self.files)
        self.files[descriptor] = file
        return descriptor

    def open_at(self, _, path, flags, *_rest):
        return self.open(path, flags)

    def get(self, descriptor, address, count, *_):
        if descriptor == 0:
            return 0
        if descriptor not in self.files:
            return -EBADF
        data = self.files[descriptor].read(count)
        self.write(address, data)
        return len(data)

    def get_at(self, descriptor, address, count, offset, *_):
        if descriptor in self.files:
            self.files[descriptor].seek(offset)
        return self.get(descriptor, address, count)

    def seek(self, descriptor, offset, whence, *_):
        file = self.files.get(descriptor)
        return file.seek(offset, whence) if file else -EBADF

    def state_of(self, descriptor, address, *_):
        if descriptor not in self.files:
            return -ENOENT
        size = os.fstat(self.files[descriptor].fileno()).st_size
        fields = 1, 1, 1, 0o100644, 0, 0, 0, 0, size, PAGE, (size + 511) // 512
        self.write(address, struct.pack("<QQQIIIIQQQQ", *fields).ljust(144, b"\0"))
        return 0


# System calls by number.
CALLS = {
    0: Machine.get, 1: Machine.put_out, 2: Machine.open, 3: Machine.close, 5: Machine.state_of,
    8: Machine.seek, 9: Machine.map, 12: Machine.set_heap, 17: Machine.get_at, 20: Machine.put_out_pieces,
    25: Machine.map_again, 60: Machine.exit, 63: Machine.name, 79: Machine.folder, 96: Machine.time_of_day,
    201: lambda machine, *_: int(machine.now()), 204: Machine.affinity, 228: Machine.clock,
    229: Machine.resolution, 231: Machine.exit, 257: Machine.open_at, 302: Machine.limits, 318: Machine.random,
}  # fmt: skip
# And those with one answer.
ANSWERS = {
    # mprotect, munmap, rt_sigaction, rt_sigprocmask, sched_yield, madvise, sigaltstack, prctl, futex,
    # sched_setaffinity, set_robust_list, poll: nothing to do for one thread.
    **dict.fromkeys([10, 11, 13, 14, 24, 28, 131, 157, 202, 203, 273, 7], 0),
    # getpid, gettid, set_tid_address, and the IDs of user and group.
    **dict.fromkeys([39, 186, 218], 1), **dict.fromkeys([102, 104, 107, 108], 1000),
    # ioctl: no terminal. clone, clone3: no thread, on which libtest runs tests in the only one.
    16: -ENOTTY, **dict.fromkeys([56, 435], -EAGAIN),
    # access, socket, readlink and their kin, newfstatat: nothing is there. rseq, statx: unknown to it.
    **dict.fromkeys([21, 41, 89, 262, 267, 269, 439], -ENOENT), **dict.fromkeys([332, 334], -ENOSYS),
}  # fmt: skip
