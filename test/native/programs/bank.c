/* Each access to the balance is locked, but the check and the withdrawal are not one step; unless GOOD. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "turns.h"

struct account {
  int number;
  int balance;
  pthread_mutex_t lock;
};

static struct account *account;

int get_balance(struct account *a) {
  pthread_mutex_lock(&a->lock);
  int balance = a->balance;
  pthread_mutex_unlock(&a->lock);
  return balance;
}

void set_balance(struct account *a, int balance) {
  pthread_mutex_lock(&a->lock);
  a->balance = balance;
  pthread_mutex_unlock(&a->lock);
}

int withdraw(struct account *a, int amount) {
#ifdef GOOD
  pthread_mutex_lock(&a->lock);
  int done = a->balance >= amount;
  if (done) a->balance -= amount;
  pthread_mutex_unlock(&a->lock);
  return done;
#else
  int balance = get_balance(a);
  meet_once();
  if (balance < amount) return 0;
  set_balance(a, balance - amount);
  return 1;
#endif
}

static void *teller(void *unused) {
  for (int i = 0; i < 1000; i++) withdraw(account, 1);
  return unused;
}

int main(void) {
  account = malloc(sizeof *account);
  account->number = 7;
  account->balance = 1500;
  pthread_mutex_init(&account->lock, NULL);
  pthread_t tellers[2];
  for (int i = 0; i < 2; i++) pthread_create(&tellers[i], NULL, teller, NULL);
  for (int i = 0; i < 2; i++) pthread_join(tellers[i], NULL);
  printf("balance is %s\n", get_balance(account) < 0 ? "negative" : "fine");
  return 0;
}
