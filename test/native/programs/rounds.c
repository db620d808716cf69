/* A server that carries out several commands in turn; each is one step with GOOD, and two without. */
#include <pthread.h>
#include <stdio.h>
#include "turns.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int served, total;

static void command(void) {
  pthread_mutex_lock(&lock);
  int before = total;
#ifndef GOOD
  pthread_mutex_unlock(&lock);
  meet_once();
  pthread_mutex_lock(&lock);
#endif
  total = before + 1;
  pthread_mutex_unlock(&lock);
#ifdef GOOD
  meet_once();
#endif
}

static void carry_out(void) {
  for (int i = 0; i < 5; i++) command();
}

static void serve(void) {
  pthread_mutex_lock(&lock);
  served++;
  pthread_mutex_unlock(&lock);
  carry_out();
}

static void *work(void *unused) {
  serve();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts(total > 0 ? "served" : "nothing");
  return 0;
}
