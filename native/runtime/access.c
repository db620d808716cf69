/* Accesses to memory that is not (yet) shared: who owns a word, and how it changes hands. */
#include "rt.h"

enum { MOST_NEIGHBOURS = 512, MOST_MOVES = 2 };

/* Words that the slot owned, and that nobody else touches until we say whose they are. */
static u64 busy_by(const struct thread *t) { return cell_of(CELL_BUSY, t->slot, 0, 0); }

static bool is_announced(struct thread *other, u64 first_word, u64 words) {
  if ((load_acquire(&other->hazard) >> 3) - first_word < words) return true;
  for (int i = 0; i < 2; i++)
    if (load_acquire(&other->runs[i].to) > first_word && load_acquire(&other->runs[i].from) < first_word + words)
      return true;
  for (u32 i = 0; i < load_acquire(&other->interrupted); i++)
    if ((other->outer_hazards[i] >> 3) - first_word < words) return true;
  return false;
}

/*
 * Waits until the thread of the slot is certainly not between a hook and the access that the hook announced. What it says
 * by its hazard it takes back at its next hook, or when it enters the runtime in any other way.
 */
void wait_for_access(u32 slot, u64 first_word, u64 words) {
  struct thread *other = &threads[slot];
  u32 rounds = 0;
  while (is_announced(other, first_word, words)) {
    if (rt.off || !load_acquire(&other->live)) return;
    /* It has no hook to come to: it sleeps in a system call, or it computes without touching memory. */
    if (rounds > 64 && is_certainly_past(other, rounds)) return;
    relax(&rounds);
  }
}

/* Takes words that only another thread has accessed so far. Its last accesses are in its log; ours come after them. */
static void take_over(struct thread *t, u64 *cell, u64 state, uptr address, bool is_contended) {
  u32 owner = cell_slot(state);
  u32 moves = is_contended ? MOST_MOVES : cell_moves(state);
  u64 busy = busy_by(t);
  if (!swap_if(cell, state, busy)) return;
  /* Objects are handed over as a whole: what lies beside comes along, for the price of one. */
  u32 most = REGION_WORDS - word_in_region(address);
  u32 count = 1;
  if (most > MOST_NEIGHBOURS) most = MOST_NEIGHBOURS;
  while (moves == 0 && count < most) {
    u64 beside = load_relaxed(&cell[count]);
    if (cell_slot(beside) != owner || cell_moves(beside) != 0 || is_freed(beside)) break;
    if (!swap_if(&cell[count], beside, busy)) break;
    count++;
  }
  fence_all();
  wait_for_access(owner, address >> 3, count);
  u64 head = load_acquire(&threads[owner].head);
  depend(t, owner, head);
  for (u32 i = 1; i < count; i++) swap_if(&cell[i], busy, cell_of(t->slot, 0, moves + 1, 0));
  /* The owner may have been in the middle of renewing its claim, and have won: then all of this is done again. */
  if (moves < MOST_MOVES) {
    swap_if(cell, busy, cell_of(t->slot, 0, moves + 1, 0));
  } else {
    share_word(cell, busy, owner, head);
  }
}

/* Whether nothing that we know of has put the owner's last access before this one: the word has not just been handed over. */
static bool is_contended(const struct thread *t, u64 state) {
  u32 owner = cell_slot(state), epoch = cell_epoch(state);
  return owner < CLOCK_SLOTS && epoch > t->clock[owner] && load_relaxed(&threads[owner].live);
}

static void let_others_in(struct thread *t, u64 cell, uptr address, enum kind kind, uptr pc) {
  u32 slot = cell_slot(cell);
  /* A global that is set for the first time may be what others are about to look at. */
  bool is_first = is_write(kind) && t->blocks > 0 && !t->busy && t->locks == 0 && is_in_module(address);
  bool is_others = t->blocks > 0 && (slot == CELL_SHARED || (slot != 0 && slot != t->slot && !is_freed(cell)));
  if (t->busy || t->locks > 0 || (!is_others && !is_first)) return;
  store_release(&t->hazard, 0);
  if (is_others) provoke(t, pc);
  else provoke_first(t, pc);
  store_release(&t->hazard, address);
}

/* The first access in an epoch, or one that needs more than the earlier ones: it is recorded. */
static __attribute__((noinline)) void access_slowly(struct thread *t, uptr address, u32 mask, enum kind kind, uptr pc, u64 *cell) {
  if (UNLIKELY(rt.provokes)) let_others_in(t, load_relaxed(cell), address, kind, pc);
  if (!enter(t)) {
    if ((t->busy | t->interrupted) && !rt.off) rt.statistics.missed_in_handlers++;
    return;
  }
  u32 rounds = 0;
  bool is_noted = false;
  u64 masks = is_write(kind) ? mask | mask << 8 : mask << 8;
  for (;;) {
    u64 state = load_acquire(cell);
    u32 slot = cell_slot(state);
    if (slot == t->slot) {
      if (is_freed(state)) {
        state = 0;
      } else if (cell_epoch(state) < t->first_epoch) {
        /* It was another thread's: this one's accesses come after that one's. */
        new_epoch(t);
      }
      u64 before = load_relaxed(cell);
      store_release(&t->hazard, address);
      if (UNLIKELY(rt.fences)) __atomic_thread_fence(__ATOMIC_SEQ_CST);
      compiler_barrier();
      if (load_relaxed(cell) != before || cell_slot(before) != t->slot) {
        store_release(&t->hazard, 0);
        continue;
      }
      u64 same = is_of_epoch(t, state) ? state & 0xffff : 0;
      u64 renewed = t->key | (u64)cell_moves(state) << MOVES_SHIFT | same | masks;
      if (UNLIKELY(rt.fences)) {
        if (!swap_if(cell, before, renewed)) {
          store_release(&t->hazard, 0);
          continue;
        }
      } else {
        store_relaxed(cell, renewed);
      }
      put_event(t, kind, address & ~(uptr)7, mask, pc);
      break;
    }
    if (slot == 0 || (slot < CELL_BUSY && is_freed(state))) {
      if (slot != 0) depend(t, slot, load_acquire(&threads[slot].head));
      store_release(&t->hazard, address);
      if (swap_if(cell, state, t->key | masks)) {
        put_event(t, kind, address & ~(uptr)7, mask, pc);
        break;
      }
      store_release(&t->hazard, 0);
      continue;
    }
    if (slot == CELL_SHARED) {
      if (!is_noted) note_shared(t, pc);
      is_noted = true;
      shared_access(t, cell, state, address, mask, kind, pc);
      break;
    }
    if (slot == CELL_BUSY) {
      if (is_deserted(state)) swap_if(cell, state, 0);
      else relax(&rounds);
      if (rt.off) break;
      continue;
    }
    bool contended = is_contended(t, state);
    if (contended && !is_noted) note_shared(t, pc);
    /* What is tried again is the same access, and no other round. */
    is_noted |= contended;
    take_over(t, cell, state, address, contended);
  }
  leave(t);
}

/*
 * A read of what was read often and not written meanwhile, without a lock. It is announced; whoever writes next changes the cell,
 * and then waits for the announced reads of those who may have seen it as it was.
 */
static inline bool may_read_freely(const struct thread *t, u64 cell) {
  const struct cached_read *known = &t->reads[cell & (READ_CACHE - 1)];
  /* A thread that had the slot before has come after the last write, but this one may not have. */
  return known->cell == cell && cell_epoch(known->done) >= t->first_epoch && has_room(t) &&
         LIKELY((t->busy | t->interrupted | t->ignoring | rt.off | rt.provokes) == 0);
}

static inline bool has_read_freely(const struct thread *t, u64 cell, u32 mask) {
  const struct cached_read *known = &t->reads[cell & (READ_CACHE - 1)];
  return known->cell == cell && has_done(t, known->done, mask);
}

static inline __attribute__((always_inline)) void read_freely(struct thread *t, u64 cell, uptr address, u32 mask, uptr pc,
                                                              bool is_first) {
  struct cached_read *known = &t->reads[cell & (READ_CACHE - 1)];
  u64 same = is_of_epoch(t, known->done) ? known->done & 0xff : 0;
  known->done = t->key | same | mask;
  if (is_first) {
    t->busy = 1;
    compiler_barrier();
    put_event(t, K_READ, address & ~(uptr)7, mask, pc);
    leave(t);
  } else {
    /* A signal handler that comes now records nothing, so it needs not be kept out. */
    put(t, K_READ, address & ~(uptr)7, mask, pc, 0);
  }
}

/* The same with the begin of a block, or in the standard library. */
static __attribute__((noinline)) void read_freely_first(struct thread *t, u64 cell, uptr address, u32 mask, uptr pc) {
  read_freely(t, cell, address, mask, pc, true);
}

void access_unknown(uptr address, u32 mask, enum kind kind, uptr pc) {
  struct thread *t = current();
  if (UNLIKELY(t == NULL)) return;
  store_release(&t->hazard, address);
  compiler_barrier();
  if (UNLIKELY(rt.fences)) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  struct region *region = region_of(address);
  if (UNLIKELY(region == NULL)) return;
  u64 *cell = &region->cells[word_in_region(address)];
  u64 state = load_relaxed(cell);
  if (has_done(t, state, bits_of(mask, is_write(kind)))) return;
  if (kind == K_READ && cell_slot(state) == CELL_SHARED) {
    if (has_read_freely(t, state, mask)) return;
    if (may_read_freely(t, state)) {
      read_freely_first(t, state, address, mask, pc);
      return;
    }
  }
  access_slowly(t, address, mask, kind, pc, cell);
}

void read_unknown(uptr address, u32 mask, uptr pc, u64 cell) {
  struct thread *t = self;
  if (LIKELY(cell_slot(cell) == CELL_SHARED)) {
    if (has_read_freely(t, cell, mask)) return;
    if (LIKELY(may_read_freely(t, cell)) && LIKELY((t->pending | t->library) == 0)) {
      read_freely(t, cell, address, mask, pc, false);
      return;
    }
  }
  access_unknown(address, mask, K_READ, pc);
}

/* A run of bytes: word by word, the first and the last perhaps in part. */
void access_range(uptr address, size_t size, enum kind kind, uptr pc) {
  uptr end = address + size;
  while (address < end) {
    u32 from = (u32)(address & 7);
    u32 to = end - (address - from) < 8 ? (u32)(end - (address - from)) : 8;
    access_word(address, (u32)((1u << to) - (1u << from)), kind, pc);
    address += to - from;
  }
}
