import { grownInt32 } from '../../trace/growable.ts';

/**
 * For every node of the transaction graph, its roots: the open transactions that reach it through finished ones.
 * Together with the roots of those transactions, and so on, they are the ancestor sets of Velodrome §5, cut down
 * to what can still be on a new cycle. So an edge into an open transaction changes no set but its own.
 *
 * Open transactions are told apart by small numbers, their bits, given when they get their first successor.
 */
export class RootSets {
  #words = 1;
  #rows = new Int32Array(64);
  /** The bits now in use, one word for 32 of them, so that the lowest free one is found quickly. */
  #used = new Int32Array(1);
  /** No free bit is in a word before this one. */
  #lowest = 0;
  /** The open transaction of each bit. */
  #owner = new Int32Array(32);
  /** For `leadsTo`: the bits reached so far, and those of them still to be looked at. */
  #reached = new Int32Array(1);
  readonly #pending: number[] = [];

  /** Makes room for `nodes` nodes; rows of nodes that are not in the graph are empty. */
  reserve(nodes: number): void {
    if (nodes * this.#words <= this.#rows.length) return;
    const bigger = new Int32Array(nodes * this.#words);
    bigger.set(this.#rows);
    this.#rows = bigger;
  }

  takeBit(owner: number): number {
    let word = this.#lowest;
    while (word < this.#words && this.#used[word] === -1) word++;
    if (word === this.#words) this.#widen();
    this.#lowest = word;
    const free = ~this.#used[word];
    const bit = word * 32 + 31 - Math.clz32(free & -free);
    this.#used[word] |= 1 << bit;
    this.#owner[bit] = owner;
    return bit;
  }

  /** Gives a bit back that is in no set any more. */
  giveBack(bit: number): void {
    const word = bit >>> 5;
    this.#used[word] &= ~(1 << bit);
    if (word < this.#lowest) this.#lowest = word;
  }

  has(node: number, bit: number): boolean {
    return ((this.#rows[node * this.#words + (bit >>> 5)] >>> bit) & 1) === 1;
  }

  add(node: number, bit: number): void {
    this.#rows[node * this.#words + (bit >>> 5)] |= 1 << bit;
  }

  delete(node: number, bit: number): void {
    this.#rows[node * this.#words + (bit >>> 5)] &= ~(1 << bit);
  }

  clear(node: number): void {
    this.#rows.fill(0, node * this.#words, (node + 1) * this.#words);
  }

  isEmpty(node: number): boolean {
    const words = this.#words;
    const start = node * words;
    for (let word = 0; word < words; word++) if (this.#rows[start + word] !== 0) return false;
    return true;
  }

  equal(a: number, b: number): boolean {
    const words = this.#words;
    const startA = a * words;
    const startB = b * words;
    for (let word = 0; word < words; word++)
      if (this.#rows[startA + word] !== this.#rows[startB + word]) return false;
    return true;
  }

  /** Whether `node` has every root of `other`. */
  includes(node: number, other: number): boolean {
    const words = this.#words;
    const start = node * words;
    const startOther = other * words;
    for (let word = 0; word < words; word++)
      if ((this.#rows[startOther + word] & ~this.#rows[start + word]) !== 0) return false;
    return true;
  }

  /** Gives `node` every root of `other`. */
  addAll(node: number, other: number): void {
    const words = this.#words;
    const start = node * words;
    const startOther = other * words;
    for (let word = 0; word < words; word++) this.#rows[start + word] |= this.#rows[startOther + word];
  }

  /** Whether the transaction of this bit reaches the node, through whatever transactions. */
  leadsTo(bit: number, node: number): boolean {
    if (this.has(node, bit)) return true;
    const pending = this.#pending;
    pending.length = 0;
    this.#reached.fill(0);
    this.#reachRoots(node);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const root = this.#owner[next];
      if (this.has(root, bit)) return true;
      this.#reachRoots(root);
    }
    return false;
  }

  #reachRoots(node: number): void {
    const start = node * this.#words;
    for (let word = 0; word < this.#words; word++) {
      let fresh = this.#rows[start + word] & ~this.#reached[word];
      this.#reached[word] |= fresh;
      while (fresh !== 0) {
        const bit = 31 - Math.clz32(fresh);
        fresh ^= 1 << bit;
        this.#pending.push(word * 32 + bit);
      }
    }
  }

  /** Doubles the number of bits of every row. */
  #widen(): void {
    const words = this.#words;
    const wider = new Int32Array(this.#rows.length * 2);
    for (let from = 0, to = 0; from < this.#rows.length; from += words, to += 2 * words)
      for (let word = 0; word < words; word++) wider[to + word] = this.#rows[from + word];
    this.#rows = wider;
    this.#words = 2 * words;
    this.#used = grownInt32(this.#used, this.#words);
    this.#owner = grownInt32(this.#owner, 32 * this.#words);
    this.#reached = new Int32Array(this.#words);
  }
}
