/* A library with a state of its own that two threads would change, and a lock of its own. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int calls;

/* Calls the function twice, and says so. */
int twice(void (*function)(void)) {
  function();
  function();
  return 2;
}

/* Counts without the lock, reading before and writing after what it is given. */
int count_around(void (*function)(void)) {
  int before = calls;
  function();
  calls = before + 1;
  return calls;
}

/* Changes what it is given, under its own lock. */
void add_to(int *sum, int amount) {
  pthread_mutex_lock(&lock);
  *sum += amount;
  pthread_mutex_unlock(&lock);
}
