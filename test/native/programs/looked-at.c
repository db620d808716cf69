/* A lock that the program makes itself, taken twice in one function; and a check that is made again under the lock. Healthy. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include "turns.h"

struct item { int key; struct item *next; };
static struct item *items;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_flag own = ATOMIC_FLAG_INIT;
static long first, second;

static void own_lock(void) {
  while (atomic_flag_test_and_set_explicit(&own, memory_order_acquire)) {
  }
}
static void own_unlock(void) { atomic_flag_clear_explicit(&own, memory_order_release); }

static void count_both(void) {
  own_lock();
  first++;
  own_unlock();
  meet_once();
  own_lock();
  second++;
  own_unlock();
}

static struct item *look_up(int key) {
  struct item *i = items;
  while (i != NULL && i->key != key) i = i->next;
  return i;
}

UNWATCHED static void meet_again(void) {
  end_turn();
  wait_for_turn(4);
}

static void add_if_new(int key) {
  pthread_rwlock_rdlock(&lock);
  struct item *found = look_up(key);
  pthread_rwlock_unlock(&lock);
  meet_again();
  if (found != NULL) return;
  pthread_rwlock_wrlock(&lock);
  if (look_up(key) == NULL) {
    struct item *made = malloc(sizeof *made);
    made->key = key;
    made->next = items;
    items = made;
  }
  pthread_rwlock_unlock(&lock);
}

static void *work(void *number) {
  for (int i = 0; i < 50; i++) count_both();
  add_if_new((int)(size_t)number);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (size_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%ld %ld %d\n", first, second, items->key + items->next->key);
  return 0;
}
