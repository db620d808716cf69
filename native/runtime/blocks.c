/*
 * Blocks that are meant to be atomic: functions that are listed or, without a list, those that lock or share; blocks that
 * the program marks; critical sections. A block is written when the first event in it is.
 */
#include "rt.h"

enum {
  NAMED = 1,      /* marked by the program */
  BLOCK = 2,      /* a block that is open */
  WRITTEN = 4,    /* its begin is in the log */
  BOTTOM = 8,     /* what a thread starts with: goes on as long as the thread, so that only its rounds are blocks */
  REACHED = 16,   /* it has locked or shared something, or a function that it called has */
  TRANSPARENT = 32,
  NOTED = 64      /* of the standard library: its caller has come to the place of this call */
};

/* As many threads may call a function for the first time at once. */
enum { FIRST_CALLS = 8 };

static u32 hash_of(uptr site) { return (u32)(site ^ site >> 32) | 1; }

static bool has_site(const struct frame *f, uptr site) {
  u32 hash = hash_of(site);
  for (u32 i = 0; i < f->sites_used; i++)
    if (f->sites[i] == hash) return true;
  return false;
}

static void add_site(struct frame *f, uptr site) {
  if (f->sites_used < FRAME_SITES && !has_site(f, site)) f->sites[f->sites_used++] = hash_of(site);
}

static void open_block(struct thread *t, struct frame *f) {
  f->flags |= BLOCK;
  t->blocks++;
  t->pending++;
  new_epoch(t);
}

static void write_end(struct thread *t, struct frame *f) {
  if (f->flags & WRITTEN) put(t, K_END, 0, 0, f->pc, 0);
  else t->pending--;
  f->flags &= ~(u32)WRITTEN;
}

static void close_block(struct thread *t, struct frame *f) {
  if (!(f->flags & BLOCK)) return;
  write_end(t, f);
  f->flags &= ~(u32)BLOCK;
  t->blocks--;
}

static u32 stored(const struct thread *t) { return t->depth < MAX_FRAMES ? t->depth : MAX_FRAMES; }

void write_pending(struct thread *t) {
  for (u32 i = 0; i < stored(t) && t->pending > 0; i++) {
    struct frame *f = &t->frames[i];
    if ((f->flags & (BLOCK | WRITTEN)) != BLOCK) continue;
    make_room(t);
    f->begun = t->head;
    if (f->flags & NAMED) put(t, K_BEGIN_NAMED, (uptr)f->name, 0, f->pc, 0);
    else put(t, K_BEGIN, f->function->pc, 0, f->pc, 0);
    f->flags |= WRITTEN;
    t->pending--;
  }
}

u64 innermost_begin(const struct thread *t) {
  for (u32 i = stored(t); i-- > 0;)
    if (t->frames[i].flags & WRITTEN) return t->frames[i].begun;
  return UINT64_MAX;
}

/* From the innermost outwards: blocks nest. */
void split_blocks(struct thread *t) {
  for (u32 i = stored(t); i-- > 0 && t->blocks > 0;) {
    struct frame *f = &t->frames[i];
    if (!(f->flags & WRITTEN)) continue;
    make_room(t);
    write_end(t, f);
    t->pending++;
  }
  new_epoch(t);
}

void end_all_blocks(struct thread *t) {
  for (u32 i = stored(t); i-- > 0;) {
    make_room(t);
    close_block(t, &t->frames[i]);
  }
  t->depth = 0;
  t->library = 0;
}

static u32 interned_lock; /* around the names of marked blocks */

/* The trace of the new process has none of what is open. */
void blocks_after_fork(struct thread *t) {
  interned_lock = 0;
  if (t == NULL) return;
  t->section = 0;
  t->locks = 0;
  for (u32 i = 0; i < stored(t); i++) {
    if (t->frames[i].flags & WRITTEN) t->pending++;
    t->frames[i].flags &= ~(u32)WRITTEN;
  }
  new_epoch(t);
}

static bool is_innermost(const struct thread *t, u32 index) {
  for (u32 i = index + 1; i < stored(t); i++)
    if (t->frames[i].flags & WRITTEN) return false;
  return true;
}

/* A function comes to a place where it has been: a round of a loop is over, and the next one is another block. */
static void next_round(struct thread *t, u32 index) {
  struct frame *f = &t->frames[index];
  if (t->locks > 0 || !(f->flags & BLOCK) || f->flags & NAMED || f->function->flags & F_LISTED) return;
  if (!is_innermost(t, index)) return;
  f->sites_used = 0;
  if (f->flags & WRITTEN) {
    write_end(t, f);
    t->pending++;
  }
  new_epoch(t);
}

static void come_to(struct thread *t, u32 index, uptr site) {
  struct frame *f = &t->frames[index];
  if (has_site(f, site)) next_round(t, index);
  add_site(f, site);
}

/* What a thread starts with is no block as a whole; a round of what it does itself may be one. */
static void come_to_bottom(struct thread *t, u32 index, uptr site) {
  struct frame *f = &t->frames[index];
  if (!(f->flags & BLOCK) && t->locks == 0 && is_innermost(t, index)) {
    f->sites_used = 0;
    open_block(t, f);
  }
  come_to(t, index, site);
}

/* A block begins in what the thread's first function has called: its round, which has nothing to do with that, is over. */
static void end_round_of_bottom(struct thread *t, u32 below) {
  for (u32 i = 0; i < below; i++) {
    struct frame *f = &t->frames[i];
    if ((f->flags & (BOTTOM | TRANSPARENT)) != BOTTOM) continue;
    if (f->flags & BLOCK && is_innermost(t, i)) close_block(t, f);
    return;
  }
}

static bool may_be_block(const struct frame *f) { return !(f->flags & (NAMED | TRANSPARENT | BOTTOM)); }

void note_synchronised(struct thread *t, uptr site) {
  if (!rt.learns) return;
  u32 count = stored(t), lowest = count;
  for (u32 i = count; i-- > 0; site = t->frames[i].call) {
    struct frame *f = &t->frames[i];
    if (f->flags & NAMED) continue;
    if (f->flags & BOTTOM) {
      /* Through what it calls it has nothing in common with its next round. */
      if (i + 1 == count || t->frames[i + 1].flags & TRANSPARENT) come_to_bottom(t, i, site);
      break;
    }
    come_to(t, i, site);
    if (f->flags & REACHED) break;
    f->flags |= REACHED;
    if (!may_be_block(f)) continue;
    f->function->flags |= F_SHARES;
    lowest = i;
  }
  end_round_of_bottom(t, lowest);
  /* Those that were not known to be blocks when they were entered begin here. */
  for (u32 i = lowest; i < count; i++) {
    struct frame *f = &t->frames[i];
    if (may_be_block(f) && f->flags & REACHED && !(f->flags & BLOCK) && is_innermost(t, i)) open_block(t, f);
  }
}

uptr own_site(const struct thread *t, uptr site) {
  for (u32 i = stored(t); i-- > 0 && t->frames[i].flags & (TRANSPARENT | NAMED);)
    if (t->frames[i].flags & TRANSPARENT) site = t->frames[i].call;
  return site;
}

u32 library_flags(const struct thread *t) {
  u32 flags = 0;
  for (u32 i = stored(t); i-- > 0 && t->frames[i].flags & TRANSPARENT;) flags |= t->frames[i].function->flags;
  return flags;
}

/* An access to a word that several threads access, in the innermost function. */
void note_shared(struct thread *t, uptr site) {
  if (!rt.learns || t->depth == 0 || t->depth > MAX_FRAMES) return;
  u32 top = t->depth - 1;
  bool is_noted = false;
  while (top > 0 && t->frames[top].flags & (TRANSPARENT | NAMED)) {
    /* Whatever one call of the library accesses, it is in one round. */
    is_noted = t->frames[top].flags & NOTED;
    if (t->frames[top].flags & TRANSPARENT) t->frames[top].flags |= NOTED;
    site = t->frames[top].call;
    top--;
  }
  struct frame *f = &t->frames[top];
  if (f->flags & BOTTOM) {
    if (!is_noted) come_to_bottom(t, top, site);
  } else if (may_be_block(f)) {
    f->function->flags |= F_SHARES;
    if (!(f->flags & BLOCK) && is_innermost(t, top)) {
      end_round_of_bottom(t, top);
      open_block(t, f);
    }
    if (t->locks == 0 && !is_noted) come_to(t, top, site);
  }
}

/* ---- Frames ---- */

static void pop(struct thread *t) {
  if (--t->depth >= MAX_FRAMES) return;
  t->library = t->depth > 0 && t->frames[t->depth - 1].flags & TRANSPARENT;
  struct frame *f = &t->frames[t->depth];
  if (t->section > t->depth + 1) section_end(t);
  if (f->flags & BLOCK) {
    make_room(t);
    close_block(t, f);
  }
}

static bool is_on_own_stack(const struct thread *t, uptr stack) {
  return stack >= t->stack_low && stack < t->stack_high;
}

/* Functions, and handlers of signals, that were left by longjmp, and not by their end. */
static void pop_left(struct thread *t, uptr stack) {
  if (!is_on_own_stack(t, stack)) return;
  for (u32 level; UNLIKELY((level = t->interrupted) > 0); store_release(&t->interrupted, level - 1)) {
    uptr handler = t->handler_stacks[level - 1];
    if (is_on_own_stack(t, handler) && stack < handler) break;
  }
  while (t->depth > 0 && t->depth <= MAX_FRAMES) {
    struct frame *f = &t->frames[t->depth - 1];
    if (f->stack >= stack || !is_on_own_stack(t, f->stack)) break;
    pop(t);
  }
}

static bool is_bottom(const struct thread *t) {
  u32 i = t->depth;
  while (i > 0 && t->frames[i - 1].flags & TRANSPARENT) i--;
  return i == 0;
}

void function_entered(uptr pc, uptr call, uptr stack) {
  struct thread *t = current();
  if (UNLIKELY(t == NULL)) return;
  store_release(&t->hazard, 0);
  if (UNLIKELY(t->busy | t->ignoring | rt.off)) return;
  t->busy = 1;
  compiler_barrier();
  pop_left(t, stack);
  if (t->depth < MAX_FRAMES) {
    struct function *function = function_of(pc);
    struct frame *f = &t->frames[t->depth];
    f->call = call;
    f->stack = stack;
    f->function = function;
    f->pc = pc;
    f->sites_used = 0;
    u32 known = function->flags;
    f->flags = known & F_TRANSPARENT ? TRANSPARENT : 0;
    if (UNLIKELY(known & F_CONTAINER) && !t->library) note_call(call, known);
    t->library = f->flags != 0;
    bool is_block = (known & F_LISTED) != 0, is_sharing = false;
    if (rt.learns) {
      if (is_bottom(t)) f->flags |= BOTTOM;
      is_sharing = (known & F_SHARES) != 0;
      /* What is made when it is first needed is made in a first call, and it is too late to learn then. */
      if (may_be_block(f)) is_block |= is_sharing || (function->calls < FIRST_CALLS && function->calls++ < FIRST_CALLS);
      if (t->depth > 0) {
        struct frame *caller = &t->frames[t->depth - 1];
        if (caller->flags & BLOCK) {
          make_room(t);
          if (has_site(caller, call)) next_round(t, t->depth - 1);
        }
      }
    }
    if (is_block) {
      make_room(t);
      if (is_sharing) end_round_of_bottom(t, t->depth);
      open_block(t, f);
    }
  }
  t->depth++;
  leave(t);
}

/* `after` is where the hook returns to. */
void function_left(uptr after, uptr stack) {
  struct thread *t = self;
  if (UNLIKELY(t == NULL)) return;
  store_release(&t->hazard, 0);
  if (UNLIKELY(t->busy | t->ignoring | rt.off)) return;
  t->busy = 1;
  compiler_barrier();
  while (t->depth > 0) {
    if (t->depth > MAX_FRAMES) {
      t->depth--;
      break;
    }
    const struct frame *f = &t->frames[t->depth - 1];
    /* The hook may be the last thing that a function does, by a jump: then it returns to where the function was called. */
    bool is_this = f->call == after || f->stack >= stack || !is_on_own_stack(t, stack);
    bool is_function = !(f->flags & NAMED);
    pop(t);
    if (is_this && is_function) break;
  }
  leave(t);
}

/* ---- Marked blocks and critical sections ---- */

/* The writer comes later, when the text may be gone. */
static const char *interned(const char *name) {
  static struct { const char *copy; } known[1024];
  const char *found = NULL;
  u32 hash = 0, size = 0;
  while (name[size] != 0 && size < 1000) hash = hash * 31 + (u8)name[size++];
  spin_lock(&interned_lock);
  for (u32 i = hash;; i++) {
    u32 at = i & 1023;
    if (known[at].copy == NULL || i - hash == 1023) {
      char *copy = plain_allocate(size + 1);
      if (copy == NULL) break;
      for (u32 k = 0; k < size; k++) copy[k] = name[k];
      copy[size] = 0;
      if (known[at].copy == NULL) known[at].copy = copy;
      found = copy;
      break;
    }
    u32 k = 0;
    while (k < size && known[at].copy[k] == name[k]) k++;
    if (k == size && known[at].copy[k] == 0) {
      found = known[at].copy;
      break;
    }
  }
  spin_unlock(&interned_lock);
  return found != NULL ? found : "block";
}

EXPORT void trackside_begin(const char *name) {
  struct thread *t = current();
  if (t == NULL || !enter(t)) return;
  if (t->depth < MAX_FRAMES) {
    struct frame *f = &t->frames[t->depth];
    *f = (struct frame){.flags = NAMED, .name = interned(name), .pc = CALLER, .stack = (uptr)__builtin_frame_address(0)};
    open_block(t, f);
  }
  t->depth++;
  leave(t);
}

EXPORT void trackside_end(void) {
  struct thread *t = current();
  if (t == NULL || !enter(t)) return;
  u32 i = stored(t);
  while (i > 0 && !(t->frames[i - 1].flags & NAMED)) i--;
  while (i > 0 && t->depth >= i) pop(t);
  leave(t);
}

/* A block around a critical section: in no order with functions, so it gives way where they would not nest. */
void section_begin(struct thread *t, uptr pc) {
  if (!rt.sections || t->section != 0) return;
  if (t->pending > 0) write_pending(t);
  new_epoch(t);
  put(t, K_BEGIN_NAMED, (uptr) "critical section", 0, pc, 1);
  t->section = t->depth + 1;
}

void section_end(struct thread *t) {
  if (t->section == 0) return;
  /* Blocks that began inside of it and go on end with it, and begin anew. */
  u32 inside = t->section - 1;
  for (u32 i = stored(t); i-- > inside;) {
    struct frame *f = &t->frames[i];
    if (!(f->flags & WRITTEN)) continue;
    make_room(t);
    write_end(t, f);
    t->pending++;
  }
  put(t, K_END, 0, 0, 0, 0);
  t->section = 0;
}
