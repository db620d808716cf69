#include "names.h"
#include <stdio.h>
#include <string.h>

/* ---- Tables from numbers to ids ---- */

struct entry { u64 key; u32 id, used; };
struct map { struct entry *at; size_t room, used; };

static struct entry *map_find(struct map *m, u64 key) {
  if (m->used * 2 >= m->room) {
    struct map bigger = {map_pages((m->room == 0 ? 4096 : m->room * 2) * sizeof *m->at), m->room == 0 ? 4096 : m->room * 2, 0};
    for (size_t i = 0; i < m->room; i++)
      if (m->at[i].used) {
        *map_find(&bigger, m->at[i].key) = m->at[i];
        bigger.used++;
      }
    *m = bigger;
  }
  for (size_t i = key * 0x9e3779b97f4a7c15u >> 20;; i++) {
    struct entry *e = &m->at[i & (m->room - 1)];
    if (!e->used || e->key == key) return e;
  }
}

/* The id is to be given where `used` is 0. */
static struct entry *map_at(struct map *m, u64 key, bool *is_new) {
  struct entry *e = map_find(m, key);
  *is_new = !e->used;
  if (*is_new) {
    e->key = key;
    e->used = 1;
    m->used++;
  }
  return e;
}

/* The ids that were asked for last: most events are at few places. */
enum { RECENT = 1024 };
struct recent { u64 key; u32 id; };

static struct recent *recent_at(struct recent *recent, u64 key) {
  return &recent[(key ^ key >> 10 ^ key >> 20) % RECENT];
}

static struct recent recent_locations[RECENT], recent_labels[RECENT];

static struct map threads_map, locks_map, locations_map, labels_map, sites_map, data_map;

/* ---- Memory blocks of the program ---- */

struct allocation { uptr base; size_t size; u32 site, number, next_free; };
static struct bytes allocations; /* of struct allocation */
static u32 free_allocation;
static struct bytes site_numbers; /* of u32: how many blocks each site has made */
static u32 site_count;
enum { BIG = 1 << 16, MOST_BIG = 4096, WHOLE = 1, HALVES = 2, SPLIT = 3 };
static u32 big[MOST_BIG];
static u32 big_count;

static struct allocation *allocation_at(u32 index) { return &((struct allocation *)allocations.at)[index]; }

static struct word_names *names_of(uptr address) {
  struct region *region = region_of(address);
  return region == NULL ? NULL : &region->names[word_in_region(address)];
}

static const struct allocation *allocation_of(uptr address) {
  struct word_names *w = names_of(address);
  if (w != NULL && w->block >> 2 != 0) return allocation_at(w->block >> 2);
  for (u32 i = 0; i < big_count; i++) {
    const struct allocation *a = allocation_at(big[i]);
    if (address - a->base < a->size) return a;
  }
  return NULL;
}

/* A global variable; an unused location says where it is, how large, and its names for linkers and for people. */
static u32 data_of(const struct symbol *s, uptr address) {
  bool is_new;
  struct entry *e = map_at(&data_map, (uptr)s, &is_new);
  if (!is_new) return e->id;
  char text[2048];
  u32 id = e->id = (u32)data_map.used;
  size_t used = (size_t)snprintf(text, sizeof text, "data %u ", id);
  used += describe_address(symbol_start(s, address), text + used, sizeof text - used);
  used += (size_t)snprintf(text + used, sizeof text - used, " %lu %.900s ", (unsigned long)s->size, s->name);
  used += symbol_text(s, text + used, 1000);
  trk_name(LOCATIONS, text, used);
  return id;
}

/* `heap:3#7+16`: byte 16 of the seventh block that was allocated at site 3; `data:2+8`: of the second global variable; … */
static size_t name_of(uptr address, char *text, size_t size) {
  const struct allocation *a = allocation_of(address);
  if (a != NULL)
    return (size_t)snprintf(text, size, "heap:%u#%u+%lu", a->site, a->number, (unsigned long)(address - a->base));
  const struct symbol *s = symbol_at(address);
  if (s != NULL) {
    unsigned long offset = address - symbol_start(s, address);
    return (size_t)snprintf(text, size, "data:%u+%lu", data_of(s, address), offset);
  }
  if (is_in_module(address)) return describe_address(address, text, size);
  for (u32 i = 1; i < load_acquire(&slots_used); i++)
    if (address >= threads[i].stack_low && address < threads[i].stack_high)
      return (size_t)snprintf(text, size, "stack(%u)-%lu", threads[i].number, (unsigned long)(threads[i].stack_high - address));
  return (size_t)snprintf(text, size, "0x%lx", (unsigned long)address);
}

static u32 new_name(enum table table, uptr address) {
  char text[1024];
  size_t size = name_of(address, text, sizeof text - 32);
  return trk_name(table, text, size < sizeof text ? size : sizeof text - 1);
}

static u32 site_of(const uptr *sites, u32 count, size_t size) {
  u64 key = 0;
  for (u32 i = 0; i < count; i++) key = (key ^ sites[i]) * 0x100000001b3u + 1;
  bool is_new;
  struct entry *e = map_at(&sites_map, key, &is_new);
  if (!is_new) return e->id;
  char text[512];
  size_t used = (size_t)snprintf(text, sizeof text, "site %u %lu", site_count, (unsigned long)size);
  for (u32 i = 0; i < count && used < 400; i++) {
    text[used++] = ' ';
    used += describe_address(sites[i], text + used, sizeof text - used);
  }
  trk_name(LOCATIONS, text, used);
  u32 none = 0;
  bytes_add(&site_numbers, &none, sizeof none);
  return e->id = site_count++;
}

void memory_allocated(uptr address, size_t size, const uptr *sites, u32 count) {
  u32 index = free_allocation;
  struct allocation made = {address, size, site_of(sites, count, size), 0, 0};
  made.number = ++((u32 *)site_numbers.at)[made.site];
  if (index != 0) {
    free_allocation = allocation_at(index)->next_free;
    *allocation_at(index) = made;
  } else {
    if (allocations.used == 0) bytes_add(&allocations, &made, sizeof made);
    index = (u32)(allocations.used / sizeof made);
    bytes_add(&allocations, &made, sizeof made);
  }
  if (size >= BIG) {
    if (big_count < MOST_BIG) big[big_count++] = index;
    return;
  }
  for (uptr at = address; at < address + size; at += 8) {
    struct word_names *w = names_of(at);
    if (w != NULL) *w = (struct word_names){.block = index << 2};
  }
}

static void retire_word(struct word_names *w);

void memory_freed(uptr address, size_t size) {
  struct word_names *first = names_of(address);
  u32 index = first == NULL ? 0 : first->block >> 2;
  if (index != 0 && allocation_at(index)->base != address) index = 0;
  for (u32 i = 0; index == 0 && i < big_count; i++)
    if (allocation_at(big[i])->base == address) {
      index = big[i];
      big[i] = big[--big_count];
    }
  for (uptr at = address & ~(uptr)7; at < address + size; at += 8) {
    struct word_names *w = names_of(at);
    if (w == NULL || (w->block >> 2 != 0 && w->block >> 2 != index)) continue;
    retire_word(w);
    *w = (struct word_names){.block = 0};
  }
  if (index == 0) return;
  allocation_at(index)->next_free = free_allocation;
  free_allocation = index;
}

/* ---- Variables: the bytes that are accessed together ---- */

/* By byte: id plus one, or 0. Bytes with the same id lie side by side. */
union split { u32 ids[8]; u32 next_free; };
static struct bytes splits;
static u32 free_split;

static union split *split_at(u32 index) { return &((union split *)splits.at)[index]; }

static u32 new_split(void) {
  union split none = {{0}};
  u32 index = free_split;
  if (index == 0) {
    if (splits.used == 0) bytes_add(&splits, &none, sizeof none);
    index = (u32)(splits.used / sizeof none);
    bytes_add(&splits, &none, sizeof none);
    return index;
  }
  free_split = split_at(index)->next_free;
  *split_at(index) = none;
  return index;
}

static void retire_word(struct word_names *w) {
  u32 how = w->block & 3;
  if (how == WHOLE || how == HALVES)
    for (u32 i = 0; i < 2; i++)
      if (w->ids[i] != 0) trk_retire(w->ids[i] - 1);
  if (how != SPLIT) return;
  union split *s = split_at(w->ids[0]);
  for (u32 i = 0; i < 8; i++)
    if (s->ids[i] != 0 && (i == 0 || s->ids[i - 1] != s->ids[i])) trk_retire(s->ids[i] - 1);
  s->next_free = free_split;
  free_split = w->ids[0];
}

/*
 * Bytes that were accessed together are one variable. When some of them are accessed without the others, these keep what
 * is known, as all of it was about them as well, and the others are a new variable when somebody accesses them.
 */
static u32 variables_of_split(uptr word, u32 index, u32 mask, u32 *found) {
  u32 count = 0;
  for (u32 i = 0; i < 8;) {
    if (!(mask >> i & 1)) {
      i++;
      continue;
    }
    u32 id = split_at(index)->ids[i];
    u32 end = i;
    while (end < 8 && mask >> end & 1 && split_at(index)->ids[end] == id) end++;
    if (id == 0) {
      id = new_name(VARIABLES, word + i) + 1;
    } else {
      for (u32 k = 0; k < 8; k++)
        if ((k < i || k >= end) && split_at(index)->ids[k] == id) split_at(index)->ids[k] = 0;
    }
    for (u32 k = i; k < end; k++) split_at(index)->ids[k] = id;
    found[count++] = id - 1;
    i = end;
  }
  return count;
}

static void divide(struct word_names *w, u32 how) {
  w->block = (w->block & ~3u) | how;
}

/* The words of memory are whole, halves, or something else, which takes more room. */
static u32 variables_of_new(uptr word, struct word_names *w, u32 mask, u32 *found) {
  u32 how = w->block & 3;
  bool is_half = mask == 0x0f || mask == 0xf0;
  if (how == 0 && (mask == 0xff || is_half)) {
    divide(w, mask == 0xff ? WHOLE : HALVES);
    u32 id = new_name(VARIABLES, word + (mask == 0xf0 ? 4 : 0));
    w->ids[mask == 0xf0] = id + 1;
    found[0] = id;
    return 1;
  }
  if (how == WHOLE && is_half) {
    found[0] = w->ids[0] - 1;
    divide(w, HALVES);
    w->ids[0] = mask == 0x0f ? found[0] + 1 : 0;
    w->ids[1] = mask == 0xf0 ? found[0] + 1 : 0;
    return 1;
  }
  if (how == HALVES && is_half) {
    found[0] = new_name(VARIABLES, word + (mask == 0xf0 ? 4 : 0));
    w->ids[mask == 0xf0] = found[0] + 1;
    return 1;
  }
  if (how != SPLIT) {
    u32 index = new_split();
    for (u32 i = 0; i < 8; i++) split_at(index)->ids[i] = w->ids[how == HALVES ? i / 4 : 0];
    w->ids[0] = index;
    w->ids[1] = 0;
    divide(w, SPLIT);
  }
  return variables_of_split(word, w->ids[0], mask, found);
}

/* The id plus one if these bytes, and no others, are a variable of a word that is divided; otherwise 0. */
static u32 variable_of_bytes(const union split *s, u32 mask) {
  u32 first = (u32)__builtin_ctz(mask | 0x100) & 7, last = 31 - (u32)__builtin_clz(mask | 1);
  u32 id = s->ids[first];
  bool is_whole = s->ids[last] == id && (first == 0 || s->ids[first - 1] != id) && (last == 7 || s->ids[last + 1] != id);
  return is_whole ? id : 0;
}

u32 variables_of(uptr word, u32 mask, u32 *found) {
  struct word_names *w = names_of(word);
  if (w == NULL) return 0;
  u32 how = w->block & 3, known = 0;
  if (how == WHOLE && mask == 0xff) known = w->ids[0];
  else if (how == HALVES && (mask == 0x0f || mask == 0xf0)) known = w->ids[mask >> 7];
  else if (how == SPLIT) known = variable_of_bytes(split_at(w->ids[0]), mask);
  if (UNLIKELY(known == 0)) return variables_of_new(word, w, mask, found);
  found[0] = known - 1;
  return 1;
}

/* ---- Everything else ---- */

u32 lock_id(uptr address, u32 generation) {
  bool is_new;
  struct entry *e = map_at(&locks_map, (u64)generation << 48 | address, &is_new);
  if (is_new) e->id = new_name(LOCKS, address);
  return e->id;
}

u32 location_marked(uptr pc, char mark) {
  if (pc == 0) return 0;
  bool is_new;
  u64 key = (u64)(u8)mark << 56 | pc;
  struct recent *recent = recent_at(recent_locations, key);
  if (LIKELY(recent->key == key)) return recent->id;
  struct entry *e = map_at(&locations_map, key, &is_new);
  if (is_new) {
    char text[64];
    size_t size = describe_address(pc, text, sizeof text - 1);
    if (mark != 0) text[size++] = mark;
    e->id = trk_name(LOCATIONS, text, size) + 1;
  }
  *recent = (struct recent){key, e->id};
  return e->id;
}

u32 location_id(uptr pc) {
  const struct recent *recent = recent_at(recent_locations, pc);
  return LIKELY(recent->key == pc && pc != 0) ? recent->id : location_marked(pc, 0);
}

static u32 new_label_of_function(uptr pc) {
  const struct symbol *s = symbol_at(pc);
  bool is_new;
  struct entry *e = map_at(&labels_map, s == NULL ? pc : (uptr)s->name, &is_new);
  if (!is_new) return e->id;
  char text[1024];
  size_t size = s == NULL ? describe_address(pc, text, sizeof text) : symbol_text(s, text, sizeof text);
  return e->id = trk_name(LABELS, text, size);
}

u32 label_of_function(uptr pc) {
  struct recent *recent = recent_at(recent_labels, pc);
  if (recent->key != pc) *recent = (struct recent){pc, new_label_of_function(pc)};
  return recent->id;
}

/* An unused location says which functions are no blocks, after all. */
void tell_guessed(uptr pc) {
  const struct symbol *s = symbol_at(pc);
  char text[1040] = "guessed ";
  size_t size = s == NULL ? describe_address(pc, text + 8, 1024) : symbol_text(s, text + 8, 1024);
  trk_name(LOCATIONS, text, size + 8);
}

void tell_call(uptr call, const char *what) {
  char text[128];
  size_t size = (size_t)snprintf(text, sizeof text, "%s ", what);
  size += describe_address(call, text + size, sizeof text - size);
  trk_name(LOCATIONS, text, size);
}

u32 label_of_text(const char *text) {
  bool is_new;
  struct entry *e = map_at(&labels_map, (uptr)text, &is_new);
  if (is_new) e->id = trk_name(LABELS, text, strlen(text));
  return e->id;
}

u32 thread_id(u32 number) {
  bool is_new;
  struct entry *e = map_at(&threads_map, number, &is_new);
  if (!is_new) return e->id;
  char text[256], function[200];
  const struct symbol *s = number == 0 ? NULL : symbol_at(thread_start_function(number));
  bool is_named = s != NULL && symbol_text(s, function, sizeof function) > 0;
  int size = number == 0 ? snprintf(text, sizeof text, "main")
             : is_named  ? snprintf(text, sizeof text, "%s#%u", function, number)
                         : snprintf(text, sizeof text, "thread#%u", number);
  return e->id = trk_name(THREADS, text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
}

static void tell_location(const char *text, size_t size) { trk_name(LOCATIONS, text, size); }
void tell_modules(void) { describe_new_modules(tell_location); }

/* After fork, a trace of its own begins: blocks of memory keep their places of birth, everything else is named anew. */
void names_forget(void) {
  struct map *maps[] = {&threads_map, &locks_map, &locations_map, &labels_map, &sites_map, &data_map};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) *maps[i] = (struct map){NULL, 0, 0};
  for (u32 i = 0; i < RECENT; i++) recent_locations[i].key = recent_labels[i].key = 0;
  FOR_REGIONS(region) pages_forget(region->names, sizeof region->names);
  /* The writer of the other process may have been about to make them larger. */
  splits = allocations = site_numbers = (struct bytes){0};
  free_split = free_allocation = big_count = site_count = 0;
  forget_modules_told();
}
