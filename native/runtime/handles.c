/* Threads that the program starts and joins: who comes after whom by that. */
#include "locks.h"

enum { MOST_HANDLES = 1 << 14 };

/* By handle: which thread it is, until somebody joins it or the handle is given out again. */
static struct { uptr handle; u32 number; u32 slot; u64 position; u32 clock[CLOCK_SLOTS]; } handles[MOST_HANDLES];
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
  clock_pass(t, started->clock);
  leave(t);
}

/* In the new thread, before anything of the program. */
void thread_runs(struct started *started) {
  if (started->number == 0 || rt.off) return;
  struct thread *t = thread_start(started->number);
  if (t == NULL) return;
  t->busy = 1;
  clock_join(t->clock, started->clock);
  comes_after(t, started->parent, started->position);
  t->busy = 0;
  if (UNLIKELY(rt.provokes)) provoke_start(t);
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
    for (u32 k = 0; k < CLOCK_SLOTS; k++) handles[i].clock[k] = 0;
    clock_pass(t, handles[i].clock);
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
    if (slot != 0) clock_join(t->clock, handles[i].clock);
    handles[i].handle = 1;
  }
  spin_unlock(&handles_lock);
  if (number != 0) {
    comes_after(t, slot, position);
    put(t, K_JOIN, number, 0, pc, 0);
  }
  leave(t);
}

void handles_after_fork(void) { handles_lock = 0; }
