/*
 * Gives ids to names that lie one behind the other, each with its length in front: those that a chunk of `.trk` defines
 * (src/formats/trk/chunk-names.ts), and the variables of lines of STD (src/formats/variable-ids.ts).
 *
 * `node scripts/build/wasm.mjs` compiles it.
 */
#define MOST_NEW_NAMES 65536
#include "names.h"

/* What JavaScript reads: the ids of the names, of those of variables that were sent lately. */
static u32 ids[IDS_KEPT];
/* What it reads and writes. */
#define MOST_EVENTS 8192
static u32 operands[MOST_EVENTS];

EXPORT("address") void *address(u32 what) {
  void *const addresses[] = {COMMON_ADDRESSES, ids, operands};
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
  for (u32 i = 0; i < count && table->records; i++) seen |= look_at_record(table, group[i].hash);
  /* It is volatile so that the compiler cannot leave out looking. */
  touched = seen;
}

/*
 * Gives ids to at most `most` names in the first `length` bytes of the text; returns how many. It stops before a name that is longer
 * than two bytes can say, is cut, or that there is no memory for. The first is the `first`-th that was sent.
 */
EXPORT("intern_all") u32 intern_all(u32 which, u32 length, u32 most, u32 first) {
  Table *table = &tables[which];
  const u8 *at = text;
  const u8 *end = text + length;
  u32 done = 0;
  state.new_names = 0;
  state.read = 0;
  state.hashed = table->hashed;
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
      ids[(first + done++) % IDS_KEPT] = id;
      state.read = (u32)(name - text) + group[i].length;
    }
  }
  return done;
}

/* The id of a name of this byte and a number, for which there is no place by its number. */
static __attribute__((noinline)) u32 find_rare(const Table *table, u8 first, u32 number) {
  u8 name[1 + MOST_DIGITS + SLACK];
  u32 at = 1 + MOST_DIGITS;
  do name[--at] = (u8)('0' + number % 10);
  while (number /= 10);
  name[--at] = first;
  return find_by_hash(table, name + at, 1 + MOST_DIGITS - at);
}

/* Puts ids in the place of operands that stand for variables of the table; returns how many operands it has dealt with. */
EXPORT("place") u32 place_ids(u32 which, u32 count) {
  const Table *table = &tables[which];
  for (u32 i = 0; i < count; i++) {
    u32 operand = operands[i];
    if (operand & NUMBERED) {
      u8 first = (u8)(operand >> NUMBER_BITS);
      u32 number = operand & (NUMBERS_SENT - 1);
      const Numbers *numbers = &table->numbers[first];
      u32 id = number < numbers->limit ? numbers->entries[number] - 1 : NO_NAME;
      if (id == NO_NAME) id = find_rare(table, first, number);
      if (id == NO_NAME) return i;
      operands[i] = id;
    } else {
      u32 id = ids[operand % IDS_KEPT];
      operands[i] = operand & NAMED ? id : operand;
    }
  }
  return count;
}
