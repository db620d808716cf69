import { Op } from '../../trace/operation.ts';
import { TupleTable } from '../shared/tuple-table.ts';
import type { AccessTrees } from './access-trees.ts';
import { LOCKING } from './codes.ts';
import type { InterEdges } from './inter-edges.ts';
import { type LockChains, NO_COMMON_LOCK } from './lock-chains.ts';

/** What matters of an access for the view-forest. */
interface AccessClass {
  op: number;
  chain: number;
  /**
   * Of a read: how many of the regions around it, from the outermost on, the unit's last write before it is in
   * as well. What needs one of their locks cannot come in between, and is not seen.
   */
  sealed: number;
  /** Of an effect: whether the unit does not overwrite it. */
  isFinal: boolean;
  /** Of an effect: the reads of the unit that see it when the unit runs alone. */
  seenBy: number;
}

const NO_READS = 0;

/** Sets of classes of reads. A set is another one and one more class; the empty one is NO_READS. */
class ReadSets {
  readonly #links = new TupleTable(2);

  with(set: number, read: number): number {
    return 1 + this.#links.number(set, read);
  }

  some(set: number, passes: (read: number) => boolean): boolean {
    for (let rest = set; rest !== NO_READS; rest = this.#links.part(rest - 1, 0))
      if (passes(this.#links.part(rest - 1, 1))) return true;
    return false;
  }
}

/**
 * The view-forest (figure 5). Writes and updates are effects; an update leaves what was there to be seen as well,
 * so that two updates are never in each other's way. There are edges
 *   between a read and an effect of another unit that it may see;
 *   between such an effect and those of the read's own unit that it would see otherwise;
 *   between effects that their units do not overwrite, of which one may be the last.
 * The paper has edges between all effects that the same read may see. Those between other units than the read's
 * own can be left out: an effect that its unit overwrites and another unit may see tears its unit apart anyway,
 * by the edges to the read of both; and all others have the last kind of edge.
 */
export class ViewEdges implements InterEdges {
  readonly kind = 'view';
  #chains!: LockChains;
  readonly #classes: AccessClass[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #reads = new ReadSets();
  readonly #answers: (Uint8Array | undefined)[] = [];

  classesOf(trees: AccessTrees): Int32Array {
    this.#chains = trees.chains;
    const classes = new Int32Array(trees.at.length);
    /** For each variable, its accesses in the order of the unit. */
    const byVariable = new Map<number, number[]>();
    for (let tree = 0; tree < trees.size; tree++) {
      byVariable.clear();
      for (let access = trees.starts[tree]; access < trees.starts[tree + 1]; access++) {
        const accesses = byVariable.get(trees.variable.items[access]);
        if (accesses === undefined) byVariable.set(trees.variable.items[access], [access]);
        else accesses.push(access);
      }
      for (const accesses of byVariable.values()) this.#classify(trees, accesses, classes);
    }
    return classes;
  }

  /** All classes are known before the first question. */
  connects(one: number, other: number): boolean {
    if (this.#classes.length > MOST_REMEMBERED) return this.#decide(one, other);
    let row = this.#answers[one];
    if (row === undefined) {
      row = new Uint8Array(this.#classes.length);
      this.#answers[one] = row;
    }
    if (row[other] === UNKNOWN) row[other] = this.#decide(one, other) ? YES : NO;
    return row[other] === YES;
  }

  #decide(one: number, other: number): boolean {
    const a = this.#classes[one];
    const b = this.#classes[other];
    if (a.op === LOCKING) return true;
    if (a.op === Op.read) return b.op !== Op.read && this.#maySee(a, b);
    if (b.op === Op.read) return this.#maySee(b, a);
    if (a.op === Op.update && b.op === Op.update) return false;
    return (
      (a.isFinal && b.isFinal) ||
      this.#reads.some(a.seenBy, (read) => this.#maySee(this.#classes[read], b)) ||
      this.#reads.some(b.seenBy, (read) => this.#maySee(this.#classes[read], a))
    );
  }

  /** Whether the read may see the effect of another thread. */
  #maySee(read: AccessClass, effect: AccessClass): boolean {
    return (
      this.#chains.common(read.chain, effect.chain) === NO_COMMON_LOCK ||
      this.#chains.outsideCommon(read.chain, effect.chain) >= read.sealed
    );
  }

  #classify(trees: AccessTrees, accesses: readonly number[], classes: Int32Array): void {
    let lastWrite = -1;
    for (const access of accesses) {
      const op = trees.op.items[access];
      if (op === Op.write) lastWrite = trees.at.items[access];
      if (op !== Op.read) continue;
      const sealed = trees.regionsBegunBefore(access, lastWrite);
      classes[access] = this.#classOf({
        op,
        chain: trees.chainOf(access),
        sealed,
        isFinal: false,
        seenBy: NO_READS,
      });
    }
    let isFinal = true;
    let seenBy = NO_READS;
    const seeing = new Set<number>();
    for (let i = accesses.length - 1; i >= 0; i--) {
      const access = accesses[i];
      const op = trees.op.items[access];
      if (op === Op.read) {
        if (!seeing.has(classes[access])) seenBy = this.#reads.with(seenBy, classes[access]);
        seeing.add(classes[access]);
        continue;
      }
      classes[access] = this.#classOf({
        op,
        chain: trees.chainOf(access),
        sealed: 0,
        isFinal,
        seenBy,
      });
      if (op !== Op.write) continue;
      isFinal = false;
      seenBy = NO_READS;
      seeing.clear();
    }
  }

  #classOf(wanted: AccessClass): number {
    const { op, chain, sealed, isFinal, seenBy } = wanted;
    const key = `${op},${chain},${sealed},${isFinal},${seenBy}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#classes.length;
      this.#classes.push(wanted);
      this.#numbers.set(key, number);
    }
    return number;
  }
}

/** Answers are kept as long as there are no more classes than these. */
const MOST_REMEMBERED = 4096;
const UNKNOWN = 0;
const YES = 1;
const NO = 2;
