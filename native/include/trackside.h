/*
 * Marks code that is meant to be atomic:
 *
 *   TRACKSIDE_ATOMIC("transfer") {
 *     from->balance -= amount;
 *     to->balance += amount;
 *   }
 *
 * or, as a whole, a function:
 *
 *   TRACKSIDE_ATOMIC_FUNCTION void transfer(struct account *from, struct account *to, int amount) { … }
 *
 * The block ends where it is left, also by return, break, goto or an exception. Without `trackside cc` and `trackside c++`
 * they are a plain block and a plain function, and this header needs nothing else.
 */
#ifndef TRACKSIDE_H
#define TRACKSIDE_H

#if defined(__TRACKSIDE__)

#ifdef __cplusplus
extern "C" {
#endif
void trackside_begin(const char *name);
void trackside_end(void);
#ifdef __cplusplus
}
#endif

struct trackside_block {
  int runs;
};

static inline __attribute__((always_inline, unused)) struct trackside_block trackside_enter(const char *name) {
  struct trackside_block block = {1};
  trackside_begin(name);
  return block;
}

static inline __attribute__((always_inline, unused)) void trackside_leave(struct trackside_block *block) {
  (void)block;
  trackside_end();
}

#define TRACKSIDE_ATOMIC(name)                                                                            \
  for (struct trackside_block trackside_block_ __attribute__((cleanup(trackside_leave))) = trackside_enter(name); \
       trackside_block_.runs; trackside_block_.runs = 0)

/* The one attribute of which every compiler leaves a note in the program: a list of such functions. The price is a `nop`. */
#define TRACKSIDE_ATOMIC_FUNCTION __attribute__((patchable_function_entry(1)))

#else

#define TRACKSIDE_ATOMIC_FUNCTION
#define TRACKSIDE_ATOMIC(name) \
  for (int trackside_runs_ = 1; trackside_runs_; trackside_runs_ = 0)

#endif

#endif
