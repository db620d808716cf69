/* What must not harm a program: each word on the command line is one of these. Prints what it would print unwatched. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared, ticks, stops;
static int made_before_main;

__attribute__((constructor)) static void before_main(void) {
  pthread_mutex_lock(&lock);
  made_before_main = 7;
  pthread_mutex_unlock(&lock);
}

__attribute__((destructor)) static void after_main(void) { made_before_main = 0; }

static void add(void) {
  pthread_mutex_lock(&lock);
  shared++;
  pthread_mutex_unlock(&lock);
}

static void tick(int signal) {
  (void)signal;
  ticks = 1;
}

static void *busy(void *unused) {
  while (!stops) add();
  return unused;
}

static void signals(void) {
  struct sigaction action = {.sa_handler = tick};
  sigaction(SIGALRM, &action, NULL);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, busy, NULL);
  for (int i = 0; i < 2000; i++) {
    pthread_kill(threads[i % 2], SIGALRM);
    add();
  }
  stops = 1;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  struct sigaction now;
  sigaction(SIGALRM, NULL, &now);
  puts(ticks > 0 && now.sa_handler == tick ? "handled" : "not handled");
}

static void forks(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, busy, NULL);
  for (int i = 0; i < 3; i++) {
    pid_t child = fork();
    if (child == 0) {
      int before = shared;
      shared = before + 1;
      _exit(shared == before + 1 ? 5 : 6);
    }
    int status;
    waitpid(child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
  }
  stops = 1;
  pthread_join(thread, NULL);
}

/* The program ends while threads are at work. */
static void leaves(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    pthread_create(&threads[i], NULL, busy, NULL);
    pthread_detach(threads[i]);
  }
  for (int i = 0; i < 100; i++) add();
  puts("left");
  exit(3);
}

static jmp_buf back;
static void deeper(int depth) {
  add();
  if (depth == 0) longjmp(back, 1);
  deeper(depth - 1);
}

static void jumps(void) {
  for (volatile int i = 0; i < 100; i++)
    if (setjmp(back) == 0) deeper(5);
  printf("jumped %d\n", shared);
}

/* Functions of the C library that call back into the program. */
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void calls_back(void) {
  int values[100];
  for (int i = 0; i < 100; i++) values[i] = (i * 37) % 100;
  qsort(values, 100, sizeof *values, by_value);
  char text[64], copy[64];
  strcpy(text, "some text");
  memcpy(copy, text, sizeof copy);
  strcat(copy, " more");
  printf("%d %d %s %zu\n", values[0], values[99], copy, strlen(copy));
}

static void *waits(void *unused) {
  pause();
  return unused;
}

static void cancels(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  pthread_cancel(thread);
  void *result;
  pthread_join(thread, &result);
  puts(result == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
}

static void *does_little(void *data) {
  int *value = malloc(sizeof *value);
  *value = *(int *)data;
  add();
  return value;
}

/* More threads than there is place for at a time, one after the other; memory passes from each to the next. */
static void many(void) {
  long sum = 0;
  for (int i = 0; i < 3000; i++) {
    pthread_t thread;
    int *made;
    pthread_create(&thread, NULL, does_little, &i);
    pthread_join(thread, (void **)&made);
    sum += *made;
    free(made);
  }
  printf("sum %ld of %d\n", sum, shared);
}

static void closes(void) {
  for (int fd = 3; fd < 1200; fd++) close(fd);
  add();
  puts("closed");
}

static void dies(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, busy, NULL);
  for (int i = 0; i < 200000; i++) add();
  puts("dying");
  fflush(stdout);
  raise(SIGKILL);
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  printf("before main %d\n", made_before_main);
  if (strcmp(what, "signals") == 0) signals();
  if (strcmp(what, "forks") == 0) {
    fflush(stdout);
    forks();
  }
  if (strcmp(what, "leaves") == 0) leaves();
  if (strcmp(what, "jumps") == 0) jumps();
  if (strcmp(what, "calls-back") == 0) calls_back();
  if (strcmp(what, "cancels") == 0) cancels();
  if (strcmp(what, "many") == 0) many();
  if (strcmp(what, "closes") == 0) closes();
  if (strcmp(what, "dies") == 0) dies();
  return 0;
}
