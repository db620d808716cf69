/* Each thread puts an entry of its own into maps, finds it there later, and takes it out again. Healthy. */
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include "turns.h"

UNWATCHED static void meet(int time) {
  end_turn();
  wait_for_turn(2 * time);
}

template <class Map>
class Registry {
 public:
  void enter(int key) {
    std::lock_guard<std::mutex> guard(lock_);
    entries_.emplace(key, 0);
  }
  int count(int key) {
    std::lock_guard<std::mutex> guard(lock_);
    return ++entries_.find(key)->second;
  }
  void leave(int key) {
    std::lock_guard<std::mutex> guard(lock_);
    entries_.erase(entries_.find(key));
  }
  bool is_empty() const { return entries_.empty(); }

 private:
  std::mutex lock_;
  Map entries_;
};

static Registry<std::map<int, int>> sorted;
static Registry<std::unordered_map<int, int>> hashed;

template <class Map>
static void serve(Registry<Map> &registry, int key, int time) {
  registry.enter(key);
  meet(time);
  registry.count(key);
  meet(time + 1);
  registry.leave(key);
}

static void work(int key) {
  serve(sorted, key, 1);
  serve(hashed, key, 3);
}

int main() {
  std::thread one(work, 1), other(work, 2);
  one.join();
  other.join();
  std::puts(sorted.is_empty() && hashed.is_empty() ? "done" : "not done");
  return 0;
}
