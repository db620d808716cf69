/* A table behind a read-write lock: looked up under one lock, filled under another; with GOOD under one. */
#include <pthread.h>
#include <stdio.h>
#include "turns.h"

enum { KEYS = 64 };
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[KEYS], made;

int look_up(int key) {
  pthread_rwlock_rdlock(&lock);
  int value = table[key];
  pthread_rwlock_unlock(&lock);
  return value;
}

void store(int key, int value) {
  pthread_rwlock_wrlock(&lock);
  table[key] = value;
  made++;
  pthread_rwlock_unlock(&lock);
}

int get_or_make(int key) {
#ifdef GOOD
  pthread_rwlock_wrlock(&lock);
  if (table[key] == 0) {
    table[key] = key + 1;
    made++;
  }
  int value = table[key];
  pthread_rwlock_unlock(&lock);
  return value;
#else
  int value = look_up(key);
  meet_once();
  if (value == 0) store(key, value = key + 1);
  return value;
#endif
}

static void forget(void) {
  pthread_rwlock_wrlock(&lock);
  for (int i = 0; i < KEYS; i++) table[i] = 0;
  pthread_rwlock_unlock(&lock);
}

static void *work(void *unused) {
  for (int round = 0; round < 40; round++) {
    for (int key = 0; key < KEYS; key++) get_or_make(key);
    forget();
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts(made > 0 ? "made" : "nothing");
  return 0;
}
