/*
 * Makes the schedule of a test: nobody who watches the program sees that threads wait for each other here, so nothing is
 * ordered by it but time.
 */
#ifndef TURNS_H
#define TURNS_H
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* clang takes atomic operations for watched unless it is told twice. */
#ifdef __clang__
#define UNWATCHED __attribute__((disable_sanitizer_instrumentation, noinline, unused))
#else
#define UNWATCHED __attribute__((no_sanitize("thread"), noinline, unused))
#endif

static int turns_taken;

UNWATCHED static void wait_for_turn(int turn) {
  for (int now; (now = __atomic_load_n(&turns_taken, __ATOMIC_ACQUIRE)) < turn;)
    syscall(SYS_futex, &turns_taken, FUTEX_WAIT, now, NULL, NULL, 0);
}

UNWATCHED static void end_turn(void) {
  __atomic_add_fetch(&turns_taken, 1, __ATOMIC_ACQ_REL);
  syscall(SYS_futex, &turns_taken, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Two threads are here, each for the first time, before either goes on. */
UNWATCHED static void meet_once(void) {
  static __thread int has_met;
  if (has_met) return;
  has_met = 1;
  end_turn();
  wait_for_turn(2);
}
#endif
