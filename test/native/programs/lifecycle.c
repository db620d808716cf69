/*
 * What must not harm a program: each word on the command line is one of these, or the path of a library. Prints what it would
 * print unwatched.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared, ticks, stops;
static int made_before_main;
static pthread_t early;

static void *early_bird(void *unused) {
  pthread_mutex_lock(&lock);
  made_before_main = 7;
  pthread_mutex_unlock(&lock);
  return unused;
}

__attribute__((constructor)) static void before_main(void) {
  pthread_create(&early, NULL, early_bird, NULL);
  pthread_join(early, NULL);
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
  stops = 0;
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
  stops = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, busy, NULL);
  int good = 0;
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      int before = shared;
      shared = before + 1;
      _exit(shared == before + 1 ? 5 : 6);
    }
    int status;
    waitpid(child, &status, 0);
    good += WIFEXITED(status) && WEXITSTATUS(status) == 5;
  }
  printf("children %d\n", good);
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
  puts("jumped");
}

/* Out of the handler of a signal, time and again: what comes after it is watched all the same. */
static sigjmp_buf out;
static void escape(int signal) {
  (void)signal;
  siglongjmp(out, 1);
}

static void escapes(void) {
  signal(SIGUSR1, escape);
  for (volatile int i = 0; i < 20; i++)
    if (sigsetjmp(out, 1) == 0) raise(SIGUSR1);
  for (int i = 0; i < 5000; i++) add();
  puts("escaped");
}

/* Into a folder of its own, as somebody without rights. */
static void confined(void) {
  if (getuid() == 0 && (chroot("/tmp") != 0 || setgid(65534) != 0 || setuid(65534) != 0)) puts("not confined");
  for (int i = 0; i < 100; i++) add();
  puts("confined");
}

static void speechless(void) {
  fflush(stdout);
  close(0);
  close(1);
  close(2);
  for (int i = 0; i < 100; i++) add();
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
  printf("sum %ld\n", sum);
}

static void closes(void) {
  for (int fd = 3; fd < 1200; fd++) close(fd);
  add();
  puts("closed");
}

/* What a thread leaves behind is taken down when nothing else of it is there. */
extern int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *library);
extern void *__dso_handle;
static pthread_key_t key;
static __thread int own;
static int taken_down;

static void take_down(void *value) {
  pthread_mutex_lock(&lock);
  taken_down += own + (value != NULL);
  pthread_mutex_unlock(&lock);
}

static void *owns(void *unused) {
  own = 1;
  pthread_setspecific(key, &own);
  __cxa_thread_atexit_impl(take_down, &own, &__dso_handle);
  return unused;
}

static void takes_down(void) {
  pthread_key_create(&key, take_down);
  for (int i = 0; i < 20; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, owns, NULL);
    pthread_join(thread, NULL);
  }
  printf("taken down %d\n", taken_down);
}

static int ended(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

/* With a thread at work. */
static void spawns(void) {
  stops = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, busy, NULL);
  char *words[] = {"sh", "-c", "exit 4", NULL};
  pid_t child;
  posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ);
  printf("spawned %d\n", ended(child));
  child = vfork();
  if (child == 0) {
    execv("/bin/sh", words);
    _exit(1);
  }
  printf("vforked %d\n", ended(child));
  printf("system %d\n", WEXITSTATUS(system("exit 5")));
  FILE *pipe = popen("echo said", "r");
  char line[32] = "";
  if (fgets(line, sizeof line, pipe) == NULL) line[0] = 0;
  printf("%s%d\n", line, pclose(pipe));
  stops = 1;
  pthread_join(thread, NULL);
}

/* A library that comes and goes; its functions, and the program's that it calls. */
static void loads(const char *path) {
  for (int i = 0; i < 3; i++) {
    void *library = dlopen(path, RTLD_NOW);
    int (*twice)(void (*)(void)) = library == NULL ? NULL : (int (*)(void (*)(void)))dlsym(library, "twice");
    if (twice == NULL) {
      puts(dlerror());
      return;
    }
    printf("loaded %d\n", twice(add));
    dlclose(library);
  }
}

static void *gives_up(void *unused) {
  puts("giving up");
  fflush(stdout);
  abort();
  return unused;
}

static void aborts(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, gives_up, NULL);
  for (;;) add();
}

static void handles_fault(int signal) {
  if (write(1, "fault\n", 6) == 6) _exit(signal);
}

static void faults(void) {
  signal(SIGSEGV, handles_fault);
  fflush(stdout);
  *(volatile int *)(uintptr_t)8 = 1;
}

static void dies(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, busy, NULL);
  for (int i = 0; i < 200000; i++) add();
  puts("dying");
  fflush(stdout);
  raise(SIGKILL);
}

static const struct {
  const char *name;
  void (*deed)(void);
} deeds[] = {
    {"signals", signals}, {"forks", forks}, {"leaves", leaves},         {"jumps", jumps},   {"calls-back", calls_back},
    {"cancels", cancels}, {"many", many},   {"takes-down", takes_down}, {"spawns", spawns}, {"aborts", aborts},
    {"faults", faults},   {"closes", closes}, {"dies", dies},           {"escapes", escapes}, {"confined", confined},
    {"speechless", speechless},
};

int main(int count, char **words) {
  printf("before main %d\n", made_before_main);
  for (int i = 1; i < count; i++) {
    fflush(stdout);
    if (strchr(words[i], '/') != NULL) loads(words[i]);
    for (size_t k = 0; k < sizeof deeds / sizeof *deeds; k++)
      if (strcmp(words[i], deeds[k].name) == 0) deeds[k].deed();
  }
  return 0;
}
