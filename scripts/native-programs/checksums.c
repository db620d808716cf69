/* Threads that compute a checksum as the first thing they do: zlib makes its tables then. */
#include <pthread.h>
#include <stdio.h>
#include <zlib.h>

enum { THREADS = 4 };
static pthread_barrier_t start;

static void *sum(void *text) {
  pthread_barrier_wait(&start);
  return (void *)crc32(0, text, 9);
}

int main(void) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&start, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, sum, "123456789");
  for (int i = 0; i < THREADS; i++) {
    void *found;
    pthread_join(threads[i], &found);
    printf("%lx\n", (unsigned long)found);
  }
  return 0;
}
