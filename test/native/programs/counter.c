/* A counter without a lock; with GOOD it is atomic. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include "turns.h"

#ifdef GOOD
static atomic_int hits;
#else
static volatile int hits;
#endif
static pthread_barrier_t start;

static void count_some(void) {
  for (int i = 0; i < 50; i++) {
#ifdef GOOD
    hits++;
#else
    int before = hits;
    meet_once();
    hits = before + 1;
#endif
  }
}

static void *count(void *unused) {
  for (int round = 0; round < 100; round++) {
    pthread_barrier_wait(&start);
    count_some();
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&start, NULL, 2);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts(hits > 0 ? "counted" : "nothing");
  return 0;
}
