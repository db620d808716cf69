/* Packed chunks, for trk-columns.c, which includes this; src/formats/trk/plain-unpacking.ts has the same in JavaScript. */

#define MOST_CODE_BITS 12
#define TABLES 4
/* The classes of operands: new, back from the last id by a number of n bits, as many events ago. */
#define NEW 0
#define BACK 1
#define AGO 32
#define MOST_PACKED (512 * 1024)
#define MOST_TEMPLATES 256
#define MOST_NUMBERS 8
#define LARGEST_NUMBER 999999999

/* What JavaScript writes. Bits are read past the end of what was loaded before that is noticed. */
static u8 loaded[MOST_PACKED + MOST_EVENTS * 6 + 64];
static u8 action_table[MOST_EVENTS], action_class[MOST_EVENTS];
static i32 id_count[TABLES], next_id[TABLES];
static u8 code_lengths[1 << MOST_CODE_BITS];
static u8 template_numbers[MOST_TEMPLATES], number_bits[MOST_TEMPLATES * MOST_NUMBERS];
static u8 number_is_difference[MOST_TEMPLATES * MOST_NUMBERS];
static i32 least_number[MOST_TEMPLATES * MOST_NUMBERS], number_before[MOST_TEMPLATES * MOST_NUMBERS];
static i32 piece_start[MOST_TEMPLATES * (MOST_NUMBERS + 1)], piece_length[MOST_TEMPLATES * (MOST_NUMBERS + 1)];
/* What it reads: names one behind the other, and where each ends. */
/* There may be numbers behind what fits. */
static u8 name_bytes[MOST_PACKED + 128];
static i32 name_ends[2 * MOST_EVENTS];

static inline u64 bits_at(u32 position) {
  u64 word;
  __builtin_memcpy(&word, loaded + (position >> 3), 8);
  return word >> (position & 7);
}

/* The code of actions. By the next bits: how many of them are a code, in the lowest byte, and the action above. */
static u32 code_mask, code_entries[1 << MOST_CODE_BITS];

static inline u32 reversed(u32 code, u32 bits) {
  u32 result = 0;
  for (u32 i = 0; i < bits; i++) result |= (code >> i & 1) << (bits - 1 - i);
  return result;
}

/* Makes the code by its lengths. False if some bits would mean nothing or two things. */
EXPORT("set_code") int set_code(u32 symbols) {
  u32 of_length[MOST_CODE_BITS + 1] = {0}, next[MOST_CODE_BITS + 1];
  u32 longest = 1;
  for (u32 i = 0; i < symbols; i++) {
    u32 length = code_lengths[i];
    if (length == 0 || length > MOST_CODE_BITS) return 0;
    of_length[length]++;
    if (length > longest) longest = length;
  }
  u32 code = 0;
  for (u32 length = 1; length <= longest; length++) {
    code <<= 1;
    next[length] = code;
    code += of_length[length];
    if (code > 1u << length) return 0;
  }
  int is_single = symbols == 1 && longest == 1;
  if (code != 1u << longest && !is_single) return 0;
  code_mask = (1u << longest) - 1;
  for (u32 i = 0; i < symbols; i++) {
    u32 length = code_lengths[i];
    u32 step = 1u << length;
    for (u32 at = reversed(next[length]++, length); at <= code_mask; at += step) code_entries[at] = length | i << 8;
  }
  if (is_single) code_entries[1] = code_entries[0];
  return 1;
}

static inline u32 bytes_of(u32 bits) { return (bits + 7) >> 3; }

/* Codes are at most 12 bits long: so many are in the bits that are read at once. */
#define AT_ONCE 4

static u16 event_actions[MOST_EVENTS + 1];
/* By action: what is done with the number; masks instead of branches, which could not be foreseen. */
static struct {
  u32 bits, number_mask, is_new, is_ago;
  i32 is_back, last_id;
} operand_ways[MOST_EVENTS];
static i32 next_ids[TABLES];

static inline void put_action(u32 i, u32 action, i32 *found) {
  event_actions[i] = (u16)action;
  ops[i] = actions[action].op;
  threads[i] = actions[action].thread;
  notable[*found] = (i32)i;
  *found += actions[action].is_notable;
  actions[action].is_notable = actions[action].is_always_notable;
}

/* Each code has to wait for the one before it: so there are two columns, of every other event. */
static int unpack_actions(u32 events, u32 even_at, u32 odd_at, u32 odd_end) {
  u32 even_bits = even_at * 8, odd_bits = odd_at * 8;
  u64 even_word = 0, odd_word = 0;
  i32 found = 0;
  for (u32 i = 0; i < events; i += 2) {
    if (i % (2 * AT_ONCE) == 0) {
      even_word = bits_at(even_bits);
      odd_word = bits_at(odd_bits);
    }
    u32 even = code_entries[(u32)even_word & code_mask];
    even_word >>= even & 0xff;
    even_bits += even & 0xff;
    put_action(i, even >> 8, &found);
    if (i + 1 == events) break;
    u32 odd = code_entries[(u32)odd_word & code_mask];
    odd_word >>= odd & 0xff;
    odd_bits += odd & 0xff;
    put_action(i + 1, odd >> 8, &found);
  }
  notable_count = found;
  return bytes_of(even_bits) == odd_at && bytes_of(odd_bits) == odd_end;
}

static i32 new_events[MOST_EVENTS + 1], ago_events[MOST_EVENTS + 1];

/* Operands that depend on those before come last: all others can then be computed without waiting for what was just stored. */
static int unpack_operands(u32 events, u32 numbers_at, u32 end) {
  u32 number_bits = numbers_at * 8;
  u32 new_count = 0, ago_count = 0;
  i32 outside = 0;
  for (u32 i = 0; i < events; i++) {
    u32 action = event_actions[i];
    u32 number = (u32)bits_at(number_bits) & operand_ways[action].number_mask;
    number_bits += operand_ways[action].bits;
    i32 operand = operand_ways[action].last_id - (i32)number;
    outside |= operand & operand_ways[action].is_back;
    operands[i] = operand;
    new_events[new_count] = (i32)i;
    new_count += operand_ways[action].is_new;
    ago_events[ago_count] = (i32)i;
    ago_count += operand_ways[action].is_ago;
  }
  for (u32 k = 0; k < new_count; k++) {
    i32 i = new_events[k];
    u32 table = action_table[event_actions[i]];
    operands[i] = next_ids[table]++;
  }
  for (u32 table = 0; table < TABLES; table++) outside |= id_count[table] - next_ids[table];
  for (u32 k = 0; k < ago_count; k++) {
    i32 i = ago_events[k];
    i32 last_id = operand_ways[event_actions[i]].last_id;
    i32 before = i - 1 - (last_id - operands[i]);
    i32 operand = operands[before];
    outside |= before | (last_id - operand);
    operands[i] = operand;
  }
  return outside >= 0 && bytes_of(number_bits) == end;
}

static int unpack_locations(u32 events, u32 locations_at, u32 end, u32 location_count) {
  u32 bits = locations_at * 8;
  u32 width = location_count > 1 ? 32 - (u32)__builtin_clz(location_count - 1) : 0;
  u32 mask = (1u << width) - 1;
  i32 outside = 0;
  for (u32 i = 0; i < events; i++) {
    u32 place = (u32)bits_at(bits) & mask;
    bits += width;
    outside |= (i32)(location_count - 1 - place);
    locations[i] = chunk_locations[place];
  }
  return outside >= 0 && bytes_of(bits) == end;
}

/* The events by the code and the tables; the places are those of the bits of each column. False if something is wrong with them. */
EXPORT("unpack")
int unpack(u32 events, u32 even_at, u32 odd_at, u32 numbers_at, u32 locations_at, u32 end, u32 action_count, u32 location_count,
           u32 last_access) {
  prepare_actions(action_count, last_access);
  for (u32 i = 0; i < TABLES; i++) next_ids[i] = next_id[i];
  for (u32 i = 0; i < action_count; i++) {
    u32 class = action_class[i];
    u32 bits = class == NEW ? 0 : class < AGO ? class - BACK : class - AGO;
    operand_ways[i].bits = bits;
    operand_ways[i].number_mask = (1u << bits) - 1;
    operand_ways[i].is_new = class == NEW;
    operand_ways[i].is_ago = class >= AGO;
    operand_ways[i].is_back = -(class >= BACK && class < AGO);
    operand_ways[i].last_id = id_count[action_table[i]] - 1;
  }
  return unpack_actions(events, even_at, odd_at, numbers_at) &&
         unpack_operands(events, numbers_at, locations_at) && unpack_locations(events, locations_at, end, location_count);
}

static inline u8 *put_number(u8 *at, u32 number) {
  u8 digits[10];
  u32 count = 0;
  do {
    digits[count++] = (u8)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (count > 0) *at++ = digits[--count];
  return at;
}

/* Names by their templates; returns how many bytes they take, or -1 if that is more than `most`, or something is wrong. */
EXPORT("unpack_names") i32 unpack_names(u32 names, u32 templates, u32 at, u32 end, u32 most) {
  u32 position = at * 8;
  u32 template_bits = templates > 1 ? 32 - (u32)__builtin_clz(templates - 1) : 0;
  u8 *out = name_bytes;
  const u8 *limit = name_bytes + most;
  for (u32 n = 0; n < names; n++) {
    u32 template = (u32)bits_at(position) & ((1u << template_bits) - 1);
    position += template_bits;
    if (template >= templates) return -1;
    u32 numbers = template_numbers[template];
    const i32 *start = piece_start + template * (MOST_NUMBERS + 1);
    const i32 *length = piece_length + template * (MOST_NUMBERS + 1);
    i32 text = 0;
    for (u32 i = 0; i <= numbers; i++) text += length[i];
    if (text > limit - out || position > end * 8) return -1;
    for (u32 i = 0;; i++) {
      for (i32 j = 0; j < length[i]; j++) *out++ = loaded[start[i] + j];
      if (i == numbers) break;
      u32 column = template * MOST_NUMBERS + i;
      u32 above = (u32)bits_at(position) & ((1u << number_bits[column]) - 1);
      position += number_bits[column];
      i32 before = number_is_difference[column] ? number_before[column] : 0;
      i64 number = (i64)before + least_number[column] + above;
      if (number < 0 || number > LARGEST_NUMBER) return -1;
      number_before[column] = (i32)number;
      out = put_number(out, (u32)number);
    }
    if (out > limit) return -1;
    name_ends[n] = (i32)(out - name_bytes);
  }
  return bytes_of(position) == end ? (i32)(out - name_bytes) : -1;
}
