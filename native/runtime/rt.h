/*
 * The runtime that instrumented C and C++ programs are linked with: what its files share.
 * docs/native-internals.md says how the parts work together, and why the order that comes out is the true one.
 */
#ifndef TRACKSIDE_RT_H
#define TRACKSIDE_RT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All of it is in one program: nothing is looked up through a table of addresses. */
#pragma GCC visibility push(hidden)

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef uintptr_t uptr;

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Weak: a program may bring its own. */
#define EXPORT __attribute__((visibility("default"), weak))
#define CALLER ((uptr)__builtin_return_address(0))

#define load_relaxed(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#define load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define store_relaxed(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
#define store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define compiler_barrier() __atomic_signal_fence(__ATOMIC_SEQ_CST)

static inline bool swap_if(u64 *at, u64 expected, u64 value) {
  return __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* ---- Slots: a thread has one while it lives; another thread may have it afterwards. ---- */

enum { MAX_SLOTS = 4096, CLOCK_SLOTS = 64, RING_RECORDS = 1 << 16, MAX_FRAMES = 1 << 14, READ_CACHE = 1 << 14 };

/* What a thread did: 16 bytes, in a ring that the writer empties. */
struct record {
  u64 what;  /* address << 16 | kind << 8 | bytes of the word, as a mask */
  u64 where; /* program counter << 16 | something more */
};

enum kind {
  K_READ, K_WRITE, K_VREAD, K_VWRITE, K_VUPDATE,
  K_CHECKED, /* an update after a look at the same word in the same block: it may go by what was seen */
  K_SWAP, /* compare-and-swap that was made: an update of which nobody can say that it went by an old value */
  K_ACQUIRE, K_RELEASE, K_FORK, K_JOIN, K_BEGIN, K_BEGIN_NAMED, K_END,
  K_ARRIVE, K_LEAVE, K_NOTIFY, K_WAIT,
  K_DEPEND,  /* address: position; more: slot. All records of the slot before the position come first. */
  K_THREAD,  /* address: number of the thread that has the slot from here on */
  K_ALLOCATE, K_FREE, /* followed by K_SIZE */
  K_SIZE, K_SITE
};

enum { FRAME_SITES = 6 };
/* A function that has been entered, or a block inside of it that the program marks. */
struct frame {
  uptr call;      /* where it was called */
  uptr stack;     /* the stack pointer: what was left by longjmp is found by it */
  u32 flags;
  u32 sites_used;
  union {
    struct function *function;
    const char *name;
  };
  uptr pc;
  u64 begun;      /* where its begin is in the log */
  u32 sites[FRAME_SITES];   /* places in it at which something was shared or locked, as hashes */
};

/* A word that many read and nobody writes: which of its states the thread is known to read in, and the bytes read in which epoch. */
struct cached_read {
  u64 cell;
  u64 done; /* key and bytes */
};

struct thread {
  /* Read by others: the address in the word that the thread may be about to access. */
  u64 hazard __attribute__((aligned(64)));
  /* The same for runs of words, which functions such as memcpy access: from and to. */
  struct { u64 from, to; } runs[2];
  /* Who the thread is, and since when nothing came in from outside: slot and epoch, as in a cell. */
  u64 key;
  struct record *ring;
  u64 head;      /* records written; released after the record itself */
  u64 tail_seen;
  u32 interrupted; /* by signal handlers that were called between a hook and its access */
  u64 outer_hazards[4];
  uptr handler_stacks[4]; /* where the handlers' own frames are */
  u32 busy;      /* inside of the runtime: a signal handler must not come in again */
  u32 ignoring;  /* nothing is recorded */
  u32 library;   /* in a function of the standard library: what it does, the program does where it called it */
  u32 depth;     /* frames */
  u32 pending;   /* blocks that have begun but of which nothing was written yet */
  u64 tail __attribute__((aligned(64))); /* records that the writer has taken */
  struct frame *frames __attribute__((aligned(64)));
  u64 *known;    /* by slot: up to which record the thread comes after it in the log anyway */
  u64 *seen;     /* by slot: the same by conflicts alone */
  u32 clock[CLOCK_SLOTS]; /* by slot: up to which epoch of it locks and the like have put this thread after it */
  struct cached_read *reads;
  u64 first_epoch;
  u32 slot;
  u32 random;
  u32 wait;      /* with --provoke: the wait of another thread that it knows of, and how many places it may yet come to */
  u32 steps;
  u32 number;    /* of the thread, never used again */
  u32 locks;     /* mutexes held */
  u32 blocks;    /* blocks open */
  u32 section;   /* a critical section that is a block: 1 + the frames around it */
  uptr stack_low, stack_high;
  int tid;       /* of the kernel */
  bool live;
  struct { uptr address, pc; u64 value, head; } spin;
  /* The last loads of atomic words, and where they are in the log. */
  struct { uptr address; u64 head; } loads[4];
  u32 next_load;
};

extern struct thread threads[MAX_SLOTS];
extern u32 slots_used;
extern __thread struct thread *self __attribute__((tls_model("local-exec")));

/* Gives the calling thread a slot, on its first hook; NULL where nothing is recorded. */
struct thread *thread_enter(void);
static inline struct thread *current(void) {
  struct thread *t = self;
  return LIKELY(t != NULL) ? t : thread_enter();
}
u32 thread_new_number(uptr start);
uptr thread_start_function(u32 number);
void thread_is_over(void);
void threads_start(void);
void threads_after_fork(void);
void shared_after_fork(void);
void fences_start(void);
struct thread *thread_start(u32 number);
void thread_stop(struct thread *t);

/* ---- State of the whole runtime ---- */

struct statistics { u64 stolen, missed_in_handlers, lost_frames; };
struct runtime {
  volatile u32 off;      /* records nothing (any more) */
  u32 fences;            /* the kernel has no membarrier: every access needs a fence */
  u32 learns;            /* functions that lock or share are blocks; otherwise only those that are listed */
  u32 provokes;          /* threads are held back where others may come in: a seed, or 0 */
  u32 sections;          /* critical sections are blocks, too */
  struct statistics statistics;
};
extern struct runtime rt;
void runtime_start(void);
void runtime_finish(void);
/* Around what reads or changes the set of slots. */
void spin_until_locked(u32 *lock);
static inline void spin_lock(u32 *lock) {
  if (UNLIKELY(__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0)) spin_until_locked(lock);
}
static inline void spin_unlock(u32 *lock) { store_release(lock, 0); }
void relax(u32 *rounds);
/* Lets the others run, now and then; at a place where the program comes for the first time, more often. */
void provoke(struct thread *t, uptr site);
void provoke_start(struct thread *t);
/* Only at such a place; false elsewhere. */
bool provoke_first(struct thread *t, uptr site);
/* Every running thread passes a full barrier before this returns. */
void fence_all(void);
/* Whether the thread is in a system call, or had all the time it could need, so that its last announced access is over. */
bool is_certainly_past(struct thread *other, u32 rounds);
void *map_pages(size_t size);
/* They are as new: all zeros. */
void pages_forget(void *pages, size_t size);
void fail(const char *what) __attribute__((noreturn));
/* Something that was not watched, for people. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- Shadow memory ---- */

/*
 * A cell for each eight bytes of the program:
 *   slot (14) | epoch (32) | moves (2) | bytes read or written in that epoch (8) | bytes written in it (8)
 * Slot 0: never accessed. Epoch 0: known to its owner from before, or (moves = 3) freed by it. Shared words:
 *   CELL_SHARED (14) | state (24) | entry (26)
 */
enum { CELL_SHARED = 0x3fff, CELL_BUSY = 0x3ffe, KEY_SHIFT = 18, SLOT_SHIFT = 50, MOVES_SHIFT = 16, FREED = 3 };
static inline u32 cell_slot(u64 cell) { return (u32)(cell >> SLOT_SHIFT); }
static inline u32 cell_epoch(u64 cell) { return (u32)(cell >> KEY_SHIFT); }
static inline u32 cell_moves(u64 cell) { return (u32)(cell >> MOVES_SHIFT) & 3; }
static inline u64 cell_of(u64 slot, u64 epoch, u64 moves, u64 masks) {
  return slot << SLOT_SHIFT | epoch << KEY_SHIFT | moves << MOVES_SHIFT | masks;
}
static inline u64 key_of(u64 slot, u64 epoch) { return slot << SLOT_SHIFT | epoch << KEY_SHIFT; }
static inline u32 epoch_of(const struct thread *t) { return (u32)(t->key >> KEY_SHIFT); }
#define KEY_BITS (~(u64)0 << KEY_SHIFT)
/* What of a cell says that the thread has done it in this epoch. What was written needs no reading any more. */
static inline u64 bits_of(u32 mask, bool writes) { return writes ? mask : (u64)mask << 8; }
static inline bool is_of_epoch(const struct thread *t, u64 cell) { return ((cell ^ t->key) & KEY_BITS) == 0; }
static inline bool has_done(const struct thread *t, u64 cell, u64 bits) {
  return ((cell ^ t->key) & (KEY_BITS | bits)) == bits;
}
/* Whether the thread that keeps others off a cell was left behind by fork. */
static inline bool is_deserted(u64 busy) { return !load_relaxed(&threads[cell_epoch(busy)].live); }
static inline u64 freed_by(u32 slot) { return cell_of(slot, 0, FREED, 0); }
static inline bool is_freed(u64 cell) { return cell_epoch(cell) == 0 && cell_moves(cell) == FREED; }

/* What the writer knows of a word. */
struct word_names {
  u32 ids[2]; /* plus one, or 0: of the word, or of its halves; or where a word is known that is divided in another way */
  u32 block;  /* allocation << 2 | how the word is divided */
  u32 unused; /* it does not straddle lines of the cache */
};
enum { REGION_BITS = 22, REGION_WORDS = 1 << (REGION_BITS - 3), REGIONS = 1 << (47 - REGION_BITS) };
struct region {
  u64 cells[REGION_WORDS];
  struct word_names names[REGION_WORDS];
  struct region *older;
};
extern struct region **regions, *newest_region;
#define FOR_REGIONS(region) for (struct region *region = load_acquire(&newest_region); region != NULL; region = region->older)
/* The same table, or an empty one where the quick way is closed: the kernel has no membarrier. */
extern struct region **quick_regions;
struct region *region_new(uptr address);
static inline struct region *region_of(uptr address) {
  uptr index = address >> REGION_BITS;
  if (UNLIKELY(index >= REGIONS)) return NULL;
  struct region *region = load_acquire(&regions[index]);
  return LIKELY(region != NULL) ? region : region_new(address);
}
static inline u32 word_in_region(uptr address) { return (u32)(address >> 3) & (REGION_WORDS - 1); }

/* ---- Recording ---- */

/* A copy as the program asked for it, with true places in the log. */
void copy_memory(uptr to, uptr from, size_t size, uptr pc);
void fill_memory(uptr to, int value, size_t size, uptr pc);
void wait_for_room(struct thread *t);
static inline bool has_room(const struct thread *t) { return t->head + 64 <= t->tail_seen + RING_RECORDS; }
static inline void make_room(struct thread *t) {
  if (UNLIKELY(!has_room(t))) wait_for_room(t);
}
static inline void put(struct thread *t, enum kind kind, uptr address, u32 mask, uptr pc, u32 more) {
  struct record *r = &t->ring[t->head & (RING_RECORDS - 1)];
  r->what = (u64)address << 16 | (u64)kind << 8 | mask;
  r->where = (u64)pc << 16 | more;
  store_release(&t->head, t->head + 1);
}
void write_pending(struct thread *t);
/* Where the program itself is, if it is in the standard library: that is the same for all who call it. */
uptr own_site(const struct thread *t, uptr site);
/* An event, after the begins of blocks that it is the first of. */
static inline void put_event(struct thread *t, enum kind kind, uptr address, u32 mask, uptr pc) {
  if (UNLIKELY(t->pending != 0)) write_pending(t);
  if (UNLIKELY(t->library)) pc = own_site(t, pc);
  put(t, kind, address, mask, pc, 0);
}
/* What the thread records from here on comes after what the slot has recorded before `position`. */
void depend(struct thread *t, u32 slot, u64 position);
/* Something of another thread happens before what comes now: earlier accesses do not stand for later ones any more. */
void new_epoch(struct thread *t);
/* A conflict with what the slot did before `position`. */
static inline void comes_after(struct thread *t, u32 slot, u64 position) {
  if (slot == t->slot || position == 0) return;
  depend(t, slot, position);
  if (t->seen[slot] >= position) return;
  t->seen[slot] = position;
  new_epoch(t);
}

/* The runtime is about to do something for the thread: it is in no access any more. False: leave it alone. */
static inline bool enter(struct thread *t) {
  store_release(&t->hazard, 0);
  if (UNLIKELY(t->busy | t->interrupted | t->ignoring | rt.off)) return false;
  t->busy = 1;
  compiler_barrier();
  make_room(t);
  return true;
}
static inline void leave(struct thread *t) {
  compiler_barrier();
  t->busy = 0;
}

/* ---- Accesses (access.c, shared.c) ---- */

void access_unknown(uptr address, u32 mask, enum kind kind, uptr pc);
/* A read that has been announced; `cell` is what was in the cell after that, or 0. */
void read_unknown(uptr address, u32 mask, uptr pc, u64 cell);
void shared_access(struct thread *t, u64 *cell, u64 seen_cell, uptr address, u32 mask, enum kind kind, uptr pc);
/* An access that the runtime itself makes between these; nobody else gets in between. */
struct shared;
struct shared *exact_begin(struct thread *t, uptr address, bool writes);
void exact_record(struct thread *t, struct shared *entry, uptr address, u32 mask, enum kind kind, uptr pc);
void exact_end(struct shared *entry);
/* A change from one value to another of the word between these, by an exchange or by a store. */
enum lock_use { NO_LOCK, LOCK_TAKEN, LOCK_GIVEN, LOCK_LOOKED_AT };
enum lock_use lock_use_of(struct thread *t, struct shared *entry, uptr address, bool is_exchange, u64 before,
                          u64 after);
void no_lock(struct shared *entry, uptr address);
bool is_lock(const struct shared *entry, uptr address);
void share_word(u64 *cell, u64 seen, u32 owner, u64 position);
void shared_free(struct thread *t, u64 cell);
void shared_forget_epochs(u32 slot);
void wait_for_access(u32 slot, u64 first_word, u64 words);
void access_range(uptr address, size_t size, enum kind kind, uptr pc);
/* The calling thread, if what it does there is watched. */
struct thread *watching(uptr pc);

static inline bool is_write(enum kind kind) { return kind == K_WRITE || (kind >= K_VWRITE && kind <= K_SWAP); }

/*
 * The few instructions that nearly every access takes, and nothing that needs a stack: whether what the thread has done in this
 * epoch stands for the access, which it announces. `mask` are bytes of the word at `address`; `cell` is the word's, or 0.
 */
static inline __attribute__((always_inline)) bool is_known_access(uptr address, u32 mask, enum kind kind, u64 *cell) {
  struct thread *t = self;
  *cell = 0;
  if (UNLIKELY(t == NULL)) return false;
  store_release(&t->hazard, address);
  compiler_barrier();
  struct region *region = load_acquire(&quick_regions[address >> REGION_BITS & (REGIONS - 1)]);
  if (UNLIKELY(region == NULL)) return false;
  *cell = load_relaxed(&region->cells[word_in_region(address)]);
  return has_done(t, *cell, bits_of(mask, is_write(kind)));
}

static inline void access_word(uptr address, u32 mask, enum kind kind, uptr pc) {
  u64 cell;
  if (LIKELY(is_known_access(address, mask, kind, &cell))) return;
  if (kind == K_READ) read_unknown(address, mask, pc, cell);
  else access_unknown(address, mask, kind, pc);
}

/* ---- Functions and blocks (functions.c, blocks.c) ---- */

enum {
  F_LISTED = 1,      /* meant to be atomic, as the specification says */
  F_TRANSPARENT = 2, /* of the standard library: what it does, its caller does */
  F_SHARES = 4,      /* learned: it locks, or accesses what threads share */
  F_SYNC = 8,        /* of the standard library, and made of atomics: they order threads, and are no data */
  F_WAITS = 16,      /* the same, and waits for others */
  /* Of a container of the standard library: */
  F_FILLS = 1 << 5,   /* puts something in unless it is there */
  F_COUNTS = 2 << 5,  /* says how many there are, or what comes first */
  F_ASSIGNS = 3 << 5, /* puts something in, over what is there */
  F_ERASES = 4 << 5,  /* takes something out */
  F_FINDS = 5 << 5,   /* says whether something is there */
  F_CONTAINER = 7 << 5
};
struct function {
  uptr pc;           /* an address inside of it, by which it is known */
  u32 flags;
  u32 calls;         /* the first ones are blocks, until it is known whether it shares anything */
};
/* The program calls a function of a container. */
void note_call(uptr call, u32 flags);
void calls_noted(void (*tell)(uptr call, const char *what));
/* Calls it for each function that was taken for a block at first, and then shared nothing. */
void functions_guessed(void (*tell)(uptr pc));
/* A function or a global variable, by its address in the file. */
struct symbol { uptr start, size; const char *name; bool is_atomic; };
size_t symbol_text(const struct symbol *s, char *text, size_t size);
uptr symbol_start(const struct symbol *s, uptr near);
struct function *function_of(uptr pc);
const struct symbol *symbol_at(uptr address);
void functions_start(void);
void functions_after_fork(void);
/* Where it is in the program: `0+1f2e` is in the first module. Gives the length. */
size_t describe_address(uptr address, char *text, size_t size);
/* Writes `module 0 /path` for each module that was not told before. */
void describe_new_modules(void (*tell)(const char *text, size_t size));
bool is_in_module(uptr address);
void forget_modules_told(void);

/* What is called by code that was not compiled for us is none of the program's own accesses. */
bool is_watched(uptr pc);
void watch_module(uptr pc);

void function_entered(uptr function, uptr call, uptr stack);
void function_left(uptr after, uptr stack);
void note_synchronised(struct thread *t, uptr site);
void note_shared(struct thread *t, uptr site);
/* What the library's functions that the thread is in are flagged with, up to the first one of the program's own. */
u32 library_flags(const struct thread *t);
/* Open blocks end, and begin anew with what comes next: the thread waits for others. */
void split_blocks(struct thread *t);
void end_all_blocks(struct thread *t);
/* Where the log has the begin of the innermost block; after everything, if there is none. */
u64 innermost_begin(const struct thread *t);
void blocks_after_fork(struct thread *t);
void section_begin(struct thread *t, uptr pc);
void section_end(struct thread *t);

/* ---- Memory of our own: the program's functions are intercepted ---- */

void *plain_allocate(size_t size);
void plain_free(void *memory);

/* ---- The writer ---- */

void writer_start(void);
void writer_finish(void);
void writer_forget(void);
/* Never the program's own functions, which are intercepted. */
void *real(const char *name);
#define REAL(name) ((__typeof__(&name))real_##name())
#define DECLARE_REAL(name)                                                \
  static void *real_##name(void) {                                        \
    static void *found;                                                   \
    void *known = load_relaxed(&found);                                   \
    if (UNLIKELY(known == NULL)) store_relaxed(&found, known = real(#name)); \
    return known;                                                         \
  }

#pragma GCC visibility pop

#endif
