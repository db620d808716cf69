/*
 * Puts the columns of a chunk of `.trk` together; src/formats/trk/columns.ts has the same in JavaScript, and says what is in which
 * array. `node scripts/build/wasm.mjs` compiles it.
 */
typedef int i32;
typedef long long i64;
typedef unsigned u32;
typedef unsigned long long u64;
typedef unsigned short u16;
typedef unsigned char u8;

#define EXPORT(name) __attribute__((export_name(name)))

#define MOST_EVENTS 65536
#define MOST_PLANES 8

/* What JavaScript writes: the tables of the chunk, and the columns, byte plane after byte plane. */
static u8 action_op[MOST_EVENTS];
static i32 action_thread[MOST_EVENTS], action_least[MOST_EVENTS], action_range[MOST_EVENTS];
static i32 chunk_locations[MOST_EVENTS];
static u8 columns[MOST_PLANES * MOST_EVENTS];
/* What it reads: the events, and the indexes of those that are no accesses or the first of their action. */
static u8 ops[MOST_EVENTS];
/* Packed events may point at operands before the first; that is noticed later. */
#define BEFORE (1 << 17)
static i32 operand_space[BEFORE + MOST_EVENTS];
static i32 *const operands = operand_space + BEFORE;
static i32 threads[MOST_EVENTS], locations[MOST_EVENTS], notable[MOST_EVENTS];
static i32 notable_count;

/* By action: all that is needed of it, in one place. */
static struct {
  i32 thread, least, range;
  u8 op, is_always_notable, is_notable;
} actions[MOST_EVENTS];

static inline u32 value(const u8 *plane, u32 i, u32 events, u32 width) {
  u32 value = width > 0 ? plane[i] : 0;
  if (width > 1) value |= (u32)plane[events + i] << 8;
  if (width > 2) value |= (u32)plane[2 * events + i] << 16;
  if (width > 3) value |= (u32)plane[3 * events + i] << 24;
  return value;
}

/* Inlined with numbers for the widths, so that no test of them is left in the loop. */
static inline int combine_as(u32 events, u32 action_width, u32 operand_width, u32 location_width, i32 action_count,
                             i32 location_count) {
  const u8 *operand_planes = columns + action_width * events;
  const u8 *location_planes = operand_planes + operand_width * events;
  i32 outside = 0;
  i32 found = 0;
  for (u32 i = 0; i < events; i++) {
    u32 action = value(columns, i, events, action_width);
    i32 above = (i32)value(operand_planes, i, events, operand_width);
    u32 place = value(location_planes, i, events, location_width);
    outside |= (action_count - 1 - (i32)action) | (actions[action].range - above) | above | (location_count - 1 - (i32)place);
    ops[i] = actions[action].op;
    threads[i] = actions[action].thread;
    operands[i] = actions[action].least + above;
    locations[i] = chunk_locations[place];
    notable[found] = (i32)i;
    found += actions[action].is_notable;
    actions[action].is_notable = actions[action].is_always_notable;
  }
  notable_count = found;
  return outside >= 0;
}

static void prepare_actions(u32 action_count, u32 last_access) {
  for (u32 i = 0; i < action_count; i++) {
    actions[i].op = action_op[i];
    actions[i].thread = action_thread[i];
    actions[i].least = action_least[i];
    actions[i].range = action_range[i];
    actions[i].is_always_notable = action_op[i] > last_access;
    actions[i].is_notable = 1;
  }
}

/* The events of a chunk with these sizes; accesses have operations up to `last_access`. False if an index is out of its range. */
EXPORT("combine")
int combine(u32 events, u32 action_width, u32 operand_width, u32 location_width, u32 action_count, u32 location_count,
            u32 last_access) {
  prepare_actions(action_count, last_access);
  if (action_width == 1 && location_width <= 1) {
    if (operand_width == 2 && location_width == 1) return combine_as(events, 1, 2, 1, (i32)action_count, (i32)location_count);
    if (operand_width == 3 && location_width == 1) return combine_as(events, 1, 3, 1, (i32)action_count, (i32)location_count);
    if (operand_width == 1 && location_width == 1) return combine_as(events, 1, 1, 1, (i32)action_count, (i32)location_count);
  }
  if (action_width == 1 && location_width == 2) {
    if (operand_width == 2) return combine_as(events, 1, 2, 2, (i32)action_count, (i32)location_count);
    if (operand_width == 3) return combine_as(events, 1, 3, 2, (i32)action_count, (i32)location_count);
  }
  return combine_as(events, action_width, operand_width, location_width, (i32)action_count, (i32)location_count);
}

#include "trk-packed.h"

EXPORT("address") void *address(u32 what) {
  void *const addresses[] = {
      action_op,    action_thread,    action_least, action_range,         chunk_locations, columns,
      ops,          threads,          operands,     locations,            notable,         &notable_count,
      loaded,       action_table,     id_count,     next_id,              code_lengths,    action_class,
      template_numbers, number_bits,  number_is_difference, least_number, number_before,   piece_start,
      piece_length, name_bytes,       name_ends,
  };
  return addresses[what];
}
