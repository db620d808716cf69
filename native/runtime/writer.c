/*
 * The writer: a thread of our own that takes what the others have recorded, puts it into one order, and writes it. A record
 * is written when everything is that its thread said it comes after, so no thread has to be waited for.
 */
#include "names.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { AHEAD = 12, AT_ONCE = 4096, MOST_IDLE = 8, FLUSH_AFTER = 20 };

static u64 taken[MAX_SLOTS]; /* by slot: records that are in the trace */
static struct {
  u32 thread;                /* whose the slot is at the moment */
  struct bytes labels;       /* of u32: blocks that are open */
  struct { uptr address; size_t size; uptr sites[MOST_SITES]; u32 count; } allocation;
} states[MAX_SLOTS];
static u32 waiting[MAX_SLOTS], waiting_count;
static bool is_waiting[MAX_SLOTS];

static void finish_allocation(u32 slot) {
  if (states[slot].allocation.count == 0) return;
  memory_allocated(states[slot].allocation.address, states[slot].allocation.size, states[slot].allocation.sites,
                   states[slot].allocation.count);
  states[slot].allocation.count = 0;
}

static void write_access(u32 slot, enum op op, uptr word, u32 mask, uptr pc) {
  u32 variables[8];
  u32 count = variables_of(word, mask, variables), location = location_id(pc), thread = states[slot].thread;
  for (u32 i = 0; i < count; i++) trk_event(op, thread, variables[i], location);
}

static void write_marked(u32 slot, u32 op, uptr word, u32 mask, uptr pc, char mark) {
  u32 variables[8];
  u32 count = variables_of(word, mask, variables);
  for (u32 i = 0; i < count; i++) trk_event(op, states[slot].thread, variables[i], location_marked(pc, mark));
}

static void begin_block(u32 slot, u32 label, uptr pc) {
  bytes_add(&states[slot].labels, &label, sizeof label);
  trk_event(OP_BEGIN, states[slot].thread, label, location_id(pc));
}

static void end_block(u32 slot, uptr pc) {
  struct bytes *open = &states[slot].labels;
  if (open->used == 0) return;
  open->used -= sizeof(u32);
  trk_event(OP_END, states[slot].thread, *(u32 *)(open->at + open->used), location_id(pc));
}

static void write_record(u32 slot, const struct record *r) {
  enum kind kind = (enum kind)(r->what >> 8 & 0xff);
  uptr address = r->what >> 16, pc = r->where >> 16;
  u32 mask = r->what & 0xff, more = r->where & 0xffff, thread = states[slot].thread;
  if (kind == K_SITE || kind == K_SIZE) {
    if (kind == K_SIZE) states[slot].allocation.size = address;
    else if (states[slot].allocation.count < MOST_SITES)
      states[slot].allocation.sites[states[slot].allocation.count++] = pc;
    return;
  }
  finish_allocation(slot);
  switch (kind) {
    case K_READ: write_access(slot, OP_READ, address, mask, pc); break;
    case K_WRITE: write_access(slot, OP_WRITE, address, mask, pc); break;
    case K_VREAD: write_access(slot, OP_VREAD, address, mask, pc); break;
    case K_VWRITE: write_access(slot, OP_VWRITE, address, mask, pc); break;
    case K_VUPDATE: write_access(slot, OP_VUPDATE, address, mask, pc); break;
    case K_SWAP: write_marked(slot, OP_VUPDATE, address, mask, pc, '!'); break;
    case K_CHECKED: write_marked(slot, OP_VWRITE, address, mask, pc, '?'); break;
    case K_ACQUIRE: trk_event(OP_ACQUIRE, thread, lock_id(address, more), location_id(pc)); break;
    case K_RELEASE: trk_event(OP_RELEASE, thread, lock_id(address, more), location_id(pc)); break;
    case K_ARRIVE: trk_event(OP_ARRIVE, thread, lock_id(address, more), location_id(pc)); break;
    case K_LEAVE: trk_event(OP_LEAVE, thread, lock_id(address, more), location_id(pc)); break;
    case K_NOTIFY: trk_event(OP_NOTIFY, thread, lock_id(address, more), location_id(pc)); break;
    case K_WAIT: trk_event(OP_WAIT, thread, lock_id(address, more), location_id(pc)); break;
    case K_FORK: trk_event(OP_FORK, thread, thread_id((u32)address), location_id(pc)); break;
    case K_JOIN: trk_event(OP_JOIN, thread, thread_id((u32)address), location_id(pc)); break;
    case K_BEGIN: begin_block(slot, label_of_function(address), pc); break;
    case K_BEGIN_NAMED: begin_block(slot, label_of_text((const char *)address), pc); break;
    case K_END: end_block(slot, pc); break;
    case K_THREAD:
      states[slot].thread = thread_id((u32)address);
      states[slot].labels.used = 0;
      break;
    case K_ALLOCATE:
      states[slot].allocation.address = address;
      states[slot].allocation.sites[0] = pc;
      states[slot].allocation.count = 1;
      break;
    default: break;
  }
}

/* A free is two records; the size comes with the second. */
static void write_free(u32 slot, const struct record *first, const struct record *second) {
  finish_allocation(slot);
  memory_freed(first->what >> 16, second->what >> 16);
}

/* Writes what the slot has recorded up to `limit`, or up to something that has to wait: then gives the slot of that. */
static u32 advance(u32 slot, u64 limit, u64 *needed) {
  struct thread *t = &threads[slot];
  u64 at = taken[slot];
  u32 blocked = 0;
  while (at < limit) {
    const struct record *r = &t->ring[at & (RING_RECORDS - 1)];
    enum kind kind = (enum kind)(r->what >> 8 & 0xff);
    if (kind == K_DEPEND) {
      u32 other = r->where & 0xffff;
      if (taken[other] < r->what >> 16 && other != slot) {
        *needed = r->what >> 16;
        blocked = other;
        break;
      }
    } else if (kind == K_FREE) {
      if (at + 1 >= limit && at + 1 >= load_acquire(&t->head)) break;
      write_free(slot, r, &t->ring[(at + 1) & (RING_RECORDS - 1)]);
      at++;
    } else {
      __builtin_prefetch(&t->ring[(at + 6 * AHEAD) & (RING_RECORDS - 1)]);
      write_record(slot, r);
    }
    at++;
    if ((at & 1023) == 0) store_release(&t->tail, at);
  }
  taken[slot] = at;
  store_release(&t->tail, at);
  return blocked;
}

/* Depth first: what has to come before is written before. It has been recorded, so there is no end to wait for. */
static void write_up_to(u32 slot, u64 limit) {
  static u64 limits[MAX_SLOTS];
  waiting_count = 0;
  waiting[waiting_count++] = slot;
  limits[slot] = limit;
  is_waiting[slot] = true;
  while (waiting_count > 0) {
    u32 now = waiting[waiting_count - 1];
    u64 needed = 0;
    u32 other = advance(now, limits[now], &needed);
    if (other == 0) {
      is_waiting[now] = false;
      waiting_count--;
      continue;
    }
    /* Cannot be: it would have to come before itself. */
    if (is_waiting[other]) fail("the order of the threads' records has a cycle");
    waiting[waiting_count++] = other;
    limits[other] = needed;
    is_waiting[other] = true;
  }
}

static bool write_some(void) {
  bool any = false;
  for (u32 slot = 1; slot < load_acquire(&slots_used); slot++) {
    u64 head = load_acquire(&threads[slot].head);
    if (taken[slot] >= head) continue;
    write_up_to(slot, head - taken[slot] > AT_ONCE ? taken[slot] + AT_ONCE : head);
    any = true;
  }
  return any;
}

/* ---- The thread ---- */

static pthread_t writer;
static u32 is_running, wants_end, has_ended;

static void sleep_a_little(u32 milliseconds) {
  struct timespec time = {0, milliseconds * 1000000L};
  syscall(SYS_nanosleep, &time, NULL);
}

static void *write_on(void *data) {
  (void)data;
  u32 idle = 0, unsent = 0;
  thread_is_over();
  while (!load_acquire(&wants_end)) {
    tell_modules();
    if (write_some()) {
      idle = 0;
      unsent++;
      if (unsent % 4096 == 0) trk_flush();
      continue;
    }
    if (++idle == FLUSH_AFTER || (idle == 2 && unsent > 0)) {
      trk_flush();
      unsent = 0;
    }
    sleep_a_little(idle < MOST_IDLE ? 1 : MOST_IDLE);
  }
  store_release(&has_ended, 1);
  return NULL;
}

void writer_start(void) {
  extern int real_pthread_create_quietly(pthread_t *, void *(*)(void *));
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  wants_end = has_ended = 0;
  is_running = real_pthread_create_quietly(&writer, write_on) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!is_running) {
    rt.off = 1;
    note("the program could not start the thread that writes the trace, so nothing was recorded");
  }
}

/* Nothing more is recorded. What was recorded is written, by whoever ends the program. */
void writer_finish(void) {
  if (!is_running) return;
  is_running = 0;
  store_release(&wants_end, 1);
  while (!load_acquire(&has_ended)) sleep_a_little(1);
  while (write_some()) {
  }
  for (u32 slot = 1; slot < slots_used; slot++) finish_allocation(slot);
  if (rt.learns) functions_guessed(tell_guessed);
  calls_noted(tell_call);
  trk_close();
}

void writer_forget(void) {
  is_running = 0;
  for (u32 slot = 0; slot < MAX_SLOTS; slot++) {
    taken[slot] = threads[slot].head;
    states[slot].labels = (struct bytes){0};
    states[slot].allocation.count = 0;
    is_waiting[slot] = false;
  }
  trk_forget();
  names_forget();
}
