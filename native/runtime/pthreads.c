/* Functions of POSIX threads that the program calls, in front of the real ones. */
#include "locks.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

DECLARE_REAL(pthread_create)
DECLARE_REAL(pthread_join)
DECLARE_REAL(pthread_tryjoin_np)
DECLARE_REAL(pthread_timedjoin_np)
DECLARE_REAL(pthread_mutex_init)
DECLARE_REAL(pthread_mutex_destroy)
DECLARE_REAL(pthread_mutex_lock)
DECLARE_REAL(pthread_mutex_trylock)
DECLARE_REAL(pthread_mutex_timedlock)
DECLARE_REAL(pthread_mutex_clocklock)
DECLARE_REAL(pthread_mutex_unlock)
DECLARE_REAL(pthread_spin_init)
DECLARE_REAL(pthread_spin_lock)
DECLARE_REAL(pthread_spin_trylock)
DECLARE_REAL(pthread_spin_unlock)
DECLARE_REAL(pthread_rwlock_rdlock)
DECLARE_REAL(pthread_rwlock_tryrdlock)
DECLARE_REAL(pthread_rwlock_timedrdlock)
DECLARE_REAL(pthread_rwlock_clockrdlock)
DECLARE_REAL(pthread_rwlock_wrlock)
DECLARE_REAL(pthread_rwlock_trywrlock)
DECLARE_REAL(pthread_rwlock_timedwrlock)
DECLARE_REAL(pthread_rwlock_clockwrlock)
DECLARE_REAL(pthread_rwlock_unlock)
DECLARE_REAL(pthread_cond_wait)
DECLARE_REAL(pthread_cond_timedwait)
DECLARE_REAL(pthread_cond_clockwait)
DECLARE_REAL(pthread_cond_signal)
DECLARE_REAL(pthread_cond_broadcast)
DECLARE_REAL(pthread_barrier_wait)
DECLARE_REAL(pthread_once)
DECLARE_REAL(sem_init)
DECLARE_REAL(sem_wait)
DECLARE_REAL(sem_trywait)
DECLARE_REAL(sem_timedwait)
DECLARE_REAL(sem_post)

/* ---- Threads ---- */

static pthread_key_t end_key;
static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;
enum { LAST_ROUND = 3 };

/* Other destructors of the thread may still do something; those of the last round are the last. */
static void thread_destructor(void *rounds) {
  uptr round = (uptr)rounds;
  if (round < LAST_ROUND) {
    pthread_setspecific(end_key, (void *)(round + 1));
    return;
  }
  struct thread *t = self;
  if (t != NULL) thread_ends((uptr)pthread_self(), t->number);
}

static void make_end_key(void) { pthread_key_create(&end_key, thread_destructor); }

static void know_stack(void) {
  pthread_attr_t attributes;
  void *low;
  size_t size;
  struct thread *t = self;
  if (t == NULL || pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
    t->stack_low = (uptr)low;
    t->stack_high = (uptr)low + size;
  }
  pthread_attr_destroy(&attributes);
}

/* On the first hook of a thread, whoever has started it. */
void thread_introduce(void) {
  struct thread *t = self;
  if (t == NULL) return;
  t->busy = 1;
  know_stack();
  if (t->number != 0) {
    REAL(pthread_once)(&end_key_once, make_end_key);
    pthread_setspecific(end_key, (void *)1);
  }
  t->busy = 0;
}

static void *run_thread(void *data) {
  struct started started = *(struct started *)data;
  plain_free(data);
  thread_runs(&started);
  thread_introduce();
  return ((void *(*)(void *))started.function)(started.argument);
}

EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *data) {
  struct started *started = plain_allocate(sizeof *started);
  if (started == NULL) return EAGAIN;
  thread_will_start(started, (uptr)start, data, CALLER);
  u32 number = started->number;
  int failed = REAL(pthread_create)(handle, attributes, run_thread, started);
  if (failed) plain_free(started);
  else thread_made(number, (uptr)*handle);
  return failed;
}

EXPORT int pthread_join(pthread_t handle, void **result) {
  before_joining();
  int failed = REAL(pthread_join)(handle, result);
  if (!failed) thread_joined((uptr)handle, CALLER);
  return failed;
}

EXPORT int pthread_tryjoin_np(pthread_t handle, void **result) {
  int failed = REAL(pthread_tryjoin_np)(handle, result);
  if (!failed) thread_joined((uptr)handle, CALLER);
  return failed;
}

EXPORT int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *until) {
  before_joining();
  int failed = REAL(pthread_timedjoin_np)(handle, result, until);
  if (!failed) thread_joined((uptr)handle, CALLER);
  return failed;
}

/* ---- Mutexes ---- */

static bool is_taken(int failed) { return failed == 0 || failed == EOWNERDEAD; }

#define TAKES(type, name, parameters, arguments, taken)   \
  EXPORT int name parameters {                            \
    struct thread *t = self;                              \
    if (t != NULL) store_release(&t->hazard, 0);          \
    lock_wanted(CALLER);                                  \
    int failed = REAL(name) arguments;                    \
    if (is_taken(failed)) taken((const void *)lock, CALLER); \
    return failed;                                        \
  }

TAKES(mutex, pthread_mutex_lock, (pthread_mutex_t * lock), (lock), lock_acquired)
TAKES(mutex, pthread_mutex_trylock, (pthread_mutex_t * lock), (lock), lock_acquired)
TAKES(mutex, pthread_mutex_timedlock, (pthread_mutex_t * lock, const struct timespec *until), (lock, until),
      lock_acquired)
TAKES(mutex, pthread_mutex_clocklock, (pthread_mutex_t * lock, clockid_t clock, const struct timespec *until),
      (lock, clock, until), lock_acquired)
TAKES(spin, pthread_spin_lock, (pthread_spinlock_t * lock), (lock), lock_acquired)
TAKES(spin, pthread_spin_trylock, (pthread_spinlock_t * lock), (lock), lock_acquired)
TAKES(rwlock, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock), read_locked)
TAKES(rwlock, pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock), (lock), read_locked)
TAKES(rwlock, pthread_rwlock_timedrdlock, (pthread_rwlock_t * lock, const struct timespec *until), (lock, until),
      read_locked)
TAKES(rwlock, pthread_rwlock_clockrdlock, (pthread_rwlock_t * lock, clockid_t clock, const struct timespec *until),
      (lock, clock, until), read_locked)
TAKES(rwlock, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock), write_locked)
TAKES(rwlock, pthread_rwlock_trywrlock, (pthread_rwlock_t * lock), (lock), write_locked)
TAKES(rwlock, pthread_rwlock_timedwrlock, (pthread_rwlock_t * lock, const struct timespec *until), (lock, until),
      write_locked)
TAKES(rwlock, pthread_rwlock_clockwrlock, (pthread_rwlock_t * lock, clockid_t clock, const struct timespec *until),
      (lock, clock, until), write_locked)

EXPORT int pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *attributes) {
  lock_new(lock);
  return REAL(pthread_mutex_init)(lock, attributes);
}

EXPORT int pthread_mutex_destroy(pthread_mutex_t *lock) {
  lock_new(lock);
  return REAL(pthread_mutex_destroy)(lock);
}

EXPORT int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  lock_new((const void *)lock);
  return REAL(pthread_spin_init)(lock, shared);
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *lock) {
  lock_released(lock, CALLER);
  int failed = REAL(pthread_mutex_unlock)(lock);
  lock_given_back(CALLER);
  return failed;
}

EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock) {
  lock_released((const void *)lock, CALLER);
  int failed = REAL(pthread_spin_unlock)(lock);
  lock_given_back(CALLER);
  return failed;
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  struct sync *s = sync_at(lock, false);
  struct thread *t = self;
  if (s != NULL && t != NULL && s->depth > 0 && s->owner == t->slot) write_unlocked(lock, CALLER);
  else read_unlocked(lock, CALLER);
  int failed = REAL(pthread_rwlock_unlock)(lock);
  lock_given_back(CALLER);
  return failed;
}

/* ---- Conditions, barriers, semaphores, once ---- */

/* A thread that is cancelled while it waits has the mutex again when its clean-up handlers run. */
struct waiting { const void *condition, *lock; uptr pc; };
static void cancelled(void *data) {
  struct waiting *w = data;
  after_waiting(w->condition, w->lock, w->pc);
}

#define WAITS(name, parameters, arguments)                \
  EXPORT int name parameters {                            \
    struct waiting w = {condition, lock, CALLER};         \
    int failed;                                           \
    before_waiting(lock, CALLER);                         \
    pthread_cleanup_push(cancelled, &w);                  \
    failed = REAL(name) arguments;                        \
    pthread_cleanup_pop(0);                               \
    after_waiting(condition, lock, CALLER);               \
    return failed;                                        \
  }

WAITS(pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *lock), (condition, lock))
WAITS(pthread_cond_timedwait, (pthread_cond_t * condition, pthread_mutex_t *lock, const struct timespec *until),
      (condition, lock, until))
WAITS(pthread_cond_clockwait,
      (pthread_cond_t * condition, pthread_mutex_t *lock, clockid_t clock, const struct timespec *until),
      (condition, lock, clock, until))

EXPORT int pthread_cond_signal(pthread_cond_t *condition) {
  notified(condition, CALLER);
  return REAL(pthread_cond_signal)(condition);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *condition) {
  notified(condition, CALLER);
  return REAL(pthread_cond_broadcast)(condition);
}

EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier) {
  barrier_reached(barrier, CALLER);
  int result = REAL(pthread_barrier_wait)(barrier);
  barrier_passed(barrier, CALLER);
  return result;
}

static __thread void (*once_routine)(void) __attribute__((tls_model("local-exec")));
static __thread pthread_once_t *once_control __attribute__((tls_model("local-exec")));
static void run_once(void) {
  pthread_once_t *control = once_control;
  once_routine();
  notified(control, (uptr)once_routine);
}

EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  once_routine = routine;
  once_control = control;
  int failed = REAL(pthread_once)(control, run_once);
  came_after(control, CALLER);
  return failed;
}

EXPORT int sem_init(sem_t *semaphore, int shared, unsigned value) {
  semaphore_new(semaphore, value);
  return REAL(sem_init)(semaphore, shared, value);
}

#define PASSES(name, parameters, arguments)                     \
  EXPORT int name parameters {                                  \
    before_semaphore(semaphore, CALLER);                        \
    int failed = REAL(name) arguments;                          \
    if (!failed) came_after(semaphore, CALLER);                 \
    return failed;                                              \
  }

PASSES(sem_wait, (sem_t * semaphore), (semaphore))
PASSES(sem_trywait, (sem_t * semaphore), (semaphore))
PASSES(sem_timedwait, (sem_t * semaphore, const struct timespec *until), (semaphore, until))

EXPORT int sem_post(sem_t *semaphore) {
  notified(semaphore, CALLER);
  int failed = REAL(sem_post)(semaphore);
  lock_given_back(CALLER);
  return failed;
}
