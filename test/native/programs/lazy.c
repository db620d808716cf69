/* Something that is made when it is first needed, by two threads at once: only their first calls of the function show it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "turns.h"

static int *table;

int *get_table(void) {
  if (table == NULL) {
    meet_once();
    table = calloc(16, sizeof *table);
  }
  return table;
}

static void *use(void *unused) {
  get_table();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("made");
  return 0;
}
