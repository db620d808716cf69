/*
 * What is looked up under a lock, and put in under the next: by [] over whatever is there, or with GOOD by `emplace`, which looks again.
 * A counter that is looked at after the lock was given back; with GOOD at the top of the next round, as workers do. A shared pointer that
 * is loaded, and replaced later, without a lock; with GOOD under one.
 */
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include "turns.h"

static std::mutex lock;
static std::unordered_map<int, int> known;
static int left = 2, finished;
static std::shared_ptr<const int> version = std::make_shared<const int>(0);

UNWATCHED static void meet(int time) {
  end_turn();
  wait_for_turn(2 * time);
}

static void add(int key) {
  {
    std::lock_guard<std::mutex> guard(lock);
    if (known.find(key) != known.end()) return;
  }
  meet(1);
  std::lock_guard<std::mutex> guard(lock);
#ifdef GOOD
  known.emplace(key, key);
#else
  known[key] = key;
#endif
}

static void take_all() {
  std::unique_lock<std::mutex> guard(lock);
#ifdef GOOD
  while (left > 0) {
    left--;
    guard.unlock();
    meet(2);
    guard.lock();
  }
#else
  left--;
  guard.unlock();
  meet(2);
  guard.lock();
  if (left == 0) finished++;
#endif
}

static void replace() {
#ifdef GOOD
  meet(3);
  std::lock_guard<std::mutex> guard(lock);
  auto old = std::atomic_load(&version);
#else
  auto old = std::atomic_load(&version);
  meet(3);
#endif
  std::atomic_store(&version, std::make_shared<const int>(*old + 1));
}

static void work(int key) {
  add(key);
  take_all();
  replace();
}

int main() {
  std::thread one(work, 1), other(work, 2);
  one.join();
  other.join();
  std::puts(known.size() == 2 && left == 0 ? "done" : "not done");
  return 0;
}
