/* Signal handlers: called between a hook and the access that it announced, they must not take the announcement back. */
#include "locks.h"
#include <signal.h>
#include <stdlib.h>

enum { SIGNALS = 65 };

typedef void (*simple_handler)(int);
typedef void (*full_handler)(int, siginfo_t *, void *);

static struct { simple_handler simple; full_handler full; } handlers[SIGNALS];

static void handle(int signal, siginfo_t *info, void *context) {
  struct thread *t = self;
  u32 level = t == NULL ? 4 : t->interrupted;
  u64 hazard = 0;
  if (level < 4) {
    hazard = load_relaxed(&t->hazard);
    t->outer_hazards[level] = hazard;
    t->handler_stacks[level] = (uptr)__builtin_frame_address(0);
    store_release(&t->interrupted, level + 1);
  }
  if (handlers[signal].full != NULL) handlers[signal].full(signal, info, context);
  else handlers[signal].simple(signal);
  if (level < 4) {
    store_release(&t->hazard, hazard);
    store_release(&t->interrupted, level);
  }
}

static bool is_function(simple_handler handler) { return handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR; }

DECLARE_REAL(sigaction)
EXPORT int sigaction(int signal, const struct sigaction *wanted, struct sigaction *before) {
  if (signal <= 0 || signal >= SIGNALS) return REAL(sigaction)(signal, wanted, before);
  struct sigaction ours, old;
  simple_handler old_simple = handlers[signal].simple;
  full_handler old_full = handlers[signal].full;
  if (wanted != NULL) {
    ours = *wanted;
    if (is_function(ours.sa_handler)) {
      bool is_full = (ours.sa_flags & SA_SIGINFO) != 0;
      handlers[signal].simple = is_full ? NULL : ours.sa_handler;
      handlers[signal].full = is_full ? ours.sa_sigaction : NULL;
      ours.sa_sigaction = handle;
      ours.sa_flags |= SA_SIGINFO;
    }
  }
  int failed = REAL(sigaction)(signal, wanted == NULL ? NULL : &ours, &old);
  if (failed) {
    handlers[signal].simple = old_simple;
    handlers[signal].full = old_full;
    return failed;
  }
  if (before != NULL) {
    *before = old;
    if (old.sa_flags & SA_SIGINFO && old.sa_sigaction == handle) {
      if (old_full != NULL) {
        before->sa_sigaction = old_full;
      } else {
        before->sa_handler = old_simple;
        before->sa_flags &= ~SA_SIGINFO;
      }
    }
  }
  return 0;
}

EXPORT simple_handler signal(int number, simple_handler handler) {
  struct sigaction wanted = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
  sigemptyset(&wanted.sa_mask);
  return sigaction(number, &wanted, &before) == 0 ? before.sa_handler : SIG_ERR;
}
