import { BarrierRounds } from './barrier-rounds.ts';
import { Op } from './operation.ts';

const NOTHING: readonly number[] = [];

/**
 * What happened at the barriers of a trace, kept so that its events can be put in another order: whoever leaves
 * waits for all who arrived in the same round, and these are the same in every order.
 */
export class RecordedRounds {
  readonly #rounds = new BarrierRounds();
  readonly #round = new Map<number, number>();
  /** Per round, the events that arrive in it. */
  readonly #arrivals = new Map<number, number[]>();
  /** Per departure, the arrivals of its round. */
  readonly #before = new Map<number, readonly number[]>();

  /** Takes note of the next event, if it is about a barrier. */
  add(event: number, thread: number, op: number, barrier: number): void {
    if (op === Op.arrive) {
      const round = this.#rounds.arrive(thread, barrier);
      this.#round.set(event, round);
      const arrivals = this.#arrivals.get(round);
      if (arrivals === undefined) this.#arrivals.set(round, [event]);
      else arrivals.push(event);
    } else if (op === Op.leave) {
      const round = this.#rounds.leave(thread, barrier);
      this.#round.set(event, round);
      // One list for all who leave; nobody arrives in a round that somebody has left.
      this.#before.set(event, this.#arrivals.get(round)!);
    }
  }

  /** The number of the round of an arrival or departure; -1 for any other event. */
  round(event: number): number {
    return this.#round.get(event) ?? -1;
  }

  /** The events that have to come before an event because of a barrier. */
  before(event: number): readonly number[] {
    return this.#before.get(event) ?? NOTHING;
  }
}
