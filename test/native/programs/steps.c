/*
 * What a thread puts into a list it takes out again in another call, which goes by what it finds: both are steps of their own. One counts
 * up and asks in another call for the number, which is another thread's by then; with GOOD it takes the number as it counts.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "turns.h"

struct node { struct node *next; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *first;
static int length, last;

UNWATCHED static void meet(int time) {
  end_turn();
  wait_for_turn(2 * time);
}

static void put_in(struct node *node) {
  pthread_mutex_lock(&lock);
  node->next = first;
  first = node;
  length++;
  pthread_mutex_unlock(&lock);
}

static void take_out(struct node *node) {
  pthread_mutex_lock(&lock);
  struct node **at = &first;
  while (*at != node) at = &(*at)->next;
  *at = node->next;
  length--;
  pthread_mutex_unlock(&lock);
}

static void serve(void) {
  struct node *node = malloc(sizeof *node);
  put_in(node);
  meet(1);
  take_out(node);
  free(node);
}

static int count_up(void) {
  pthread_mutex_lock(&lock);
  int number = ++last;
  pthread_mutex_unlock(&lock);
  return number;
}

static int get_last(void) {
  pthread_mutex_lock(&lock);
  int number = last;
  pthread_mutex_unlock(&lock);
  return number;
}

static int next_number(void) {
  int number = count_up();
  meet(2);
#ifndef GOOD
  number = get_last();
#endif
  return number;
}

static void *work(void *numbers) {
  serve();
  *(int *)numbers = next_number();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts(length == 0 && last == 2 ? "done" : "not done");
  return 0;
}
