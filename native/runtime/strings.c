/* Functions of the C library that access memory for the program: what they read and write is the program's doing. */
#include "rt.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

DECLARE_REAL(memcpy)
DECLARE_REAL(memmove)
DECLARE_REAL(memset)
DECLARE_REAL(memcmp)
DECLARE_REAL(memchr)
DECLARE_REAL(strlen)
DECLARE_REAL(strnlen)
DECLARE_REAL(strcmp)
DECLARE_REAL(strncmp)
DECLARE_REAL(strchr)
DECLARE_REAL(strrchr)
DECLARE_REAL(strcpy)
DECLARE_REAL(strncpy)

enum { SMALL = 64 };

struct thread *watching(uptr pc) {
  struct thread *t = self;
  return t != NULL && !(t->busy | t->ignoring | rt.off) && is_watched(pc) ? t : NULL;
}

/* Whether all of the words are this thread's own, or nobody's. */
static bool are_own(const struct thread *t, uptr address, size_t size) {
  for (uptr at = address & ~(uptr)7; at < address + size; at += 8) {
    struct region *region = region_of(at);
    u64 cell = region == NULL ? 0 : load_relaxed(&region->cells[word_in_region(at)]);
    u32 slot = cell_slot(cell);
    if (slot != t->slot && slot != 0 && (slot >= CELL_BUSY || !is_freed(cell))) return false;
  }
  return true;
}

static void announce(struct thread *t, int run, uptr address, size_t size) {
  store_release(&t->runs[run].from, address >> 3);
  store_release(&t->runs[run].to, (address + size + 7) >> 3);
}

static void withdraw(struct thread *t) {
  store_release(&t->runs[0].to, 0);
  store_release(&t->runs[1].to, 0);
}

/* Still nobody else's, after everybody could see what we are about to access? */
static bool remain_own(struct thread *t, uptr address, size_t size) {
  if (UNLIKELY(rt.fences)) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  compiler_barrier();
  return are_own(t, address, size);
}

static u32 bytes_in_word(uptr address, size_t left) {
  u32 room = 8 - (u32)(address & 7);
  return left < room ? (u32)left : room;
}

static u32 mask_of(uptr address, u32 bytes) { return ((1u << bytes) - 1) << (address & 7); }

static void read_bytes(u8 *to, uptr from, u32 size, uptr pc) {
  for (u32 done = 0; done < size;) {
    u32 bytes = bytes_in_word(from + done, size - done);
    access_word(from + done, mask_of(from + done, bytes), K_READ, pc);
    for (u32 i = 0; i < bytes; i++) to[done + i] = ((const volatile u8 *)from)[done + i];
    done += bytes;
  }
}

static void write_bytes(uptr to, const u8 *from, u32 size, uptr pc) {
  for (u32 done = 0; done < size;) {
    u32 bytes = bytes_in_word(to + done, size - done);
    access_word(to + done, mask_of(to + done, bytes), K_WRITE, pc);
    for (u32 i = 0; i < bytes; i++) ((volatile u8 *)to)[done + i] = from[done + i];
    done += bytes;
  }
}

/* Also for ranges that overlap. */
void copy_memory(uptr to, uptr from, size_t size, uptr pc) {
  struct thread *t = self;
  if (are_own(t, from, size) && are_own(t, to, size)) {
    access_range(from, size, K_READ, pc);
    access_range(to, size, K_WRITE, pc);
    announce(t, 0, from, size);
    announce(t, 1, to, size);
    bool done = remain_own(t, from, size) && remain_own(t, to, size);
    if (done) REAL(memmove)((void *)to, (const void *)from, size);
    withdraw(t);
    if (done) return;
  }
  u8 some[SMALL];
  bool backwards = to > from && to < from + size;
  for (size_t done = 0; done < size;) {
    u32 part = size - done < SMALL ? (u32)(size - done) : SMALL;
    size_t at = backwards ? size - done - part : done;
    read_bytes(some, from + at, part, pc);
    write_bytes(to + at, some, part, pc);
    done += part;
  }
}

void fill_memory(uptr to, int value, size_t size, uptr pc) {
  struct thread *t = self;
  if (are_own(t, to, size)) {
    access_range(to, size, K_WRITE, pc);
    announce(t, 1, to, size);
    bool done = remain_own(t, to, size);
    if (done) REAL(memset)((void *)to, value, size);
    withdraw(t);
    if (done) return;
  }
  u8 some[SMALL];
  for (u32 i = 0; i < SMALL; i++) some[i] = (u8)value;
  for (size_t done = 0; done < size; done += SMALL)
    write_bytes(to + done, some, size - done < SMALL ? (u32)(size - done) : SMALL, pc);
}

#define COPIES(name, plain)                                                       \
  EXPORT void *name(void *to, const void *from, size_t size) {                    \
    if (watching(CALLER) == NULL) return REAL(plain)(to, from, size);             \
    copy_memory((uptr)to, (uptr)from, size, CALLER);                              \
    return to;                                                                    \
  }
COPIES(memcpy, memcpy)
COPIES(memmove, memmove)
COPIES(__tsan_memcpy, memcpy)
COPIES(__tsan_memmove, memmove)

#define FILLS(name)                                                               \
  EXPORT void *name(void *to, int value, size_t size) {                           \
    if (watching(CALLER) == NULL) return REAL(memset)(to, value, size);           \
    fill_memory((uptr)to, value, size, CALLER);                                   \
    return to;                                                                    \
  }
FILLS(memset)
FILLS(__tsan_memset)

EXPORT void bzero(void *to, size_t size) {
  if (watching(CALLER) == NULL) REAL(memset)(to, 0, size);
  else fill_memory((uptr)to, 0, size, CALLER);
}

/* Checked at compile time where that was possible; the real one ends the program. */
extern void __chk_fail(void) __attribute__((noreturn));
EXPORT void *__memcpy_chk(void *to, const void *from, size_t size, size_t room) {
  if (size > room) __chk_fail();
  if (watching(CALLER) == NULL) return REAL(memcpy)(to, from, size);
  copy_memory((uptr)to, (uptr)from, size, CALLER);
  return to;
}
EXPORT void *__memmove_chk(void *to, const void *from, size_t size, size_t room) {
  if (size > room) __chk_fail();
  if (watching(CALLER) == NULL) return REAL(memmove)(to, from, size);
  copy_memory((uptr)to, (uptr)from, size, CALLER);
  return to;
}
EXPORT void *__memset_chk(void *to, int value, size_t size, size_t room) {
  if (size > room) __chk_fail();
  if (watching(CALLER) == NULL) return REAL(memset)(to, value, size);
  fill_memory((uptr)to, value, size, CALLER);
  return to;
}

/* ---- Reading ---- */

EXPORT int memcmp(const void *a, const void *b, size_t size) {
  if (watching(CALLER) != NULL) {
    access_range((uptr)a, size, K_READ, CALLER);
    access_range((uptr)b, size, K_READ, CALLER);
  }
  return REAL(memcmp)(a, b, size);
}

EXPORT void *memchr(const void *a, int value, size_t size) {
  void *found = REAL(memchr)(a, value, size);
  if (watching(CALLER) != NULL)
    access_range((uptr)a, found == NULL ? size : (size_t)((char *)found - (char *)a) + 1, K_READ, CALLER);
  return found;
}

EXPORT size_t strlen(const char *text) {
  size_t length = REAL(strlen)(text);
  if (watching(CALLER) != NULL) access_range((uptr)text, length + 1, K_READ, CALLER);
  return length;
}

EXPORT size_t strnlen(const char *text, size_t most) {
  size_t length = REAL(strnlen)(text, most);
  if (watching(CALLER) != NULL) access_range((uptr)text, length < most ? length + 1 : most, K_READ, CALLER);
  return length;
}

/* As far as two texts are the same, and one character more. */
static size_t compared(const char *a, const char *b, size_t most) {
  size_t i = 0;
  while (i < most && a[i] == b[i] && a[i] != 0) i++;
  return i < most ? i + 1 : most;
}

EXPORT int strcmp(const char *a, const char *b) {
  if (watching(CALLER) != NULL) {
    size_t size = compared(a, b, SIZE_MAX);
    access_range((uptr)a, size, K_READ, CALLER);
    access_range((uptr)b, size, K_READ, CALLER);
  }
  return REAL(strcmp)(a, b);
}

EXPORT int strncmp(const char *a, const char *b, size_t most) {
  if (watching(CALLER) != NULL) {
    size_t size = compared(a, b, most);
    access_range((uptr)a, size, K_READ, CALLER);
    access_range((uptr)b, size, K_READ, CALLER);
  }
  return REAL(strncmp)(a, b, most);
}

EXPORT char *strchr(const char *text, int value) {
  char *found = REAL(strchr)(text, value);
  if (watching(CALLER) != NULL)
    access_range((uptr)text, (found == NULL ? REAL(strlen)(text) : (size_t)(found - text)) + 1, K_READ, CALLER);
  return found;
}

EXPORT char *strrchr(const char *text, int value) {
  if (watching(CALLER) != NULL) access_range((uptr)text, REAL(strlen)(text) + 1, K_READ, CALLER);
  return REAL(strrchr)(text, value);
}

/* ---- Copies of texts ---- */

static char *copy_text(char *to, const char *from, uptr pc) {
  copy_memory((uptr)to, (uptr)from, REAL(strlen)(from) + 1, pc);
  return to;
}

EXPORT char *strcpy(char *to, const char *from) {
  return watching(CALLER) == NULL ? REAL(strcpy)(to, from) : copy_text(to, from, CALLER);
}

EXPORT char *stpcpy(char *to, const char *from) {
  size_t length = REAL(strlen)(from);
  if (watching(CALLER) == NULL) REAL(strcpy)(to, from);
  else copy_text(to, from, CALLER);
  return to + length;
}

EXPORT char *strncpy(char *to, const char *from, size_t size) {
  if (watching(CALLER) == NULL) return REAL(strncpy)(to, from, size);
  size_t length = REAL(strnlen)(from, size);
  copy_memory((uptr)to, (uptr)from, length, CALLER);
  fill_memory((uptr)to + length, 0, size - length, CALLER);
  return to;
}

EXPORT char *strcat(char *to, const char *from) {
  size_t length = REAL(strlen)(to);
  if (watching(CALLER) == NULL) {
    REAL(strcpy)(to + length, from);
    return to;
  }
  access_range((uptr)to, length + 1, K_READ, CALLER);
  copy_text(to + length, from, CALLER);
  return to;
}

EXPORT char *strncat(char *to, const char *from, size_t most) {
  size_t length = REAL(strlen)(to), added = REAL(strnlen)(from, most);
  if (watching(CALLER) != NULL) {
    access_range((uptr)to, length + 1, K_READ, CALLER);
    copy_memory((uptr)to + length, (uptr)from, added, CALLER);
    fill_memory((uptr)to + length + added, 0, 1, CALLER);
  } else {
    REAL(memcpy)(to + length, from, added);
    to[length + added] = 0;
  }
  return to;
}

EXPORT char *strdup(const char *text) {
  size_t size = REAL(strlen)(text) + 1;
  char *made = malloc(size);
  if (made == NULL) return NULL;
  if (watching(CALLER) == NULL) return REAL(memcpy)(made, text, size);
  copy_memory((uptr)made, (uptr)text, size, CALLER);
  return made;
}
