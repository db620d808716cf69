#include "trk.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

enum { CHUNK = 8192, MOST_NAMES = 256 << 10, SAFE_DESCRIPTOR = 900, VERSION = 2 };


/* The chunk that is being made, as the columns that are written: which action each event is, on what, and where. */
static u16 action_of[CHUNK], location_of[CHUNK];
static u32 operand_of[CHUNK];
static u32 event_count;
static u64 events_written;

/* What is done, by whom, and the least of what it is done to; by thread and operation, and those of this chunk. */
struct action { u32 stamp, index, thread, least; };
static struct action *actions;
static size_t actions_room;
static u32 chunk_actions[CHUNK], action_count;
static struct { u32 stamp, index; } *locations;
static size_t locations_room;
static u32 chunk_locations[CHUNK], location_count;
static u32 stamp;

static struct bytes names[TABLES];
static u32 name_counts[TABLES];
static u32 ids[TABLES];
static struct bytes body;
static int output = -1;
static bool is_socket;

/* Room for so many more bytes, which are used from now on. */
static u8 *bytes_more(struct bytes *b, size_t size) {
  if (UNLIKELY(b->used + size > b->room)) {
    size_t room = b->room == 0 ? 1 << 16 : b->room * 2;
    while (room < b->used + size) room *= 2;
    u8 *bigger = map_pages(room);
    for (size_t i = 0; i < b->used; i++) bigger[i] = b->at[i];
    if (b->at != NULL) munmap(b->at, b->room);
    b->at = bigger;
    b->room = room;
  }
  b->used += size;
  return b->at + b->used - size;
}

void bytes_add(struct bytes *b, const void *more, size_t size) {
  u8 *to = bytes_more(b, size);
  const u8 *from = more;
  for (size_t i = 0; i < size; i++) to[i] = from[i];
}

static void add_byte(struct bytes *b, u32 value) {
  *bytes_more(b, 1) = (u8)value;
}

static void add_varint(struct bytes *b, u32 value) {
  while (value >= 0x80) {
    add_byte(b, value | 0x80);
    value >>= 7;
  }
  add_byte(b, value);
}

/* ---- Checksums, sixteen bytes at a time ---- */

enum { AT_A_TIME = 16 };
static u32 crc_tables[AT_A_TIME][256];

static void make_crc_tables(void) {
  for (u32 i = 0; i < 256; i++) {
    u32 c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    crc_tables[0][i] = c;
  }
  for (u32 i = 0; i < 256; i++)
    for (int k = 1; k < AT_A_TIME; k++)
      crc_tables[k][i] = crc_tables[k - 1][i] >> 8 ^ crc_tables[0][crc_tables[k - 1][i] & 255];
}

static u32 crc_of(const u8 *at, size_t size) {
  u32 c = ~0u;
  for (; size >= AT_A_TIME; at += AT_A_TIME, size -= AT_A_TIME) {
    u32 next = 0;
    for (u32 i = 0; i < 4; i++) next ^= crc_tables[AT_A_TIME - 1 - i][at[i] ^ (c >> 8 * i & 255)];
    for (u32 i = 4; i < AT_A_TIME; i++) next ^= crc_tables[AT_A_TIME - 1 - i][at[i]];
    c = next;
  }
  while (size-- > 0) c = crc_tables[0][(c ^ *at++) & 255] ^ c >> 8;
  return ~c;
}

/* ---- Output ---- */

static void write_all(const void *data, size_t size) {
  const u8 *at = data;
  while (size > 0 && output >= 0) {
    ssize_t done = is_socket ? send(output, at, size, MSG_NOSIGNAL) : write(output, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      /* Whoever wanted it has gone: the program goes on without. */
      rt.off = 1;
      output = -1;
      return;
    }
    at += done;
    size -= (size_t)done;
  }
}

static void write_chunk(const struct bytes *chunk) {
  u32 frame[2] = {(u32)chunk->used, crc_of(chunk->at, chunk->used)};
  write_all(frame, sizeof frame);
  write_all(chunk->at, chunk->used);
}

/* `close` of the program leaves our descriptor alone. */
static void really_close(int fd) { syscall(SYS_close, fd); }

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = 0;
  while (path[length] != 0 && length < sizeof address.sun_path - 1) {
    address.sun_path[length] = path[length];
    length++;
  }
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    really_close(fd);
    return -1;
  }
  return fd;
}

bool trk_open(void) {
  const char *path = getenv("TRACKSIDE_TRACE");
  if (path == NULL || path[0] == 0) return false;
  struct stat found;
  is_socket = stat(path, &found) == 0 && S_ISSOCK(found.st_mode);
  char own[4200];
  snprintf(own, sizeof own, "%s", path);
  /* Processes that the program starts have the same environment: each writes a file of its own. */
  static const char *first;
  if (first == NULL) first = getenv("TRACKSIDE_TRACE_OF");
  if (!is_socket && first != NULL) snprintf(own, sizeof own, "%s.%d", path, getpid());
  int fd = is_socket ? connect_to(path) : open(own, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) {
    dprintf(2, "trackside: cannot write the trace to %s (error %d); nothing is recorded\n", own, errno);
    return false;
  }
  if (!is_socket) setenv("TRACKSIDE_TRACE_OF", "first", 1);
  first = "known";
  /* Out of the way of programs that count on getting small numbers. */
  int high = fcntl(fd, F_DUPFD_CLOEXEC, SAFE_DESCRIPTOR);
  if (high >= 0) {
    really_close(fd);
    fd = high;
  }
  make_crc_tables();
  output = fd;
  stamp++;
  if (is_socket) {
    char exe[4096], line[4400];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[length > 0 ? length : 0] = 0;
    const char *name = exe;
    for (char *c = exe; *c != 0; c++) {
      if (*c == '/') name = c + 1;
      if ((u8)*c < 32 || *c == '"' || *c == '\\') *c = '?';
    }
    int size = snprintf(line, sizeof line, "{\"pid\":%d,\"name\":\"%s\"}\n", getpid(), name);
    write_all(line, (size_t)size);
  }
  static const u8 magic[8] = {0x89, 'T', 'R', 'K', '\r', '\n', 0x1a, '\n'};
  u32 version = VERSION;
  write_all(magic, sizeof magic);
  write_all(&version, sizeof version);
  return true;
}

int trk_descriptor(void) { return output; }

/* ---- Chunks ---- */

/* Ids of variables that are gone: to be said, and then to be given to others, whose names are told with the next chunk. */
static struct bytes retired, spare, renamed;
static u32 retired_count, renamed_count;

void trk_retire(u32 variable) {
  bytes_add(&retired, &variable, sizeof variable);
  retired_count++;
}

static void add_ids(const struct bytes *list, u32 count) {
  add_varint(&body, count);
  for (u32 i = 0; i < count; i++) add_varint(&body, ((const u32 *)list->at)[i]);
}

/* A chunk of names: before the chunk of events that uses them. */
static void flush_renamed(void) {
  if (renamed_count == 0) return;
  body.used = 0;
  add_byte(&body, 3);
  for (int i = 0; i < TABLES; i++) {
    add_varint(&body, 0);
    add_varint(&body, i == VARIABLES ? renamed_count : 0);
    if (i == VARIABLES) bytes_add(&body, renamed.at, renamed.used);
  }
  write_chunk(&body);
  renamed.used = renamed_count = 0;
}

/* After the chunk of events that may have used them. */
static void flush_retired(void) {
  if (retired_count == 0) return;
  body.used = 0;
  add_byte(&body, 3);
  for (int i = 0; i < TABLES; i++) {
    if (i == VARIABLES) add_ids(&retired, retired_count);
    else add_varint(&body, 0);
    add_varint(&body, 0);
  }
  write_chunk(&body);
  bytes_add(&spare, retired.at, retired.used);
  retired.used = retired_count = 0;
}

static u32 name_again(const char *name, size_t size) {
  spare.used -= sizeof(u32);
  u32 id = *(u32 *)(spare.at + spare.used);
  add_varint(&renamed, id);
  add_varint(&renamed, (u32)size);
  bytes_add(&renamed, name, size);
  renamed_count++;
  return id;
}

u32 trk_name(enum table table, const char *name, size_t size) {
  if (table == VARIABLES && spare.used > 0) return name_again(name, size);
  add_varint(&names[table], (u32)size);
  bytes_add(&names[table], name, size);
  name_counts[table]++;
  return ids[table]++;
}

static void *grown(void *old, size_t *room, size_t needed, size_t size) {
  if (needed < *room) return old;
  size_t bigger = *room == 0 ? 4096 : *room;
  while (bigger <= needed) bigger *= 2;
  u8 *made = map_pages(bigger * size);
  for (size_t i = 0; i < *room * size; i++) made[i] = ((u8 *)old)[i];
  if (old != NULL) munmap(old, *room * size);
  *room = bigger;
  return made;
}

static u32 width_of(u32 most) { return most == 0 ? 0 : most < 1u << 8 ? 1 : most < 1u << 16 ? 2 : most < 1u << 24 ? 3 : 4; }

/* Gives how many bytes the operands need, as differences from the least. */
static u32 add_actions(void) {
  static u32 least[CHUNK];
  u32 most = 0;
  add_varint(&body, action_count);
  for (u32 i = 0; i < action_count; i++) {
    const struct action *a = &actions[chunk_actions[i]];
    add_byte(&body, chunk_actions[i] % OPS);
    add_varint(&body, a->thread);
    add_varint(&body, a->least);
    least[i] = a->least;
  }
  for (u32 i = 0; i < event_count; i++) {
    operand_of[i] -= least[action_of[i]];
    most |= operand_of[i];
  }
  return width_of(most);
}

static void add_locations(void) {
  add_varint(&body, location_count);
  int64_t before = 0;
  for (u32 i = 0; i < location_count; i++) {
    int64_t value = (int64_t)chunk_locations[i] * 2;
    int64_t difference = value - before;
    add_varint(&body, (u32)(difference >= 0 ? 2 * difference : -2 * difference - 1));
    before = value;
  }
}

#define ADD_COLUMN(width, values)                                                          \
  for (u32 plane = 0; plane < (width); plane++) {                                          \
    u8 *column = bytes_more(&body, event_count);                                           \
    for (u32 i = 0; i < event_count; i++) column[i] = (u8)((u32)(values)[i] >> 8 * plane);  \
  }

void trk_flush(void) {
  bool has_names = false;
  for (int i = 0; i < TABLES; i++) has_names |= name_counts[i] > 0;
  if (event_count == 0 && !has_names && renamed_count == 0) return;
  flush_renamed();
  body.used = 0;
  add_byte(&body, 1);
  add_varint(&body, event_count);
  for (int i = 0; i < TABLES; i++) {
    add_varint(&body, name_counts[i]);
    bytes_add(&body, names[i].at, names[i].used);
    names[i].used = 0;
    name_counts[i] = 0;
  }
  u32 operand_width = add_actions();
  add_locations();
  u32 widths[3] = {action_count <= 256 ? 1 : 2, operand_width, location_count <= 1 ? 0 : location_count <= 256 ? 1 : 2};
  for (int i = 0; i < 3; i++) add_byte(&body, widths[i]);
  ADD_COLUMN(widths[0], action_of)
  ADD_COLUMN(widths[1], operand_of)
  ADD_COLUMN(widths[2], location_of)
  write_chunk(&body);
  events_written += event_count;
  event_count = action_count = location_count = 0;
  stamp++;
  flush_retired();
}

/* The first event of its kind, or at its place, in the chunk. */
static __attribute__((noinline)) void note_new(u32 key, u32 thread, u32 operand, u32 location) {
  actions = grown(actions, &actions_room, key, sizeof *actions);
  locations = grown(locations, &locations_room, location, sizeof *locations);
  if (actions[key].stamp != stamp) {
    actions[key] = (struct action){stamp, action_count, thread, operand};
    chunk_actions[action_count++] = key;
  }
  if (locations[location].stamp != stamp) {
    locations[location].stamp = stamp;
    locations[location].index = location_count;
    chunk_locations[location_count++] = location;
  }
}

static __attribute__((noinline)) void flush_if_full(void) {
  size_t named = renamed.used;
  for (int i = 0; i < TABLES; i++) named += names[i].used;
  if (event_count == CHUNK || named > MOST_NAMES) trk_flush();
}

void trk_event(enum op op, u32 thread, u32 operand, u32 location) {
  u32 key = thread * OPS + op;
  if (UNLIKELY(key >= actions_room || location >= locations_room || actions[key].stamp != stamp ||
               locations[location].stamp != stamp))
    note_new(key, thread, operand, location);
  struct action *a = &actions[key];
  if (operand < a->least) a->least = operand;
  u32 at = event_count++;
  action_of[at] = (u16)a->index;
  operand_of[at] = operand;
  location_of[at] = (u16)locations[location].index;
  if (UNLIKELY(event_count % 64 == 0)) flush_if_full();
}

void trk_close(void) {
  trk_flush();
  body.used = 0;
  add_byte(&body, 2);
  bytes_add(&body, &events_written, sizeof events_written);
  write_chunk(&body);
  if (output >= 0) really_close(output);
  output = -1;
}

void trk_forget(void) {
  if (output >= 0) really_close(output);
  output = -1;
  event_count = action_count = location_count = 0;
  events_written = 0;
  /* The writer of the other process may have been about to make them larger. */
  for (int i = 0; i < TABLES; i++) {
    names[i] = (struct bytes){0};
    name_counts[i] = ids[i] = 0;
  }
  body = retired = spare = renamed = (struct bytes){0};
  retired_count = renamed_count = 0;
  actions = NULL;
  locations = NULL;
  actions_room = locations_room = 0;
}
