/* Functions that the program itself says are atomic, and are not, with data of several kinds. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <trackside.h>
#include "turns.h"

struct owner { char name[12]; int visits; char *last; };
struct account { int number, balance; struct owner owners[2]; };

struct account accounts[4];
struct owner guest;
static struct account *savings;

/* Two threads are here, for the `number`th time. */
UNWATCHED static void meet(int number) {
  end_turn();
  wait_for_turn(2 * number);
}

TRACKSIDE_ATOMIC_FUNCTION void deposit(void) {
  int before = accounts[3].balance;
  meet(1);
  accounts[3].balance = before + 1;
}

__attribute__((annotate("atomic"))) void welcome(void) {
  char *before = guest.last;
  meet(2);
  guest.last = before + 1;
}

TRACKSIDE_ATOMIC_FUNCTION static void save(struct account *where) {
  int before = where->owners[1].visits;
  meet(3);
  where->owners[1].visits = before + 1;
}

void unmarked(void) {
  int before = accounts[1].number;
  meet(4);
  accounts[1].number = before + 1;
}

static void *work(void *unused) {
  deposit();
  welcome();
  save(savings);
  unmarked();
  return unused;
}

int main(void) {
  savings = calloc(2, sizeof(struct account));
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
