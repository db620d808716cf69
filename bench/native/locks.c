/* Threads that lock for every small thing. */
#include <pthread.h>
#include <stdlib.h>
enum { SLOTS = 64 };
static struct { pthread_mutex_t lock; long value; } slots[SLOTS];
static void add(int i) {
  pthread_mutex_lock(&slots[i].lock);
  slots[i].value += i;
  pthread_mutex_unlock(&slots[i].lock);
}
static void *work(void *data) {
  unsigned random = (unsigned)(long)data;
  for (int i = 0; i < 400000; i++) {
    random = random * 1664525u + 1013904223u;
    add((random >> 16) % SLOTS);
  }
  return NULL;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < SLOTS; i++) pthread_mutex_init(&slots[i].lock, NULL);
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
