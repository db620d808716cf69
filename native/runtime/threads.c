/* Threads and their slots; waiting for each other; barriers for all of them at once. */
#include "rt.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 1 << 20, PATIENCE_ROUNDS = 4000 };

struct thread threads[MAX_SLOTS];
u32 slots_used = 1;
__thread struct thread *self;

static u32 slots_lock;
static u32 free_slots[MAX_SLOTS];
static u32 free_count;
static u32 numbers = 1;
static uptr *starts; /* by number: the function that the thread began with */

void *map_pages(size_t size) {
  void *found = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (found == MAP_FAILED) fail("there is no memory left for what is known of the program's");
  return found;
}

void pages_forget(void *pages, size_t size) { madvise(pages, size, MADV_DONTNEED); }

void relax(u32 *rounds) {
  if (++*rounds < 32) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  } else if (*rounds < 512) {
    sched_yield();
  } else {
    struct timespec little = {0, 50000};
    syscall(SYS_nanosleep, &little, NULL);
  }
}

enum { HELD_BACK_ONE_IN = 8, PLACES = 1 << 14, FIRST_VISITS = 4, MOST_STEPS = 8 };
/* In microseconds. */
enum { LONGEST_WAIT = 40000, WAIT_STEP = 200, ALL_WAITS = 500000 };

static u32 arrivals[PLACES]; /* how often somebody came to the place */
static u64 waiting;          /* the wait that goes on: its number, and the place, from 1 on; 0 if nobody waits */
static u32 waits, waited;

static void sleep_for(u32 microseconds) {
  struct timespec time = {0, (long)microseconds * 1000};
  syscall(SYS_nanosleep, &time, NULL);
}

static u32 next_chance(struct thread *t) {
  t->random = t->random * 1664525u + 1013904223u + rt.provokes;
  return t->random >> 16;
}

/* Whether the thread has come to as many places during a wait of another one as it may: seeds decide how many. */
static bool has_gone_far(struct thread *t, u32 wait) {
  if (t->wait != wait) {
    t->wait = wait;
    t->steps = next_chance(t) % MOST_STEPS;
  }
  return t->steps-- == 0;
}

/*
 * Until somebody else comes to the same place, however busy the machine is. Who comes to the one that waits there does not wait for a
 * third: the two go on side by side. Only one thread waits so, for the others are to come. It does not wait for ever, and less and less
 * as long as nobody comes. Nor do others run through everything meanwhile: after a few places one of them waits instead, for the first one
 * may be where nobody else will ever come. False if another thread waits elsewhere, or if there is no time for it any more.
 */
static bool wait_for_company(struct thread *t, u32 place, u32 came) {
  u64 other = load_relaxed(&waiting);
  if ((u32)other == place + 1) return true;
  u32 longest = (ALL_WAITS - load_relaxed(&waited)) / 8;
  if (longest > LONGEST_WAIT) longest = LONGEST_WAIT;
  if (longest < 2 * WAIT_STEP || (other != 0 && !has_gone_far(t, (u32)(other >> 32)))) return false;
  u64 own = (u64)__atomic_add_fetch(&waits, 1, __ATOMIC_RELAXED) << 32 | (place + 1);
  if (!swap_if(&waiting, other, own)) return false;
  u32 time = 0;
  for (; time < longest && load_relaxed(&arrivals[place]) == came && load_relaxed(&waiting) == own && !rt.off; time += WAIT_STEP)
    sleep_for(WAIT_STEP);
  store_relaxed(&waited, waited + time);
  swap_if(&waiting, own, 0);
  return true;
}

/* What is made when it is first needed is made once: there, chance would come too late. */
static bool is_first_visit(const struct thread *t, uptr site) {
  static u8 visits[PLACES];
  u8 *known = &visits[(site ^ site >> 12 ^ (uptr)t->number * 977) % PLACES];
  return load_relaxed(known) < FIRST_VISITS && __atomic_fetch_add(known, 1, __ATOMIC_RELAXED) < FIRST_VISITS;
}

void provoke_start(struct thread *t) {
  u32 chance = next_chance(t);
  if (chance % 4 != 0) sleep_for((chance / 4 % 4 + 1) * 500);
}

bool provoke_first(struct thread *t, uptr site) {
  u32 chance = next_chance(t);
  uptr own = own_site(t, site);
  u32 place = (own ^ own >> 12) % PLACES;
  u32 came = __atomic_add_fetch(&arrivals[place], 1, __ATOMIC_RELAXED);
  /* The very first one is held in any case; of the others, seeds decide. */
  if (load_relaxed(&slots_used) <= 2 || !is_first_visit(t, own) || (chance % 8 == 0 && came > 1)) return false;
  if (!wait_for_company(t, place, came)) sleep_for((chance / 8 % 4 + 1) * 500);
  return true;
}

void provoke(struct thread *t, uptr site) {
  if (provoke_first(t, site)) return;
  u32 chance = next_chance(t);
  if (chance % HELD_BACK_ONE_IN != 0) return;
  if (chance / HELD_BACK_ONE_IN % 2 != 0) {
    sched_yield();
    return;
  }
  sleep_for(400);
}

void spin_until_locked(u32 *lock) {
  u32 rounds = 0;
  do {
    while (load_relaxed(lock) != 0) relax(&rounds);
  } while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0);
}

static int membarrier(int command) { return (int)syscall(SYS_membarrier, command, 0, 0); }

void fences_start(void) {
  if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) != 0) rt.fences = 1;
}

void fence_all(void) {
  if (rt.fences) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  else membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

/*
 * A thread that sleeps in the kernel by its own will has made the access that it announced last. One that runs, or would
 * like to, gets all the time that a busy machine may need; after that we go on, and say so.
 */
bool is_certainly_past(struct thread *other, u32 rounds) {
  if (rounds % 64 != 0) return false;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", other->tid);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return errno == ENOENT || rounds > PATIENCE_ROUNDS;
  char first = 'r';
  if (syscall(SYS_read, fd, &first, 1) != 1) first = 'r';
  syscall(SYS_close, fd);
  /* "running", or the number of the system call. */
  if (first >= '0' && first <= '9') return true;
  if (rounds <= PATIENCE_ROUNDS) return false;
  __atomic_fetch_add(&rt.statistics.stolen, 1, __ATOMIC_RELAXED);
  return true;
}

u32 thread_new_number(uptr start) {
  u32 number = __atomic_fetch_add(&numbers, 1, __ATOMIC_RELAXED);
  if (number < MAX_THREADS) starts[number] = start;
  return number;
}

uptr thread_start_function(u32 number) { return number < MAX_THREADS ? starts[number] : 0; }

static struct thread *new_slot(void) {
  spin_lock(&slots_lock);
  u32 slot = 0;
  if (free_count > 0) slot = free_slots[--free_count];
  else if (slots_used < MAX_SLOTS - 2) slot = slots_used;
  if (slot == 0) {
    spin_unlock(&slots_lock);
    return NULL;
  }
  struct thread *t = &threads[slot];
  if (t->ring == NULL) {
    t->frames = map_pages(MAX_FRAMES * sizeof *t->frames);
    t->known = map_pages(MAX_SLOTS * sizeof *t->known);
    t->seen = map_pages(MAX_SLOTS * sizeof *t->seen);
    t->reads = map_pages(READ_CACHE * sizeof *t->reads);
    t->slot = slot;
    t->key = key_of(slot, 1);
    /* The last one: a fork in between has to do it again. */
    store_release(&t->ring, map_pages(RING_RECORDS * sizeof *t->ring));
  }
  if (slot == slots_used) store_release(&slots_used, slot + 1);
  spin_unlock(&slots_lock);
  return t;
}

struct thread *thread_start(u32 number) {
  struct thread *t = new_slot();
  if (t == NULL) {
    note("more than %d threads at once: thread %u was not watched", MAX_SLOTS - 2, number);
    return NULL;
  }
  t->number = number;
  t->tid = (int)syscall(SYS_gettid);
  t->depth = t->library = t->pending = t->blocks = t->locks = t->busy = t->ignoring = 0;
  t->random = number * 2654435761u;
  for (u32 i = 0; i < CLOCK_SLOTS; i++) t->clock[i] = 0;
  new_epoch(t);
  t->first_epoch = epoch_of(t);
  store_release(&t->live, true);
  self = t;
  make_room(t);
  put(t, K_THREAD, number, 0, 0, 0);
  return t;
}

/* The thread is over; another one may have its slot, and goes on in its log. */
void thread_stop(struct thread *t) {
  store_release(&t->hazard, 0);
  store_release(&t->live, false);
  self = NULL;
  spin_lock(&slots_lock);
  free_slots[free_count++] = t->slot;
  spin_unlock(&slots_lock);
}

static __thread bool is_over __attribute__((tls_model("local-exec")));
void thread_is_over(void) { is_over = true; }

struct thread *thread_enter(void) {
  /* What its other destructors still do has no place in a log that may be another thread's by now. */
  if (rt.off || is_over) return NULL;
  runtime_start();
  if (rt.off) return NULL;
  if (self != NULL) return self;
  /* Nobody that we know of has started it: the first one is the program's own, others are of some library. */
  static u32 is_main_known;
  u32 number = __atomic_exchange_n(&is_main_known, 1, __ATOMIC_RELAXED) == 0 ? 0 : thread_new_number(0);
  struct thread *t = thread_start(number);
  extern void thread_introduce(void);
  thread_introduce();
  return t;
}

void threads_start(void) { starts = map_pages(MAX_THREADS * sizeof *starts); }

/* After fork: only the calling thread is left, and starts a log of its own. */
void threads_after_fork(void) {
  struct thread *t = self;
  free_count = 0;
  for (u32 slot = 1; slot < slots_used; slot++) {
    struct thread *other = &threads[slot];
    store_relaxed(&other->hazard, 0);
    if (other == t) continue;
    other->live = false;
    free_slots[free_count++] = slot;
    other->tail = other->tail_seen = other->head;
  }
  slots_lock = 0;
  waiting = 0;
  if (t == NULL) return;
  t->tail = t->tail_seen = t->head;
  t->tid = (int)syscall(SYS_gettid);
  t->number = 0;
}

void wait_for_room(struct thread *t) {
  /* The writer has a whole ring to go through, and may need this processor for it: it is left alone for a while. */
  while (t->tail_seen = load_acquire(&t->tail), t->head > t->tail_seen + RING_RECORDS / 2 && !rt.off) {
    struct timespec little = {0, 200000};
    syscall(SYS_nanosleep, &little, NULL);
  }
}

void depend(struct thread *t, u32 slot, u64 position) {
  if (slot == t->slot || slot == 0 || t->known[slot] >= position) return;
  t->known[slot] = position;
  make_room(t);
  bool was_last = t->spin.head == t->head;
  put(t, K_DEPEND, position, 0, 0, slot);
  /* Nothing that the thread did. */
  if (was_last) t->spin.head = t->head;
}

/* The epochs have run out, after four thousand million: no word may look as if it were of one that begins again. */
static void begin_epochs_again(struct thread *t) {
  /* What others know of the old ones holds for the new ones all the more: it only makes them learn later. */
  FOR_REGIONS(region) {
    for (u32 word = 0; word < REGION_WORDS; word++) {
      u64 cell = load_relaxed(&region->cells[word]);
      if (cell_slot(cell) == t->slot && cell_epoch(cell) != 0)
        swap_if(&region->cells[word], cell, cell_of(t->slot, 0, cell_moves(cell) < FREED ? cell_moves(cell) : 0, 0));
    }
  }
  for (u32 i = 0; i < READ_CACHE; i++) t->reads[i].done = 0;
  shared_forget_epochs(t->slot);
  t->key = key_of(t->slot, 1);
  t->first_epoch = 1;
}

void new_epoch(struct thread *t) {
  if (UNLIKELY(epoch_of(t) == UINT32_MAX)) begin_epochs_again(t);
  else t->key += key_of(0, 1);
}
