#include "symbols.h"
#include <elf.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { UNREAD, READING, KNOWN, MOST_NAME = 4096 };

static int by_address(const void *a, const void *b) {
  uptr first = ((const struct symbol *)a)->start, second = ((const struct symbol *)b)->start;
  return first < second ? -1 : first > second;
}

/* The file stays mapped, as the names are in it. */
static const u8 *map_file(const char *path, size_t *size) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  struct stat found;
  void *at = MAP_FAILED;
  if (fd >= 0 && fstat(fd, &found) == 0 && found.st_size > 0) {
    *size = (size_t)found.st_size;
    at = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
  }
  if (fd >= 0) syscall(SYS_close, fd);
  return at == MAP_FAILED ? NULL : at;
}

static bool is_within(size_t from, size_t length, size_t size) { return from <= size && length <= size - from; }

static const ElfW(Shdr) *section_of_symbols(const u8 *file, size_t size, const ElfW(Shdr) *sections, u32 count) {
  const ElfW(Shdr) *dynamic = NULL;
  for (u32 i = 0; i < count; i++) {
    const ElfW(Shdr) *s = &sections[i];
    if (s->sh_type != SHT_SYMTAB && s->sh_type != SHT_DYNSYM) continue;
    if (!is_within(s->sh_offset, s->sh_size, size) || s->sh_link >= count || s->sh_entsize != sizeof(ElfW(Sym))) continue;
    if (s->sh_type == SHT_SYMTAB) return s;
    dynamic = s;
  }
  (void)file;
  return dynamic;
}

/* ---- Functions that the program marks: by their names, or by their addresses in memory ---- */

static void mark_name(struct symbols *symbols, const char *name) {
  for (u32 i = 0; i < symbols->count; i++)
    if (strcmp(symbols->at[i].name, name) == 0) symbols->at[i].is_atomic = true;
}

static void mark_names(struct symbols *symbols, const char *names, size_t size) {
  for (size_t from = 0, i = 0; i < size; i++) {
    if (names[i] != 0) continue;
    mark_name(symbols, names + from);
    from = i + 1;
  }
}

static struct symbol *last_symbol_before(struct symbols *symbols, uptr offset) {
  u32 low = 0, high = symbols->count;
  while (low < high) {
    u32 middle = (low + high) / 2;
    if (symbols->at[middle].start <= offset) low = middle + 1;
    else high = middle;
  }
  return symbols->at + low;
}

static struct symbol *symbol_around(struct symbols *symbols, uptr offset) {
  struct symbol *end = last_symbol_before(symbols, offset);
  /* Of several that begin there, the last one reaches far enough, or an earlier one. */
  for (u32 tries = 0; end-- > symbols->at && tries < 8; tries++)
    if (offset - end->start < end->size) return end;
  return NULL;
}

static void mark_addresses(struct symbols *symbols, const uptr *addresses, size_t count, uptr base) {
  for (size_t i = 0; i < count; i++) {
    struct symbol *s = symbol_around(symbols, addresses[i] - base);
    if (s != NULL) s->is_atomic = true;
  }
}

/* `annotate("atomic")` as `trackside cc` has noted it, and TRACKSIDE_ATOMIC_FUNCTION of the header. */
static void mark_functions(struct symbols *symbols, const u8 *file, size_t size, const ElfW(Ehdr) *header, uptr base) {
  const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(file + header->e_shoff);
  if (header->e_shstrndx >= header->e_shnum) return;
  const ElfW(Shdr) *texts = &sections[header->e_shstrndx];
  if (!is_within(texts->sh_offset, texts->sh_size, size)) return;
  for (u32 i = 0; i < header->e_shnum; i++) {
    const ElfW(Shdr) *s = &sections[i];
    if (s->sh_type != SHT_PROGBITS || s->sh_name >= texts->sh_size) continue;
    const char *name = (const char *)file + texts->sh_offset + s->sh_name;
    if (strcmp(name, "__patchable_function_entries") == 0 && s->sh_flags & SHF_ALLOC)
      mark_addresses(symbols, (const uptr *)(base + s->sh_addr), s->sh_size / sizeof(uptr), base);
    if (strcmp(name, ".trackside.atomic") == 0 && is_within(s->sh_offset, s->sh_size, size))
      mark_names(symbols, (const char *)file + s->sh_offset, s->sh_size);
  }
}

static void read_symbols(struct symbols *symbols, const char *path, uptr base) {
  size_t size;
  const u8 *file = map_file(path, &size);
  if (file == NULL || size < sizeof(ElfW(Ehdr)) || memcmp(file, ELFMAG, SELFMAG) != 0) return;
  const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)file;
  if (!is_within(header->e_shoff, (size_t)header->e_shnum * sizeof(ElfW(Shdr)), size)) return;
  const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(file + header->e_shoff);
  const ElfW(Shdr) *table = section_of_symbols(file, size, sections, header->e_shnum);
  if (table == NULL) return;
  const ElfW(Shdr) *texts = &sections[table->sh_link];
  if (!is_within(texts->sh_offset, texts->sh_size, size)) return;
  const ElfW(Sym) *entries = (const ElfW(Sym) *)(file + table->sh_offset);
  size_t count = table->sh_size / sizeof *entries;
  symbols->at = map_pages((count + 1) * sizeof *symbols->at);
  u32 used = 0;
  for (size_t i = 0; i < count; i++) {
    u32 type = ELF64_ST_TYPE(entries[i].st_info);
    if ((type != STT_FUNC && type != STT_OBJECT) || entries[i].st_shndx == SHN_UNDEF || entries[i].st_size == 0) continue;
    if (entries[i].st_name >= texts->sh_size) continue;
    symbols->at[used++] =
        (struct symbol){entries[i].st_value, entries[i].st_size, (const char *)file + texts->sh_offset + entries[i].st_name, false};
  }
  symbols->count = used;
  qsort(symbols->at, used, sizeof *symbols->at, by_address);
  mark_functions(symbols, file, size, header, base);
}

const struct symbol *symbols_find(struct symbols *symbols, const char *path, uptr base, uptr offset) {
  u32 unread = UNREAD;
  if (load_acquire(&symbols->state) != KNOWN) {
    if (__atomic_compare_exchange_n(&symbols->state, &unread, READING, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      read_symbols(symbols, path, base);
      store_release(&symbols->state, KNOWN);
    }
    u32 rounds = 0;
    while (load_acquire(&symbols->state) != KNOWN) relax(&rounds);
  }
  return symbol_around(symbols, offset);
}

void symbols_after_fork(struct symbols *symbols) {
  if (symbols->state == READING) symbols->state = UNREAD;
}

/* ---- Names as people write them ---- */

static bool demangled(const char *name, char *text, size_t size) {
  static char *(*demangle)(const char *, char *, size_t *, int *);
  static bool is_known;
  if (!is_known) {
    demangle = (__typeof__(demangle))real("__cxa_demangle");
    is_known = true;
  }
  if (demangle == NULL || name[0] != '_' || name[1] != 'Z') return false;
  int failed = 0;
  char *made = demangle(name, NULL, NULL, &failed);
  if (made == NULL) return false;
  snprintf(text, size, "%s", made);
  plain_free(made);
  return true;
}

/* What follows `operator`: `()`, `<<`, `->`, ` new[]`, ` bool`. */
static const char *after_operator(const char *c) {
  if (c[0] == '(' && c[1] == ')') return c + 2;
  while (*c != 0 && *c != '(' && !(*c == '<' && c[1] != '<' && c[1] != '=' && c[-1] != '<' && c[-1] != 'r')) c++;
  return c;
}

/* What `std::string` stands for, as it is written for linkers. */
static void with_short_strings(char *text) {
  static const char *const whole = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
  for (char *at; (at = strstr(text, whole)) != NULL;) {
    memcpy(at, "std::string", 11);
    memmove(at + 11, at + strlen(whole), strlen(at + strlen(whole)) + 1);
  }
}

/* `void Bank::pay<int>(int) const [clone .part.0]` is `Bank::pay<int>`. */
static void without_types(char *text) {
  int depth = 0;
  char *from = text, *end = NULL;
  with_short_strings(text);
  for (char *c = text; *c != 0; c++) {
    if (strncmp(c, "operator", 8) == 0 && (c == text || c[-1] == ':' || c[-1] == ' ')) {
      c = (char *)after_operator(c + 8) - 1;
      continue;
    }
    if (strncmp(c, "(anonymous namespace)", 21) == 0) {
      c += 20;
      continue;
    }
    if (*c == '(' && depth == 0 && c > from) {
      /* `main::{lambda(int)#1}::operator()` has parameters inside of its name. */
      end = c;
      break;
    }
    if (*c == '<' || *c == '(' || *c == '{' || *c == '[') depth++;
    if (*c == '>' || *c == ')' || *c == '}' || *c == ']') depth--;
    if (*c == ' ' && depth == 0) from = c + 1;
  }
  if (end != NULL) *end = 0;
  if (from > text) memmove(text, from, strlen(from) + 1);
}

size_t symbol_text(const struct symbol *s, char *text, size_t size) {
  if (demangled(s->name, text, size)) {
    without_types(text);
  } else {
    snprintf(text, size, "%s", s->name);
    char *dot = strchr(text, '.');
    if (dot != NULL && dot > text) *dot = 0;
  }
  return strlen(text);
}

/* ---- Which functions count ---- */

static bool starts_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* The standard library is compiled into the program where it is made of templates. */
static bool is_of_library(const char *name) {
  static const char *const prefixes[] = {"St", "Sa", "Ss", "9__gnu_cxx", "6__pstl", "10__cxxabiv1", "nwmPv", "dlPvS_"};
  if (!starts_with(name, "_Z")) return false;
  if (starts_with(name, "_ZL")) return strstr(name, "__gthread") != NULL;
  const char *at = name + 2;
  /* What is local to a function of the library is the library's, such as its lambdas. */
  while (*at == 'Z') at++;
  if (*at == 'N') at++;
  while (*at == 'K' || *at == 'V' || *at == 'R' || *at == 'O') at++;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (starts_with(at, prefixes[i])) return true;
  return false;
}

/* Classes of the library whose atomics are no data of the program. */
static u32 flags_of_sync(const char *name) {
  static const char *const waiting[] = {"5latch", "7barrier", "_barrier", "__atomic_futex"};
  static const char *const others[] = {"semaphore", "__waiter", "_Stop_state", "_State_baseV2", "_Async_state"};
  for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
    if (strstr(name, waiting[i]) != NULL) return F_SYNC | F_WAITS;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strstr(name, others[i]) != NULL) return F_SYNC;
  return 0;
}

/*
 * Who puts something into a map or a set by `emplace` or `insert` learns whether it was there: the library looks for itself. `size` is
 * no such look.
 */
static u32 flags_of_container(const char *name) {
  static const char *const maps[] = {"3mapI", "3setI", "13unordered_mapI", "13unordered_setI"};
  static const struct { u32 flag; const char *part; } uses[] = {
      {F_COUNTS, "E4sizeEv"},  {F_COUNTS, "E5emptyEv"},      {F_COUNTS, "E5beginEv"},       {F_FILLS, "E7emplaceI"},
      {F_FILLS, "E6insertE"},  {F_FILLS, "E11try_emplaceI"}, {F_FILLS, "E12emplace_hintI"}, {F_FILLS, "E6insertI"},
      {F_ERASES, "E5eraseE"},  {F_ERASES, "E5eraseB5cxx11"}, {F_ASSIGNS, "E16insert_or_assignI"},
      {F_FINDS, "E4findE"},    {F_FINDS, "E5countE"},        {F_FINDS, "E8containsE"},      {F_FINDS, "E2atE"},
  };
  bool is_const = starts_with(name, "_ZNK");
  if (is_const && (strstr(name, "E4sizeEv") != NULL || strstr(name, "E5emptyEv") != NULL)) return F_COUNTS;
  if (!is_const && !starts_with(name, "_ZN")) return 0;
  const char *at = name + 3 + is_const;
  if (!starts_with(at, "St")) return 0;
  at += starts_with(at, "St3__1") ? 6 : 2;
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
    for (size_t k = 0; starts_with(at, maps[i]) && k < sizeof uses / sizeof *uses; k++)
      if (strstr(at, uses[k].part) != NULL) return uses[k].flag;
  return 0;
}

static bool is_listed(const char *mangled) {
  static const char *list;
  static bool is_known;
  if (!is_known) {
    list = getenv("TRACKSIDE_ATOMIC");
    is_known = true;
  }
  if (list == NULL || list[0] == 0) return false;
  char whole[MOST_NAME], shorter[MOST_NAME], glob[MOST_NAME];
  if (!demangled(mangled, whole, sizeof whole)) whole[0] = 0;
  struct symbol s = {0, 0, mangled, false};
  symbol_text(&s, shorter, sizeof shorter);
  for (const char *at = list; *at != 0;) {
    size_t length = strcspn(at, "\n");
    if (length < sizeof glob) {
      memcpy(glob, at, length);
      glob[length] = 0;
      if (fnmatch(glob, mangled, 0) == 0 || fnmatch(glob, shorter, 0) == 0 || (whole[0] != 0 && fnmatch(glob, whole, 0) == 0))
        return true;
    }
    at += length + (at[length] != 0);
  }
  return false;
}

u32 flags_of_function(const struct symbol *s) {
  if (s == NULL) return 0;
  return (s->is_atomic || is_listed(s->name) ? F_LISTED : 0) | (is_of_library(s->name) ? F_TRANSPARENT | flags_of_sync(s->name) | flags_of_container(s->name) : 0);
}
