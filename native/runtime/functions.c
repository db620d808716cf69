/* What is where in the program: modules, the symbols that the command line has told us of, and functions by address. */
#include "symbols.h"
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FUNCTIONS = 1 << 18, CALLS = 1 << 12, MAX_MODULES = 1024, MOST_PATH = 4096 };

struct module {
  uptr base, low, high;
  char *path;
  bool watched, told;
  struct symbols symbols;
};

static struct module modules[MAX_MODULES];
static u32 module_count;
static u32 modules_lock;
static struct function *functions;
static u64 calls[CALLS]; /* where, and what of F_CONTAINER */

static char *copy_text(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = map_pages(size < 4096 ? 4096 : size);
  for (size_t i = 0; i < size; i++) copy[i] = text[i];
  return copy;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  uptr low = UINTPTR_MAX, high = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    uptr from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    uptr to = from + info->dlpi_phdr[i].p_memsz;
    if (from < low) low = from;
    if (to > high) high = to;
  }
  for (u32 i = 0; i < module_count; i++)
    if (modules[i].low == low && modules[i].high == high) return 0;
  if (low >= high || module_count == MAX_MODULES) return 0;
  char path[MOST_PATH];
  const char *name = info->dlpi_name;
  if (name == NULL || name[0] == 0) {
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    name = path;
  }
  modules[module_count] = (struct module){.base = info->dlpi_addr, .low = low, .high = high, .path = copy_text(name)};
  store_release(&module_count, module_count + 1);
  return 0;
}

static struct module *module_at(uptr address) {
  u32 count = load_acquire(&module_count);
  for (u32 i = count; i-- > 0;)
    if (address >= modules[i].low && address < modules[i].high) return &modules[i];
  return NULL;
}

static void find_modules(void) {
  spin_lock(&modules_lock);
  dl_iterate_phdr(add_module, NULL);
  spin_unlock(&modules_lock);
}

void watch_module(uptr pc) {
  struct module *module = module_at(pc);
  if (module == NULL) {
    find_modules();
    module = module_at(pc);
  }
  if (module != NULL) module->watched = true;
}

bool is_watched(uptr pc) {
  struct module *module = module_at(pc);
  return module != NULL && module->watched;
}

size_t describe_address(uptr address, char *text, size_t size) {
  struct module *module = module_at(address);
  if (module == NULL) return (size_t)snprintf(text, size, "?+%lx", (unsigned long)address);
  return (size_t)snprintf(text, size, "%u+%lx", (unsigned)(module - modules), (unsigned long)(address - module->base));
}

const struct symbol *symbol_at(uptr address) {
  struct module *module = module_at(address);
  if (module == NULL) return NULL;
  return symbols_find(&module->symbols, module->path, module->base, address - module->base);
}

/* Where the symbol is in memory. */
uptr symbol_start(const struct symbol *s, uptr near) { return module_at(near)->base + s->start; }

bool is_in_module(uptr address) { return module_at(address) != NULL; }

void describe_new_modules(void (*tell)(const char *text, size_t size)) {
  char text[MOST_PATH + 32];
  for (u32 i = 0; i < load_acquire(&module_count); i++) {
    if (modules[i].told) continue;
    modules[i].told = true;
    int length = snprintf(text, sizeof text, "module %u %s", i, modules[i].path);
    if (length > 0) tell(text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
  }
}

struct function *function_of(uptr pc) {
  u32 hash = (u32)((pc * 0x9e3779b97f4a7c15u) >> 46);
  for (u32 i = hash;; i = (i + 1) & (FUNCTIONS - 1)) {
    struct function *f = &functions[i & (FUNCTIONS - 1)];
    uptr known = load_acquire(&f->pc);
    if (LIKELY(known == pc)) return f;
    if (known != 0) continue;
    watch_module(pc);
    u32 flags = flags_of_function(symbol_at(pc));
    u64 none = 0;
    if (!__atomic_compare_exchange_n(&f->pc, &none, pc, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      i--;
      continue;
    }
    __atomic_fetch_or(&f->flags, flags, __ATOMIC_RELAXED);
    return f;
  }
}

void functions_guessed(void (*tell)(uptr pc)) {
  for (u32 i = 0; i < FUNCTIONS; i++)
    if (functions[i].calls > 0 && !(functions[i].flags & (F_SHARES | F_LISTED))) tell(functions[i].pc);
}

void note_call(uptr call, u32 flags) {
  u64 noted = (u64)call << 8 | (flags & F_CONTAINER);
  u32 hash = (u32)((noted * 0x9e3779b97f4a7c15u) >> 52);
  for (u32 i = 0; i < CALLS; i++) {
    u64 *at = &calls[(hash + i) & (CALLS - 1)], known = load_relaxed(at);
    if (known == noted) return;
    if (known != 0) continue;
    if (__atomic_compare_exchange_n(at, &known, noted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) || known == noted) return;
  }
}

void calls_noted(void (*tell)(uptr call, const char *what)) {
  static const char *const names[] = {"", "fills", "counts", "assigns", "erases", "finds"};
  for (u32 i = 0; i < CALLS; i++)
    if (calls[i] != 0) tell(calls[i] >> 8, names[(calls[i] & F_CONTAINER) / F_FILLS]);
}

void functions_start(void) {
  functions = map_pages(FUNCTIONS * sizeof *functions);
  find_modules();
}

void functions_after_fork(void) {
  modules_lock = 0;
  for (u32 i = 0; i < module_count; i++) symbols_after_fork(&modules[i].symbols);
}

void forget_modules_told(void) {
  for (u32 i = 0; i < module_count; i++) modules[i].told = false;
}
