/* Memory that the program allocates and frees: what was known of it is not known of what comes next. */
#include "rt.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

/*
 * Another allocator than that of the C library comes first if the program is linked with one. To find that out takes memory,
 * which is the C library's then.
 */
static struct {
  __typeof__(&__libc_malloc) malloc;
  __typeof__(&__libc_calloc) calloc;
  __typeof__(&__libc_realloc) realloc;
  __typeof__(&__libc_memalign) memalign;
  __typeof__(&__libc_free) free;
} plain = {__libc_malloc, __libc_calloc, __libc_realloc, __libc_memalign, __libc_free};

void memory_start(void) {
  void *other = real("malloc");
  if (other == NULL || other == (void *)__libc_malloc) return;
  /* Only a whole family, and only before anything of the first one was handed out to the program. */
  void *others[] = {real("calloc"), real("realloc"), real("memalign"), real("free")};
  for (int i = 0; i < 4; i++)
    if (others[i] == NULL) return;
  extern bool program_has_memory;
  if (program_has_memory) return;
  plain.malloc = (__typeof__(plain.malloc))other;
  plain.calloc = (__typeof__(plain.calloc))others[0];
  plain.realloc = (__typeof__(plain.realloc))others[1];
  plain.memalign = (__typeof__(plain.memalign))others[2];
  plain.free = (__typeof__(plain.free))others[3];
}
bool program_has_memory;

void *plain_allocate(size_t size) { return plain.malloc(size); }
void plain_free(void *memory) { plain.free(memory); }

/* Where it comes from: the call itself, and the calls around it, as the first may be of the standard library. */
enum { SITES = 4 };

static void allocated(void *memory, size_t size, uptr pc) {
  struct thread *t = self;
  if (memory == NULL || rt.off) return;
  program_has_memory = true;
  if (t == NULL || !enter(t)) return;
  u64 first = load_relaxed(&region_of((uptr)memory)->cells[word_in_region((uptr)memory)]);
  u32 slot = cell_slot(first);
  if (slot != 0 && slot < CELL_BUSY && is_freed(first)) depend(t, slot, load_acquire(&threads[slot].head));
  put(t, K_ALLOCATE, (uptr)memory, 0, pc, 0);
  put(t, K_SIZE, size < (u64)1 << 48 ? size : 0, 0, 0, 0);
  for (u32 i = t->depth < MAX_FRAMES ? t->depth : MAX_FRAMES, told = 0; i-- > 0 && told < SITES; told++)
    put(t, K_SITE, 0, 0, t->frames[i].call, 0);
  leave(t);
}

/* Before it is freed. Nobody accesses it any more, in a program that is right. */
void forget_memory(uptr address, size_t size) {
  struct thread *t = self;
  if (t == NULL || size == 0 || rt.off || !enter(t)) return;
  u64 mark = freed_by(t->slot);
  for (uptr at = address & ~(uptr)7; at < address + size;) {
    struct region *region = region_of(at);
    if (region == NULL) break;
    u32 word = word_in_region(at);
    u32 most = REGION_WORDS - word;
    u64 left = (address + size - at + 7) / 8;
    for (u32 end = word + (left < most ? (u32)left : most); word < end; word++, at += 8) {
      u64 *cell = &region->cells[word];
      u64 state = load_relaxed(cell);
      u32 slot = cell_slot(state);
      if ((slot == 0 && at > address) || slot == CELL_BUSY) continue;
      if (slot == CELL_SHARED) shared_free(t, state);
      else if (slot != 0 && slot != t->slot) depend(t, slot, load_acquire(&threads[slot].head));
      store_relaxed(cell, mark);
    }
  }
  make_room(t);
  put(t, K_FREE, address, 0, 0, 0);
  put(t, K_SIZE, size < (u64)1 << 48 ? size : 0, 0, 0, 0);
  leave(t);
}

static void forget(void *memory) {
  if (memory != NULL && self != NULL) forget_memory((uptr)memory, malloc_usable_size(memory));
}

EXPORT void *malloc(size_t size) {
  void *memory = plain.malloc(size);
  allocated(memory, size, CALLER);
  return memory;
}

EXPORT void *calloc(size_t count, size_t size) {
  void *memory = plain.calloc(count, size);
  allocated(memory, count * size, CALLER);
  return memory;
}

EXPORT void free(void *memory) {
  int error = errno;
  forget(memory);
  plain.free(memory);
  errno = error;
}

EXPORT void *realloc(void *memory, size_t size) {
  /* First: another thread may get the old memory as soon as it is free. */
  forget(memory);
  void *made = plain.realloc(memory, size);
  allocated(made, size, CALLER);
  return made;
}

EXPORT void *reallocarray(void *memory, size_t count, size_t size) {
  size_t whole;
  if (__builtin_mul_overflow(count, size, &whole)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(memory, whole);
}

static void *aligned(size_t alignment, size_t size, uptr pc) {
  void *memory = plain.memalign(alignment, size);
  allocated(memory, size, pc);
  return memory;
}

EXPORT void *memalign(size_t alignment, size_t size) { return aligned(alignment, size, CALLER); }
EXPORT void *aligned_alloc(size_t alignment, size_t size) { return aligned(alignment, size, CALLER); }
EXPORT void *valloc(size_t size) { return aligned((size_t)sysconf(_SC_PAGESIZE), size, CALLER); }
EXPORT int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  int error = errno;
  void *memory = aligned(alignment, size, CALLER);
  errno = error;
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

/* `new` of C++, for the sake of the place where it is called; the real one knows how to fail. */
#define NEW(name)                                                                 \
  extern void *name(size_t size);                                                 \
  DECLARE_REAL(name)                                                              \
  EXPORT void *name(size_t size) {                                                \
    void *memory = plain.malloc(size == 0 ? 1 : size);                            \
    if (memory == NULL) return REAL(name)(size);                                  \
    allocated(memory, size, CALLER);                                              \
    return memory;                                                                \
  }
NEW(_Znwm)
NEW(_Znam)

DECLARE_REAL(munmap)
EXPORT int munmap(void *address, size_t size) {
  if (self != NULL && is_watched(CALLER)) forget_memory((uptr)address, size);
  return REAL(munmap)(address, size);
}
