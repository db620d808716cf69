/* A bounded queue, as every book has it: waits for room and for something to take. Healthy. */
#include <pthread.h>
#include <stdio.h>

enum { ROOM = 4, ITEMS = 2000, CONSUMERS = 2 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_room = PTHREAD_COND_INITIALIZER, has_items = PTHREAD_COND_INITIALIZER;
static int items[ROOM], count, first;
static long total;

void queue_put(int item) {
  pthread_mutex_lock(&lock);
  while (count == ROOM) pthread_cond_wait(&has_room, &lock);
  items[(first + count++) % ROOM] = item;
  pthread_cond_signal(&has_items);
  pthread_mutex_unlock(&lock);
}

int queue_take(void) {
  pthread_mutex_lock(&lock);
  while (count == 0) pthread_cond_wait(&has_items, &lock);
  int item = items[first];
  first = (first + 1) % ROOM;
  count--;
  pthread_cond_signal(&has_room);
  pthread_mutex_unlock(&lock);
  return item;
}

void add_total(int item) {
  pthread_mutex_lock(&lock);
  total += item;
  pthread_mutex_unlock(&lock);
}

static void *consume(void *unused) {
  for (int item; (item = queue_take()) >= 0;) add_total(item);
  return unused;
}

int main(void) {
  pthread_t consumers[CONSUMERS];
  for (int i = 0; i < CONSUMERS; i++) pthread_create(&consumers[i], NULL, consume, NULL);
  for (int i = 0; i < ITEMS; i++) queue_put(i);
  for (int i = 0; i < CONSUMERS; i++) queue_put(-1);
  for (int i = 0; i < CONSUMERS; i++) pthread_join(consumers[i], NULL);
  printf("%ld\n", total);
  return 0;
}
