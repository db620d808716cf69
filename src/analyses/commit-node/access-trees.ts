import { Op } from '../../trace/operation.ts';
import { IntList } from '../shared/int-list.ts';
import type { SequenceTable } from '../shared/sequence-table.ts';
import { HELD, isAccess, LOCKING, operandOf, opOf } from './codes.ts';
import { MOST_CONTEXTS } from './limits.ts';
import { LockChains, NO_LOCKS } from './lock-chains.ts';
import type { SingleOperations } from './single-operations.ts';

/** Outside every synchronized region. */
const TOP = 0;
/** The end of what a single operation is in: after all others. */
const AFTER = 0x7ffffffe;

/**
 * The access trees of units (Wang and Stoller, §3.1): accesses, and the synchronized regions that they lie in.
 * A node is an interval of places in the unit: an access is a single one, a region goes from its acquire to its
 * release, or to the ends of the unit where it goes beyond them. Regions nest in the paper; intervals need not.
 * Where two nodes contain each other in the paper, here they have a place in common, which is all that its
 * proofs use.
 */
export class AccessTrees {
  readonly chains = new LockChains();
  /** Where the accesses of each tree start; those of tree t are from `starts[t]` to before `starts[t + 1]`. */
  readonly starts: Int32Array;
  /* Of each access. */
  readonly variable = new IntList();
  readonly op = new IntList();
  /** Its place in the unit. */
  readonly at = new IntList();
  readonly #context = new IntList();
  /** Where the forks and joins of each tree start. */
  readonly syncStarts: Int32Array;
  /* Of each fork or join inside a block. */
  readonly syncAt = new IntList();
  readonly syncOp = new IntList();
  readonly syncThread = new IntList();

  /* Of each synchronized region. */
  readonly #regionLock = new IntList();
  readonly #regionStart = new IntList();
  readonly #regionEnd = new IntList();
  /* Of each context: the region entered last, what is around it, and the locks that are held. */
  readonly #contextRegion = new IntList();
  readonly #contextOuter = new IntList();
  readonly #contextChain = new IntList();

  /** Whether some trees are not there because there is too much of them. */
  isCut = false;
  /** What was asked for last. */
  #askedAccess = -1;
  #askedLock = -1;
  #askedRegion = -1;
  #work = 0;

  /** `isOrdered` tells the locks whose regions have to keep their order; they count as accesses too. */
  constructor(
    sequences: SequenceTable,
    singles: SingleOperations,
    variables: number,
    isOrdered: (lock: number) => boolean,
  ) {
    this.starts = new Int32Array(sequences.size + singles.size + 1);
    this.syncStarts = new Int32Array(sequences.size + singles.size + 1);
    this.#addContext(-1, TOP, NO_LOCKS);
    const { items } = sequences.codes;
    const builder = new TreeBuilder(this, variables, isOrdered);
    for (let tree = 0; tree < sequences.size; tree++) {
      const start = sequences.start(tree);
      const length = sequences.lengthOf(tree);
      for (let i = 0; i < length && !this.isCut; i++)
        builder.step(opOf(items[start + i]), operandOf(items[start + i]), i);
      builder.finish(length);
      this.#endTree(tree);
    }
    const contexts = this.#contextsOf(singles.chains);
    for (let single = 0; single < singles.size; single++) {
      const context = contexts[singles.chainOf(single)];
      builder.single(singles.codeOf(single), singles.placeOf(single), context);
      this.#endTree(sequences.size + single);
    }
  }

  #endTree(tree: number): void {
    this.starts[tree + 1] = this.at.length;
    this.syncStarts[tree + 1] = this.syncAt.length;
  }

  /** The contexts of single operations, by the locks they hold: the regions of those that hold the same are the same. */
  #contextsOf(chains: LockChains): Int32Array {
    const contexts = new Int32Array(chains.size).fill(TOP);
    for (let chain = NO_LOCKS + 1; chain < chains.size && !this.isCut; chain++) {
      const region = this.addRegion(chains.lastOf(chain), chains.lengthOf(chain) - 1);
      this.endRegion(region, AFTER);
      contexts[chain] = this.entered(contexts[chains.outerOf(chain)], region);
    }
    return contexts;
  }

  /** How much was looked at since the last call, beyond what is looked at for any question. */
  takeWork(): number {
    const work = (this.#work + this.chains.work) >> 3;
    this.#work = 0;
    this.chains.work = 0;
    return work;
  }

  get size(): number {
    return this.starts.length - 1;
  }

  /** The locks held at an access. */
  chainOf(access: number): number {
    return this.#contextChain.items[this.#context.items[access]];
  }

  /** The start of the region of `lock` that the access lies in. */
  startOf(access: number, lock: number): number {
    return this.#regionStart.items[this.#regionAround(access, lock)];
  }

  endOf(access: number, lock: number): number {
    return this.#regionEnd.items[this.#regionAround(access, lock)];
  }

  /** How many of the regions around the access, from the outermost on, have begun before the place. */
  regionsBegunBefore(access: number, place: number): number {
    let count = 0;
    for (let at = this.#context.items[access]; at !== TOP; at = this.#contextOuter.items[at])
      if (this.#regionStart.items[this.#contextRegion.items[at]] < place) count++;
    return count;
  }

  /** How many forks and joins of the tree come before the place. */
  syncsBefore(tree: number, place: number): number {
    let low = this.syncStarts[tree];
    let high = this.syncStarts[tree + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.syncAt.items[middle] < place) low = middle + 1;
      else high = middle;
    }
    return low - this.syncStarts[tree];
  }

  addAccess(op: number, variable: number, at: number, context: number): void {
    this.op.push(op);
    this.variable.push(variable);
    this.at.push(at);
    this.#context.push(context);
  }

  addSync(op: number, thread: number, at: number): void {
    this.syncOp.push(op);
    this.syncThread.push(thread);
    this.syncAt.push(at);
  }

  addRegion(lock: number, start: number): number {
    this.#regionLock.push(lock);
    this.#regionStart.push(start);
    this.#regionEnd.push(start);
    return this.#regionLock.length - 1;
  }

  endRegion(region: number, end: number): void {
    this.#regionEnd.items[region] = end;
  }

  /** The context `outer` with the region entered. */
  entered(outer: number, region: number): number {
    const chain = this.chains.extended(this.#contextChain.items[outer], this.#regionLock.items[region]);
    return this.#addContext(region, outer, chain);
  }

  #addContext(region: number, outer: number, chain: number): number {
    this.#contextRegion.push(region);
    this.#contextOuter.push(outer);
    this.#contextChain.push(chain);
    if (this.#contextRegion.length >= MOST_CONTEXTS) this.isCut = true;
    return this.#contextRegion.length - 1;
  }

  #regionAround(access: number, lock: number): number {
    if (access === this.#askedAccess && lock === this.#askedLock) return this.#askedRegion;
    let at = this.#context.items[access];
    for (; this.#regionLock.items[this.#contextRegion.items[at]] !== lock; at = this.#contextOuter.items[at])
      this.#work++;
    this.#askedAccess = access;
    this.#askedLock = lock;
    this.#askedRegion = this.#contextRegion.items[at];
    return this.#askedRegion;
  }
}

class TreeBuilder {
  readonly #trees: AccessTrees;
  readonly #variables: number;
  readonly #isOrdered: (lock: number) => boolean;
  /* The locks that are held, in the order in which they were acquired. */
  readonly #locks: number[] = [];
  readonly #regions: number[] = [];
  readonly #contexts: number[] = [];
  readonly #isFromBefore: boolean[] = [];

  constructor(trees: AccessTrees, variables: number, isOrdered: (lock: number) => boolean) {
    this.#trees = trees;
    this.#variables = variables;
    this.#isOrdered = isOrdered;
  }

  step(op: number, operand: number, place: number): void {
    if (isAccess(op)) this.#trees.addAccess(op, operand, place, this.#context());
    else if (op === Op.acquire || op === HELD) this.#acquire(operand, place, op === HELD);
    else if (op === Op.release) this.#release(operand, place);
    else this.#trees.addSync(op, operand, place);
  }

  /** A tree of one operation, in its context. */
  single(code: number, place: number, context: number): void {
    const op = opOf(code);
    const operand = operandOf(code);
    if (isAccess(op)) this.#trees.addAccess(op, operand, place, context);
    else if (op === Op.acquire || op === Op.release) this.#order(operand, place, context);
    else this.#trees.addSync(op, operand, place);
  }

  /** Ends the tree; the next step is in another one. */
  finish(length: number): void {
    for (const region of this.#regions) this.#trees.endRegion(region, length);
    this.#locks.length = 0;
    this.#regions.length = 0;
    this.#contexts.length = 0;
    this.#isFromBefore.length = 0;
  }

  #context(): number {
    return this.#contexts.at(-1) ?? TOP;
  }

  #acquire(lock: number, place: number, isFromBefore: boolean): void {
    const region = this.#trees.addRegion(lock, place);
    const context = this.#trees.entered(this.#context(), region);
    this.#locks.push(lock);
    this.#regions.push(region);
    this.#contexts.push(context);
    this.#isFromBefore.push(isFromBefore);
    if (!isFromBefore) this.#order(lock, place, context);
  }

  #release(lock: number, place: number): void {
    const at = this.#locks.lastIndexOf(lock);
    if (this.#isFromBefore[at]) this.#order(lock, place, this.#context());
    this.#trees.endRegion(this.#regions[at], place);
    this.#locks.splice(at, 1);
    this.#regions.splice(at, 1);
    this.#isFromBefore.splice(at, 1);
    this.#contexts.length = at;
    for (let i = at; i < this.#regions.length; i++)
      this.#contexts.push(this.#trees.entered(this.#context(), this.#regions[i]));
  }

  #order(lock: number, place: number, context: number): void {
    if (this.#isOrdered(lock)) this.#trees.addAccess(LOCKING, this.#variables + lock, place, context);
  }
}
