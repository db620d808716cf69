/* What the interceptors of locks, conditions and barriers share. */
#ifndef TRACKSIDE_LOCKS_H
#define TRACKSIDE_LOCKS_H

#include "rt.h"

/* Something that threads wait for, by its address. */
struct sync {
  uptr address;
  u32 guard;      /* around the rest where nothing else protects it */
  u32 owner;      /* slot that holds it as a mutex */
  u32 depth;
  u32 generation; /* how often it was initialised: each time it is another one */
  u32 initial;    /* of a semaphore, plus one */
  u32 slot;       /* who was the last one to do something that others come after */
  u64 position;   /* and where in its log */
  u32 clock[CLOCK_SLOTS]; /* by slot: up to which epoch whoever comes now comes after it */
};

/* NULL if there is none, and none is to be made. */
struct sync *sync_at(const void *address, bool makes);

/* The thread that is to record something, inside of the runtime from here to `leave`; NULL if nothing is recorded. */
struct thread *entered(void);

void lock_acquired(const void *lock, uptr pc);
void lock_released(const void *lock, uptr pc);
void lock_wanted(uptr pc);
void lock_given_back(uptr pc);
/* The same for locks that the program makes of atomics; inside of the runtime already. */
void own_lock_taken(struct thread *t, uptr lock, uptr pc);
void own_lock_given(struct thread *t, uptr lock, uptr pc);
void lock_new(const void *lock);
/* The open blocks of the thread are over: it waits for others. */
void before_waiting(const void *lock, uptr pc);
void after_waiting(const void *condition, const void *lock, uptr pc);
void notified(const void *condition, uptr pc);
/* Semaphores and `once`: order without waiting for it in the log. */
void came_after(const void *condition, uptr pc);
void semaphore_new(const void *semaphore, u32 value);
void before_semaphore(const void *semaphore, uptr pc);
void barrier_reached(const void *barrier, uptr pc);
void barrier_passed(const void *barrier, uptr pc);
void read_locked(const void *lock, uptr pc);
void read_unlocked(const void *lock, uptr pc);
void write_locked(const void *lock, uptr pc);
void write_unlocked(const void *lock, uptr pc);

/* Atomics of which the standard library makes semaphores and the like: between begin and end nobody else gets in. */
struct sync *atomic_sync_begin(struct thread *t, uptr address, bool waits);
void atomic_sync_record(struct thread *t, struct sync *s, enum kind kind, uptr pc);
void atomic_sync_end(struct sync *s);

struct started { uptr function; void *argument; u32 number; u32 parent; u64 position; u32 clock[CLOCK_SLOTS]; };
void thread_will_start(struct started *started, uptr function, void *argument, uptr pc);
void thread_runs(struct started *started);
void thread_made(u32 number, uptr handle);
/* On the first hook of a thread, whoever has started it. */
void thread_introduce(void);
void thread_ends(uptr handle, u32 number);
void thread_joined(uptr handle, uptr pc);
/* Before waiting for a thread to end. */
void before_joining(void);

/* After fork: whoever else held something is not here. */
void locks_after_fork(void);
void handles_after_fork(void);

/* Epochs by slot: `to` comes after what `from` comes after, or after what the thread has done so far. */
void clock_join(u32 *to, const u32 *from);
void clock_pass(const struct thread *t, u32 *to);

#endif
