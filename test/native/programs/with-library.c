/* Two threads that call a library (library.c), which counts in a way that is not atomic, and copies of what they share. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "turns.h"

int count_around(void (*function)(void));
void add_to(int *sum, int amount);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, copy[4];

static void meet(void) { meet_once(); }

void use_library(void) {
  count_around(meet);
  add_to(&sum, 1);
}

void share(int value) {
  int values[4] = {value, value, value, value};
  pthread_mutex_lock(&lock);
  memcpy(copy, values, sizeof copy);
  pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
  use_library();
  for (int i = 0; i < 100; i++) share(i);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("sum %d\n", sum);
  return 0;
}
