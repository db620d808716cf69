/*
 * What GCC's library keeps compiled: functions of strings, and the links of lists, maps and sets. What is looked at under a lock is changed
 * under the next one; with GOOD under the same.
 */
#include <cstdio>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include "turns.h"

static std::mutex lock;
static std::string text;
static std::list<int> jobs = {1, 2, 3, 4};
static std::map<int, int> plan;

UNWATCHED static void meet(int time) {
  end_turn();
  wait_for_turn(2 * time);
}

#ifdef GOOD
#define PAUSE(time) (void)0
#else
#define PAUSE(time) guard.unlock(), meet(time), guard.lock()
#endif

static void append(const char *more) {
  std::unique_lock<std::mutex> guard(lock);
  size_t size = text.size();
  PAUSE(1);
  text.replace(0, size, more);
}

static void take() {
  std::unique_lock<std::mutex> guard(lock);
  if (jobs.empty()) return;
  PAUSE(2);
  jobs.pop_front();
}

static void propose(int key, int value) {
  std::unique_lock<std::mutex> guard(lock);
  if (plan.count(key) > 0) return;
  PAUSE(3);
#if __cplusplus >= 201703L
  plan.insert_or_assign(key, value);
#endif
}

static void work(int who) {
  append("a text that does not fit into the string itself");
  take();
  propose(1, who);
}

int main() {
  std::thread one(work, 1), other(work, 2);
  one.join();
  other.join();
  std::puts("done");
  return 0;
}
