/*
 * The fast way through STD, compiled to WebAssembly: src/formats/std-lines.ts calls it and says what for. It reads lines
 * such as `T3|r(V12345)|678` and stops at the first one that is out of the ordinary.
 *
 * `node scripts/build/wasm.mjs` compiles this file into src/formats/std-lines-wasm.ts, which is committed: only who
 * changes these files needs a compiler for it.
 */
#define MOST_EVENTS 8192
#define MOST_NEW_NAMES (3 * MOST_EVENTS)
#include "names.h"

/* What JavaScript reads. */
static u8 ops[MOST_EVENTS];
static u32 threads[MOST_EVENTS], operands[MOST_EVENTS], locations[MOST_EVENTS], offsets[MOST_EVENTS];
/* The indexes of the events that are no accesses, and of the first of each thread. */
static u32 notable[MOST_EVENTS];

#define MOST_OPERATIONS 32
/* By operation: the letters, as a word, and the table of its operand. */
static struct {
  u64 words[MOST_OPERATIONS];
  u32 tables[MOST_OPERATIONS];
  u32 count;
} operations;

EXPORT("address") void *address(u32 what) {
  void *const addresses[] = {COMMON_ADDRESSES, ops, threads, operands, locations, offsets, notable, &operations};
  return addresses[what];
}

/* ---- Lines ---- */

/* Threads with names of less than eight bytes, by these. */
#define SHORT_THREADS 256
static struct {
  u64 name;
  u64 entry;
} short_threads[SHORT_THREADS];

static inline u32 short_slot(u64 name) { return (u32)((name * 0x9e3779b97f4a7c15ull) >> 56); }

/*
 * Accesses of a group of lines, whose variables are looked up together when all are read: the first look at each place in
 * a table waits for memory, and here none depends on another.
 */
#define GROUP 64
/* What so few need is in the cache anyway, or nearly. */
#define FEW_NAMES 65536
static struct {
  /* Of a name that is not found by its number: its first bytes. */
  v128_t first;
  const u8 *line;
  const u8 *name;
  /* 0 for a name that is found by its number, which then is in `hash`. */
  u32 length;
  u32 hash;
  u32 event;
} pending[GROUP];
static volatile u32 touched;

/* Variables that were accessed lately, by the first bits of their hashes: most are accessed again soon, and then found in the cache. */
#define RECENT_BITS 11
static struct {
  v128_t name;
  u32 length;
  u32 id;
} recent[1 << RECENT_BITS];

static inline u32 recent_place(u32 hash) { return hash >> (32 - RECENT_BITS); }

static inline int ends_line(const u8 *at) { return *at == '\n' || (*at == '\r' && at[1] == '\n'); }

static inline int ends_field(const u8 *at) { return *at == '|' || ends_line(at); }

/* The parenthesis that ends an operand, or null if the line has none or holds bytes that are not for here. */
static inline const u8 *end_of_operand(const u8 *at) {
  for (;; at += 16) {
    v128_t bytes = wasm_v128_load(at);
    v128_t found = wasm_v128_or(wasm_i8x16_eq(bytes, wasm_i8x16_splat(')')), wasm_u8x16_le(bytes, wasm_i8x16_splat('\n')));
    for (u32 mask = wasm_i8x16_bitmask(found); mask; mask &= mask - 1) {
      const u8 *end = at + __builtin_ctz(mask);
      if (*end != ')') return 0;
      if (ends_field(end + 1)) return end;
    }
  }
}

/* Where a thread's name ends, or null. */
static const u8 *end_of_thread(const u8 *at) {
  while (*at != '|')
    if (*at++ <= '\n') return 0;
  return at;
}

/* Where the line ends, or null. */
static const u8 *end_of_location(const u8 *at) {
  for (; !ends_line(at); at++)
    if (*at == '\r' || *at == 0) return 0;
  return at;
}

/* See src/trace/location.ts. */
#define NO_LOCATION 0
#define MAX_NUMERIC_LOCATION 0x3fffffff

static int intern_location(const u8 *from, const u8 *to, u32 *location) {
  u32 length = (u32)(to - from);
  u64 value = 0;
  int is_number = length <= 10 && (length == 1 || *from != '0');
  for (const u8 *at = from; is_number && at < to; at++) {
    is_number = *at >= '0' && *at <= '9';
    value = value * 10 + (*at - '0');
  }
  if (is_number && value <= MAX_NUMERIC_LOCATION) {
    *location = (u32)value * 2 + 1;
    return 1;
  }
  u32 id = intern_name(&tables[LOCATIONS], from, length);
  *location = (id + 1) * 2;
  return id != NO_NAME;
}

/* Operations by their letters, as a word. */
#define OPERATION_BITS 6
static struct {
  u64 word;
  u32 op;
} operation_places[1 << OPERATION_BITS];

static inline u32 operation_place(u64 word) { return (u32)((word * 0x9e3779b97f4a7c15ull) >> (64 - OPERATION_BITS)); }

static void place_operations(void) {
  for (u32 op = 0; op < operations.count; op++) {
    u32 i = operation_place(operations.words[op]);
    while (operation_places[i].word) i = (i + 1) % (1 << OPERATION_BITS);
    operation_places[i].word = operations.words[op];
    operation_places[i].op = op;
  }
}

/* The operation that starts here, or the number of operations. */
static inline u32 operation_at(const u8 *at, const u8 **operand) {
  u64 word = load8(at);
  u64 open = bytes_equal(word, '(');
  if (!open) return operations.count;
  u32 letters = (u32)__builtin_ctzll(open) >> 3;
  u64 name = first_bytes(word, letters);
  *operand = at + letters + 1;
  for (u32 i = operation_place(name);; i = (i + 1) % (1 << OPERATION_BITS)) {
    if (operation_places[i].word == name && name) return operation_places[i].op;
    if (!operation_places[i].word) return operations.count;
  }
}

/* Threads that have come in the present call; those beyond are taken for new ones. */
#define FOLLOWED_THREADS 4096
static u32 last_call[FOLLOWED_THREADS];
static u32 call;

static inline int is_first_of(u32 thread) {
  if (thread >= FOLLOWED_THREADS) return 1;
  int is_first = last_call[thread] != call;
  last_call[thread] = call;
  return is_first;
}

/* Reads, writes and updates are the first operations. */
#define LAST_ACCESS 2
#define TWO(a, b) ((a) | (b) << 8)

/* Looks at the places of all variables of a group, so that they are in the cache. */
static __attribute__((noinline)) void look_ahead(u32 count) {
  const Table *table = &tables[VARIABLES];
  u32 seen = 0;
  if (table->count < FEW_NAMES) return;
  for (u32 i = 0; i < count; i++) {
    u32 hash = pending[i].hash;
    const Numbers *numbers = &table->numbers[pending[i].name[0]];
    if (pending[i].length) seen |= look_at_slot(table, hash);
    else seen |= hash < numbers->limit ? numbers->entries[hash] : 0;
  }
  for (u32 i = 0; i < count && table->records; i++) seen |= pending[i].length ? look_at_record(table, pending[i].hash) : 0;
  /* It is volatile so that the compiler cannot leave out looking. */
  touched = seen;
}

/* Looks up the variables of a group; returns how many were found, all unless there is no memory. */
static __attribute__((noinline)) u32 resolve(u32 count) {
  Table *table = &tables[VARIABLES];
  for (u32 i = 0; i < count; i++) {
    u32 id;
    if (pending[i].length == 0) {
      u32 number = pending[i].hash;
      const u8 *name = pending[i].name;
      const Numbers *numbers = &table->numbers[name[0]];
      id = number < numbers->limit ? numbers->entries[number] - 1 : NO_NAME;
      if (id == NO_NAME) id = intern_number(table, name, 1 + digits_of(load8(name + 1)), number);
    } else {
      v128_t first = pending[i].first;
      u32 length = pending[i].length, hash = pending[i].hash;
      id = intern_hashed(table, first, pending[i].name, length, hash);
      u32 place = recent_place(hash);
      recent[place].name = first;
      recent[place].length = length <= PIECE && id != NO_NAME ? length : 0;
      recent[place].id = id;
    }
    if (id == NO_NAME) return i;
    operands[pending[i].event] = id;
  }
  return count;
}

/* Bits for the 32 bytes from `at` on that are the byte, and for those that are up to a newline. */
static inline u32 places_of(v128_t a, v128_t b, u8 byte) {
  v128_t wanted = wasm_u8x16_splat(byte);
  return wasm_i8x16_bitmask(wasm_i8x16_eq(a, wanted)) | wasm_i8x16_bitmask(wasm_i8x16_eq(b, wanted)) << 16;
}

static inline u32 places_up_to(v128_t a, v128_t b, u8 byte) {
  v128_t most = wasm_u8x16_splat(byte);
  return wasm_i8x16_bitmask(wasm_u8x16_le(a, most)) | wasm_i8x16_bitmask(wasm_u8x16_le(b, most)) << 16;
}

/* Finds the variable of the event if it was accessed lately, and else puts off looking it up; returns how many are put off. */
static inline u32 put_off(u32 i, const u8 *line, const u8 *name, u32 size, u32 number, u32 event) {
  pending[i].line = line;
  pending[i].name = name;
  pending[i].event = event;
  if (number != NO_NUMBER) {
    pending[i].length = 0;
    pending[i].hash = number;
    return 1;
  }
  v128_t first = first_16(name, size);
  u32 hash = hash_with_first(first, name, size);
  u32 place = recent_place(hash);
  pending[i].length = size;
  pending[i].first = first;
  pending[i].hash = hash;
  operands[event] = recent[place].id;
  /* Without a branch, as nobody can foresee it. */
  return (recent[place].length != size) | wasm_v128_any_true(wasm_v128_xor(recent[place].name, first));
}

/* What the loop over the lines keeps, and the others of its functions change. */
typedef struct {
  /* How many variables are put off. */
  u32 count;
  u32 is_other;
  /* How far behind the start of the text places of operations are. */
  u32 base;
} Group;

/* The operation of a short line that is no read or write, and its operand; false for what is out of the ordinary. */
static __attribute__((noinline)) int other_operation(const u8 *line, const u8 *at, const u8 *operand_end, u32 event,
                                                     Group *group) {
  const u8 *operand;
  u32 op = operation_at(at, &operand);
  if (op == operations.count) return 0;
  u32 size = (u32)(operand_end - operand);
  if (size - 1 > 27) return 0;
  u32 which = operations.tables[op];
  if (which == VARIABLES) {
    group->count += put_off(group->count, line, operand, size, number_in(operand, size), event);
  } else {
    u32 id = intern_name(&tables[which], operand, size);
    if (id == NO_NAME) return 0;
    operands[event] = id;
  }
  group->is_other = op > LAST_ACCESS;
  ops[event] = (u8)op;
  return 1;
}

/*
 * Reads a line of at most 32 bytes such as `T3|r(V3.12345[2])|678`, of a thread that is known; returns where the next one starts, or null
 * for any other. All bytes are looked at together: what lies between is told by where the two bars and the newline are.
 */
static inline const u8 *short_line(const u8 *line, u32 event, Group *group) {
  v128_t a = wasm_v128_load(line), b = wasm_v128_load(line + 16);
  u32 bars = places_of(a, b, '|');
  u32 lows = places_up_to(a, b, '\n');
  u32 others = bars & (bars - 1);
  if (!others || !lows) return 0;
  u32 bar = (u32)__builtin_ctz(bars), second = (u32)__builtin_ctz(others), newline = (u32)__builtin_ctz(lows);
  const u8 *rest = line + second + 1;
  u32 digit_count = newline - second - 1;
  /* Counts that would be negative are large. */
  if (bar > 7 || digit_count - 1 > 7 || line[newline] != '\n' || rest[-2] != ')') return 0;
  u64 name = first_bytes(load8(line), bar);
  u32 slot = short_slot(name);
  u32 thread = short_threads[slot].name == name ? (u32)short_threads[slot].entry - 1 : NO_NAME;
  u64 digits = load8(rest);
  if (thread == NO_NAME || digits_of(digits) < digit_count || !is_canonical(digits, digit_count)) return 0;
  const u8 *operation = line + bar + 1;
  u32 two = load2(operation);
  if (IS_LIKELY((two == TWO('r', '(')) | (two == TWO('w', '(')))) {
    const u8 *operand = operation + 2;
    u32 size = (u32)(rest - 2 - operand);
    if (size - 1 > 27) return 0;
    u64 of_name = load8(operand + 1);
    u32 number = digits_of(of_name) == size - 1 && is_canonical(of_name, size - 1) ? number_of(of_name, size - 1) : NO_NUMBER;
    group->count += put_off(group->count, line, operand, size, number, event);
    group->is_other = 0;
    ops[event] = two == TWO('w', '(');
  } else if (!other_operation(line, operation, rest - 2, event, group)) {
    return 0;
  }
  threads[event] = thread;
  locations[event] = number_of(digits, digit_count) * 2 + 1;
  offsets[event] = group->base + (u32)(line - text) + bar + 1;
  return line + newline + 1;
}

/* The same for any line that is not out of the ordinary. It is not inlined: the loop over short lines has few registers. */
static __attribute__((noinline)) const u8 *any_line(const u8 *line, u32 event, Group *group) {
  const u8 *at = line;
  u64 word = load8(at);
  u64 pipe = bytes_equal(word, '|');
  u64 short_name = 0;
  u32 thread = NO_NAME;
  if (IS_LIKELY(pipe)) {
    u32 letters = (u32)__builtin_ctzll(pipe) >> 3;
    short_name = first_bytes(word, letters);
    u32 slot = short_slot(short_name);
    if (short_threads[slot].name == short_name) thread = (u32)short_threads[slot].entry - 1;
    at += letters;
  }
  if (thread == NO_NAME) {
    at = end_of_thread(line);
    if (!at || at == line) return 0;
  }
  const u8 *thread_end = at++;

  const u8 *operand = at + 2;
  u32 two = load2(at);
  u32 op = two == TWO('r', '(') ? 0 : two == TWO('w', '(') ? 1 : operation_at(at, &operand);
  if (op == operations.count) return 0;
  u32 which = operations.tables[op];

  const u8 *operand_end;
  u32 number = NO_NUMBER;
  if (which == VARIABLES && *operand > '\n') {
    u64 digits = load8(operand + 1);
    u32 many = digits_of(digits);
    operand_end = operand + 1 + many;
    if (is_canonical(digits, many) && *operand_end == ')' && ends_field(operand_end + 1))
      number = number_of(digits, many);
    else
      operand_end = end_of_operand(operand);
  } else {
    operand_end = end_of_operand(operand);
  }
  if (!operand_end || operand_end == operand) return 0;

  u32 location = NO_LOCATION;
  const u8 *rest = operand_end + 1;
  if (*rest == '|') {
    const u8 *from = ++rest;
    u64 digits = load8(rest);
    u32 many = digits_of(digits);
    rest += many;
    if (is_canonical(digits, many) && ends_line(rest)) {
      location = number_of(digits, many) * 2 + 1;
    } else {
      rest = end_of_location(from);
      /* An empty location is a name. */
      if (!rest || rest == from || !intern_location(from, rest, &location)) return 0;
    }
  }

  /* Only now is it an event: a line that is refused must not leave names behind. */
  if (thread == NO_NAME) {
    thread = intern_name(&tables[THREADS], line, (u32)(thread_end - line));
    if (thread == NO_NAME) return 0;
    if (pipe && thread_end - line < 8) {
      u32 slot = short_slot(short_name);
      short_threads[slot].name = short_name;
      short_threads[slot].entry = thread + 1;
    }
  }
  if (which == VARIABLES) {
    group->count += put_off(group->count, line, operand, (u32)(operand_end - operand), number, event);
  } else {
    u32 id = intern_name(&tables[which], operand, (u32)(operand_end - operand));
    if (id == NO_NAME) return 0;
    operands[event] = id;
  }
  group->is_other = op > LAST_ACCESS;
  ops[event] = (u8)op;
  threads[event] = thread;
  locations[event] = location;
  offsets[event] = group->base + (u32)(thread_end + 1 - text);
  return rest + (*rest == '\r' ? 2 : 1);
}

/*
 * Reads the first `length` bytes of the text, which end with a newline, at most `room` events; returns where it stopped.
 * `base` is added to the places of operations.
 */
EXPORT("decode") u32 decode(u32 length, u32 room, u32 base) {
  const u8 *line = text;
  const u8 *end = text + length;
  u32 events = 0;
  u32 noted = 0;
  int is_ordinary = 1;
  if (call++ == 0) place_operations();
  state.new_names = 0;
  while (is_ordinary && line < end && events < room) {
    Group group = {.base = base};
    while (line < end && events < room && group.count < GROUP) {
      const u8 *next = short_line(line, events, &group);
      if (!IS_LIKELY(next)) next = any_line(line, events, &group);
      if (!next) {
        is_ordinary = 0;
        break;
      }
      notable[noted] = events;
      noted += is_first_of(threads[events]) | group.is_other;
      events++;
      line = next;
    }
    look_ahead(group.count);
    u32 found = resolve(group.count);
    if (found < group.count) {
      state.is_full = 1;
      events = pending[found].event;
      line = pending[found].line;
      is_ordinary = 0;
    }
  }
  while (noted > 0 && notable[noted - 1] >= events) noted--;
  state.notable = noted;
  state.read = events;
  return (u32)(line - text);
}
