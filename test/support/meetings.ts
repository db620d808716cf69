import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import type { Random } from './random-traces.ts';

/* Programs in which all threads meet at one barrier, so and so often. */

/** Lets a thread arrive at the barrier and leave it once more, anywhere. */
export function insertMeeting(own: NamedEvent[], thread: string, random: Random): void {
  let at = random.between(0, own.length);
  while (own[at]?.op === Op.leave) at++;
  own.splice(at, 0, { thread, op: Op.arrive, operand: 'b' }, { thread, op: Op.leave, operand: 'b' });
}

/** How often each thread has come to the barrier. */
export class Meetings {
  readonly #arrivals: number[];

  constructor(threads: number) {
    this.#arrivals = new Array<number>(threads).fill(0);
  }

  arrive(thread: number): void {
    this.#arrivals[thread]++;
  }

  /** Whether all others have come as often as the thread, which has arrived. */
  mayLeave(thread: number): boolean {
    return this.#arrivals.every((count) => count >= this.#arrivals[thread]);
  }
}
