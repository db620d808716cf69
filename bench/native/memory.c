/* Threads that each go through memory of their own, again and again. */
#include <pthread.h>
#include <stdlib.h>
enum { SIZE = 1 << 16 };
static void *work(void *data) {
  long *mine = malloc(SIZE * sizeof *mine), sum = (long)data;
  for (int i = 0; i < SIZE; i++) mine[i] = i ^ sum;
  for (int round = 0; round < 600; round++)
    for (int i = 1; i < SIZE; i++) mine[i] += mine[i - 1] ^ round;
  for (int i = 0; i < SIZE; i++) sum += mine[i];
  free(mine);
  return (void *)sum;
}
int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
