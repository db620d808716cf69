import { IntList } from '../shared/int-list.ts';
import { TupleTable } from '../shared/tuple-table.ts';
import { HELD, opOf } from './codes.ts';
import { type Contention, NOTHING } from './contention.ts';
import { type Effort, MOST_CONTEXTS } from './limits.ts';
import { type Copy, NO_LABEL, type RecordedUnits } from './recorded-units.ts';
import { HeldChain, SingleOperations } from './single-operations.ts';

const NO_KIND = -1;

/**
 * The units whose interleavings are looked at. Those of one thread and period that do the same with what is
 * contended, and have the same label, are one here, which stands for its first and its last copy; a copy is
 * known by the number of its first event, its key.
 *
 * What a thread does outside blocks while it holds locks is one unit at first, as if it was a transaction. Where
 * that does not do, it is taken apart into its single operations (`outer-locks.ts`).
 */
export class Units {
  /** What was taken apart. Their trees come after those of the sequences. */
  readonly singles = new SingleOperations();
  readonly #recorded: RecordedUnits;
  readonly #contention: Contention;
  readonly #kinds = new TupleTable(4);
  readonly #count = new IntList();
  readonly #firstKey = new IntList();
  readonly #lastKey = new IntList();
  /** The recorded units that the copies come from; NO_KIND for a single operation. */
  readonly #firstKind = new IntList();
  readonly #lastKind = new IntList();

  /** `isApart` tells the sequences that are taken apart when they are outside blocks. */
  constructor(
    recorded: RecordedUnits,
    contention: Contention,
    isApart: (sequence: number) => boolean,
    effort: Effort,
  ) {
    this.#recorded = recorded;
    this.#contention = contention;
    for (let kind = 0; kind < recorded.size; kind++) {
      const sequence = contention.rest[recorded.sequenceOf(kind)];
      if (sequence === NOTHING) continue;
      if (recorded.labelOf(kind) === NO_LABEL && isApart(sequence)) this.#takeApart(kind, sequence);
      else this.#addWhole(kind, sequence);
      if (this.singles.chains.size <= MOST_CONTEXTS) continue;
      effort.giveUp();
      break;
    }
  }

  get size(): number {
    return this.#kinds.size;
  }

  threadOf(unit: number): number {
    return this.#kinds.part(unit, 0);
  }

  /** The period in which it starts. */
  periodOf(unit: number): number {
    return this.#kinds.part(unit, 1);
  }

  labelOf(unit: number): number {
    return this.#kinds.part(unit, 2);
  }

  isTransaction(unit: number): boolean {
    return this.labelOf(unit) !== NO_LABEL;
  }

  /** What it does, and so its access tree. */
  treeOf(unit: number): number {
    return this.#kinds.part(unit, 3);
  }

  codesOf(unit: number): Int32Array {
    const { sequences } = this.#contention;
    const tree = this.treeOf(unit);
    return tree < sequences.size ? sequences.get(tree) : this.singles.codesOf(tree - sequences.size);
  }

  /** Whether it is a single operation of what was taken apart. */
  isSingle(unit: number): boolean {
    return this.treeOf(unit) >= this.#contention.sequences.size;
  }

  /** How many units it stands for. */
  countOf(unit: number): number {
    return this.#count.items[unit];
  }

  keyOf(unit: number, copy: Copy): number {
    return (copy === 'first' ? this.#firstKey : this.#lastKey).items[unit];
  }

  beginOf(unit: number, copy: Copy): number {
    return this.#recorded.beginOf(this.#kindOf(unit, copy), copy);
  }

  /** The number of the event at a place of the unit. */
  eventOf(unit: number, copy: Copy, place: number): number {
    const kind = this.#kindOf(unit, copy);
    if (kind === NO_KIND) return this.keyOf(unit, copy);
    const index = this.#contention.originOf(this.#recorded.sequenceOf(kind), place);
    return this.#recorded.eventOf(kind, copy, index);
  }

  #kindOf(unit: number, copy: Copy): number {
    return (copy === 'first' ? this.#firstKind : this.#lastKind).items[unit];
  }

  #addWhole(kind: number, sequence: number): void {
    const place = this.#firstOperation(sequence);
    const index = this.#contention.originOf(this.#recorded.sequenceOf(kind), place);
    const unit = this.#unit(kind, this.#recorded.labelOf(kind), sequence);
    this.#count.items[unit] += this.#recorded.countOf(kind);
    this.#addCopy(unit, kind, this.#recorded.eventOf(kind, 'first', index), 'first');
    this.#addCopy(unit, kind, this.#recorded.eventOf(kind, 'last', index), 'last');
  }

  #firstOperation(sequence: number): number {
    const { codes } = this.#contention.sequences;
    const start = this.#contention.sequences.start(sequence);
    let place = 0;
    while (opOf(codes.items[start + place]) === HELD) place++;
    return place;
  }

  /** Every operation becomes a unit, with the locks that are held then. */
  #takeApart(kind: number, sequence: number): void {
    const { sequences } = this.#contention;
    const { singles } = this;
    const start = sequences.start(sequence);
    const length = sequences.lengthOf(sequence);
    const held = new HeldChain(singles.chains);
    for (let place = 0; place < length && singles.chains.size <= MOST_CONTEXTS; place++) {
      const code = sequences.codes.items[start + place];
      const chain = held.step(code);
      if (opOf(code) === HELD) continue;
      const unit = this.#unit(kind, NO_LABEL, sequences.size + singles.number(chain, code));
      const index = this.#contention.originOf(this.#recorded.sequenceOf(kind), place);
      this.#count.items[unit] += this.#recorded.countOf(kind);
      this.#addCopy(unit, NO_KIND, this.#recorded.eventOf(kind, 'first', index), 'first');
      this.#addCopy(unit, NO_KIND, this.#recorded.eventOf(kind, 'last', index), 'last');
    }
  }

  #unit(kind: number, label: number, tree: number): number {
    const unit = this.#kinds.number(
      this.#recorded.threadOf(kind),
      this.#recorded.periodOf(kind),
      label,
      tree,
    );
    if (this.#kinds.wasNew) {
      this.#count.push(0);
      this.#firstKey.push(0x7fffffff);
      this.#lastKey.push(0);
      this.#firstKind.push(NO_KIND);
      this.#lastKind.push(NO_KIND);
    }
    return unit;
  }

  #addCopy(unit: number, kind: number, key: number, copy: Copy): void {
    if (copy === 'first' && key < this.#firstKey.items[unit]) {
      this.#firstKey.items[unit] = key;
      this.#firstKind.items[unit] = kind;
    }
    if (copy === 'last' && key > this.#lastKey.items[unit]) {
      this.#lastKey.items[unit] = key;
      this.#lastKind.items[unit] = kind;
    }
  }
}
