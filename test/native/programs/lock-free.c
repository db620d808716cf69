/* A stack by compare-and-swap, a spin lock that looks before it swaps, and a flag that is waited for. Healthy. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *next; int value; };
static _Atomic(struct node *) top;
static atomic_int spin, go;
static long sum;

void push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = atomic_load(&top);
  while (!atomic_compare_exchange_weak(&top, &n->next, n)) {
  }
}

void spin_lock(void) {
  for (;;) {
    while (atomic_load(&spin)) {
    }
    int free = 0;
    if (atomic_compare_exchange_strong(&spin, &free, 1)) return;
  }
}

void spin_unlock(void) { atomic_store(&spin, 0); }

void add(int value) {
  spin_lock();
  sum += value;
  spin_unlock();
}

static void *work(void *unused) {
  while (!atomic_load(&go)) {
  }
  for (int i = 0; i < 1000; i++) {
    push(i);
    add(i);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  atomic_store(&go, 1);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  int count = 0;
  for (struct node *n = atomic_load(&top); n != NULL; n = n->next) count++;
  printf("%d %ld\n", count, sum);
  return 0;
}
