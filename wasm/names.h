/*
 * Tables of names that give ids, for the modules that read traces: memory, hashing, names that are found by their number. Each is
 * compiled with tables of its own (`#include`).
 */
#include <stdint.h>
#include <wasm_simd128.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef uint64_t u64;

#define EXPORT(name) __attribute__((export_name(name)))
#define IS_LIKELY(x) __builtin_expect(!!(x), 1)

#define MOST_TEXT (256 * 1024)
/* Loads of several bytes may go past the end of what they are for. */
#define SLACK 64

/* What JavaScript writes: bytes with names in them. */
static u8 text[MOST_TEXT + SLACK];
static struct {
  /* How many names were not known before the call. */
  u32 new_names;
  /* Whether there is no memory for more names. */
  u32 is_full;
  /* How many bytes of memory may be used. */
  u32 most_bytes;
  /* How many events, or bytes of names, were read, and how many of the events are notable. */
  u32 read;
  u32 notable;
  /* How many names are known that are not found by their number. */
  u32 hashed;
} state = {.most_bytes = 0x40000000};

/* The names that were not known: of which table, and where they are in `new_bytes`, one behind the other. */
static u8 new_tables[MOST_NEW_NAMES];
static u32 new_ends[MOST_NEW_NAMES];
static u8 new_bytes[MOST_TEXT + SLACK];

/* Secret numbers: who writes names must not know which ones collide. */
#define KEYS 32
static u32 keys[KEYS];

/* What all modules tell the addresses of. */
#define COMMON_ADDRESSES text, new_tables, new_ends, new_bytes, &state, keys

enum { THREADS, LOCKS, LABELS, LOCATIONS, VARIABLES, TABLES };

static inline u64 load8(const u8 *at) {
  u64 word;
  __builtin_memcpy(&word, at, 8);
  return word;
}

static inline u32 load2(const u8 *at) {
  u16 word;
  __builtin_memcpy(&word, at, 2);
  return word;
}

/* The first `count` bytes of a word; less than eight. */
static inline u64 first_bytes(u64 word, u32 count) { return word & ((1ull << (8 * count)) - 1); }

#define EACH_BYTE 0x0101010101010101ull

/* The top bit of the first byte that is `byte`, and perhaps of later ones. */
static inline u64 bytes_equal(u64 word, u8 byte) {
  u64 zero = word ^ (EACH_BYTE * byte);
  return (zero - EACH_BYTE) & ~zero & (EACH_BYTE << 7);
}

/*
 * Operands that stand for variables before these have ids: for the name that was sent as so many-th, of which only the last ones are kept; or for
 * the name that is a byte and a number. Other operands are smaller.
 */
#define NAMED 0x40000000u
#define IDS_KEPT 65536
/* Only those of the later half are meant again: the names of a whole batch are given ids before its operands are looked at. */
#define IDS_CERTAIN (IDS_KEPT / 2)
#define NUMBERED 0x80000000u
#define NUMBER_BITS 23
#define NUMBERS_SENT (1u << NUMBER_BITS)

#include "memory.h"

#define PIECE 16
/* A name that does not fit its slot, followed by zeros, so that whole pieces are compared. */
typedef struct {
  u32 hash;
  u32 length;
  u8 name[];
} Record;

/* A quarter of a line of the cache: a short name is found with one look at memory. */
#define SHORT 12
typedef struct {
  union {
    /* Followed by zeros, of which there are none in it. */
    u8 name[SHORT];
    struct {
      u32 hash;
      const Record *record;
    };
  };
  /* Id + 1, and whether there is a record; 0 for an empty slot. */
  u32 entry;
} Slot;
#define HAS_RECORD 0x80000000u

/* Of names that are one certain byte and a number: id + 1 by number, 0 where none is known. */
typedef struct {
  u32 *entries;
  u32 limit;
} Numbers;

typedef struct {
  u32 count;
  /* By first byte; how many of them have more than small numbers. */
  Numbers numbers[256];
  u32 large;
  /* All other names: open addressing; how many of them do not fit their slots. */
  u32 hashed;
  u32 records;
  u32 mask;
  Slot *slots;
} Table;

static Table tables[TABLES];

#define NO_NAME 0xffffffffu
#define NO_NUMBER 0xffffffffu
#define MOST_DIGITS 8
/* Smaller numbers always have a place; with some first bytes, larger ones have: memory that is never touched is not taken. */
#define SMALL_NUMBERS (1u << 16)
#define LARGE_NUMBERS (1u << 20)
#define MOST_LARGE 8
#define FEWEST_SLOTS 64

/* How many digits the word starts with. */
static inline u32 digits_of(u64 word) {
  u64 values = word ^ (EACH_BYTE * '0');
  u64 others = (((values & (EACH_BYTE * 0x7f)) + EACH_BYTE * 0x76) | values) & (EACH_BYTE << 7);
  return others ? (u32)__builtin_ctzll(others) >> 3 : 8;
}

/* The number that the first `digits` bytes of the word are, 1 to 8. */
static inline u32 number_of(u64 word, u32 digits) {
  u64 value = (word ^ (EACH_BYTE * '0')) << (8 * (8 - digits));
  value = (value * 10 + (value >> 8)) & 0x00ff00ff00ff00ffull;
  value = (value * 100 + (value >> 16)) & 0x0000ffff0000ffffull;
  return (u32)(value * 10000 + (value >> 32));
}

/* Whether no other digits are the same number. */
static inline int is_canonical(u64 word, u32 digits) { return digits == 1 || (digits > 1 && (u8)word != '0'); }

/* The first `length` of the bytes at `at`, 16 at most, and zeros. */
static inline v128_t first_16(const u8 *at, u32 length) {
  const v128_t places = wasm_i8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  u32 count = length < 16 ? length : 16;
  return wasm_v128_and(wasm_v128_load(at), wasm_u8x16_lt(places, wasm_u8x16_splat((u8)count)));
}

static inline u64 hash_words(v128_t bytes, u32 key) {
  u64 low = (u64)wasm_i64x2_extract_lane(bytes, 0), high = (u64)wasm_i64x2_extract_lane(bytes, 1);
  return (u64)((u32)low + keys[key]) * ((u32)(low >> 32) + keys[key + 1]) +
         (u64)((u32)high + keys[key + 2]) * ((u32)(high >> 32) + keys[key + 3]);
}

static inline u32 finish_hash(u64 sum) {
  sum ^= sum >> 32;
  return (u32)((sum * 0x9e3779b97f4a7c15ull) >> 32);
}

static inline u64 start_of_hash(u32 length) { return (u64)length << 32 | keys[0]; }

/* NH of UMAC, in pieces of 16 bytes; then a multiplication, whose upper half depends on all bits. */
static inline u32 hash_of_short(v128_t name, u32 length) { return finish_hash(start_of_hash(length) + hash_words(name, 0)); }

static u32 hash_of(const u8 *at, u32 length) {
  u64 sum = start_of_hash(length);
  u32 key = 0;
  do {
    sum += hash_words(first_16(at, length), key);
    key += 4;
    if (key == KEYS) {
      sum = (sum << 23 | sum >> 41) * 0x9e3779b97f4a7c15ull;
      key = 0;
    }
    at += 16;
    length = length > 16 ? length - 16 : 0;
  } while (length > 0);
  return finish_hash(sum);
}

static inline int is_same(const u8 *a, const u8 *b, u32 length) {
  for (; length >= 8; a += 8, b += 8, length -= 8)
    if (load8(a) != load8(b)) return 0;
  return length == 0 || first_bytes(load8(a) ^ load8(b), length) == 0;
}

/* Whether a name with these first bytes is in its slot. */
static inline int is_short(v128_t first, u32 length) {
  /* The lowest bit of each byte that is 0. */
  u32 zeros = wasm_i8x16_bitmask(wasm_i8x16_eq(first, wasm_i8x16_splat(0)));
  return length <= SHORT && zeros >> length == 0xffffu >> length && (zeros & ((1u << length) - 1)) == 0 && length > 0;
}

static inline int is_record(const Slot *slot, v128_t first, const u8 *name, u32 length, u32 hash) {
  if (slot->hash != hash || !(slot->entry & HAS_RECORD)) return 0;
  const Record *record = slot->record;
  if (record->length != length || wasm_v128_any_true(wasm_v128_xor(wasm_v128_load(record->name), first))) return 0;
  return length <= PIECE || is_same(record->name + PIECE, name + PIECE, length - PIECE);
}

static u32 hash_in(const Slot *slot) {
  if (slot->entry & HAS_RECORD) return slot->hash;
  v128_t name = wasm_i32x4_replace_lane(wasm_v128_load(slot), 3, 0);
  return hash_of_short(name, (u32)__builtin_ctz(wasm_i8x16_bitmask(wasm_i8x16_eq(name, wasm_i8x16_splat(0)))));
}

static Slot *free_slot(Slot *slots, u32 mask, u32 hash) {
  u32 i = hash & mask;
  while (slots[i].entry) i = (i + 1) & mask;
  return &slots[i];
}

/*
 * Puts everything where it is looked for among twice as many slots, the second half of which were empty. What is put in
 * front of something that is yet to be moved is met again; so is what has come to stand right behind the old end.
 */
static void spread(Slot *slots, u32 old_count) {
  for (u32 i = 0; i < old_count || slots[i].entry; i++) {
    if (slots[i].entry == 0) continue;
    Slot slot = slots[i];
    slots[i].entry = 0;
    *free_slot(slots, 2 * old_count - 1, hash_in(&slot)) = slot;
  }
}

#define MOST_SLOTS (1u << 25)

/*
 * Writes to all pages of fresh slots. A page that is read first is one of zeros that all share, and has to be replaced when it is written, of which
 * processors that run other threads have to be told.
 */
static void touch_pages(void *fresh, u32 bytes) {
  for (u32 at = 0; at < bytes; at += 4096) ((volatile u8 *)fresh)[at] = 0;
}

static int make_slots(Table *table) {
  u32 old_count = table->slots ? table->mask + 1 : 0;
  u32 old_bytes = old_count * sizeof(Slot);
  u32 count = old_count ? 2 * old_count : FEWEST_SLOTS;
  if (count > MOST_SLOTS) return 0;
  if (old_count && (u32)table->slots + old_bytes == top) {
    /* Nothing is behind them, so that no second table is needed, which would take as much memory once more. */
    void *fresh = allocate(old_bytes);
    if (!fresh) return 0;
    touch_pages(fresh, old_bytes);
    spread(table->slots, old_count);
  } else {
    Slot *slots = allocate(count * sizeof(Slot));
    if (!slots) return 0;
    touch_pages(slots, count * sizeof(Slot));
    for (u32 i = 0; i < old_count; i++)
      if (table->slots[i].entry) *free_slot(slots, count - 1, hash_in(&table->slots[i])) = table->slots[i];
    if (old_count) release(table->slots, old_bytes);
    table->slots = slots;
  }
  table->mask = count - 1;
  return 1;
}

/* Without a call, as most are short; up to PIECE bytes more may be written. */
static inline void copy_bytes(u8 *to, const u8 *from, u32 length) {
  u32 at = 0;
  do {
    wasm_v128_store(to + at, wasm_v128_load(from + at));
    at += PIECE;
  } while (at < length);
}

/* The next id, for the name in the text. */
static u32 append(Table *table, const u8 *name, u32 length) {
  u32 i = state.new_names++;
  u32 start = i ? new_ends[i - 1] : 0;
  new_tables[i] = (u8)(table - tables);
  new_ends[i] = start + length;
  copy_bytes(new_bytes + start, name, length);
  return table->count++;
}

/* The id of a name with these first bytes, up to PIECE of them. */
static inline u32 find_hashed(const Table *table, v128_t first, const u8 *name, u32 length, u32 hash) {
  if (!table->slots) return NO_NAME;
  u32 i = hash & table->mask;
  if (is_short(first, length)) {
    for (;; i = (i + 1) & table->mask) {
      v128_t slot = wasm_v128_load(&table->slots[i]);
      u32 entry = (u32)wasm_i32x4_extract_lane(slot, 3);
      v128_t other = wasm_i32x4_replace_lane(wasm_v128_xor(slot, first), 3, (i32)(entry & HAS_RECORD));
      if (entry == 0 || !wasm_v128_any_true(other)) return entry - 1;
    }
  }
  for (;; i = (i + 1) & table->mask) {
    const Slot *slot = &table->slots[i];
    if (slot->entry == 0) return NO_NAME;
    if (is_record(slot, first, name, length, hash)) return (slot->entry & ~HAS_RECORD) - 1;
  }
}

static u32 add_hashed(Table *table, v128_t first, const u8 *name, u32 length, u32 hash) {
  /* At most two thirds of the slots are taken. */
  if (3 * (table->hashed + 1) > 2 * (table->slots ? table->mask + 1 : 0) && !make_slots(table)) return NO_NAME;
  Slot *slot;
  if (is_short(first, length)) {
    slot = free_slot(table->slots, table->mask, hash);
    wasm_v128_store(slot, first);
    slot->entry = table->count + 1;
  } else {
    u32 pieces = (length + PIECE - 1) / PIECE;
    Record *record = take_bytes(sizeof(Record) + (pieces ? pieces : 1) * PIECE);
    if (!record) return NO_NAME;
    record->hash = hash;
    record->length = length;
    wasm_v128_store(record->name, first);
    for (u32 at = PIECE; at < length; at += PIECE) wasm_v128_store(record->name + at, first_16(name + at, length - at));
    slot = free_slot(table->slots, table->mask, hash);
    slot->hash = hash;
    slot->record = record;
    slot->entry = (table->count + 1) | HAS_RECORD;
    table->records++;
  }
  table->hashed++;
  return append(table, name, length);
}

/* Makes a place for a number, unless that would take far more memory than there are names. */
static int place(Table *table, Numbers *numbers, u32 number) {
  if (number < numbers->limit) return 1;
  u32 free = numbers->limit > SMALL_NUMBERS || table->large < MOST_LARGE ? LARGE_NUMBERS : SMALL_NUMBERS;
  if (number >= free && number > 16 * table->count) return 0;
  u32 limit = numbers->limit ? numbers->limit : 64;
  while (limit <= number) limit *= 2;
  u32 old_bytes = numbers->limit * 4;
  if (old_bytes && (u32)numbers->entries + old_bytes == top) {
    /* As with slots. */
    if (!allocate(limit * 4 - old_bytes)) return 0;
  } else {
    u32 *entries = allocate(limit * 4);
    if (!entries) return 0;
    if (old_bytes) {
      __builtin_memcpy(entries, numbers->entries, old_bytes);
      release(numbers->entries, old_bytes);
    }
    numbers->entries = entries;
  }
  if (numbers->limit <= SMALL_NUMBERS && limit > SMALL_NUMBERS) table->large++;
  numbers->limit = limit;
  return 1;
}

/* The number in the name if it is one byte and a number, by which such names are found. */
static u32 number_in(const u8 *name, u32 length) {
  if (length < 2 || length > 1 + MOST_DIGITS) return NO_NUMBER;
  u64 word = load8(name + 1);
  return digits_of(word) < length - 1 || !is_canonical(word, length - 1) ? NO_NUMBER : number_of(word, length - 1);
}

static inline u32 intern_hashed(Table *table, v128_t first, const u8 *name, u32 length, u32 hash) {
  u32 id = find_hashed(table, first, name, length, hash);
  return IS_LIKELY(id != NO_NAME) ? id : add_hashed(table, first, name, length, hash);
}

static inline u32 hash_with_first(v128_t first, const u8 *name, u32 length) {
  return IS_LIKELY(length <= PIECE) ? hash_of_short(first, length) : hash_of(name, length);
}

static u32 intern_by_hash(Table *table, const u8 *name, u32 length) {
  v128_t first = first_16(name, length);
  return intern_hashed(table, first, name, length, hash_with_first(first, name, length));
}

static u32 find_by_hash(const Table *table, const u8 *name, u32 length) {
  return find_hashed(table, first_16(name, length), name, length, hash_of(name, length));
}

static u32 intern_number(Table *table, const u8 *name, u32 length, u32 number) {
  Numbers *numbers = &table->numbers[name[0]];
  if (!place(table, numbers, number)) return intern_by_hash(table, name, length);
  u32 *entry = &numbers->entries[number];
  if (*entry == 0) {
    /* It may have come when there was no place for its number. */
    u32 id = table->hashed ? find_by_hash(table, name, length) : NO_NAME;
    *entry = 1 + (id != NO_NAME ? id : append(table, name, length));
  }
  return *entry - 1;
}

static u32 intern_name(Table *table, const u8 *name, u32 length) {
  u32 number = number_in(name, length);
  return number != NO_NUMBER ? intern_number(table, name, length, number) : intern_by_hash(table, name, length);
}

/* The id of the name at the start of the text; NO_NAME if there is no memory for it. */
EXPORT("intern") u32 intern(u32 table, u32 length) {
  state.new_names = 0;
  u32 id = intern_name(&tables[table], text, length);
  if (id == NO_NAME) state.is_full = 1;
  return id;
}

/* The same for a name that is not to be added. */
EXPORT("find") u32 find(u32 which, u32 length) {
  const Table *table = &tables[which];
  const Numbers *numbers = &table->numbers[text[0]];
  u32 number = number_in(text, length);
  if (number < numbers->limit && numbers->entries[number]) return numbers->entries[number] - 1;
  return find_by_hash(table, text, length);
}

/* What of memory is looked at now, so that it is in the cache when it is needed: the places of a hash, then the names there. */
static inline u32 look_at_slot(const Table *table, u32 hash) { return table->slots ? table->slots[hash & table->mask].hash : 0; }

static inline u32 look_at_record(const Table *table, u32 hash) {
  if (!table->slots) return 0;
  const Slot *slot = &table->slots[hash & table->mask];
  /* Without a branch, as nobody can foresee whether a name is known: whose record is not looked at has its slot looked at again. */
  u32 mask = -(u32)((slot->hash == hash) & (slot->entry >> 31));
  return *(const u32 *)(((u32)slot->record & mask) | ((u32)slot & ~mask));
}
