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
/*
 * The variables of the events: names, each with its length in front as LEB128, that are given ids elsewhere (chunk-names.c), in this order. An operand
 * is NAMED and the number of such a name, or NUMBERED, the byte and the number that such a name is made of, which has been there before.
 */
static u8 sent_names[MOST_TEXT + SLACK];
static struct {
  /* How many there are in all calls, and how many bytes in this one. */
  u32 names;
  u32 bytes;
} sent;

#define MOST_OPERATIONS 32
/* By operation: the letters, as a word, and the table of its operand. */
static struct {
  u64 words[MOST_OPERATIONS];
  u32 tables[MOST_OPERATIONS];
  u32 count;
} operations;

EXPORT("address") void *address(u32 what) {
  void *const addresses[] = {COMMON_ADDRESSES, ops, threads, operands, locations, offsets, notable, &operations, sent_names, &sent};
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

/* Variables that were accessed lately, by some bits of their first bytes: most are accessed again soon, and then found in the cache. */
#define RECENT_BITS 12
static struct {
  v128_t name;
  u32 sent;
} recent[1 << RECENT_BITS];

/* By the first byte of names that are that and a number: a bit for each number whose name was sent; null where none is. */
static u32 *sent_numbers[256];
static u32 sent_first_bytes;

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

/* Bits for the 32 bytes from `at` on that are the byte, and for those that are up to a newline. */
static inline u32 places_of(v128_t a, v128_t b, u8 byte) {
  v128_t wanted = wasm_u8x16_splat(byte);
  return wasm_i8x16_bitmask(wasm_i8x16_eq(a, wanted)) | wasm_i8x16_bitmask(wasm_i8x16_eq(b, wanted)) << 16;
}

static inline u32 places_up_to(v128_t a, v128_t b, u8 byte) {
  v128_t most = wasm_u8x16_splat(byte);
  return wasm_i8x16_bitmask(wasm_u8x16_le(a, most)) | wasm_i8x16_bitmask(wasm_u8x16_le(b, most)) << 16;
}

/* Writes a name behind those that are sent; whether it is one of them, the caller counts. Returns how many bytes it takes. */
static inline u32 write_name(const u8 *name, u32 size) {
  u8 *to = sent_names + sent.bytes;
  u32 prefix = 1;
  for (u32 rest = size; rest >= 0x80; rest >>= 7) {
    to[prefix - 1] = (u8)(rest | 0x80);
    to[prefix++] = (u8)(rest >> 7);
  }
  if (prefix == 1) to[0] = (u8)size;
  copy_bytes(to + prefix, name, size);
  return prefix + size;
}

/* The bits for names of this byte and a number; null if there is no place for more of them. */
static __attribute__((noinline)) u32 *new_bits(u8 first) {
  if (sent_first_bytes == MOST_LARGE) return 0;
  u32 *bits = allocate(NUMBERS_SENT / 8);
  if (bits) sent_first_bytes++;
  return sent_numbers[first] = bits;
}

/* The operand for a variable, whose name is sent unless it is known to whoever gives ids. */
static inline u32 send(const u8 *name, u32 size, u32 number) {
  u32 operand;
  u32 is_new;
  u32 *bits = 0;
  if (number < NUMBERS_SENT) {
    bits = sent_numbers[name[0]];
    if (!IS_LIKELY(bits)) bits = new_bits(name[0]);
  }
  if (bits) {
    u32 word = bits[number / 32], bit = 1u << number % 32;
    is_new = !(word & bit);
    bits[number / 32] = word | bit;
    operand = NUMBERED | (u32)name[0] << NUMBER_BITS | number;
    if (IS_LIKELY(!is_new)) return operand;
  } else {
    v128_t first = first_16(name, size);
    u64 low = (u64)wasm_i64x2_extract_lane(first, 0), high = (u64)wasm_i64x2_extract_lane(first, 1);
    u32 place = (u32)((low * 0x9e3779b97f4a7c15ull + high * 0xc2b2ae3d27d4eb4full) >> (64 - RECENT_BITS));
    u32 number_there = recent[place].sent;
    /* Names hold no zeros. Of those that were sent long ago, nobody knows the ids. */
    is_new = (size > PIECE) | wasm_v128_any_true(wasm_v128_xor(recent[place].name, first)) | (sent.names - number_there >= IDS_CERTAIN);
    number_there = is_new ? sent.names : number_there;
    recent[place].name = size > PIECE ? wasm_i8x16_splat(0) : first;
    recent[place].sent = number_there;
    operand = NAMED | number_there % IDS_KEPT;
  }
  /* Without a branch, as nobody can foresee it. */
  u32 bytes = write_name(name, size);
  sent.bytes += is_new ? bytes : 0;
  sent.names += is_new;
  return operand;
}

/* What the loop over the lines keeps, and the others of its functions change. */
typedef struct {
  u32 is_other;
  /* How far behind the start of the text places of operations are. */
  u32 base;
} Loop;

/* The operation of a short line that is no read or write, and its operand; false for what is out of the ordinary. */
static __attribute__((noinline)) int other_operation(const u8 *at, const u8 *operand_end, u32 event, Loop *loop) {
  const u8 *operand;
  u32 op = operation_at(at, &operand);
  if (op == operations.count) return 0;
  u32 size = (u32)(operand_end - operand);
  if (size - 1 > 27) return 0;
  u32 which = operations.tables[op];
  if (which == VARIABLES) {
    operands[event] = send(operand, size, number_in(operand, size));
  } else {
    u32 id = intern_name(&tables[which], operand, size);
    if (id == NO_NAME) return 0;
    operands[event] = id;
  }
  loop->is_other = op > LAST_ACCESS;
  ops[event] = (u8)op;
  return 1;
}

/*
 * Reads a line of at most 32 bytes such as `T3|r(V3.12345[2])|678`, of a thread that is known; returns where the next one starts, or null
 * for any other. All bytes are looked at together: what lies between is told by where the two bars and the newline are.
 */
static inline const u8 *short_line(const u8 *line, u32 event, Loop *loop) {
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
    operands[event] = send(operand, size, number);
    loop->is_other = 0;
    ops[event] = two == TWO('w', '(');
  } else if (!other_operation(operation, rest - 2, event, loop)) {
    return 0;
  }
  threads[event] = thread;
  locations[event] = number_of(digits, digit_count) * 2 + 1;
  offsets[event] = loop->base + (u32)(line - text) + bar + 1;
  return line + newline + 1;
}

/* The same for any line that is not out of the ordinary. It is not inlined: the loop over short lines has few registers. */
static __attribute__((noinline)) const u8 *any_line(const u8 *line, u32 event, Loop *loop) {
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
    operands[event] = send(operand, (u32)(operand_end - operand), number);
  } else {
    u32 id = intern_name(&tables[which], operand, (u32)(operand_end - operand));
    if (id == NO_NAME) return 0;
    operands[event] = id;
  }
  loop->is_other = op > LAST_ACCESS;
  ops[event] = (u8)op;
  threads[event] = thread;
  locations[event] = location;
  offsets[event] = loop->base + (u32)(thread_end + 1 - text);
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
  Loop loop = {.base = base};
  if (call++ == 0) place_operations();
  state.new_names = 0;
  sent.bytes = 0;
  while (line < end && events < room) {
    const u8 *next = short_line(line, events, &loop);
    if (!IS_LIKELY(next)) next = any_line(line, events, &loop);
    if (!next) break;
    notable[noted] = events;
    noted += is_first_of(threads[events]) | loop.is_other;
    events++;
    line = next;
  }
  state.notable = noted;
  state.read = events;
  return (u32)(line - text);
}
