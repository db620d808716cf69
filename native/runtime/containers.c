/*
 * The links between the nodes of std::list, std::map and std::set of GCC's library, which keeps these functions compiled, where no hook
 * is. They are here again, so that it does not matter how that library is linked. What is recorded are the links that tell what is in
 * a container and what comes next, and not those that keep a tree balanced: by these, two keys have nothing to do with each other.
 */
#include "rt.h"

/* ---- Lists: rings, which have the list itself for a node ---- */

struct list_node {
  struct list_node *next, *previous;
};

static void use(void *link, enum kind kind, uptr pc) {
  if (watching(pc) != NULL) access_range((uptr)link, sizeof(void *), kind, pc);
}

static struct list_node *followed(struct list_node **link, uptr pc) {
  use(link, K_READ, pc);
  return *link;
}

static void connect(struct list_node *first, struct list_node *second, uptr pc) {
  use(&first->next, K_WRITE, pc);
  first->next = second;
  use(&second->previous, K_WRITE, pc);
  second->previous = first;
}

#define HOOK _ZNSt8__detail15_List_node_base7_M_hookEPS0_
EXPORT void HOOK(struct list_node *node, struct list_node *next) {
  connect(followed(&next->previous, CALLER), node, CALLER);
  connect(node, next, CALLER);
}

#define UNHOOK _ZNSt8__detail15_List_node_base9_M_unhookEv
EXPORT void UNHOOK(struct list_node *node) {
  struct list_node *next = followed(&node->next, CALLER);
  connect(followed(&node->previous, CALLER), next, CALLER);
}

/* From one up to another, and before a third. */
#define TRANSFER _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_
EXPORT void TRANSFER(struct list_node *before, struct list_node *from, struct list_node *to) {
  if (before == to) return;
  struct list_node *last = followed(&to->previous, CALLER), *rest = followed(&from->previous, CALLER);
  connect(rest, to, CALLER);
  connect(followed(&before->previous, CALLER), from, CALLER);
  connect(last, before, CALLER);
}

/* ---- Trees: the header has the root for its parent, and the first and the last node for its children ---- */

enum { RED, BLACK };

struct tree_node {
  int color;
  struct tree_node *parent, *child[2];
};

static bool is_black(const struct tree_node *node) { return node == NULL || node->color == BLACK; }

/* What leads to a node: a child of its parent, or the root. */
static struct tree_node **link_to(const struct tree_node *node, struct tree_node *header) {
  struct tree_node *parent = node->parent;
  return header->parent == node ? &header->parent : &parent->child[parent->child[1] == node];
}

/* The child on the other side comes up, and the node goes down to this one. */
static void rotate(struct tree_node *node, int side, struct tree_node *header) {
  struct tree_node *up = node->child[!side], *inner = up->child[side];
  *link_to(node, header) = up;
  up->parent = node->parent;
  up->child[side] = node;
  node->parent = up;
  node->child[!side] = inner;
  if (inner != NULL) inner->parent = node;
}

#define INSERT _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_
EXPORT void INSERT(bool is_left, struct tree_node *node, struct tree_node *parent, struct tree_node *header) {
  *node = (struct tree_node){RED, parent, {NULL, NULL}};
  bool is_only = parent == header;
  struct tree_node **link = is_only ? &header->parent : &parent->child[!is_left];
  use(link, K_WRITE, CALLER);
  *link = node;
  for (int side = 0; side < 2; side++) {
    if (!is_only && (side == is_left || header->child[side] != parent)) continue;
    use(&header->child[side], K_WRITE, CALLER);
    header->child[side] = node;
  }
  while (header->parent != node && !is_black(node->parent)) {
    parent = node->parent;
    struct tree_node *above = parent->parent;
    int side = above->child[1] == parent;
    struct tree_node *beside = above->child[!side];
    if (!is_black(beside)) {
      parent->color = beside->color = BLACK;
      above->color = RED;
      node = above;
      continue;
    }
    if (parent->child[!side] == node) {
      rotate(parent, side, header);
      node = parent;
      parent = node->parent;
    }
    parent->color = BLACK;
    above->color = RED;
    rotate(above, !side, header);
  }
  header->parent->color = BLACK;
}

/* The way to one child of `parent` has a black node less than the way to the other. */
static void add_black(struct tree_node *node, struct tree_node *parent, struct tree_node *header) {
  while (header->parent != node && is_black(node)) {
    int side = parent->child[1] == node;
    struct tree_node *beside = parent->child[!side];
    if (!is_black(beside)) {
      beside->color = BLACK;
      parent->color = RED;
      rotate(parent, side, header);
      beside = parent->child[!side];
    }
    if (is_black(beside->child[0]) && is_black(beside->child[1])) {
      beside->color = RED;
      node = parent;
      parent = node->parent;
      continue;
    }
    if (is_black(beside->child[!side])) {
      beside->child[side]->color = BLACK;
      beside->color = RED;
      rotate(beside, !side, header);
      beside = parent->child[!side];
    }
    beside->color = parent->color;
    parent->color = beside->child[!side]->color = BLACK;
    rotate(parent, side, header);
    break;
  }
  if (node != NULL) node->color = BLACK;
}

static struct tree_node *outermost(struct tree_node *node, int side) {
  while (node->child[side] != NULL) node = node->child[side];
  return node;
}

#define ERASE _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_
EXPORT struct tree_node *ERASE(struct tree_node *node, struct tree_node *header) {
  struct tree_node *left = node->child[0], *right = node->child[1], *parent = node->parent;
  use(link_to(node, header), K_WRITE, CALLER);
  for (int side = 0; side < 2; side++) {
    if (header->child[side] != node) continue;
    use(&header->child[side], K_WRITE, CALLER);
    /* A node at the end has one child at most, which is a leaf. */
    header->child[side] = node->child[!side] != NULL ? node->child[!side] : parent;
  }
  int color = node->color;
  struct tree_node *moved = left == NULL ? right : left;
  if (left != NULL && right != NULL) {
    /* The next node takes its place. */
    struct tree_node *next = outermost(right, 0);
    moved = next->child[1];
    color = next->color;
    *link_to(node, header) = next;
    parent = next->parent == node ? next : next->parent;
    if (parent != next) {
      parent->child[0] = moved;
      next->child[1] = right;
      right->parent = next;
    }
    next->child[0] = left;
    left->parent = next;
    next->parent = node->parent;
    next->color = node->color;
  } else {
    *link_to(node, header) = moved;
  }
  if (moved != NULL) moved->parent = parent;
  if (color == BLACK) add_black(moved, parent, header);
  return node;
}

/* From a node to the one beside it: before the first one and after the last one is the header. */
static struct tree_node *beside(struct tree_node *node, int side, uptr pc) {
  bool is_header = node->color == RED && node->parent != NULL && node->parent->parent == node;
  use(&node->child[side], K_READ, pc);
  if (is_header && side == 0) return node->child[1];
  struct tree_node *at = node->child[side];
  if (at != NULL) {
    while (at->child[!side] != NULL) at = at->child[!side];
    use(&at->child[!side], K_READ, pc);
    return at;
  }
  struct tree_node *above = node->parent;
  while (above->child[side] == node) {
    node = above;
    above = above->parent;
  }
  return node->child[side] != above ? above : node;
}

#define STEPS(name, side) \
  EXPORT struct tree_node *name(struct tree_node *node) { return beside(node, side, CALLER); }
STEPS(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, 1)
STEPS(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, 1)
STEPS(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, 0)
STEPS(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, 0)
