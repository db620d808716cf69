/* What is where in the program: modules, the symbols that the command line has told us of, and functions by address. */
#include "rt.h"
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FUNCTIONS = 1 << 18, MAX_MODULES = 1024, MOST_PATH = 4096 };

struct module {
  uptr base, low, high;
  char *path;
  bool watched, told;
};

static struct module modules[MAX_MODULES];
static u32 module_count;
static u32 modules_lock;
static struct function *functions;
static struct symbol *symbols;
static u32 symbol_count;
static char *listing;
static size_t listing_size;

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

static void place_symbols(u32 from);

static void find_modules(void) {
  spin_lock(&modules_lock);
  u32 before = module_count;
  dl_iterate_phdr(add_module, NULL);
  if (module_count > before) place_symbols(before);
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

/* ---- Symbols: lines `M path`, then `start size flags name` in the order of addresses, as hexadecimal numbers ---- */

static u32 flags_of(const char *text) {
  u32 flags = 0;
  for (; *text != 0; text++) {
    if (*text == 'a') flags |= F_LISTED;
    if (*text == 't') flags |= F_TRANSPARENT;
  }
  return flags;
}

static void read_symbols(void) {
  u32 room = 0;
  for (size_t i = 0; i < listing_size; i++) room += listing[i] == '\n';
  symbols = map_pages((room + 1) * sizeof *symbols);
  char *at = listing, *end = listing + listing_size;
  struct symbol *s = symbols;
  while (at < end) {
    char *line = at;
    char *stop = memchr(at, '\n', (size_t)(end - at));
    if (stop == NULL) break;
    *stop = 0;
    at = stop + 1;
    if (line[0] == 'M' && line[1] == ' ') {
      *s++ = (struct symbol){.name = line + 2, .size = 0, .start = 0, .flags = UINT32_MAX};
      continue;
    }
    char *rest;
    s->start = strtoul(line, &rest, 16);
    s->size = strtoul(rest, &rest, 16);
    char *flags = rest + 1, *name = strchr(flags, ' ');
    if (name == NULL) continue;
    *name = 0;
    s->flags = flags_of(flags);
    s->name = name + 1;
    s++;
  }
  symbol_count = (u32)(s - symbols);
}

/* By module: its symbols, which are in a run of the table. */
static struct { u32 from, to; } runs[MAX_MODULES];

static void place_symbols(u32 from) {
  for (u32 m = from; m < module_count; m++) {
    for (u32 i = 0; i < symbol_count; i++) {
      if (symbols[i].flags != UINT32_MAX || strcmp(symbols[i].name, modules[m].path) != 0) continue;
      u32 to = ++i;
      while (to < symbol_count && symbols[to].flags != UINT32_MAX) symbols[to++].start += modules[m].base;
      runs[m].from = i;
      runs[m].to = to;
      break;
    }
  }
}

const struct symbol *symbol_at(uptr address) {
  struct module *module = module_at(address);
  if (module == NULL) return NULL;
  u32 low = runs[module - modules].from, high = runs[module - modules].to;
  while (low < high) {
    u32 middle = (low + high) / 2;
    if (symbols[middle].start <= address) low = middle + 1;
    else high = middle;
  }
  if (low == runs[module - modules].from) return NULL;
  const struct symbol *s = &symbols[low - 1];
  return address - s->start < s->size ? s : NULL;
}

struct function *function_of(uptr pc) {
  u32 hash = (u32)((pc * 0x9e3779b97f4a7c15u) >> 46);
  for (u32 i = hash;; i = (i + 1) & (FUNCTIONS - 1)) {
    struct function *f = &functions[i & (FUNCTIONS - 1)];
    uptr known = load_acquire(&f->pc);
    if (LIKELY(known == pc)) return f;
    if (known != 0) continue;
    const struct symbol *s = symbol_at(pc);
    u64 none = 0;
    if (!__atomic_compare_exchange_n(&f->pc, &none, pc, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      i--;
      continue;
    }
    if (s != NULL) __atomic_fetch_or(&f->flags, s->flags, __ATOMIC_RELAXED);
    return f;
  }
}

void functions_start(void) {
  functions = map_pages(FUNCTIONS * sizeof *functions);
  const char *path = getenv("TRACKSIDE_SYMBOLS");
  int fd = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  struct stat found;
  if (fd >= 0 && fstat(fd, &found) == 0 && found.st_size > 0) {
    listing_size = (size_t)found.st_size;
    listing = mmap(NULL, listing_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    if (listing == MAP_FAILED) listing_size = 0;
    read_symbols();
  }
  if (fd >= 0) close(fd);
  find_modules();
}

void forget_modules_told(void) {
  for (u32 i = 0; i < module_count; i++) modules[i].told = false;
}
