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

struct event { u32 thread, operand, location; u8 op; };
struct action { u32 stamp, index, least; };

static struct event events[CHUNK];
static u32 event_count;
static u64 events_written;
static struct bytes names[TABLES];
static u32 name_counts[TABLES];
static u32 ids[TABLES];
static u16 action_of[CHUNK], location_of[CHUNK];
static struct action *actions;
static size_t actions_room;
static struct { u32 stamp, index; } *location_index;
static size_t location_room;
static u32 stamp;
static struct bytes body;
static int output = -1;
static bool is_socket;

void bytes_add(struct bytes *b, const void *more, size_t size) {
  if (b->used + size > b->room) {
    size_t room = b->room == 0 ? 1 << 16 : b->room * 2;
    while (room < b->used + size) room *= 2;
    u8 *bigger = map_pages(room);
    for (size_t i = 0; i < b->used; i++) bigger[i] = b->at[i];
    if (b->at != NULL) munmap(b->at, b->room);
    b->at = bigger;
    b->room = room;
  }
  const u8 *from = more;
  for (size_t i = 0; i < size; i++) b->at[b->used + i] = from[i];
  b->used += size;
}

static void add_byte(struct bytes *b, u32 value) {
  u8 byte = (u8)value;
  bytes_add(b, &byte, 1);
}

static void add_varint(struct bytes *b, u32 value) {
  while (value >= 0x80) {
    add_byte(b, value | 0x80);
    value >>= 7;
  }
  add_byte(b, value);
}

/* ---- Checksums, eight bytes at a time ---- */

static u32 crc_tables[8][256];

static void make_crc_tables(void) {
  for (u32 i = 0; i < 256; i++) {
    u32 c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    crc_tables[0][i] = c;
  }
  for (u32 i = 0; i < 256; i++)
    for (int k = 1; k < 8; k++) crc_tables[k][i] = crc_tables[k - 1][i] >> 8 ^ crc_tables[0][crc_tables[k - 1][i] & 255];
}

static u32 crc_of(const u8 *at, size_t size) {
  u32 c = ~0u;
  for (; size >= 8; at += 8, size -= 8) {
    c ^= (u32)at[0] | (u32)at[1] << 8 | (u32)at[2] << 16 | (u32)at[3] << 24;
    c = crc_tables[7][c & 255] ^ crc_tables[6][c >> 8 & 255] ^ crc_tables[5][c >> 16 & 255] ^ crc_tables[4][c >> 24] ^
        crc_tables[3][at[4]] ^ crc_tables[2][at[5]] ^ crc_tables[1][at[6]] ^ crc_tables[0][at[7]];
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
  stamp = 1;
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

/* The actions of the chunk: each event's, and their least operands. */
static u32 add_actions(void) {
  u32 count = 0;
  static u32 order[CHUNK];
  for (u32 i = 0; i < event_count; i++) {
    u32 key = events[i].thread * OPS + events[i].op;
    actions = grown(actions, &actions_room, key, sizeof *actions);
    struct action *a = &actions[key];
    if (a->stamp != stamp) {
      *a = (struct action){stamp, count, events[i].operand};
      order[count++] = i;
    }
    if (events[i].operand < a->least) a->least = events[i].operand;
    action_of[i] = (u16)a->index;
  }
  add_varint(&body, count);
  u32 most = 0;
  for (u32 i = 0; i < count; i++) {
    const struct event *e = &events[order[i]];
    add_byte(&body, e->op);
    add_varint(&body, e->thread);
    add_varint(&body, actions[e->thread * OPS + e->op].least);
  }
  for (u32 i = 0; i < event_count; i++) {
    events[i].operand -= actions[events[i].thread * OPS + events[i].op].least;
    if (events[i].operand > most) most = events[i].operand;
  }
  return count << 3 | width_of(most);
}

static u32 add_locations(void) {
  u32 count = 0;
  static u32 order[CHUNK];
  for (u32 i = 0; i < event_count; i++) {
    u32 value = events[i].location;
    location_index = grown(location_index, &location_room, value, sizeof *location_index);
    if (location_index[value].stamp != stamp) {
      location_index[value].stamp = stamp;
      location_index[value].index = count;
      order[count++] = value;
    }
    location_of[i] = (u16)location_index[value].index;
  }
  add_varint(&body, count);
  int64_t before = 0;
  for (u32 i = 0; i < count; i++) {
    int64_t value = (int64_t)order[i] * 2;
    int64_t difference = value - before;
    add_varint(&body, (u32)(difference >= 0 ? 2 * difference : -2 * difference - 1));
    before = value;
  }
  return count;
}

#define ADD_COLUMN(width, expression)                                                      \
  for (u32 plane = 0; plane < (width); plane++) {                                          \
    static u8 column[CHUNK];                                                               \
    for (u32 i = 0; i < event_count; i++) column[i] = (u8)((u32)(expression) >> 8 * plane); \
    bytes_add(&body, column, event_count);                                                 \
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
  u32 found = add_actions();
  u32 locations = add_locations();
  u32 widths[3] = {found >> 3 <= 256 ? 1 : 2, found & 7, locations <= 1 ? 0 : locations <= 256 ? 1 : 2};
  for (int i = 0; i < 3; i++) add_byte(&body, widths[i]);
  ADD_COLUMN(widths[0], action_of[i])
  ADD_COLUMN(widths[1], events[i].operand)
  ADD_COLUMN(widths[2], location_of[i])
  write_chunk(&body);
  events_written += event_count;
  event_count = 0;
  stamp++;
  flush_retired();
}

void trk_event(enum op op, u32 thread, u32 operand, u32 location) {
  events[event_count++] = (struct event){thread, operand, location, (u8)op};
  size_t named = 0;
  if (event_count % 64 == 0) {
    named = renamed.used;
    for (int i = 0; i < TABLES; i++) named += names[i].used;
  }
  if (event_count == CHUNK || named > MOST_NAMES) trk_flush();
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
  event_count = 0;
  events_written = 0;
  for (int i = 0; i < TABLES; i++) names[i].used = name_counts[i] = ids[i] = 0;
  retired.used = spare.used = renamed.used = retired_count = renamed_count = 0;
}
