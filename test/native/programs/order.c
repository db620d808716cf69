/*
 * Threads race on a few words. Every write has a value of its own, so the values that were read tell in which order the
 * accesses really happened. Prints, for each thread and word, what the thread did.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <trackside.h>

enum { WORDS = 6, MOST_THREADS = 8 };

/* Two that share nothing, two beside each other, two of one word of memory. */
static struct {
  volatile uint64_t lonely;
  char gap[200];
  volatile uint64_t first, second;
  char other_gap[200];
  volatile uint32_t low, high;
  char last_gap[200];
  volatile uint64_t busiest;
} shared;

struct step { uint8_t word, is_write; uint32_t value; };
static struct step *steps[MOST_THREADS];
static int operations, threads;

#define OWN __attribute__((no_sanitize("thread"), noinline))
OWN static void remember(int thread, int i, int word, int is_write, uint32_t value) {
  steps[thread][i] = (struct step){(uint8_t)word, (uint8_t)is_write, value};
}

static uint32_t read_word(int word) {
  switch (word) {
    case 0: return (uint32_t)shared.lonely;
    case 1: return (uint32_t)shared.first;
    case 2: return (uint32_t)shared.second;
    case 3: return shared.low;
    case 4: return shared.high;
    default: return (uint32_t)shared.busiest;
  }
}

static void write_word(int word, uint32_t value) {
  switch (word) {
    case 0: shared.lonely = value; break;
    case 1: shared.first = value; break;
    case 2: shared.second = value; break;
    case 3: shared.low = value; break;
    case 4: shared.high = value; break;
    default: shared.busiest = value; break;
  }
}

static void *race(void *number) {
  int thread = (int)(intptr_t)number;
  uint64_t random = 0x9e3779b97f4a7c15u * (uint64_t)(thread + 1);
  for (int i = 0; i < operations; i++) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    int word = random % 3 == 0 ? WORDS - 1 : (int)((random >> 8) % WORDS);
    /* Phases in which everybody only reads, mostly. */
    int writes_in = (i >> 12) % 3 == 0 ? 1000 : 5;
    if ((random >> 20) % writes_in == 0) {
      uint32_t value = (uint32_t)(thread + 1) << 24 | (uint32_t)i;
      TRACKSIDE_ATOMIC("write") { write_word(word, value); }
      remember(thread, i, word, 1, value);
    } else if ((random >> 40) % 2 == 0) {
      uint32_t value = 0;
      TRACKSIDE_ATOMIC("read") { value = read_word(word); }
      remember(thread, i, word, 0, value);
    } else {
      remember(thread, i, word, 0, read_word(word));
    }
  }
  return NULL;
}

OWN static void print_steps(void) {
  for (int t = 0; t < threads; t++)
    for (int i = 0; i < operations; i++)
      printf("%d %d %d %u\n", t, steps[t][i].word, steps[t][i].is_write, steps[t][i].value);
}

int main(int count, char **words) {
  threads = count > 1 ? atoi(words[1]) : 3;
  operations = count > 2 ? atoi(words[2]) : 100000;
  pthread_t handles[MOST_THREADS];
  for (int t = 0; t < threads; t++) steps[t] = calloc((size_t)operations, sizeof(struct step));
  for (int t = 0; t < threads; t++) pthread_create(&handles[t], NULL, race, (void *)(intptr_t)t);
  for (int t = 0; t < threads; t++) pthread_join(handles[t], NULL);
  print_steps();
  return 0;
}
