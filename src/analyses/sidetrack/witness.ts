import type { EventBatch } from '../../trace/batch.ts';
import { Op } from '../../trace/operation.ts';
import type { RelatedEvent, ViolationFact } from '../analysis.ts';

/*
 * A prediction is confirmed by a schedule that shows it: a reordering of the observed events in which the block is
 * violated. `witnessOrder` reads from a prediction which events have to come in which order; `witnessSchedule`
 * finds the reordering. What it gives is to be checked like any trace: that it is well-formed, and that an
 * exact checker refutes the block.
 */

const FIRST_ACQUIRE = 'first acquire';
const FIRST_RELEASE = 'first release';
const CULPRIT_ACQUIRE = 'culprit acquire';
const CULPRIT_RELEASE = 'culprit release';
const SECOND_ACQUIRE = 'second acquire';

/** The events that tell of a prediction, in the order of the trace. */
export function relatedEvents(
  firstAcquire: number,
  firstRelease: number,
  culpritAcquire: number,
  culpritRelease: number,
  secondAcquire: number,
): RelatedEvent[] {
  return [
    { event: firstAcquire, role: FIRST_ACQUIRE },
    { event: firstRelease, role: FIRST_RELEASE },
    { event: culpritAcquire, role: CULPRIT_ACQUIRE },
    { event: culpritRelease, role: CULPRIT_RELEASE },
    { event: secondAcquire, role: SECOND_ACQUIRE },
  ].sort((a, b) => a.event - b.event);
}

/**
 * The lock operations that a witness has in this order: the block gives the lock back, the culprit takes it and
 * gives it back, and the block takes it again. All are of one lock; the culprit's are of one other thread.
 */
export interface WitnessOrder {
  kind: 'before' | 'in' | 'after';
  firstAcquire: number;
  firstRelease: number;
  culpritAcquire: number;
  culpritRelease: number;
  secondAcquire: number;
}

/** What a witness of the prediction has to look like; null if it is no prediction of SideTrack's. */
export function witnessOrder({ kind, related = [] }: ViolationFact): WitnessOrder | null {
  if (kind !== 'before' && kind !== 'in' && kind !== 'after') return null;
  const eventOf = (role: string) => related.find((other) => other.role === role)?.event ?? 0;
  const order = {
    kind,
    firstAcquire: eventOf(FIRST_ACQUIRE),
    firstRelease: eventOf(FIRST_RELEASE),
    culpritAcquire: eventOf(CULPRIT_ACQUIRE),
    culpritRelease: eventOf(CULPRIT_RELEASE),
    secondAcquire: eventOf(SECOND_ACQUIRE),
  };
  return Object.values(order).includes(0) ? null : order;
}

/**
 * The numbers of the events of a witness, in its order; its last event is the second acquire. Null if there is
 * none that this construction finds. `batches` are those that the analysis was shown, from the first event on.
 *
 * The section that has to come earlier is moved forward together with all that has to come before it, and with
 * nothing else: every event outside that section that comes before its acquire in the witness is preceded by
 * the same events as in the trace, so that every read there finds the value that it found.
 */
export function witnessSchedule(batches: Iterable<EventBatch>, order: WitnessOrder): number[] | null {
  const { kind, firstAcquire, firstRelease, culpritAcquire, culpritRelease, secondAcquire } = order;
  if (kind === 'in') return numbers(1, secondAcquire);
  if (kind === 'after') {
    const events = new Slice(batches, secondAcquire, culpritRelease);
    const moved = events.neededBy(culpritAcquire, culpritRelease);
    return moved && [...numbers(1, secondAcquire - 1), ...moved, secondAcquire];
  }
  const events = new Slice(batches, culpritAcquire, firstRelease);
  const moved = events.neededBy(firstAcquire, firstRelease);
  if (moved === null) return null;
  const isMoved = new Set(moved);
  const rest = numbers(culpritAcquire, secondAcquire).filter((event) => !isMoved.has(event));
  return [...numbers(1, culpritAcquire - 1), ...moved, ...rest];
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** The events of a trace from one number to another. */
class Slice {
  readonly #from: number;
  readonly #op: Uint8Array;
  readonly #thread: Int32Array;
  readonly #operand: Int32Array;

  constructor(batches: Iterable<EventBatch>, from: number, to: number) {
    this.#from = from;
    this.#op = new Uint8Array(to - from + 1).fill(Op.skip);
    this.#thread = new Int32Array(to - from + 1).fill(-1);
    this.#operand = new Int32Array(to - from + 1);
    for (const batch of batches) {
      if (batch.firstEvent > to) break;
      const start = Math.max(0, from - batch.firstEvent);
      const end = Math.min(batch.length, to - batch.firstEvent + 1);
      for (let i = start; i < end; i++) {
        const at = batch.firstEvent + i - from;
        this.#op[at] = batch.op[i];
        this.#thread[at] = batch.thread[i];
        this.#operand[at] = batch.operand[i];
      }
    }
  }

  /**
   * The events of the slice up to a release that are needed for the section that this release ends, which begins
   * at `acquire`. The first event of the slice, an acquire of the same lock, is what the section has to come
   * before: null if it is needed, or anything that its thread does afterwards.
   */
  neededBy(acquire: number, release: number): number[] | null {
    const threads = new Set([this.#thread[release - this.#from]]);
    const locks = new Set<number>();
    const accesses = new Map<number, Set<number>>();
    const needed: number[] = [];
    const mover = this.#thread[release - this.#from];
    for (let event = release; event >= this.#from; event--) {
      const at = event - this.#from;
      const op = this.#op[at];
      const thread = this.#thread[at];
      const operand = this.#operand[at];
      if (!threads.has(thread) && !this.#isNeeded(op, operand, threads, locks, accesses)) continue;
      needed.push(event);
      threads.add(thread);
      if (op === Op.join) threads.add(operand);
      const isLock = op === Op.acquire || op === Op.release;
      if (isLock && event !== acquire && event !== release) locks.add(operand);
      // What the section itself reads may change: that is what makes the block go wrong.
      const isMoved = thread === mover && event > acquire;
      if (op <= Op.update && !isMoved) accesses.set(operand, (accesses.get(operand) ?? new Set()).add(op));
    }
    return threads.has(this.#thread[0]) ? null : needed.reverse();
  }

  /** Whether something needed comes after an event of another thread because of what the event does. */
  #isNeeded(
    op: number,
    operand: number,
    threads: ReadonlySet<number>,
    locks: ReadonlySet<number>,
    accesses: ReadonlyMap<number, ReadonlySet<number>>,
  ): boolean {
    switch (op) {
      case Op.acquire:
      case Op.release:
        return locks.has(operand);
      case Op.fork:
        return threads.has(operand);
      case Op.read:
      case Op.write:
      case Op.update: {
        const later = accesses.get(operand);
        return later !== undefined && (op === Op.write || later.size > 1 || !later.has(op));
      }
      default:
        return false;
    }
  }
}
