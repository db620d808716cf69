/*
 * StringBuffer of JDK 1.4: append(other) asks for the length of the other one and then for its characters, and another thread
 * may have shortened it in between. With GOOD the other one is locked all the while.
 */
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include "turns.h"

/* Between the length and the characters. */
UNWATCHED static void be_erased_once() {
  static bool is_erased = false;
  if (is_erased) return;
  is_erased = true;
  end_turn();
  wait_for_turn(2);
}

class StringBuffer {
 public:
  explicit StringBuffer(const char *text) : text_(text) {}

  size_t length() const {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    return length_of();
  }

  void getChars(size_t from, size_t to, std::string &into) const {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    if (to > length_of()) throw std::out_of_range("StringBuffer");
    into.append(text_, from, to - from);
  }

  void erase() {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    text_.clear();
    length_ = 0;
  }

  void set(const char *text) {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    text_ = text;
    length_ = text_.size();
  }

  void append(const StringBuffer &other) {
    std::lock_guard<std::recursive_mutex> guard(lock_);
#ifdef GOOD
    std::lock_guard<std::recursive_mutex> also(other.lock_);
#endif
    size_t length = other.length();
#ifndef GOOD
    be_erased_once();
#endif
    other.getChars(0, length, text_);
    length_ = text_.size();
  }

 private:
  size_t length_of() const { return length_; }
  mutable std::recursive_mutex lock_;
  std::string text_;
  size_t length_ = text_.size();
};

int main() {
  StringBuffer shared("abc");
  int failed = 0;
  std::thread eraser([&] {
    for (int i = 0; i < 1500; i++) {
#ifndef GOOD
      if (i == 0) wait_for_turn(1);
#endif
      shared.erase();
#ifndef GOOD
      if (i == 0) end_turn();
#endif
      shared.set("abc");
    }
  });
  std::thread appender([&] {
    for (int i = 0; i < 1500; i++) {
      StringBuffer mine("x");
      try {
        mine.append(shared);
      } catch (const std::out_of_range &) {
        failed++;
      }
    }
  });
  eraser.join();
  appender.join();
  std::printf("done\n");
  return failed < 0;
}
