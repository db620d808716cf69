/* Threads, conditions, futures and shared locks of C++, used as they should be. Healthy. */
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int size) {
    for (int i = 0; i < size; i++) threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(lock_);
      over_ = true;
    }
    wake_.notify_all();
    for (auto &thread : threads_) thread.join();
  }
  std::future<int> submit(std::function<int()> job) {
    auto task = std::make_shared<std::packaged_task<int()>>(std::move(job));
    auto result = task->get_future();
    {
      std::lock_guard<std::mutex> guard(lock_);
      jobs_.push_back([task] { (*task)(); });
    }
    wake_.notify_one();
    return result;
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock<std::mutex> guard(lock_);
        wake_.wait(guard, [this] { return over_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      job();
    }
  }
  std::mutex lock_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
  bool over_ = false;
};

class Registry {
 public:
  int find(const std::string &name) {
    std::shared_lock<std::shared_timed_mutex> guard(lock_);
    auto found = values_.find(name);
    return found == values_.end() ? 0 : found->second;
  }
  void count(const std::string &name) {
    std::unique_lock<std::shared_timed_mutex> guard(lock_);
    values_[name]++;
  }

 private:
  std::shared_timed_mutex lock_;
  std::map<std::string, int> values_;
};

int main() {
  Registry registry;
  long sum = 0;
  {
    Pool pool(2);
    std::vector<std::future<int>> results;
    for (int i = 0; i < 300; i++)
      results.push_back(pool.submit([i, &registry] {
        registry.count(i % 2 ? "odd" : "even");
        return i;
      }));
    for (auto &result : results) sum += result.get();
  }
  std::printf("%ld %d %d\n", sum, registry.find("odd"), registry.find("even"));
  return 0;
}
