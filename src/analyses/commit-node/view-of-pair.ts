import { Op } from '../../trace/operation.ts';
import { isAccess, operandOf, opOf } from './codes.ts';
import { BOTH, FIRST_BEFORE, type Pair, SECOND_BEFORE } from './pair-search.ts';

/** What a unit does with one variable: indices of its operations. */
class Uses {
  /** Reads that no write of the unit is before. */
  readonly open: number[] = [];
  /** Writes and updates; those that no write of the unit is after. */
  readonly effects: number[] = [];
  readonly final: number[] = [];
  readonly isUpdate: (index: number) => boolean;
  /**
   * Pairs of indices, of something that the unit does and of a read of its own that sees it. A write of another
   * unit in between would be seen instead, in no serial order; so would an update after a write.
   */
  readonly closed: { from: number; to: number; isWrite: boolean }[] = [];

  constructor(codes: Int32Array, indices: readonly number[]) {
    this.isUpdate = (index) => opOf(codes[index]) === Op.update;
    let write = -1;
    let update = -1;
    for (const index of indices) {
      switch (opOf(codes[index])) {
        case Op.read:
          if (write < 0) this.open.push(index);
          if (write >= 0) this.closed.push({ from: write, to: index, isWrite: true });
          else if (update >= 0) this.closed.push({ from: update, to: index, isWrite: false });
          break;
        case Op.write:
          write = index;
          this.effects.push(index);
          this.final.length = 0;
          this.final.push(index);
          break;
        default:
          if (update < 0) update = index;
          this.effects.push(index);
          this.final.push(index);
      }
    }
  }

  /** Whether an effect of another unit spoils what a read sees when this unit has done `done` operations. */
  isSpoilt(done: number, isUpdate: boolean): boolean {
    return this.closed.some(({ from, to, isWrite }) => from < done && done <= to && (isWrite || !isUpdate));
  }
}

/**
 * What is seen in interleavings of two units that are alone, and in none of the two serial orders: the exact
 * condition that the edges of the view-forest stand for.
 */
export class ViewOfPair {
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  readonly #usesOfFirst: Map<number, Uses>;
  readonly #usesOfSecond: Map<number, Uses>;

  constructor(first: Int32Array, second: Int32Array) {
    this.#first = first;
    this.#second = second;
    this.#usesOfFirst = usesOf(first);
    this.#usesOfSecond = usesOf(second);
  }

  shown(): Pick<Pair, 'shownByFirst' | 'shownBySecond'> {
    return {
      shownByFirst: (i, j) => {
        const others = this.#usesOfSecond.get(operandOf(this.#first[i]));
        const own = this.#usesOfFirst.get(operandOf(this.#first[i]));
        if (!isAccess(opOf(this.#first[i])) || own === undefined || others === undefined) return 0;
        let shown = 0;
        for (const index of partners(this.#first[i], i, own, others))
          shown |= index < j ? SECOND_BEFORE : FIRST_BEFORE;
        const isEffect = opOf(this.#first[i]) !== Op.read;
        return isEffect && others.isSpoilt(j, own.isUpdate(i)) ? BOTH : shown;
      },
      shownBySecond: (i, j) => {
        const others = this.#usesOfFirst.get(operandOf(this.#second[j]));
        const op = opOf(this.#second[j]);
        if (!isAccess(op) || op === Op.read || others === undefined) return 0;
        return others.isSpoilt(i, op === Op.update) ? BOTH : 0;
      },
    };
  }
}

/** The operations of the other unit whose order with this one tells serial orders apart. */
function partners(code: number, index: number, own: Uses, others: Uses): number[] {
  if (opOf(code) === Op.read) return own.open.includes(index) ? others.effects : [];
  const seenBy = others.open;
  if (!own.final.includes(index)) return seenBy;
  const final = own.isUpdate(index) ? others.final.filter((other) => !others.isUpdate(other)) : others.final;
  return [...seenBy, ...final];
}

function usesOf(codes: Int32Array): Map<number, Uses> {
  const indices = new Map<number, number[]>();
  codes.forEach((code, i) => {
    if (!isAccess(opOf(code))) return;
    const known = indices.get(operandOf(code));
    if (known === undefined) indices.set(operandOf(code), [i]);
    else known.push(i);
  });
  return new Map([...indices].map(([variable, list]) => [variable, new Uses(codes, list)]));
}
