/* A plugin of QEMU 7.2 to 8.2 (user mode): how many instructions the program executes, and how many of them are AES or
   carry-less products of 64 bits. Arguments: `out=FILE`, which gets both numbers, and on AArch32 `arm=on`. With
   `from=N,many=M` the file gets a third: in how many bytes of code the M instructions lie that follow the first N; with
   `record=FILE` that file gets the bytes of each of them, one a line.

   The functions are declared here, as Debian ships no header of theirs. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef struct qemu_info qemu_info_t;
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *), int flags, void *);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *, int operation, void *, uint64_t);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum { ADD = 0, NO_REGISTERS = 0 };
static uint64_t all, crypto, from, many, seen;
static bool arm;
static char out[4096];
static FILE *record;

/* An instruction of the program, and whether it is one of the M. */
struct code {
    uint64_t address;
    size_t size;
    uint8_t bytes[4];
    bool touched;
};

/* All of them, each where a hash of its address says, or in the next free place. */
enum { PLACES = 1 << 20 };
static struct code codes[PLACES];

static struct code *at(uint64_t address)
{
    static size_t used;
    size_t place = address * 0x9e3779b97f4a7c15 >> 44;
    while (codes[place].size && codes[place].address != address)
        place = (place + 1) % PLACES;
    if (!codes[place].size && ++used > PLACES / 4 * 3)
        abort();
    return &codes[place];
}

/* Instructions that an engine without them must not execute, by the encodings of the Arm Architecture Reference Manual:
   AESE to AESIMC, and PMULL of 64 bits. On AArch32 in Arm state, and with halves exchanged in Thumb state, which none of
   the other state has the form of. */
static bool is_crypto(uint32_t i)
{
    if (arm)
        return (i & 0xffbf0f10) == 0xf3b00300 || (i & 0xffb00f50) == 0xf2a00e00 ||
               (i & 0x0f10ffbf) == 0x0300ffb0 || (i & 0x0f50ffb0) == 0x0e00efa0;
    return (i & 0xffffcc00) == 0x4e284800 || (i & 0xbfe0fc00) == 0x0ee0e000;
}

static void executed(unsigned cpu, void *data)
{
    (void)cpu;
    uint64_t before = seen++;
    if (before < from || before - from >= many)
        return;
    struct code *code = data;
    code->touched = true;
    if (!record)
        return;
    for (size_t k = 0; k < code->size; k++)
        fprintf(record, k ? " 0x%02x" : "0x%02x", code->bytes[k]);
    fputc('\n', record);
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    for (size_t k = 0; k < qemu_plugin_tb_n_insns(block); k++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, k);
        size_t size = qemu_plugin_insn_size(instruction);
        uint32_t code = 0;
        if (size == 4)
            memcpy(&code, qemu_plugin_insn_data(instruction), 4);
        qemu_plugin_register_vcpu_insn_exec_inline(instruction, ADD, &all, 1);
        if (is_crypto(code))
            qemu_plugin_register_vcpu_insn_exec_inline(instruction, ADD, &crypto, 1);
        if (many) {
            struct code *kept = at(qemu_plugin_insn_vaddr(instruction));
            kept->address = qemu_plugin_insn_vaddr(instruction);
            kept->size = size;
            memcpy(kept->bytes, qemu_plugin_insn_data(instruction), size);
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, executed, NO_REGISTERS, kept);
        }
    }
}

static void end(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    size_t touched = 0;
    for (size_t k = 0; k < PLACES; k++)
        touched += codes[k].touched ? codes[k].size : 0;
    FILE *file = fopen(out, "w");
    if (file) {
        fprintf(file, "%llu %llu %zu\n", (unsigned long long)all, (unsigned long long)crypto, touched);
        fclose(file);
    }
    if (record)
        fclose(record);
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int count, char **words)
{
    (void)info;
    for (int k = 0; k < count; k++) {
        if (!strncmp(words[k], "out=", 4))
            snprintf(out, sizeof out, "%s", words[k] + 4);
        else if (!strcmp(words[k], "arm=on"))
            arm = true;
        else if (!strncmp(words[k], "from=", 5))
            from = strtoull(words[k] + 5, NULL, 10);
        else if (!strncmp(words[k], "many=", 5))
            many = strtoull(words[k] + 5, NULL, 10);
        else if (!strncmp(words[k], "record=", 7) && (record = fopen(words[k] + 7, "w")))
            continue;
        else
            return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, end, NULL);
    return 0;
}
