/* The interface that compilers call with -fsanitize=thread: plain accesses and functions. */
#include "rt.h"

/* Who calls it cannot be told: constructors jump here, so that it would return to the C library. */
EXPORT void __tsan_init(void) { current(); }

#define STACK ((uptr)__builtin_frame_address(0))
EXPORT void __tsan_func_entry(void *call) { function_entered(CALLER, (uptr)call, STACK); }
EXPORT void __tsan_func_exit(void) { function_left(CALLER, STACK); }

static inline u32 mask_of(uptr address, u32 size) { return size >= 8 ? 0xff : ((1u << size) - 1) << (address & 7); }

/* Nearly always inside of one word. A macro, so that the caller is looked for only where it is needed. */
#define access(address, size, kind, pc)                                                                      \
  do {                                                                                                       \
    u64 cell_;                                                                                               \
    u32 mask_ = mask_of(address, size);                                                                      \
    if (UNLIKELY(((address) & 7) + (size) > 8)) access_range(address, size, kind, pc);                       \
    else if (LIKELY(is_known_access(address, mask_, kind, &cell_))) return;                                  \
    else if ((kind) == K_READ) read_unknown(address, mask_, pc, cell_);                                      \
    else access_unknown(address, mask_, kind, pc);                                                           \
  } while (0)

#define ACCESSES(size)                                                                                       \
  EXPORT void __tsan_read##size(void *a) { access((uptr)a, size, K_READ, CALLER); }                          \
  EXPORT void __tsan_write##size(void *a) { access((uptr)a, size, K_WRITE, CALLER); }                        \
  EXPORT void __tsan_read##size##_pc(void *a, void *pc) { access((uptr)a, size, K_READ, (uptr)pc); }         \
  EXPORT void __tsan_write##size##_pc(void *a, void *pc) { access((uptr)a, size, K_WRITE, (uptr)pc); }       \
  EXPORT void __tsan_unaligned_read##size(void *a) { access((uptr)a, size, K_READ, CALLER); }                \
  EXPORT void __tsan_unaligned_write##size(void *a) { access((uptr)a, size, K_WRITE, CALLER); }              \
  EXPORT void __tsan_volatile_read##size(void *a) { access((uptr)a, size, K_READ, CALLER); }                 \
  EXPORT void __tsan_volatile_write##size(void *a) { access((uptr)a, size, K_WRITE, CALLER); }               \
  EXPORT void __tsan_unaligned_volatile_read##size(void *a) { access((uptr)a, size, K_READ, CALLER); }       \
  EXPORT void __tsan_unaligned_volatile_write##size(void *a) { access((uptr)a, size, K_WRITE, CALLER); }     \
  EXPORT void __tsan_read_write##size(void *a) {                                                             \
    access_range((uptr)a, size, K_READ, CALLER);                                                             \
    access((uptr)a, size, K_WRITE, CALLER);                                                                  \
  }                                                                                                          \
  EXPORT void __tsan_unaligned_read_write##size(void *a) {                                                   \
    access_range((uptr)a, size, K_READ, CALLER);                                                             \
    access((uptr)a, size, K_WRITE, CALLER);                                                                  \
  }

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

/* Pointers to the tables of virtual functions: constructors and destructors write what is there already. */
EXPORT void __tsan_vptr_read(void **a) { access((uptr)a, sizeof *a, K_READ, CALLER); }
EXPORT void __tsan_vptr_update(void **a, void *value) {
  if (*a != value) access((uptr)a, sizeof *a, K_WRITE, CALLER);
}

EXPORT void __tsan_read_range(void *a, size_t size) { access_range((uptr)a, size, K_READ, CALLER); }
EXPORT void __tsan_write_range(void *a, size_t size) { access_range((uptr)a, size, K_WRITE, CALLER); }
EXPORT void __tsan_read_range_pc(void *a, size_t size, void *pc) { access_range((uptr)a, size, K_READ, (uptr)pc); }
EXPORT void __tsan_write_range_pc(void *a, size_t size, void *pc) { access_range((uptr)a, size, K_WRITE, (uptr)pc); }

/* What programs that know ThreadSanitizer say to it. */
EXPORT void __tsan_ignore_thread_begin(void) {
  struct thread *t = current();
  if (t != NULL) t->ignoring++;
}
EXPORT void __tsan_ignore_thread_end(void) {
  struct thread *t = current();
  if (t != NULL && t->ignoring > 0) t->ignoring--;
}
EXPORT void __tsan_flush_memory(void) {}
EXPORT void AnnotateIgnoreReadsBegin(const char *file, int line) { (void)file, (void)line; }
EXPORT void AnnotateIgnoreReadsEnd(const char *file, int line) { (void)file, (void)line; }
EXPORT void AnnotateIgnoreWritesBegin(const char *file, int line) { (void)file, (void)line; }
EXPORT void AnnotateIgnoreWritesEnd(const char *file, int line) { (void)file, (void)line; }
EXPORT void AnnotateHappensBefore(const char *file, int line, void *at) { (void)file, (void)line, (void)at; }
EXPORT void AnnotateHappensAfter(const char *file, int line, void *at) { (void)file, (void)line, (void)at; }
EXPORT void AnnotateBenignRaceSized(const char *file, int line, void *at, size_t size, const char *why) {
  (void)file, (void)line, (void)at, (void)size, (void)why;
}
EXPORT int RunningOnValgrind(void) { return 0; }
