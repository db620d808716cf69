/*
 * The fast path of `AccessGroups`, `LockTable` and `LateBlocks` (src/analyses/shared): accesses and lock operations that tell the
 * order of transactions nothing new, and blocks that nobody has to know of yet. It works on the same memory as those (`Cells`),
 * does to it what they would do, and stops before the first event that is not of this kind, so whatever it leaves out is only slower.
 *
 * `node scripts/build/wasm.mjs` compiles it. It uses no stack and has no data of its own.
 */
typedef int i32;
typedef unsigned u32;
typedef unsigned char u8;
typedef unsigned long long u64;

#define EXPORT(name) __attribute__((export_name(name)))

/* Where it is written which table is where; see cells.ts. */
typedef struct {
  u32 times, time_count;
  u32 settled, settled_count;
  u32 segments, segment_count;
  u32 released, released_count;
  u32 joined, joined_bits;
  i32 most_members;
  u32 ops, threads, operands;
  u32 seen;
  u32 open, open_count;
  u32 free_block;
  i32 outer_ticks, inner_ticks;
  i32 running, running_at_most;
  u32 first_event_low, first_event_high;
  u32 preceded, preceded_count;
  i32 learnt_by;
  u32 known, known_count;
} Header;
#define HEADER_CELL 16

/* Operations; see src/trace/operation.ts. */
enum { OP_READ, OP_WRITE, OP_UPDATE, OP_ACQUIRE, OP_RELEASE, OP_BEGIN = 7, OP_END, OP_SKIP = 18 };

/* Kinds of groups, and the cells of a variable; see access-groups.ts. */
enum { READ = 1, UPDATE = 2, WRITE = 3 };
enum { KEY, VALUE, KEY_BEFORE, VALUE_BEFORE, WIDTH };
#define SEGMENT_BITS 10
/* So many segments are in the cache anyway. */
#define FEW_SEGMENTS 32
#define GROUP 64

/* A list of members; see member-lists.ts. */
enum { SIZE, COUNT, MEMBERS };
#define SMALLEST 8
#define INDEXED 6

/* What a thread has learnt; see joined-conflicts.ts. */
enum { FROM, TO, TIME, GENERATION, JOINED_WIDTH };

/* The blocks of a thread, and a block that nobody was shown; see late-blocks.ts. */
enum { TOP, DEPTH, SINCE, OPEN_WIDTH = 4 };
enum { OUTER, LABEL, BEGIN_TIME, EVENT_LOW, EVENT_HIGH };
#define EVENT_BITS 30
#define BY_PRECEDENCE 1
#define LATEST_TIME 0x7ffffff0

static inline i32 *cell(u32 index) { return (i32 *)(index * 4); }

/* Whether `to` has learnt what `from` knew at `time`. */
static inline int has_learnt(const Header *header, i32 from, i32 time, i32 to) {
  if (header->joined_bits == 0) return 0;
  u32 hash = ((u32)from ^ (u32)to * 0x85ebca6bu) * 0x9e3779b1u;
  const i32 *entry = cell(header->joined + (hash >> (32 - header->joined_bits)) * JOINED_WIDTH);
  return entry[FROM] == from && entry[TO] == to + 1 && entry[GENERATION] == 0 && entry[TIME] >= time;
}

/* Whether what `thread` did at `time` is easily seen not to matter. */
static inline int is_past(const Header *header, u32 thread, i32 time) {
  int by_precedence = header->learnt_by == BY_PRECEDENCE;
  u32 learnt = by_precedence ? header->preceded : header->known;
  if (thread >= (by_precedence ? header->preceded_count : header->known_count) || cell(learnt)[thread]) return 0;
  const i32 *open = cell(header->open + OPEN_WIDTH * thread);
  return OPEN_WIDTH * thread >= header->open_count || open[DEPTH] == 0 || time < open[SINCE];
}

/* Whether a conflict of `thread` with what `from` did at `time` tells it nothing. */
static inline int is_nothing_new(const Header *header, i32 from, i32 time, i32 thread) {
  return from == thread || has_learnt(header, from, time, thread) || is_past(header, (u32)from, time);
}

/* Whether a conflict of `thread` with all members of the group tells it nothing. */
static inline int tells_nothing(const Header *header, i32 key, i32 value, i32 thread) {
  if (key == 0) return 1;
  if (key > 0) {
    i32 other = (key >> 2) - 1;
    return is_nothing_new(header, other, value, thread);
  }
  const i32 *list = cell(value);
  for (i32 i = 0; i < list[COUNT]; i++) {
    i32 other = list[MEMBERS + 2 * i];
    if (!is_nothing_new(header, other < 0 ? ~other : other, list[MEMBERS + 2 * i + 1], thread)) return 0;
  }
  return 1;
}

/* All of these return 0 for what is not for here, and have then changed nothing. */

/* The latest group is that of the thread alone. Without branches: which case it is cannot be foreseen. */
static inline int own_again(i32 kind, i32 *variable, i32 now) {
  i32 key = variable[KEY];
  i32 value = variable[VALUE];
  i32 before = variable[KEY_BEFORE];
  int is_write = kind == WRITE;
  int is_covered = (key & 3) == WRITE && value == now;
  int is_new = !is_write && (key & 3) != kind && !is_covered;
  variable[KEY] = is_covered ? key : (key & ~3) | kind;
  variable[VALUE] = now;
  variable[KEY_BEFORE] = is_write ? 0 : is_new ? key : before;
  variable[VALUE_BEFORE] = is_new ? value : variable[VALUE_BEFORE];
  return 1;
}

static inline int write(const Header *header, i32 *variable, i32 thread, i32 now) {
  i32 key = variable[KEY];
  if (key < 0 || !tells_nothing(header, key, variable[VALUE], thread)) return 0;
  variable[KEY] = (thread + 1) * 4 + WRITE;
  variable[VALUE] = now;
  variable[KEY_BEFORE] = 0;
  return 1;
}

static inline int join_list(Header *header, const i32 *variable, i32 thread, i32 now) {
  i32 *list = cell(variable[VALUE]);
  if (list[SIZE] >= INDEXED) return 0;
  i32 count = list[COUNT];
  i32 index = 0;
  while (index < count && list[MEMBERS + 2 * index] != thread) index++;
  i32 *member = list + MEMBERS + 2 * index;
  if (index < count && member[1] == now) return 1;
  if (!tells_nothing(header, variable[KEY_BEFORE], variable[VALUE_BEFORE], thread)) return 0;
  if (index == count) {
    if (MEMBERS + 2 * count == SMALLEST << list[SIZE]) {
      /* One that does not matter any more makes room. */
      member = list + MEMBERS;
      while (member[0] < 0 || !is_past(header, (u32)member[0], member[1])) {
        member += 2;
        if (member == list + MEMBERS + 2 * count) return 0;
      }
    } else {
      list[COUNT] = count + 1;
      if (header->most_members < count + 1) header->most_members = count + 1;
    }
    member[0] = thread;
  }
  member[1] = now;
  return 1;
}

static inline int commuting(Header *header, i32 kind, i32 *variable, i32 thread, i32 now) {
  i32 key = variable[KEY];
  if (key < 0 && -key == kind) return join_list(header, variable, thread, now);
  if (key > 0 && (key & 3) == kind) {
    u32 other = (u32)(key >> 2) - 1;
    i32 *settled = cell(header->settled) + other;
    if (other >= header->settled_count) return 0;
    if (variable[VALUE] > *settled && !is_past(header, other, variable[VALUE])) return 0;
    if (!tells_nothing(header, variable[KEY_BEFORE], variable[VALUE_BEFORE], thread)) return 0;
    if (variable[VALUE] > *settled) *settled = variable[VALUE];
  } else {
    if (variable[KEY_BEFORE] < 0 || !tells_nothing(header, key, variable[VALUE], thread)) return 0;
    variable[KEY_BEFORE] = key;
    variable[VALUE_BEFORE] = variable[VALUE];
  }
  variable[KEY] = (thread + 1) * 4 + kind;
  variable[VALUE] = now;
  return 1;
}

static inline int access(Header *header, u32 op, i32 *variable, i32 thread, i32 now) {
  i32 kind = (WRITE << 2 | UPDATE << 4 | READ) >> (2 * op) & 3;
  if (variable[KEY] >> 2 == thread + 1 && variable[KEY_BEFORE] >= 0) return own_again(kind, variable, now);
  if (kind != WRITE) return commuting(header, kind, variable, thread, now);
  return variable[KEY_BEFORE] >= 0 && write(header, variable, thread, now);
}

static inline int lock_operation(const Header *header, u32 op, u32 lock, i32 thread, i32 now) {
  i32 *released = cell(header->released + 2 * lock);
  int is_known = 2 * lock < header->released_count;
  if (op == OP_ACQUIRE) {
    i32 releaser = is_known ? released[0] - 1 : -1;
    return releaser < 0 || is_nothing_new(header, releaser, released[1], thread);
  }
  if (!is_known) return 0;
  released[0] = thread + 1;
  released[1] = now;
  return 1;
}

static inline int begin(Header *header, i32 label, i32 thread, i32 *time, u32 index) {
  i32 *block = cell(header->free_block);
  if (OPEN_WIDTH * (u32)thread >= header->open_count || !header->free_block || *time >= LATEST_TIME) return 0;
  i32 *open = cell(header->open + OPEN_WIDTH * (u32)thread);
  u64 event = ((u64)header->first_event_high << EVENT_BITS | header->first_event_low) + index;
  if (open[DEPTH]++ == 0) {
    open[SINCE] = *time + 1;
    *time += header->outer_ticks;
    if (++header->running > header->running_at_most) header->running_at_most = header->running;
  } else {
    *time += header->inner_ticks;
  }
  header->free_block = (u32)block[OUTER];
  block[OUTER] = open[TOP];
  block[LABEL] = label;
  block[BEGIN_TIME] = *time;
  block[EVENT_LOW] = (i32)(event & ((1u << EVENT_BITS) - 1));
  block[EVENT_HIGH] = (i32)(event >> EVENT_BITS);
  open[TOP] = (i32)((u32)block >> 2);
  return 1;
}

static inline int end(Header *header, i32 thread) {
  i32 *open = cell(header->open + OPEN_WIDTH * (u32)thread);
  if (OPEN_WIDTH * (u32)thread >= header->open_count || open[TOP] == 0) return 0;
  i32 *block = cell((u32)open[TOP]);
  open[TOP] = block[OUTER];
  block[OUTER] = (i32)header->free_block;
  header->free_block = (u32)block >> 2;
  if (--open[DEPTH] == 0) header->running--;
  return 1;
}

/* The cells of a variable, or null if it has none yet. */
static inline i32 *variable_at(const i32 *segments, u32 count, u32 variable) {
  u32 segment = variable >> SEGMENT_BITS;
  if (segment >= count || !segments[segment]) return 0;
  return cell((u32)segments[segment] + (variable & ((1 << SEGMENT_BITS) - 1)) * WIDTH);
}

/* Deals with the events of the batch from `from` on; returns the index of the first that it leaves, or `to`. */
EXPORT("skim") u32 skim(u32 from, u32 to) {
  Header *header = (Header *)cell(HEADER_CELL);
  const u8 *ops = (const u8 *)cell(header->ops);
  const i32 *threads = cell(header->threads);
  const i32 *operands = cell(header->operands);
  i32 *times = cell(header->times);
  const i32 *segments = cell(header->segments);
  u32 time_count = header->time_count;
  u32 segment_count = header->segment_count;
  for (u32 i = from; i < to; i++) {
    if (i % GROUP == 0 && segment_count > FEW_SEGMENTS) {
      /* A look at the variables of the coming events, so that the processor waits for many of them at a time. */
      u32 seen = 0;
      for (u32 next = i; next < to && next < i + GROUP; next++) {
        const i32 *variable = ops[next] <= OP_UPDATE ? variable_at(segments, segment_count, (u32)operands[next]) : 0;
        if (variable) seen |= (u32)variable[KEY];
      }
      /* So that the compiler cannot leave it out. */
      header->seen = seen;
    }
    u32 op = ops[i];
    i32 thread = threads[i];
    if ((u32)thread >= time_count || times[thread] <= 0) {
      if (op == OP_SKIP) continue;
      return i;
    }
    i32 now = times[thread];
    u32 operand = (u32)operands[i];
    if (op <= OP_UPDATE) {
      i32 *variable = variable_at(segments, segment_count, operand);
      if (!variable || !access(header, op, variable, thread, now)) return i;
    } else if (op <= OP_RELEASE) {
      if (!lock_operation(header, op, operand, thread, now)) return i;
    } else if (op == OP_BEGIN) {
      if (!begin(header, (i32)operand, thread, &times[thread], i)) return i;
    } else if (op == OP_END) {
      if (!end(header, thread)) return i;
    } else if (op != OP_SKIP) {
      return i;
    }
  }
  return to;
}
