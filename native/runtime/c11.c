/* Threads of C11, which the C library makes of its own parts. */
#include "locks.h"
#include <threads.h>
#include <time.h>

DECLARE_REAL(thrd_create)
DECLARE_REAL(thrd_join)
DECLARE_REAL(mtx_init)
DECLARE_REAL(mtx_lock)
DECLARE_REAL(mtx_trylock)
DECLARE_REAL(mtx_timedlock)
DECLARE_REAL(mtx_unlock)
DECLARE_REAL(cnd_wait)
DECLARE_REAL(cnd_timedwait)
DECLARE_REAL(cnd_signal)
DECLARE_REAL(cnd_broadcast)
DECLARE_REAL(call_once)

static int run_thread(void *data) {
  struct started started = *(struct started *)data;
  plain_free(data);
  thread_runs(&started);
  thread_introduce();
  return ((int (*)(void *))started.function)(started.argument);
}

EXPORT int thrd_create(thrd_t *handle, thrd_start_t start, void *data) {
  struct started *started = plain_allocate(sizeof *started);
  if (started == NULL) return thrd_nomem;
  thread_will_start(started, (uptr)start, data, CALLER);
  u32 number = started->number;
  int result = REAL(thrd_create)(handle, run_thread, started);
  if (result != thrd_success) plain_free(started);
  else thread_made(number, (uptr)*handle);
  return result;
}

EXPORT int thrd_join(thrd_t handle, int *code) {
  before_joining();
  int result = REAL(thrd_join)(handle, code);
  if (result == thrd_success) thread_joined((uptr)handle, CALLER);
  return result;
}

EXPORT int mtx_init(mtx_t *lock, int type) {
  lock_new(lock);
  return REAL(mtx_init)(lock, type);
}

EXPORT int mtx_lock(mtx_t *lock) {
  int result = REAL(mtx_lock)(lock);
  if (result == thrd_success) lock_acquired(lock, CALLER);
  return result;
}

EXPORT int mtx_trylock(mtx_t *lock) {
  int result = REAL(mtx_trylock)(lock);
  if (result == thrd_success) lock_acquired(lock, CALLER);
  return result;
}

EXPORT int mtx_timedlock(mtx_t *lock, const struct timespec *until) {
  int result = REAL(mtx_timedlock)(lock, until);
  if (result == thrd_success) lock_acquired(lock, CALLER);
  return result;
}

EXPORT int mtx_unlock(mtx_t *lock) {
  lock_released(lock, CALLER);
  int result = REAL(mtx_unlock)(lock);
  lock_given_back(CALLER);
  return result;
}

EXPORT int cnd_wait(cnd_t *condition, mtx_t *lock) {
  before_waiting(lock, CALLER);
  int result = REAL(cnd_wait)(condition, lock);
  after_waiting(condition, lock, CALLER);
  return result;
}

EXPORT int cnd_timedwait(cnd_t *condition, mtx_t *lock, const struct timespec *until) {
  before_waiting(lock, CALLER);
  int result = REAL(cnd_timedwait)(condition, lock, until);
  after_waiting(condition, lock, CALLER);
  return result;
}

EXPORT int cnd_signal(cnd_t *condition) {
  notified(condition, CALLER);
  return REAL(cnd_signal)(condition);
}

EXPORT int cnd_broadcast(cnd_t *condition) {
  notified(condition, CALLER);
  return REAL(cnd_broadcast)(condition);
}

static __thread void (*once_routine)(void) __attribute__((tls_model("local-exec")));
static __thread once_flag *once_control __attribute__((tls_model("local-exec")));
static void run_once(void) {
  once_flag *control = once_control;
  once_routine();
  notified(control, (uptr)once_routine);
}

EXPORT void call_once(once_flag *control, void (*routine)(void)) {
  once_routine = routine;
  once_control = control;
  REAL(call_once)(control, run_once);
  came_after(control, CALLER);
}
