/* The same lost update with the threads of C11; with GOOD the lock is held all the while. */
#include <stdio.h>
#include <threads.h>
#include "turns.h"

static mtx_t lock;
static int stock = 8000;

int sell(void) {
  mtx_lock(&lock);
  int left = stock;
#ifndef GOOD
  mtx_unlock(&lock);
  meet_once();
  mtx_lock(&lock);
#endif
  stock = left - 1;
  mtx_unlock(&lock);
  return left;
}

static int shop(void *unused) {
  for (int i = 0; i < 500; i++) sell();
  return unused != NULL;
}

int main(void) {
  mtx_init(&lock, mtx_plain);
  thrd_t shops[2];
  for (int i = 0; i < 2; i++) thrd_create(&shops[i], shop, NULL);
  for (int i = 0; i < 2; i++) thrd_join(shops[i], NULL);
  puts("sold");
  return 0;
}
