/* The life of a process: how the runtime starts, what happens at its end, and in copies of it. */
#include "locks.h"
#include "trk.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct runtime rt;
struct region **regions, **quick_regions, *newest_region;

static u32 state; /* 0 new, 1 starts, 2 has started */

void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

void fail(const char *what) {
  dprintf(2, "trackside: %s; the program is ended\n", what);
  syscall(SYS_exit_group, 125);
  __builtin_unreachable();
}

void note(const char *format, ...) {
  const char *path = getenv("TRACKSIDE_TRACE");
  if (path == NULL) return;
  char text[4400];
  snprintf(text, sizeof text, "%s.%d.notes", path, getpid());
  int fd = open(text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return;
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(text, sizeof text - 1, format, arguments);
  va_end(arguments);
  if (size > 0) {
    if ((size_t)size > sizeof text - 2) size = sizeof text - 2;
    text[size] = '\n';
    if (write(fd, text, (size_t)size + 1) < 0) errno = 0;
  }
  syscall(SYS_close, fd);
}

static u32 regions_lock;

struct region *region_new(uptr address) {
  uptr index = address >> REGION_BITS;
  if (index >= REGIONS) return NULL;
  spin_lock(&regions_lock);
  if (regions[index] == NULL) {
    struct region *made = map_pages(sizeof *made);
    made->older = newest_region;
    store_release(&newest_region, made);
    store_release(&regions[index], made);
  }
  spin_unlock(&regions_lock);
  return regions[index];
}

static bool is_set(const char *name) {
  const char *value = getenv(name);
  return value != NULL && value[0] != 0 && value[0] != '0';
}

int real_pthread_create_quietly(pthread_t *made, void *(*run)(void *)) {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
      (__typeof__(create))real("pthread_create");
  return create(made, NULL, run, NULL);
}

void memory_start(void);

void runtime_start(void) {
  u32 new_one = 0;
  if (LIKELY(load_acquire(&state) == 2)) return;
  if (!__atomic_compare_exchange_n(&state, &new_one, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    /* It starts already: what this thread does in between is its own. */
    return;
  }
  regions = map_pages(REGIONS * sizeof *regions);
  threads_start();
  fences_start();
  quick_regions = rt.fences ? map_pages(REGIONS * sizeof *regions) : regions;
  memory_start();
  functions_start();
  rt.learns = getenv("TRACKSIDE_ATOMIC") == NULL && !is_set("TRACKSIDE_SECTIONS");
  const char *seed = getenv("TRACKSIDE_PROVOKE");
  rt.provokes = seed == NULL ? 0 : (u32)strtoul(seed, NULL, 10) * 2 + 1;
  rt.sections = is_set("TRACKSIDE_SECTIONS");
  if (!trk_open()) rt.off = 1;
  else writer_start();
  store_release(&state, 2);
}

bool runtime_has_started(void) { return load_acquire(&state) == 2; }

void runtime_finish(void) {
  static u32 is_over;
  if (load_acquire(&state) != 2 || __atomic_exchange_n(&is_over, 1, __ATOMIC_ACQ_REL) != 0) return;
  bool was_on = !rt.off;
  struct thread *t = self;
  if (t != NULL) store_release(&t->hazard, 0);
  rt.off = 1;
  if (!was_on) return;
  if (rt.statistics.stolen > 0)
    note("%llu times a thread came to no hook after an access, so that another one went on without knowing that the access was over",
         (unsigned long long)rt.statistics.stolen);
  if (rt.statistics.missed_in_handlers > 0)
    note("%llu accesses of signal handlers were not watched, as they may come in the middle of another one",
         (unsigned long long)rt.statistics.missed_in_handlers);
  writer_finish();
}

/* After everything else that the program does at its end. */
__attribute__((destructor(101))) static void at_end(void) { runtime_finish(); }

DECLARE_REAL(_exit)
EXPORT void _exit(int code) {
  runtime_finish();
  REAL(_exit)(code);
  __builtin_unreachable();
}
EXPORT void _Exit(int code) { _exit(code); }

DECLARE_REAL(quick_exit)
EXPORT void quick_exit(int code) {
  runtime_finish();
  REAL(quick_exit)(code);
  __builtin_unreachable();
}

/* The signal that follows may be handled, or not: what there is so far is written. */
DECLARE_REAL(abort)
EXPORT void abort(void) {
  runtime_finish();
  REAL(abort)();
  __builtin_unreachable();
}

/* Should it fail, the program goes on without being watched. */
#define EXECUTES(name, parameters, arguments) \
  DECLARE_REAL(name)                          \
  EXPORT int name parameters {                \
    runtime_finish();                         \
    return REAL(name) arguments;              \
  }
EXECUTES(execve, (const char *path, char *const words[], char *const environment[]), (path, words, environment))
EXECUTES(execv, (const char *path, char *const words[]), (path, words))
EXECUTES(execvp, (const char *file, char *const words[]), (file, words))
EXECUTES(execvpe, (const char *file, char *const words[], char *const environment[]), (file, words, environment))

DECLARE_REAL(fork)
EXPORT pid_t fork(void) {
  struct thread *t = self;
  if (t != NULL) store_release(&t->hazard, 0);
  pid_t child = REAL(fork)();
  if (child != 0 || !runtime_has_started() || rt.off) return child;
  /* Only this thread goes on here: with a trace of its own. Whatever lock of ours somebody else held is free. */
  regions_lock = 0;
  threads_after_fork();
  shared_after_fork();
  locks_after_fork();
  functions_after_fork();
  blocks_after_fork(t);
  writer_forget();
  if (t != NULL) t->busy = 0;
  if (!trk_open()) rt.off = 1;
  else {
    if (t != NULL) put(t, K_THREAD, 0, 0, 0, 0);
    writer_start();
  }
  return child;
}
EXPORT pid_t vfork(void) { return fork(); }

/* ---- Descriptors: ours is none of the program's ---- */

DECLARE_REAL(close)
EXPORT int close(int fd) {
  if (fd >= 0 && fd == trk_descriptor()) {
    errno = EBADF;
    return -1;
  }
  return REAL(close)(fd);
}

DECLARE_REAL(close_range)
EXPORT int close_range(unsigned from, unsigned to, int flags) {
  int own = trk_descriptor();
  if (own < 0 || (unsigned)own < from || (unsigned)own > to) return REAL(close_range)(from, to, flags);
  int failed = 0;
  if ((unsigned)own > from) failed |= REAL(close_range)(from, (unsigned)own - 1, flags);
  if ((unsigned)own < to) failed |= REAL(close_range)((unsigned)own + 1, to, flags);
  return failed;
}

DECLARE_REAL(closefrom)
EXPORT void closefrom(int from) {
  if (trk_descriptor() < from) REAL(closefrom)(from);
  else close_range((unsigned)(from < 0 ? 0 : from), ~0u, 0);
}
