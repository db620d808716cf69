/*
 * Two threads, each with a function of its own, withdraw once. They would have to come to the check at the same time, and nothing
 * sees to that.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;
static int visits_of_ann, visits_of_bob;

static int get_balance(void) {
  pthread_mutex_lock(&lock);
  int now = balance;
  pthread_mutex_unlock(&lock);
  return now;
}

static void withdraw(int amount) {
  if (get_balance() < amount) return;
  pthread_mutex_lock(&lock);
  balance -= amount;
  pthread_mutex_unlock(&lock);
}

static void *ann(void *unused) {
  visits_of_ann++;
  withdraw(70);
  return unused;
}

static void *bob(void *unused) {
  pthread_mutex_lock(&lock);
  visits_of_bob++;
  pthread_mutex_unlock(&lock);
  withdraw(70);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, ann, NULL);
  pthread_create(&threads[1], NULL, bob, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%d\n", balance);
  return 0;
}
