import { ConcurrentAccesses } from '../shared/concurrent-accesses.ts';
import { IntList } from '../shared/int-list.ts';
import { PairTable } from '../shared/pair-table.ts';
import { SequenceTable } from '../shared/sequence-table.ts';
import { ACCESS, LOCK, numberIn, Steps, tagOf, type UnitRecorder } from '../shared/unit-recorder.ts';
import type { Limits } from './comparison.ts';
import { NO_LABEL, PERIOD, Shape } from './shape.ts';

/** Sorts units by their shapes. An access outside every block is a unit of its own. */
export class Shapes {
  readonly list: Shape[] = [];
  /** Units whose shape would have been one too many. */
  leftOut = 0;

  readonly #units: UnitRecorder;
  readonly #concurrent: ConcurrentAccesses;
  readonly #most: Pick<Limits, 'shapes' | 'elements'>;
  readonly #sequences = new SequenceTable();
  /** The pairs of a shape and a period in which it has an instance. */
  readonly #known = new PairTable();
  /** The events that are the accesses of those units that were asked for. */
  readonly #events = new Map<number, Float64Array>();
  /** Per variable: the last of its accesses that were outside blocks, plus one; and per access the one before. */
  readonly #outsideOf: Int32Array;
  readonly #outsideBefore: Int32Array;
  readonly #steps = new Steps();
  readonly #cells = new IntList(64);

  constructor(units: UnitRecorder, most: Pick<Limits, 'shapes' | 'elements'>) {
    this.#units = units;
    this.#concurrent = new ConcurrentAccesses(units.accesses, units.contexts);
    this.#most = most;
    for (let unit = 0; unit < units.units; unit++) this.#addUnit(unit);
    this.#outsideOf = new Int32Array(units.accesses.objects);
    this.#outsideBefore = new Int32Array(units.accesses.count);
    for (let access = 0; access < units.accesses.count; access++) {
      if (units.eventOutside(access) === 0) continue;
      const variable = units.accesses.object(access);
      this.#outsideBefore[access] = this.#outsideOf[variable];
      this.#outsideOf[variable] = access + 1;
    }
  }

  /** The shapes of the accesses of a variable outside blocks. They are made anew: there may be very many. */
  outsideBlocks(variable: number): Shape[] {
    const { contexts, accesses } = this.#units;
    const shapes = new Map<string, Shape>();
    for (let next = this.#outsideOf[variable]; next > 0; next = this.#outsideBefore[next - 1]) {
      const access = next - 1;
      const lockset = contexts.lockset(accesses.context(access));
      const kind = accesses.kind(access);
      const key = `${kind} ${lockset}`;
      let shape = shapes.get(key);
      if (shape === undefined) {
        shape = new Shape([NO_LABEL, lockset, kind, variable], contexts.locksets);
        shapes.set(key, shape);
      }
      shape.instances.push({ period: contexts.period(accesses.context(access)), unit: ~access });
    }
    return [...shapes.values()];
  }

  /** The event that is an access of a unit, given by its place in the shape. */
  eventOf(unit: number, access: number): number {
    if (unit < 0) return this.#units.eventOutside(~unit);
    let events = this.#events.get(unit);
    if (events === undefined) {
      this.#units.stepsOf(unit, this.#steps);
      events = this.#steps.events.slice(0, this.#steps.length).filter((_, i) => this.#isCommunication(i));
      this.#events.set(unit, events);
    }
    return events[access];
  }

  #addUnit(unit: number): void {
    this.#units.stepsOf(unit, this.#steps);
    let first = 0;
    let last = this.#steps.length - 1;
    while (first <= last && !this.#isCommunication(first)) first++;
    while (last > first && !this.#isCommunication(last)) last--;
    if (first > last) return;
    const { contexts, accesses } = this.#units;
    const context = accesses.context(numberIn(this.#steps.codes[first]));
    const period = contexts.period(context);
    this.#cells.length = 0;
    this.#cells.push(this.#units.labelOf(unit));
    this.#cells.push(contexts.lockset(context));
    this.#pushElements(first, last, this.#isInSeveralPeriods(first, last) ? -1 : period);
    this.#add(period, unit);
  }

  /** Tells of every access in which period it is unless that is the given one. */
  #pushElements(first: number, last: number, period: number): void {
    const { contexts, accesses, lockOperations } = this.#units;
    let present = period;
    for (let i = first; i <= last; i++) {
      const number = numberIn(this.#steps.codes[i]);
      if (tagOf(this.#steps.codes[i]) === LOCK) {
        this.#pushPair(lockOperations.kind(number), lockOperations.object(number));
      } else if (this.#isCommunication(i)) {
        const next = contexts.period(accesses.context(number));
        if (next !== present) this.#pushPair(PERIOD, next);
        present = next;
        this.#pushPair(accesses.kind(number), accesses.object(number));
      }
    }
  }

  #pushPair(element: number, object: number): void {
    this.#cells.push(element);
    this.#cells.push(object);
  }

  #isInSeveralPeriods(first: number, last: number): boolean {
    const { contexts, accesses } = this.#units;
    let period = -1;
    for (let i = first; i <= last; i++) {
      if (!this.#isCommunication(i)) continue;
      const next = contexts.period(accesses.context(numberIn(this.#steps.codes[i])));
      if (period >= 0 && next !== period) return true;
      period = next;
    }
    return false;
  }

  #isCommunication(i: number): boolean {
    const code = this.#steps.codes[i];
    if (tagOf(code) !== ACCESS) return false;
    return this.#concurrent.communicates[this.#units.accesses.object(numberIn(code))] === 1;
  }

  #add(period: number, unit: number): void {
    const { items, length } = this.#cells;
    const known = this.#sequences.size;
    const isFull =
      known === this.#most.shapes || this.#sequences.codes.length + length > 2 * this.#most.elements;
    if (isFull && this.#sequences.find(items, length) < 0) {
      this.leftOut++;
      return;
    }
    const number = this.#sequences.number(items, length);
    if (number === known)
      this.list.push(new Shape(this.#sequences.get(number), this.#units.contexts.locksets));
    // Units of one shape in one period are alike to all others.
    if (this.#known.get(number, period) >= 0) return;
    this.#known.set(number, period, unit);
    this.list[number].instances.push({ period, unit });
  }
}
