/* A plugin of QEMU 7.2 to 8.2 (user mode): compares the traces of calls under different secrets, and says of it what
   `trace.py` says of those on the emulated x86-64.

   A trace is the address of every instruction between the marks of src/bin/ct/probe.rs, and address, size and direction
   of every access to memory. The first of a case is kept, and each other held against it as it comes. The exit status
   is the program's, or 1 if a case leaked, or 2 if nothing was compared.

   The functions are declared here, as Debian ships no header of theirs. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef struct qemu_info qemu_info_t;
typedef void told_t(qemu_plugin_id_t, unsigned cpu, int64_t number, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                    uint64_t, uint64_t, uint64_t);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *), int flags, void *);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *,
                                      void (*)(unsigned, qemu_plugin_meminfo_t, uint64_t, void *), int flags,
                                      int which, void *);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, told_t *);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum { NO_REGISTERS = 0, BOTH_DIRECTIONS = 3 };
enum { CALL = 0x6374, CASE = 0, LETTER, BEGIN, END }; /* as in src/bin/ct/probe.rs */

/* An event is an address, and below it what happened there. */
enum { ACCESS = 0x80, STORE = 0x40, SHIFT = 0x3f };
static const uint64_t OVER = UINT64_MAX;

/* Where an instruction stands. */
struct place {
    uint64_t address;
    const char *function;
};

static char name[256];
static size_t letters;
static uint64_t *reference; /* the first trace of the case */
static size_t length, room, at;
static bool tracing, known, leaked; /* in a call; the reference is whole; it was said of this case */
static const struct place *last;
static unsigned long cases, calls, instructions, accesses, leaks;

static void show(uint64_t event)
{
    if (event == OVER)
        dprintf(STDOUT_FILENO, "the end");
    else if (event & ACCESS)
        dprintf(STDOUT_FILENO, "%s of %d bytes at %#llx", event & STORE ? "write" : "read", 1 << (event & SHIFT),
                (unsigned long long)event >> 8);
    else
        dprintf(STDOUT_FILENO, "instruction %#llx", (unsigned long long)event >> 8);
}

static void leak(uint64_t expected, uint64_t event)
{
    leaked = true;
    leaks++;
    dprintf(STDOUT_FILENO, "leak: %s: event %zu, after ", name, at);
    if (last)
        dprintf(STDOUT_FILENO, "%s at %#llx: ", last->function, (unsigned long long)last->address);
    else
        dprintf(STDOUT_FILENO, "nothing: ");
    show(expected);
    dprintf(STDOUT_FILENO, ", or ");
    show(event);
    dprintf(STDOUT_FILENO, "\n");
}

static void compare(uint64_t event)
{
    uint64_t expected = at < length ? reference[at] : OVER;
    if (!leaked && expected != event)
        leak(expected, event);
}

static void happened(uint64_t event)
{
    if (known) {
        compare(event);
    } else {
        if (length == room) {
            room = room ? 2 * room : 1 << 16;
            reference = realloc(reference, room * sizeof *reference);
            if (!reference)
                abort();
        }
        reference[length++] = event;
    }
    at++;
}

static void executed(unsigned cpu, void *data)
{
    (void)cpu;
    if (!tracing)
        return;
    const struct place *place = data;
    instructions++;
    happened(place->address << 8);
    last = place;
}

static void accessed(unsigned cpu, qemu_plugin_meminfo_t how, uint64_t address, void *data)
{
    (void)cpu;
    (void)data;
    if (!tracing)
        return;
    accesses++;
    happened(address << 8 | ACCESS | (qemu_plugin_mem_is_store(how) ? STORE : 0) | qemu_plugin_mem_size_shift(how));
}

static void told(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t what, uint64_t letter, uint64_t a,
                 uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    (void)id, (void)cpu, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
    if (number != CALL)
        return;
    switch (what) {
    case CASE:
        cases++;
        letters = length = 0;
        known = leaked = false;
        break;
    case LETTER:
        if (letters < sizeof name - 1)
            name[letters++] = (char)letter;
        name[letters] = 0;
        break;
    case BEGIN:
        at = 0;
        last = NULL;
        tracing = true;
        break;
    case END:
        tracing = false;
        calls++;
        if (known)
            compare(OVER);
        known = true;
    }
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    for (size_t k = 0; k < qemu_plugin_tb_n_insns(block); k++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, k);
        struct place *place = malloc(sizeof *place);
        if (!place)
            abort();
        const char *function = qemu_plugin_insn_symbol(instruction);
        *place = (struct place){qemu_plugin_insn_vaddr(instruction), function ? function : "?"};
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, executed, NO_REGISTERS, place);
        qemu_plugin_register_vcpu_mem_cb(instruction, accessed, NO_REGISTERS, BOTH_DIRECTIONS, NULL);
    }
}

static void end(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    dprintf(STDOUT_FILENO, "trace: %lu cases, %lu calls, %lu instructions, %lu accesses, %lu leaks\n", cases, calls,
            instructions, accesses, leaks);
    /* A plugin has no say in the exit status. */
    if (leaks || !calls)
        _exit(leaks ? 1 : 2);
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int count,
                                                               char **words)
{
    (void)info;
    (void)count;
    (void)words;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_vcpu_syscall_cb(id, told);
    qemu_plugin_register_atexit_cb(id, end, NULL);
    return 0;
}
