/* Threads that read a table which one of them changes now and then, under a read-write lock. */
#include <pthread.h>
enum { SIZE = 4096 };
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[SIZE];
static long look_up(unsigned from) {
  long sum = 0;
  pthread_rwlock_rdlock(&lock);
  for (int i = 0; i < 32; i++) sum += table[(from + (unsigned)i * 7) % SIZE];
  pthread_rwlock_unlock(&lock);
  return sum;
}
static void change(unsigned at) {
  pthread_rwlock_wrlock(&lock);
  table[at % SIZE]++;
  pthread_rwlock_unlock(&lock);
}
static void *work(void *data) {
  unsigned random = (unsigned)(long)data;
  long sum = 0;
  for (int i = 0; i < 100000; i++) {
    random = random * 1664525u + 1013904223u;
    if (i % 100 == 0) change(random >> 8);
    else sum += look_up(random >> 8);
  }
  return (void *)sum;
}
int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
