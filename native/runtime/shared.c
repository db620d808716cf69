/* Words that several threads access: each has an entry with a lock of its own. */
#include "rt.h"

struct shared {
  u32 lock;
  u32 state;      /* odd while reads need no lock; a new one each time that this changes. Cells have it, too */
  u64 last_pos;   /* the last access: of which slot, and up to which record of it */
  u64 write_pos;
  u64 readers;    /* since the last write, as bits of slot % 64 */
  u64 last_done;  /* key and bytes of the last access, as in a cell */
  u16 last_slot;
  u16 write_slot;
  u32 reads;      /* since the last write */
  u32 patience;   /* so many reads make it worth while to let them go without a lock */
  u32 next_free;
  u16 holder;     /* who took it, if it is a lock that the program has made itself */
  u8 lock_like;
  u8 lock_at;     /* which byte of the word it is */
} __attribute__((aligned(64)));

/* Locks that programs make of atomics are known by what is done to them: 0 is exchanged for something else, and stored by the same thread. */
enum { MAYBE_LOCK, ONCE_TAKEN, IS_LOCK, IS_LOCK_TAKEN, NEVER_LOCK };

enum { ENTRY_BITS = 26, MOST_SHARED = 1 << ENTRY_BITS, LAST_STATE = (1 << 24) - 1, LEAST_PATIENCE = 16, MOST_PATIENCE = 1 << 14 };

static struct shared *entries;
static u32 entries_used = 1;
static u32 free_entries;
static u32 entries_lock;

static u32 new_entry(void) {
  spin_lock(&entries_lock);
  if (entries == NULL) entries = map_pages((size_t)MOST_SHARED * sizeof *entries);
  u32 index = free_entries;
  if (index != 0) free_entries = entries[index].next_free;
  else if (entries_used < MOST_SHARED) index = entries_used++;
  else fail("more than 64 million words of memory are shared");
  spin_unlock(&entries_lock);
  return index;
}

static void free_entry(u32 index) {
  spin_lock(&entries_lock);
  entries[index].lock = 0;
  entries[index].next_free = free_entries;
  free_entries = index;
  spin_unlock(&entries_lock);
}

/* Only one thread is left, and it holds none of the locks: those who did are not here. */
void shared_after_fork(void) {
  entries_lock = 0;
  for (u32 i = 1; i < entries_used; i++)
    if (entries[i].lock != 0) entries[i].lock = 0;
}

static u32 index_of(u64 cell) { return (u32)cell & (MOST_SHARED - 1); }
static struct shared *entry_of(u64 cell) { return &entries[index_of(cell)]; }
static u64 cell_of_entry(u32 index, u32 state) {
  return (u64)CELL_SHARED << SLOT_SHIFT | (u64)state << ENTRY_BITS | index;
}
/* Whether the cell is still the entry's, in whatever state. The entry is locked. */
static bool is_cell_of(u64 cell, const struct shared *entry) {
  return cell_slot(cell) == CELL_SHARED && entry_of(cell) == entry;
}
static u64 bit_of(u32 slot) { return (u64)1 << (slot & 63); }

/* For each slot that may have read since the last write, but for the thread itself. */
#define FOR_READERS(t, entry, slot)                                                                  \
  for (u32 slot = 1, used_ = load_relaxed(&slots_used); slot < used_; slot++)                        \
    if (slot != (t)->slot && ((entry)->readers & bit_of(slot)) != 0)

/*
 * Makes the word a shared one if `seen` is still in its cell; `owner` accessed it before, up to `position` of its log. The
 * entry is locked. NULL if somebody was quicker.
 */
static struct shared *make_shared(u64 *cell, u64 seen, u32 owner, u64 position) {
  u32 index = new_entry();
  struct shared *entry = &entries[index];
  u32 state = entry->state;
  *entry = (struct shared){.lock = 1, .state = state, .patience = LEAST_PATIENCE};
  entry->last_slot = entry->write_slot = (u16)owner;
  entry->last_pos = entry->write_pos = position;
  if (swap_if(cell, seen, cell_of_entry(index, state))) return entry;
  free_entry(index);
  return NULL;
}

void share_word(u64 *cell, u64 seen, u32 owner, u64 position) {
  struct shared *entry = make_shared(cell, seen, owner, position);
  if (entry != NULL) spin_unlock(&entry->lock);
}

/* Memory is freed: its accesses come before whatever becomes of it. */
void shared_free(struct thread *t, u64 cell) {
  struct shared *entry = entry_of(cell);
  spin_lock(&entry->lock);
  if (entry->last_pos != 0) depend(t, entry->last_slot, entry->last_pos);
  if (entry->state & 1) FOR_READERS(t, entry, slot) depend(t, slot, load_acquire(&threads[slot].head));
  /* Nobody's remembered reads are of this entry any more. */
  if (entry->state & 1) entry->state++;
  free_entry(index_of(cell));
}

/* From now on reads need no lock. The states must not begin again: somebody might still know one of them. */
static void open_to_readers(struct shared *entry, u64 *cell) {
  if (entry->state >= LAST_STATE - 1 || entry->state & 1) return;
  u64 closed = cell_of_entry((u32)(entry - entries), entry->state);
  if (swap_if(cell, closed, closed + ((u64)1 << ENTRY_BITS))) entry->state++;
}

/* Reads need the lock again: who reads without it has announced that, and is waited for. */
static void close_to_readers(struct shared *entry, u64 *cell) {
  u64 open = cell_of_entry((u32)(entry - entries), entry->state);
  swap_if(cell, open, open + ((u64)1 << ENTRY_BITS));
  entry->state++;
  fence_all();
  entry->patience = entry->patience < MOST_PATIENCE ? entry->patience * 2 : MOST_PATIENCE;
}

/* Before an access: whoever is in the middle of a conflicting one comes to its end. The entry is locked. */
static void come_after(struct thread *t, struct shared *entry, u64 *cell, uptr address, bool writes) {
  u32 last_writer = entry->write_slot;
  if (last_writer != 0 && last_writer != t->slot) wait_for_access(last_writer, address >> 3, 1);
  if (writes) {
    bool was_open = (entry->state & 1) != 0;
    if (was_open) close_to_readers(entry, cell);
    FOR_READERS(t, entry, slot) {
      wait_for_access(slot, address >> 3, 1);
      if (was_open) depend(t, slot, load_acquire(&threads[slot].head));
    }
  }
  if (entry->last_pos != 0) depend(t, entry->last_slot, entry->last_pos);
}

/* Whether an earlier access of the thread stands for this one: nobody came between, and nothing came in. */
static bool is_covered(const struct thread *t, const struct shared *entry, u32 mask, enum kind kind) {
  return kind <= K_WRITE && has_done(t, entry->last_done, bits_of(mask, is_write(kind)));
}

static void record_shared(struct thread *t, struct shared *entry, uptr address, u32 mask, enum kind kind,
                          uptr pc) {
  bool writes = is_write(kind);
  if (entry->write_pos != 0) comes_after(t, entry->write_slot, entry->write_pos);
  if (writes && (entry->readers & ~bit_of(t->slot)) != 0) new_epoch(t);
  put_event(t, kind, address & ~(uptr)7, mask, pc);
  u64 same = is_of_epoch(t, entry->last_done) ? entry->last_done & 0xffff : 0;
  entry->last_done = t->key | same | mask << 8 | (writes ? mask : 0);
  entry->last_slot = (u16)t->slot;
  entry->last_pos = t->head;
  if (writes) {
    entry->write_slot = (u16)t->slot;
    entry->write_pos = t->head;
    entry->readers = 0;
    entry->reads = 0;
  } else {
    entry->readers |= bit_of(t->slot);
    entry->reads++;
  }
}

void shared_access(struct thread *t, u64 *cell, u64 seen, uptr address, u32 mask, enum kind kind, uptr pc) {
  struct shared *entry = entry_of(seen);
  spin_lock(&entry->lock);
  if (!is_cell_of(load_acquire(cell), entry)) {
    /* It was freed meanwhile, by a program that uses what it has freed. */
    spin_unlock(&entry->lock);
    return;
  }
  come_after(t, entry, cell, address, is_write(kind));
  if (!is_covered(t, entry, mask, kind)) record_shared(t, entry, address, mask, kind, pc);
  if (kind == K_READ) {
    if (entry->reads >= entry->patience) open_to_readers(entry, cell);
    u64 open = load_relaxed(cell);
    if (entry->state & 1) t->reads[open & (READ_CACHE - 1)] = (struct cached_read){open, t->key | mask};
  }
  store_release(&t->hazard, address);
  spin_unlock(&entry->lock);
}

static struct shared *locked_entry(struct thread *t, u64 *cell, uptr address) {
  u32 rounds = 0;
  for (;;) {
    u64 state = load_acquire(cell);
    u32 slot = cell_slot(state);
    struct shared *entry;
    if (slot == CELL_SHARED) {
      entry = entry_of(state);
      spin_lock(&entry->lock);
      if (is_cell_of(load_acquire(cell), entry)) return entry;
      spin_unlock(&entry->lock);
    } else if (slot == CELL_BUSY) {
      if (is_deserted(state)) swap_if(cell, state, 0);
      else relax(&rounds);
    } else if (slot == 0 || is_freed(state)) {
      if (slot != 0) depend(t, slot, load_acquire(&threads[slot].head));
      if ((entry = make_shared(cell, state, 0, 0)) != NULL) return entry;
    } else if (slot == t->slot) {
      if (cell_epoch(state) < t->first_epoch) new_epoch(t);
      if ((entry = make_shared(cell, state, slot, t->head)) != NULL) return entry;
    } else {
      u64 busy = cell_of(CELL_BUSY, t->slot, 0, 0);
      if (!swap_if(cell, state, busy)) continue;
      fence_all();
      wait_for_access(slot, address >> 3, 1);
      u64 head = load_acquire(&threads[slot].head);
      depend(t, slot, head);
      if ((entry = make_shared(cell, busy, slot, head)) != NULL) return entry;
    }
  }
}

/* The word is locked until `exact_end`; the access between the two is made by the runtime itself. */
struct shared *exact_begin(struct thread *t, uptr address, bool writes) {
  u64 *cell = &region_of(address)->cells[word_in_region(address)];
  struct shared *entry = locked_entry(t, cell, address);
  come_after(t, entry, cell, address, writes);
  return entry;
}

void exact_record(struct thread *t, struct shared *entry, uptr address, u32 mask, enum kind kind, uptr pc) {
  record_shared(t, entry, address, mask, kind, pc);
}

void exact_end(struct shared *entry) { spin_unlock(&entry->lock); }

static bool is_at(const struct shared *entry, uptr address) { return entry->lock_at == (address & 7); }

bool is_lock(const struct shared *entry, uptr address) {
  return (entry->lock_like == IS_LOCK || entry->lock_like == IS_LOCK_TAKEN) && is_at(entry, address);
}

void no_lock(struct shared *entry, uptr address) {
  if (entry->lock_like != MAYBE_LOCK && is_at(entry, address)) entry->lock_like = NEVER_LOCK;
}

enum lock_use lock_use_of(struct thread *t, struct shared *entry, uptr address, bool is_exchange, u64 before,
                          u64 after) {
  bool takes = is_exchange && before == 0 && after != 0;
  bool gives = before != 0 && after == 0 && entry->holder == t->slot;
  bool was_lock = is_lock(entry, address);
  if (entry->lock_like == MAYBE_LOCK) entry->lock_at = address & 7;
  else if (!is_at(entry, address)) return NO_LOCK;
  if (takes && (entry->lock_like == MAYBE_LOCK || entry->lock_like == IS_LOCK)) {
    entry->holder = (u16)t->slot;
    entry->lock_like = was_lock ? IS_LOCK_TAKEN : ONCE_TAKEN;
    return was_lock ? LOCK_TAKEN : NO_LOCK;
  }
  if (gives && (entry->lock_like == ONCE_TAKEN || entry->lock_like == IS_LOCK_TAKEN)) {
    entry->lock_like = IS_LOCK;
    return was_lock ? LOCK_GIVEN : NO_LOCK;
  }
  /* Set to what it is: what is free is given back once more, or made anew. */
  if (before == after && entry->lock_like != ONCE_TAKEN) return was_lock ? LOCK_LOOKED_AT : NO_LOCK;
  no_lock(entry, address);
  return NO_LOCK;
}

/* The epochs of the slot begin again. */
void shared_forget_epochs(u32 slot) {
  for (u32 i = 1; i < load_relaxed(&entries_used); i++) {
    /* Without the lock, which the caller may have: nobody but the slot makes use of what is forgotten here. */
    if (load_relaxed(&entries[i].last_done) >> SLOT_SHIFT == slot) store_relaxed(&entries[i].last_done, 0);
  }
}
