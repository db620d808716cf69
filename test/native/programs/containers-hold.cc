/* Sets and lists after many random changes: they hold what they should, in order, and the trees are balanced. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <random>
#include <set>
#include <vector>

struct Node {
  int is_black;
  Node *parent, *left, *right;
};

static void demand(bool holds, const char *what) {
  if (holds) return;
  std::puts(what);
  std::exit(1);
}

/* How many black nodes are on every way down. */
static int height(const Node *node, const Node *parent) {
  if (node == nullptr) return 0;
  demand(node->parent == parent, "a node has another parent");
  demand(node->is_black || parent->is_black, "two red nodes in a row");
  int left = height(node->left, node);
  demand(left == height(node->right, node), "not balanced");
  return left + node->is_black;
}

static void check(const std::set<int> &set, const std::vector<int> &expected) {
  demand(std::equal(set.begin(), set.end(), expected.begin(), expected.end()), "forwards");
  demand(std::equal(set.rbegin(), set.rend(), expected.rbegin(), expected.rend()), "backwards");
  const Node *header = set.end()._M_node == nullptr ? nullptr : reinterpret_cast<const Node *>(set.end()._M_node);
  demand(header->parent == nullptr || header->parent->is_black, "a red root");
  if (header->parent != nullptr)
    demand(height(header->parent->left, header->parent) == height(header->parent->right, header->parent), "not balanced");
}

static void try_sets(std::mt19937 &random) {
  std::set<int> set;
  std::vector<int> expected;
  unsigned most = 1 + random() % 60;
  for (int i = 0; i < 200; i++) {
    int key = static_cast<int>(random() % most);
    auto at = std::lower_bound(expected.begin(), expected.end(), key);
    bool is_in = at != expected.end() && *at == key;
    if (random() % 2) {
      set.insert(key);
      if (!is_in) expected.insert(at, key);
    } else {
      set.erase(key);
      if (is_in) expected.erase(at);
    }
    check(set, expected);
  }
}

static void try_lists(std::mt19937 &random) {
  std::list<int> one, other;
  std::vector<int> expected, rest;
  for (int i = 0; i < 100; i++) {
    auto at = random() % (one.size() + 1), from = random() % (other.size() + 1);
    switch (random() % 4) {
      case 0:
        one.insert(std::next(one.begin(), at), i);
        expected.insert(expected.begin() + at, i);
        break;
      case 1:
        other.push_front(i);
        rest.insert(rest.begin(), i);
        break;
      case 2:
        if (at == one.size()) break;
        one.erase(std::next(one.begin(), at));
        expected.erase(expected.begin() + at);
        break;
      case 3:
        one.splice(std::next(one.begin(), at), other, std::next(other.begin(), from), other.end());
        expected.insert(expected.begin() + at, rest.begin() + from, rest.end());
        rest.resize(from);
        break;
    }
    demand(std::equal(one.begin(), one.end(), expected.begin(), expected.end()), "a list forwards");
    demand(std::equal(other.rbegin(), other.rend(), rest.rbegin(), rest.rend()), "a list backwards");
  }
}

int main() {
  std::mt19937 random(1);
  for (int round = 0; round < 100; round++) {
    try_sets(random);
    try_lists(random);
  }
  std::puts("as they should be");
  return 0;
}
