import { IntList } from '../shared/int-list.ts';
import { SequenceTable } from '../shared/sequence-table.ts';
import { TupleTable } from '../shared/tuple-table.ts';

/** The label of a unit outside every block. */
export const NO_LABEL = -1;

/** Which of the copies of a unit is meant. */
export type Copy = 'first' | 'last';

/**
 * The units of an execution, those that are alike kept once. Units of one thread that do the same, have the same
 * label and lie in the same period are before and after the same things, so that of all of them only the first
 * and the last matter: where one has to come before something of its own thread it is the first, where one has
 * to come after it is the last. Two copies are enough (Wang and Stoller, §7), but for each thread: two of one
 * thread never overlap, and would hide a third in another.
 */
export class RecordedUnits {
  /** What units do. */
  readonly sequences = new SequenceTable();
  /** How many units there were, those in blocks and those outside. */
  inBlocks = 0;
  outside = 0;
  readonly #kinds = new TupleTable(4);
  /** How many units of each kind there were. */
  readonly #counts = new IntList();
  readonly #beginFirst = new IntList();
  readonly #beginLast = new IntList();
  /** Where the numbers of the events of the first and of the last copy start in `#events`. */
  readonly #eventsFirst = new IntList();
  readonly #eventsLast = new IntList();
  readonly #events = new IntList(256);

  /** How many kinds of units there are. */
  get size(): number {
    return this.#kinds.size;
  }

  /** How many integers are kept. */
  get footprint(): number {
    return this.sequences.codes.length + this.#events.length + 9 * this.size;
  }

  threadOf(kind: number): number {
    return this.#kinds.part(kind, 0);
  }

  /** The period in which it starts. */
  periodOf(kind: number): number {
    return this.#kinds.part(kind, 1);
  }

  labelOf(kind: number): number {
    return this.#kinds.part(kind, 2);
  }

  sequenceOf(kind: number): number {
    return this.#kinds.part(kind, 3);
  }

  countOf(kind: number): number {
    return this.#counts.items[kind];
  }

  /** The number of the event with which the copy's block begins. */
  beginOf(kind: number, copy: Copy): number {
    return (copy === 'first' ? this.#beginFirst : this.#beginLast).items[kind];
  }

  /** The number of the event that is at `index` in the unit. */
  eventOf(kind: number, copy: Copy, index: number): number {
    const at = (copy === 'first' ? this.#eventsFirst : this.#eventsLast).items[kind];
    return this.#events.items[at + index];
  }

  /** Adds a unit with the first `length` of `codes` and the numbers of their events. */
  add(
    thread: number,
    period: number,
    label: number,
    begin: number,
    codes: Int32Array,
    events: Int32Array,
    length: number,
  ): void {
    if (label === NO_LABEL) this.outside++;
    else this.inBlocks++;
    const sequence = this.sequences.number(codes, length);
    const kind = this.#kinds.number(thread, period, label, sequence);
    if (this.#kinds.wasNew) {
      const at = this.#events.extend(length);
      this.#counts.push(1);
      this.#beginFirst.push(begin);
      this.#beginLast.push(begin);
      this.#eventsFirst.push(at);
      this.#eventsLast.push(at);
      for (let i = 0; i < length; i++) this.#events.items[at + i] = events[i];
      return;
    }
    this.#counts.items[kind]++;
    this.#beginLast.items[kind] = begin;
    if (this.#eventsLast.items[kind] === this.#eventsFirst.items[kind])
      this.#eventsLast.items[kind] = this.#events.extend(length);
    const at = this.#eventsLast.items[kind];
    for (let i = 0; i < length; i++) this.#events.items[at + i] = events[i];
  }
}
