/* What locks, conditions and threads mean for the log. Interceptors call this with the program's own addresses. */
#include "locks.h"
#include <stdlib.h>

enum { MOST_SYNCS = 1 << 20 };

static struct sync *syncs;
static u32 *used_syncs, used_count; /* which of them are in use */
static u32 syncs_lock;

struct sync *sync_at(const void *address, bool makes) {
  if (UNLIKELY(load_acquire(&syncs) == NULL)) {
    spin_lock(&syncs_lock);
    if (syncs == NULL) {
      used_syncs = map_pages((size_t)MOST_SYNCS * sizeof *used_syncs);
      store_release(&syncs, map_pages((size_t)MOST_SYNCS * sizeof *syncs));
    }
    spin_unlock(&syncs_lock);
  }
  u32 hash = (u32)(((uptr)address >> 3) * 0x9e3779b97f4a7c15u >> 44);
  for (u32 tries = 0; tries < MOST_SYNCS; tries++) {
    struct sync *s = &syncs[(hash + tries) & (MOST_SYNCS - 1)];
    uptr known = load_acquire(&s->address);
    if (known == (uptr)address) return s;
    if (known != 0) continue;
    if (!makes) return NULL;
    uptr none = 0;
    if (__atomic_compare_exchange_n(&s->address, &none, (uptr)address, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      used_syncs[__atomic_fetch_add(&used_count, 1, __ATOMIC_RELAXED)] = (u32)(s - syncs);
      return s;
    }
    if (none == (uptr)address) return s;
  }
  return NULL;
}

struct thread *entered(void) {
  struct thread *t = current();
  return t != NULL && enter(t) ? t : NULL;
}

static void put_sync(struct thread *t, enum kind kind, struct sync *s, uptr pc) {
  if (t->pending != 0) write_pending(t);
  if (t->library) pc = own_site(t, pc);
  put(t, kind, s->address, 0, pc, (u16)s->generation);
}

static u32 clock_slots(void) {
  u32 used = load_relaxed(&slots_used);
  return used < CLOCK_SLOTS ? used : CLOCK_SLOTS;
}

void clock_join(u32 *to, const u32 *from) {
  for (u32 i = 0, count = clock_slots(); i < count; i++)
    if (from[i] > to[i]) to[i] = from[i];
}

void clock_pass(const struct thread *t, u32 *to) {
  clock_join(to, t->clock);
  if (t->slot < CLOCK_SLOTS) to[t->slot] = epoch_of(t);
}

/* This is the last that others come after, from now on. */
static void last_is(struct thread *t, struct sync *s) {
  clock_pass(t, s->clock);
  s->slot = t->slot;
  s->position = t->head;
}

/* What the thread does now comes after what was done last. */
static void comes_after_last(struct thread *t, struct sync *s) {
  if (s->slot != t->slot) clock_join(t->clock, s->clock);
  comes_after(t, s->slot, s->position);
}

/* ---- Mutexes: the mutex itself protects its entry ---- */

static void take(struct thread *t, struct sync *s, uptr pc) {
  if (s->owner == t->slot && s->depth > 0) {
    s->depth++;
    return;
  }
  note_synchronised(t, pc);
  comes_after_last(t, s);
  section_begin(t, pc);
  put_sync(t, K_ACQUIRE, s, pc);
  s->owner = t->slot;
  s->depth = 1;
  t->locks++;
}

static void give(struct thread *t, struct sync *s, uptr pc) {
  if (s->owner != t->slot || s->depth == 0 || --s->depth > 0) return;
  put_sync(t, K_RELEASE, s, pc);
  s->owner = 0;
  if (--t->locks == 0) section_end(t);
  last_is(t, s);
}

void lock_acquired(const void *lock, uptr pc) {
  struct thread *t = entered();
  if (t == NULL) return;
  /* What a library locks for itself orders nothing that we see. */
  struct sync *s = sync_at(lock, is_watched(pc));
  if (s != NULL) take(t, s, pc);
  leave(t);
}

void lock_released(const void *lock, uptr pc) {
  struct thread *t = entered();
  if (t == NULL) return;
  struct sync *s = sync_at(lock, false);
  if (s != NULL) give(t, s, pc);
  leave(t);
}

void own_lock_taken(struct thread *t, uptr lock, uptr pc) {
  struct sync *s = sync_at((const void *)lock, true);
  if (s != NULL) take(t, s, pc);
}

void own_lock_given(struct thread *t, uptr lock, uptr pc) {
  struct sync *s = sync_at((const void *)lock, false);
  if (s != NULL) give(t, s, pc);
}

/* In the middle of a block: here others may come in, and with --provoke they get the time to do so. */
void lock_given_back(uptr pc) {
  struct thread *t = self;
  if (UNLIKELY(rt.provokes) && t != NULL && t->blocks > 0 && !t->busy) provoke(t, pc);
}

/* The same between what a block has seen without a lock, and the lock. */
void lock_wanted(uptr pc) {
  struct thread *t = self;
  if (UNLIKELY(rt.provokes) && t != NULL && t->blocks > 0 && t->pending == 0 && t->locks == 0 && !t->busy) provoke(t, pc);
}

void lock_new(const void *lock) {
  struct thread *t = entered();
  if (t == NULL) return;
  struct sync *s = sync_at(lock, false);
  if (s != NULL) {
    s->generation++;
    s->owner = s->depth = 0;
  }
  leave(t);
}

/* ---- Conditions: in the trace, whoever has waited comes after everybody who has notified ---- */

void before_waiting(const void *lock, uptr pc) {
  if (lock != NULL) lock_released(lock, pc);
  struct thread *t = entered();
  if (t == NULL) return;
  split_blocks(t);
  leave(t);
}

void after_waiting(const void *condition, const void *lock, uptr pc) {
  struct thread *t = entered();
  if (t != NULL) {
    struct sync *s = sync_at(condition, true);
    if (s != NULL) {
      spin_lock(&s->guard);
      comes_after_last(t, s);
      put(t, K_WAIT, s->address, 0, pc, (u16)s->generation);
      spin_unlock(&s->guard);
    }
    leave(t);
  }
  if (lock != NULL) lock_acquired(lock, pc);
}

void notified(const void *condition, uptr pc) {
  struct thread *t = entered();
  if (t == NULL) return;
  struct sync *s = sync_at(condition, is_watched(pc));
  if (s != NULL) {
    spin_lock(&s->guard);
    if (s->position != 0) depend(t, s->slot, s->position);
    put_sync(t, K_NOTIFY, s, pc);
    last_is(t, s);
    spin_unlock(&s->guard);
  }
  leave(t);
}

void came_after(const void *condition, uptr pc) {
  struct thread *t = entered();
  if (t == NULL) return;
  struct sync *s = sync_at(condition, false);
  if (s != NULL) {
    spin_lock(&s->guard);
    /* Nothing new is nothing to tell. */
    if (s->position != 0 && s->slot != t->slot && t->seen[s->slot] < s->position) {
      comes_after_last(t, s);
      put_sync(t, K_WAIT, s, pc);
    }
    spin_unlock(&s->guard);
  }
  leave(t);
}

void semaphore_new(const void *semaphore, u32 value) {
  struct thread *t = entered();
  if (t == NULL) return;
  struct sync *s = sync_at(semaphore, true);
  if (s != NULL) {
    s->generation++;
    s->initial = value + 1;
  }
  leave(t);
}

/* One that starts with nothing is waited for; others are like locks, of which there may be several. */
void before_semaphore(const void *semaphore, uptr pc) {
  struct thread *t = entered();
  if (t == NULL) return;
  struct sync *s = sync_at(semaphore, false);
  if (s != NULL && s->initial == 1) split_blocks(t);
  else note_synchronised(t, pc);
  leave(t);
}

struct sync *atomic_sync_begin(struct thread *t, uptr address, bool waits) {
  struct sync *s = sync_at((const void *)address, true);
  if (s == NULL) return NULL;
  if (waits) split_blocks(t);
  spin_lock(&s->guard);
  return s;
}

void atomic_sync_record(struct thread *t, struct sync *s, enum kind kind, uptr pc) {
  if (kind != K_VWRITE && s->position != 0 && s->slot != t->slot && t->seen[s->slot] < s->position) {
    comes_after_last(t, s);
    put_sync(t, K_WAIT, s, pc);
  }
  if (!is_write(kind)) return;
  if (s->position != 0) depend(t, s->slot, s->position);
  put_sync(t, K_NOTIFY, s, pc);
  last_is(t, s);
}

void atomic_sync_end(struct sync *s) { spin_unlock(&s->guard); }

/* Everybody who is needed has arrived before the first one passes; arrivals have one order, so the last stands for all. */
static void at_barrier(const void *barrier, enum kind kind, uptr pc) {
  struct thread *t = entered();
  if (t == NULL) return;
  split_blocks(t);
  struct sync *s = sync_at(barrier, true);
  if (s != NULL) {
    spin_lock(&s->guard);
    if (kind == K_LEAVE) comes_after_last(t, s);
    else if (s->position != 0) depend(t, s->slot, s->position);
    put(t, kind, s->address, 0, pc, (u16)s->generation);
    last_is(t, s);
    spin_unlock(&s->guard);
  }
  leave(t);
}

void barrier_reached(const void *barrier, uptr pc) { at_barrier(barrier, K_ARRIVE, pc); }
void barrier_passed(const void *barrier, uptr pc) { at_barrier(barrier, K_LEAVE, pc); }

/*
 * ---- Read-write locks ----
 * Writers exclude each other as by a mutex. Readers come after the writers before them, and the next writer after all of
 * them: two conditions, `written` and `read`, at the addresses of the lock's second and third byte.
 */

static const void *written(const void *lock) { return (const char *)lock + 1; }
static const void *read_by(const void *lock) { return (const char *)lock + 2; }

static void order_by(const void *condition, enum kind kind, uptr pc) {
  struct thread *t = entered();
  if (t == NULL) return;
  struct sync *s = sync_at(condition, is_watched(pc));
  if (s != NULL) {
    spin_lock(&s->guard);
    if (kind == K_WAIT) comes_after_last(t, s);
    else if (s->position != 0) depend(t, s->slot, s->position);
    if (kind == K_NOTIFY || s->position != 0) put_sync(t, kind, s, pc);
    if (kind == K_NOTIFY) last_is(t, s);
    spin_unlock(&s->guard);
  }
  leave(t);
}

static void count_lock(int change, uptr pc) {
  struct thread *t = entered();
  if (t == NULL) return;
  if (change > 0) note_synchronised(t, pc);
  if (is_watched(pc)) t->locks += (u32)change;
  leave(t);
}

void read_locked(const void *lock, uptr pc) {
  count_lock(1, pc);
  order_by(written(lock), K_WAIT, pc);
}

void read_unlocked(const void *lock, uptr pc) {
  order_by(read_by(lock), K_NOTIFY, pc);
  count_lock(-1, pc);
}

void write_locked(const void *lock, uptr pc) {
  lock_acquired(lock, pc);
  order_by(read_by(lock), K_WAIT, pc);
}

void write_unlocked(const void *lock, uptr pc) {
  order_by(written(lock), K_NOTIFY, pc);
  lock_released(lock, pc);
}

void locks_after_fork(void) {
  handles_after_fork();
  syncs_lock = 0;
  for (u32 i = 0; i < used_count; i++) {
    struct sync *s = &syncs[used_syncs[i]];
    s->guard = 0;
    s->position = 0;
    s->owner = s->depth = 0;
  }
}
