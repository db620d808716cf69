/* What locks, conditions and threads mean for the log. Interceptors call this with the program's own addresses. */
#include "locks.h"
#include <stdlib.h>

enum { MOST_SYNCS = 1 << 20, MOST_HANDLES = 1 << 14 };

static struct sync *syncs;
static u32 syncs_lock;

struct sync *sync_at(const void *address, bool makes) {
  if (UNLIKELY(load_acquire(&syncs) == NULL)) {
    spin_lock(&syncs_lock);
    if (syncs == NULL) store_release(&syncs, map_pages((size_t)MOST_SYNCS * sizeof *syncs));
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
    if (__atomic_compare_exchange_n(&s->address, &none, (uptr)address, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return s;
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
  put(t, kind, s->address, 0, pc, (u16)s->generation);
}

/* What was done last is before what this thread does now; this is the last from now on. */
static void last_is(struct thread *t, struct sync *s) {
  s->slot = t->slot;
  s->position = t->head;
}

/* ---- Mutexes: the mutex itself protects its entry ---- */

void lock_acquired(const void *lock, uptr pc) {
  struct thread *t = entered();
  if (t == NULL) return;
  /* What a library locks for itself orders nothing that we see. */
  struct sync *s = sync_at(lock, is_watched(pc));
  if (s != NULL) {
    if (s->owner == t->slot && s->depth > 0) {
      s->depth++;
    } else {
      note_synchronised(t, pc);
      comes_after(t, s->slot, s->position);
      section_begin(t, pc);
      put_sync(t, K_ACQUIRE, s, pc);
      s->owner = t->slot;
      s->depth = 1;
      t->locks++;
    }
  }
  leave(t);
}

void lock_released(const void *lock, uptr pc) {
  struct thread *t = entered();
  if (t == NULL) return;
  struct sync *s = sync_at(lock, false);
  if (s != NULL && s->owner == t->slot && s->depth > 0 && --s->depth == 0) {
    put_sync(t, K_RELEASE, s, pc);
    s->owner = 0;
    if (--t->locks == 0) section_end(t);
    last_is(t, s);
  }
  leave(t);
}

/* In the middle of a block: here others may come in, and with --provoke they get the time to do so. */
void lock_given_back(void) {
  struct thread *t = self;
  if (UNLIKELY(rt.provokes) && t != NULL && t->blocks > 0 && !t->busy) provoke(t);
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
      comes_after(t, s->slot, s->position);
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
      comes_after(t, s->slot, s->position);
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
void before_semaphore(const void *semaphore) {
  struct thread *t = entered();
  if (t == NULL) return;
  struct sync *s = sync_at(semaphore, false);
  if (s != NULL && s->initial == 1) split_blocks(t);
  leave(t);
}

/* Everybody who is needed has arrived before the first one passes; arrivals have one order, so the last stands for all. */
static void at_barrier(const void *barrier, enum kind kind, uptr pc) {
  struct thread *t = entered();
  if (t == NULL) return;
  split_blocks(t);
  struct sync *s = sync_at(barrier, true);
  if (s != NULL) {
    spin_lock(&s->guard);
    if (kind == K_LEAVE) comes_after(t, s->slot, s->position);
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
    if (kind == K_WAIT) comes_after(t, s->slot, s->position);
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

/* ---- Threads ---- */

/* By handle: which thread it is, until somebody joins it or the handle is given out again. */
static struct { uptr handle; u32 number; u32 slot; u64 position; } handles[MOST_HANDLES];
static u32 handles_lock;

void thread_will_start(struct started *started, uptr function, void *argument, uptr pc) {
  *started = (struct started){.function = function, .argument = argument};
  struct thread *t = entered();
  if (t == NULL) return;
  started->number = thread_new_number(function);
  split_blocks(t);
  put(t, K_FORK, started->number, 0, pc, 0);
  started->parent = t->slot;
  started->position = t->head;
  leave(t);
}

/* In the new thread, before anything of the program. */
void thread_runs(struct started *started) {
  if (started->number == 0 || rt.off) return;
  struct thread *t = thread_start(started->number);
  if (t == NULL) return;
  t->busy = 1;
  comes_after(t, started->parent, started->position);
  t->busy = 0;
}

static u32 find_handle(uptr handle, bool makes) {
  u32 hash = (u32)(handle * 0x9e3779b97f4a7c15u >> 50);
  u32 free_place = MOST_HANDLES;
  for (u32 tries = 0; tries < MOST_HANDLES; tries++) {
    u32 i = (hash + tries) & (MOST_HANDLES - 1);
    if (handles[i].handle == handle) return i;
    if (handles[i].handle == 1 && free_place == MOST_HANDLES) free_place = i;
    if (handles[i].handle == 0) {
      if (free_place == MOST_HANDLES) free_place = i;
      break;
    }
  }
  return makes ? free_place : MOST_HANDLES;
}

void thread_made(u32 number, uptr handle) {
  if (number == 0) return;
  spin_lock(&handles_lock);
  u32 i = find_handle(handle, true);
  /* It may be over already, and have said so. */
  if (i < MOST_HANDLES && (handles[i].handle != handle || handles[i].number != number)) {
    handles[i].handle = handle;
    handles[i].number = number;
    handles[i].slot = 0;
    handles[i].position = 0;
  }
  spin_unlock(&handles_lock);
}

/* Called by the thread itself when it is over. */
void thread_ends(uptr handle, u32 number) {
  struct thread *t = self;
  thread_is_over();
  if (t == NULL) return;
  t->busy = 1;
  if (!rt.off) end_all_blocks(t);
  spin_lock(&handles_lock);
  u32 i = find_handle(handle, true);
  if (i < MOST_HANDLES) {
    handles[i].handle = handle;
    handles[i].number = number;
    handles[i].slot = t->slot;
    handles[i].position = t->head;
  }
  spin_unlock(&handles_lock);
  thread_stop(t);
}

void before_joining(void) {
  struct thread *t = entered();
  if (t == NULL) return;
  split_blocks(t);
  leave(t);
}

void thread_joined(uptr handle, uptr pc) {
  struct thread *t = entered();
  if (t == NULL) return;
  spin_lock(&handles_lock);
  u32 i = find_handle(handle, false);
  u32 number = 0, slot = 0;
  u64 position = 0;
  if (i < MOST_HANDLES) {
    number = handles[i].number;
    slot = handles[i].slot;
    position = handles[i].position;
    handles[i].handle = 1;
  }
  spin_unlock(&handles_lock);
  if (number != 0) {
    comes_after(t, slot, position);
    put(t, K_JOIN, number, 0, pc, 0);
  }
  leave(t);
}

void locks_after_fork(void) {
  handles_lock = 0;
  if (syncs == NULL) return;
  for (u32 i = 0; i < MOST_SYNCS; i++) {
    struct sync *s = &syncs[i];
    if (s->address == 0) continue;
    s->guard = 0;
    s->position = 0;
    s->owner = s->depth = 0;
  }
}
