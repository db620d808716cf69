import { Op } from '../../trace/operation.ts';
import { ConcurrentAccesses } from '../shared/concurrent-accesses.ts';
import {
  ACCESS,
  ARRIVE,
  FORK,
  JOIN,
  LOCK,
  numberIn,
  SEND,
  type Steps,
  tagOf,
  type UnitRecorder,
} from '../shared/unit-recorder.ts';

/** With which events of other threads next to it a step commutes: all, all after it, all before it, or not all. */
export const BOTH = 0;
export const RIGHT = 1;
export const LEFT = 2;
export const NON = 3;
export type Mover = typeof BOTH | typeof RIGHT | typeof LEFT | typeof NON;

const UNKNOWN = 0;
const YES = 1;
const NO = 2;

/** A lock that a unit acquired and did not release yet. */
interface Section {
  lock: number;
  /** The index of the acquire. */
  start: number;
  /** Whether moving it as a whole could be noticed by others. */
  isNoticed: boolean;
}

/**
 * How the steps of units move (Wang and Stoller §6.1), by what the whole trace tells.
 *
 * An access of a variable without races is a both-mover; of one with races it is a non-mover, unless forks and
 * joins keep all others away from it. An acquire is a right-mover and a release a left-mover; both are both-movers
 * if the lock belongs to one thread, or if a second lock keeps others from the next release or acquire. A lock
 * around nothing that others could notice moves as a whole and is passed over: the "Acq A* Rel" of the theorem.
 * That needs locks which are acquired and released in one unit, or there may be no serial order to move it to.
 * A fork is a left-mover and a join a right-mover if the thread does anything. In the same way others can only
 * come after an arrival at a barrier or a message sent, and before a departure or a message received.
 */
export class Movers {
  readonly accesses: ConcurrentAccesses;
  readonly #units: UnitRecorder;
  readonly #locks: ConcurrentAccesses;
  /** Per lock operation: whether it is opposed, once it was asked. */
  readonly #opposed: Uint8Array;
  readonly #sections: Section[] = [];

  constructor(units: UnitRecorder) {
    this.#units = units;
    this.accesses = new ConcurrentAccesses(units.accesses, units.contexts);
    this.#locks = new ConcurrentAccesses(units.lockOperations, units.contexts);
    this.#opposed = new Uint8Array(units.lockOperations.count);
  }

  /** Says how each step of a unit moves. */
  classify(steps: Steps, movers: Mover[]): void {
    movers.length = 0;
    this.#sections.length = 0;
    for (let i = 0; i < steps.length; i++) {
      const number = numberIn(steps.codes[i]);
      switch (tagOf(steps.codes[i])) {
        case ACCESS:
          movers.push(this.#access(number));
          break;
        case LOCK:
          movers.push(this.#lockOperation(number, i, movers));
          break;
        case FORK:
        case JOIN:
          movers.push(this.#thread(number, tagOf(steps.codes[i]) === FORK));
          break;
        case ARRIVE:
        case SEND:
          movers.push(LEFT);
          break;
        default:
          movers.push(RIGHT);
      }
    }
  }

  #access(access: number): Mover {
    const variable = this.#units.accesses.object(access);
    const { communicates, isShared } = this.accesses;
    if (communicates[variable] === 1) this.#notice();
    return isShared[access] === 1 && this.accesses.races(variable) ? NON : BOTH;
  }

  #lockOperation(operation: number, index: number, movers: Mover[]): Mover {
    const lock = this.#units.lockOperations.object(operation);
    const isOpposed = this.#isOpposed(operation);
    if (this.#units.lockOperations.kind(operation) === Op.acquire) {
      const isNoticed = this.#units.spansUnits(lock);
      if (isNoticed) this.#notice();
      this.#sections.push({ lock, start: index, isNoticed });
      return isOpposed ? RIGHT : BOTH;
    }
    // Where sections do not nest, or start outside the unit, none of them moves as a whole.
    if (this.#sections.at(-1)?.lock !== lock) this.#notice();
    const at = this.#sections.findLastIndex((section) => section.lock === lock);
    const section = at < 0 ? undefined : this.#sections.splice(at, 1)[0];
    if (section === undefined || section.isNoticed) return isOpposed ? LEFT : BOTH;
    movers[section.start] = BOTH;
    return BOTH;
  }

  /** Whether an operation on the lock by another thread can come right after it, or before it. */
  #isOpposed(operation: number): boolean {
    if (this.#opposed[operation] === UNKNOWN)
      this.#opposed[operation] = this.#locks.rivalOf(operation) >= 0 ? YES : NO;
    return this.#opposed[operation] === YES;
  }

  #thread(thread: number, isFork: boolean): Mover {
    if (!this.#units.contexts.periods.hasActed(thread)) return BOTH;
    return isFork ? LEFT : RIGHT;
  }

  /** Something in all open sections can be noticed by others. A noticed section is in noticed ones only. */
  #notice(): void {
    for (let i = this.#sections.length - 1; i >= 0 && !this.#sections[i].isNoticed; i--)
      this.#sections[i].isNoticed = true;
  }
}
