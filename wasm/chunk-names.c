/*
 * The names that a chunk of `.trk` defines, each with its length in front; src/formats/trk/chunk-names.ts says what for.
 *
 * `node scripts/build/wasm.mjs` compiles it.
 */
#define MOST_NEW_NAMES 65536
#include "names.h"

/* What JavaScript reads: the ids of the names. */
static u32 ids[MOST_NEW_NAMES];

EXPORT("address") void *address(u32 what) {
  void *const addresses[] = {COMMON_ADDRESSES, ids};
  return addresses[what];
}

/* Names that are looked up together, so that the processor waits for many places in memory at a time. */
#define GROUP 64
static struct {
  v128_t first;
  const u8 *name;
  u32 length;
  u32 hash;
  u32 number;
} group[GROUP];
static volatile u32 touched;

/* Reads names until there is a whole group or none is whole in front of `end`; returns how many. */
static u32 read_group(const u8 **from, const u8 *end, u32 most) {
  const u8 *at = *from;
  u32 count = 0;
  while (count < GROUP && count < most && at < end) {
    u32 length = *at++;
    if (length >= 0x80) {
      if (at == end || *at >= 0x80) break;
      length = (length & 0x7f) | (u32)*at++ << 7;
    }
    if (length > (u32)(end - at)) break;
    group[count].name = at;
    group[count].length = length;
    group[count].number = number_in(at, length);
    group[count].first = first_16(at, length);
    group[count].hash = hash_with_first(group[count].first, at, length);
    at += length;
    *from = at;
    count++;
  }
  return count;
}

static void look_ahead(const Table *table, u32 count) {
  u32 seen = 0;
  for (u32 i = 0; i < count; i++) seen |= look_at_slot(table, group[i].hash);
  for (u32 i = 0; i < count; i++) seen |= look_at_record(table, group[i].hash);
  /* It is volatile so that the compiler cannot leave out looking. */
  touched = seen;
}

/*
 * Gives ids to at most `most` names in the first `length` bytes of the text; returns how many. It stops before a name that is longer
 * than two bytes can say, is cut, or that there is no memory for.
 */
EXPORT("intern_all") u32 intern_all(u32 which, u32 length, u32 most) {
  Table *table = &tables[which];
  const u8 *at = text;
  const u8 *end = text + length;
  u32 done = 0;
  state.new_names = 0;
  state.read = 0;
  if (most > MOST_NEW_NAMES) most = MOST_NEW_NAMES;
  while (done < most) {
    u32 count = read_group(&at, end, most - done);
    if (count == 0) break;
    look_ahead(table, count);
    for (u32 i = 0; i < count; i++) {
      const u8 *name = group[i].name;
      u32 id = group[i].number != NO_NUMBER ? intern_number(table, name, group[i].length, group[i].number)
                                            : intern_hashed(table, group[i].first, name, group[i].length, group[i].hash);
      if (id == NO_NAME) {
        state.is_full = 1;
        return done;
      }
      ids[done++] = id;
      state.read = (u32)(name - text) + group[i].length;
    }
  }
  return done;
}
