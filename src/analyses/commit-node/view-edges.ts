import { Op } from '../../trace/operation.ts';
import type { AccessGroups } from './access-groups.ts';
import type { AccessTrees } from './access-trees.ts';
import { LOCKING } from './codes.ts';
import type { Accessor, InterEdges } from './inter-edges.ts';
import type { LockChains } from './lock-chains.ts';

/** What matters of an access for the view-forest. */
interface AccessClass {
  op: number;
  chain: number;
  /**
   * How many of the regions around the access, from the outermost on, keep others out in between: around a read,
   * those that the unit's last write before it is in; around a write or update, those that the unit's next write
   * is in. Who needs one of their locks neither is seen by that read nor sees that write.
   */
  sealed: number;
  /** Of a write or update: whether the unit does not overwrite it. */
  isFinal: boolean;
  /** Of a write or update: the classes of the reads of the unit that see it when the unit runs alone. */
  seenBy: readonly number[];
}

/** A kind of reads of a variable: where there are units that have it. */
interface Reader {
  class: number;
  threads: { thread: number; lastVertex: number }[];
}

/** Answers are kept as long as there are no more classes than these. */
const MOST_REMEMBERED = 4096;
const UNKNOWN = 0;
const YES = 1;
const NO = 2;

/** Remembers what was said about pairs of classes. */
class PairAnswers {
  readonly #classes: () => number;
  readonly #rows: (Uint8Array | undefined)[] = [];

  constructor(classes: () => number) {
    this.#classes = classes;
  }

  /** All classes are known before the first question. */
  get(one: number, other: number, find: (one: number, other: number) => boolean): boolean {
    let row = this.#rows[one];
    if (row === undefined) {
      const classes = this.#classes();
      if (classes > MOST_REMEMBERED) return find(one, other);
      row = new Uint8Array(classes);
      this.#rows[one] = row;
    }
    if (row[other] === UNKNOWN) row[other] = find(one, other) ? YES : NO;
    return row[other] === YES;
  }
}

/** With this many threads one of them is neither of any two. */
const THREE = 3;

/**
 * The view-forest (figure 5): between a read and what it may see; between two writes that the same read may see;
 * between writes that may be the last. An update is an effect like a write, but one that leaves the others to be
 * seen too, so that two updates are never in each other's way.
 */
export class ViewEdges implements InterEdges {
  readonly kind = 'view';
  #chains!: LockChains;
  readonly #classes: AccessClass[] = [];
  readonly #numbers = new Map<string, number>();
  /** Answers already given for pairs of classes: whether they are connected, whether one sees the other. */
  readonly #connected = new PairAnswers(() => this.#classes.length);
  readonly #seen = new PairAnswers(() => this.#classes.length);
  readonly #readers = new Map<number, Reader[]>();

  classesOf(trees: AccessTrees): Int32Array {
    this.#chains = trees.chains;
    const classes = new Int32Array(trees.at.length);
    for (let tree = 0; tree < trees.size; tree++) this.#classify(trees, tree, classes);
    return classes;
  }

  connects(one: number, other: number): boolean {
    return this.#connected.get(one, other, this.#decide);
  }

  see(groups: AccessGroups): void {
    for (let x = 0; x + 1 < groups.starts.length; x++) {
      const readers: Reader[] = [];
      for (let group = groups.starts[x]; group < groups.starts[x + 1]; group++)
        if (this.#classes[groups.class[group]].op === Op.read) note(readers, groups, group);
      if (readers.length > 0) this.#readers.set(x, readers);
    }
  }

  /**
   * Two effects are ordered by a read in a third unit if both may be what it sees. An effect that comes before
   * that unit in any case may be seen if it is the last of its own.
   */
  connectsByOthers(variable: number, one: Accessor, other: Accessor): boolean {
    const a = this.#classes[one.class];
    const b = this.#classes[other.class];
    if (a.op === Op.read || b.op === Op.read || a.op === LOCKING) return false;
    if (a.op === Op.update && b.op === Op.update) return false;
    for (const reader of this.#readers.get(variable) ?? []) {
      if (!a.isFinal && !this.#sees(reader.class, one.class)) continue;
      if (!b.isFinal && !this.#sees(reader.class, other.class)) continue;
      if (isElsewhere(reader, one, other)) return true;
    }
    return false;
  }

  readonly #decide = (one: number, other: number): boolean => {
    const a = this.#classes[one];
    const b = this.#classes[other];
    if (a.op === LOCKING) return true;
    if (a.op === Op.read) return b.op !== Op.read && this.#sees(one, other);
    if (b.op === Op.read) return this.#sees(other, one);
    if (a.op === Op.update && b.op === Op.update) return false;
    return (
      (a.isFinal && b.isFinal) ||
      a.seenBy.some((read) => this.#sees(read, other)) ||
      b.seenBy.some((read) => this.#sees(read, one))
    );
  };

  /** Whether the read may see the effect of another thread. */
  #sees(read: number, effect: number): boolean {
    return this.#seen.get(read, effect, this.#findSeen);
  }

  readonly #findSeen = (read: number, effect: number): boolean => {
    const r = this.#classes[read];
    const e = this.#classes[effect];
    return (
      this.#chains.common(r.chain, e.chain) < 0 ||
      (this.#chains.outsideCommon(r.chain, e.chain) >= r.sealed &&
        this.#chains.outsideCommon(e.chain, r.chain) >= e.sealed)
    );
  };

  #classify(trees: AccessTrees, tree: number, classes: Int32Array): void {
    const start = trees.starts[tree];
    const end = trees.starts[tree + 1];
    /** For each variable, its accesses in the order of the unit. */
    const byVariable = new Map<number, number[]>();
    for (let access = start; access < end; access++) {
      const variable = trees.variable.items[access];
      const accesses = byVariable.get(variable);
      if (accesses === undefined) byVariable.set(variable, [access]);
      else accesses.push(access);
    }
    for (const accesses of byVariable.values()) this.#classifyVariable(trees, accesses, classes);
  }

  #classifyVariable(trees: AccessTrees, accesses: readonly number[], classes: Int32Array): void {
    let lastWrite = -1;
    for (const access of accesses) {
      if (trees.op.items[access] === Op.write) lastWrite = trees.at.items[access];
      if (trees.op.items[access] === Op.read)
        classes[access] = this.#classOf(
          trees,
          access,
          trees.regionsBegunBefore(access, lastWrite),
          false,
          [],
        );
    }
    /** The place of the next write, and the reads before it. */
    let nextWrite = -1;
    let seenBy = new Set<number>();
    for (let i = accesses.length - 1; i >= 0; i--) {
      const access = accesses[i];
      const op = trees.op.items[access];
      if (op === Op.read) {
        seenBy.add(classes[access]);
        continue;
      }
      const isFinal = nextWrite < 0;
      const sealed = isFinal ? 0 : trees.regionsEndingAfter(access, nextWrite);
      classes[access] = this.#classOf(
        trees,
        access,
        sealed,
        isFinal,
        [...seenBy].sort((a, b) => a - b),
      );
      if (op !== Op.write) continue;
      nextWrite = trees.at.items[access];
      seenBy = new Set();
    }
  }

  #classOf(
    trees: AccessTrees,
    access: number,
    sealed: number,
    isFinal: boolean,
    seenBy: readonly number[],
  ): number {
    const op = trees.op.items[access];
    const chain = trees.chainOf(access);
    const key = `${op},${chain},${sealed},${isFinal},${seenBy}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#classes.length;
      this.#classes.push({ op, chain, sealed, isFinal, seenBy });
      this.#numbers.set(key, number);
    }
    return number;
  }
}

function note(readers: Reader[], groups: AccessGroups, group: number): void {
  let reader = readers.find((candidate) => candidate.class === groups.class[group]);
  if (reader === undefined) {
    reader = { class: groups.class[group], threads: [] };
    readers.push(reader);
  }
  const known = reader.threads.find(({ thread }) => thread === groups.thread[group]);
  if (known !== undefined) known.lastVertex = Math.max(known.lastVertex, groups.lastVertex[group]);
  else if (reader.threads.length < THREE)
    reader.threads.push({ thread: groups.thread[group], lastVertex: groups.lastVertex[group] });
}

/** Whether there is such a read in a unit of a third thread, or of one of the two threads later on. */
function isElsewhere({ threads }: Reader, one: Accessor, other: Accessor): boolean {
  return threads.some(({ thread, lastVertex }) => {
    if (thread === one.thread) return lastVertex > one.vertex;
    if (thread === other.thread) return lastVertex > other.vertex;
    return true;
  });
}
