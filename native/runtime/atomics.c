/*
 * Atomic operations. The runtime makes them itself, with the word locked, so that the log has their exact order. They
 * are made sequentially consistent, which every weaker order allows.
 */
#include "rt.h"
#include "locks.h"

typedef __int128 s128;

static inline u32 mask_of(uptr address, u32 size) { return size >= 8 ? 0xff : ((1u << size) - 1) << (address & 7); }

struct atomic {
  struct thread *t; /* NULL: nothing is recorded */
  struct shared *low, *high;
  struct sync *sync; /* instead of them, where the library makes locks and the like of atomics */
  uptr address, pc;
  u32 size;
};

static struct atomic begin(uptr address, u32 size, bool writes, uptr pc) {
  struct thread *t = self;
  if (UNLIKELY(rt.provokes) && t != NULL && t->blocks > 0 && t->locks == 0 && !t->busy) provoke(t, pc);
  struct atomic a = {entered(), NULL, NULL, NULL, address, pc, size};
  if (a.t == NULL) return a;
  u32 library = library_flags(a.t);
  if (library & F_SYNC) {
    if (!(library & F_WAITS)) note_synchronised(a.t, pc);
    a.sync = atomic_sync_begin(a.t, address, library & F_WAITS && !writes);
    if (a.sync != NULL) return a;
  }
  note_shared(a.t, pc);
  a.low = exact_begin(a.t, address, writes);
  if (size == 16) a.high = exact_begin(a.t, address + 8, writes);
  return a;
}

static void record(struct atomic *a, enum kind kind) {
  if (a->t == NULL) return;
  if (a->sync != NULL) {
    atomic_sync_record(a->t, a->sync, kind, a->pc);
    return;
  }
  exact_record(a->t, a->low, a->address, mask_of(a->address, a->size), kind, a->pc);
  if (a->high != NULL) exact_record(a->t, a->high, a->address + 8, 0xff, kind, a->pc);
}

/* The same for what may take or give back a lock that the program has made itself. */
static bool is_own_lock(struct atomic *a, bool is_exchange, u64 before, u64 after) {
  if (a->t == NULL || a->sync != NULL || a->high != NULL) return false;
  enum lock_use use = lock_use_of(a->t, a->low, a->address, is_exchange, before, after);
  if (use == LOCK_TAKEN) own_lock_taken(a->t, a->address, a->pc);
  else if (use == LOCK_GIVEN) own_lock_given(a->t, a->address, a->pc);
  return use != NO_LOCK;
}

static void record_store(struct atomic *a, u64 before, u64 after) {
  if (!is_own_lock(a, false, before, after)) record(a, K_VWRITE);
}

/* It is made only if nothing has changed, so that an earlier read cannot be too old. */
static void record_swap(struct atomic *a, u64 before, u64 after) {
  if (!is_own_lock(a, true, before, after)) record(a, K_SWAP);
}

static void record_exchange(struct atomic *a, u64 before, u64 after) {
  if (is_own_lock(a, true, before, after)) return;
  record(a, K_VREAD);
  record(a, K_VWRITE);
}

/*
 * Updates that count commute. One that comes after a look at the word may go by what was seen: `if (seats > 0) seats--`. Not
 * so in the standard library, which looks whether it is alone with what it counts.
 */
static void record_update(struct atomic *a) {
  struct thread *t = a->t;
  if (t == NULL) return;
  bool is_checked = false;
  u64 begun = t->library || a->sync != NULL ? UINT64_MAX : innermost_begin(t);
  for (u32 i = 0; i < 4; i++)
    if (t->loads[i].address == a->address && t->loads[i].head > begun) is_checked = true;
  record(a, is_checked ? K_CHECKED : K_VUPDATE);
}

static void record_load(struct atomic *a) {
  /* Whether a lock is free is asked while waiting for it. */
  if (a->t != NULL && a->sync == NULL && is_lock(a->low, a->address)) return;
  record(a, K_VREAD);
  struct thread *t = a->t;
  if (t == NULL || t->library) return;
  t->loads[t->next_load % 4].address = a->address;
  t->loads[t->next_load++ % 4].head = t->head;
}

static void end(struct atomic *a) {
  if (a->t == NULL) return;
  if (a->high != NULL) exact_end(a->high);
  if (a->sync != NULL) atomic_sync_end(a->sync);
  else exact_end(a->low);
  leave(a->t);
}

/* A load at the same place, of the same word, with nothing in between: the thread waits for others. */
static bool is_spinning(struct atomic *a, u64 value) {
  struct thread *t = a->t;
  if (t == NULL || a->sync != NULL) return false;
  bool again = t->spin.address == a->address && t->spin.pc == a->pc && t->spin.head == t->head;
  bool same = again && t->spin.value == value;
  if (again && !same) split_blocks(t);
  t->spin.address = a->address;
  t->spin.pc = a->pc;
  t->spin.value = value;
  return same;
}

static void remember_load(struct atomic *a) {
  if (a->t != NULL) a->t->spin.head = a->t->head;
}

#define ATOMICS(bits, type)                                                                                     \
  EXPORT type __tsan_atomic##bits##_load(const volatile type *at, int order) {                                  \
    (void)order;                                                                                                \
    struct atomic a = begin((uptr)at, sizeof(type), false, CALLER);                                             \
    type value = LOAD(type, at);                                                                                \
    if (!is_spinning(&a, (u64)value)) record_load(&a);                                                      \
    remember_load(&a);                                                                                          \
    end(&a);                                                                                                    \
    return value;                                                                                               \
  }                                                                                                             \
  EXPORT void __tsan_atomic##bits##_store(volatile type *at, type value, int order) {                           \
    (void)order;                                                                                                \
    struct atomic a = begin((uptr)at, sizeof(type), true, CALLER);                                              \
    type before = LOAD(type, at);                                                                               \
    STORE(type, at, value);                                                                                     \
    record_store(&a, (u64)before, (u64)value);                                                                  \
    end(&a);                                                                                                    \
  }                                                                                                             \
  EXPORT type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order) {                        \
    (void)order;                                                                                                \
    struct atomic a = begin((uptr)at, sizeof(type), true, CALLER);                                              \
    type before = EXCHANGE(type, at, value);                                                                    \
    /* What is exchanged for the same has not been changed: a lock that is not free is asked for. */             \
    if (before == value) is_spinning(&a, (u64)value);                                                           \
    else record_exchange(&a, (u64)before, (u64)value);                                                          \
    end(&a);                                                                                                    \
    return before;                                                                                              \
  }                                                                                                             \
  UPDATES(bits, type, add, before + value)                                                                      \
  UPDATES(bits, type, sub, before - value)                                                                      \
  UPDATES(bits, type, and, before & value)                                                                      \
  UPDATES(bits, type, or, before | value)                                                                       \
  UPDATES(bits, type, xor, before ^ value)                                                                      \
  UPDATES(bits, type, nand, ~(before & value))                                                                  \
  static bool compare_exchange##bits(volatile type *at, type *expected, type value, uptr pc) {                  \
    struct atomic a = begin((uptr)at, sizeof(type), true, pc);                                                  \
    bool done = COMPARE(type, at, expected, value);                                                             \
    if (done) record_swap(&a, (u64)*expected, (u64)value);                                                      \
    end(&a);                                                                                                    \
    return done;                                                                                                \
  }                                                                                                             \
  EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *expected, type value,       \
                                                           int order, int in_vain) {                            \
    (void)order, (void)in_vain;                                                                                 \
    return compare_exchange##bits(at, expected, value, CALLER);                                                 \
  }                                                                                                             \
  EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *expected, type value,         \
                                                         int order, int in_vain) {                              \
    (void)order, (void)in_vain;                                                                                 \
    return compare_exchange##bits(at, expected, value, CALLER);                                                 \
  }                                                                                                             \
  EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value,          \
                                                         int order, int in_vain) {                              \
    (void)order, (void)in_vain;                                                                                 \
    compare_exchange##bits(at, &expected, value, CALLER);                                                       \
    return expected;                                                                                            \
  }

/* The value that was there is given back, but what most do with it commutes: they count. */
#define UPDATES(bits, type, name, result)                                                                       \
  EXPORT type __tsan_atomic##bits##_fetch_##name(volatile type *at, type value, int order) {                    \
    (void)order;                                                                                                \
    struct atomic a = begin((uptr)at, sizeof(type), true, CALLER);                                              \
    type before = LOAD(type, at);                                                                               \
    while (!COMPARE(type, at, &before, (type)(result))) {                                                       \
    }                                                                                                           \
    if (a.t != NULL && a.sync == NULL) no_lock(a.low, (uptr)at);                                                \
    record_update(&a);                                                                                          \
    end(&a);                                                                                                    \
    return before;                                                                                              \
  }

#define LOAD(type, at) __atomic_load_n(at, __ATOMIC_SEQ_CST)
#define STORE(type, at, value) __atomic_store_n(at, value, __ATOMIC_SEQ_CST)
#define EXCHANGE(type, at, value) __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST)
#define COMPARE(type, at, expected, value) \
  __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

ATOMICS(8, u8)
ATOMICS(16, u16)
ATOMICS(32, u32)
ATOMICS(64, u64)

#undef LOAD
#undef STORE
#undef EXCHANGE
#undef COMPARE

/* Sixteen bytes: by the instruction where there is one, without a library. */
static inline bool compare_wide(volatile s128 *at, s128 *expected, s128 value) {
  s128 before = __sync_val_compare_and_swap(at, *expected, value);
  bool done = before == *expected;
  *expected = before;
  return done;
}
static inline s128 load_wide(const volatile s128 *at) { return __sync_val_compare_and_swap((volatile s128 *)at, 0, 0); }
static inline s128 exchange_wide(volatile s128 *at, s128 value) {
  s128 before = load_wide(at);
  while (!compare_wide(at, &before, value)) {
  }
  return before;
}
#define LOAD(type, at) load_wide(at)
#define STORE(type, at, value) (void)exchange_wide(at, value)
#define EXCHANGE(type, at, value) exchange_wide(at, value)
#define COMPARE(type, at, expected, value) compare_wide(at, expected, value)
ATOMICS(128, s128)

EXPORT void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
EXPORT void __tsan_atomic_signal_fence(int order) { (void)order; }
