/* Writes `.trk` (docs/formats/trk.md). Only the writer's thread calls this. */
#ifndef TRACKSIDE_TRK_H
#define TRACKSIDE_TRK_H

#include "rt.h"

enum table { THREADS, LOCKS, VARIABLES, LABELS, LOCATIONS, TABLES };
enum op {
  OP_READ, OP_WRITE, OP_UPDATE, OP_ACQUIRE, OP_RELEASE, OP_FORK, OP_JOIN, OP_BEGIN, OP_END, OP_ARRIVE, OP_LEAVE,
  OP_VREAD, OP_VWRITE, OP_VUPDATE, OP_SEND, OP_RECEIVE, OP_NOTIFY, OP_WAIT, OPS
};

/* Opens the file or the socket that the environment names. False if there is none. */
bool trk_open(void);
int trk_descriptor(void);
u32 trk_name(enum table table, const char *name, size_t size);
/* The location of an event is the id of its text plus one, or 0. */
void trk_event(enum op op, u32 thread, u32 operand, u32 location);
/* Nothing will use the variable any more. */
void trk_retire(u32 variable);
void trk_flush(void);
void trk_close(void);
/* After fork: the connection is the parent's. */
void trk_forget(void);
/* Bytes that grow. */
struct bytes { u8 *at; size_t used, room; };
void bytes_add(struct bytes *b, const void *more, size_t size);

#endif
