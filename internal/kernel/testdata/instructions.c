// A plugin for QEMU (version 1 of the plugin interface, QEMU 4.2 to 8) that counts
// the instructions that a program executes, and prints the total and the number per
// function when the program ends. Debian's QEMU supports plugins but lacks the header,
// so the declarations used are copied here.
//
//	cc -shared -fPIC -o instructions.so instructions.c
//	qemu-aarch64 -plugin ./instructions.so -d plugin PROGRAM
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t qemu_plugin_id_t;
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, void (*f)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, int add, void *counter, uint64_t n);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*f)(qemu_plugin_id_t, void *), void *data);
void qemu_plugin_outs(const char *line);

int qemu_plugin_version = 1;

static struct { char *name; uint64_t count; } function[1 << 14];

static uint64_t *counter(const char *name) {
  uint64_t h = 5381;
  if (name == NULL)
    name = "?";
  for (const char *c = name; *c; c++)
    h = h * 33 ^ (unsigned char)*c;
  for (;; h++) {
    h %= sizeof function / sizeof *function;
    if (function[h].name == NULL)
      function[h].name = strdup(name);
    if (strcmp(function[h].name, name) == 0)
      return &function[h].count;
  }
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
  uint64_t *c = counter(qemu_plugin_insn_symbol(qemu_plugin_tb_get_insn(tb, 0)));
  qemu_plugin_register_vcpu_tb_exec_inline(tb, 0, c, qemu_plugin_tb_n_insns(tb));
}

static void done(qemu_plugin_id_t id, void *data) {
  char line[512];
  uint64_t sum = 0;
  for (size_t i = 0; i < sizeof function / sizeof *function; i++) {
    if (function[i].count == 0)
      continue;
    sum += function[i].count;
    snprintf(line, sizeof line, "%" PRIu64 " %s\n", function[i].count, function[i].name);
    qemu_plugin_outs(line);
  }
  snprintf(line, sizeof line, "%" PRIu64 " instructions\n", sum);
  qemu_plugin_outs(line);
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, done, NULL);
  return 0;
}
