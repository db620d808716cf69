import { BarrierRounds } from './barrier-rounds.ts';
import { channelOf, isDispatch, isReceipt, Op } from './operation.ts';

const NOTHING: readonly number[] = [];

/**
 * For what the threads of a trace waited, kept so that its events can be put in another order. Whoever leaves a
 * barrier waits for all who arrived in the same round; whoever receives a message waits for all who had sent it,
 * and the same with conditions. These are the same in every order.
 */
export class RecordedWaits {
  readonly #rounds = new BarrierRounds();
  readonly #round = new Map<number, number>();
  /** Per round, the events that arrive in it. */
  readonly #arrivals = new Map<number, number[]>();
  /** Per channel, the latest event by which each thread sent something: its earlier ones come before that. */
  readonly #dispatches = new Map<number, Map<number, number>>();
  /** Per event that waited, what it waited for. */
  readonly #before = new Map<number, readonly number[]>();

  /** Takes note of the next event, if it is one to wait for or one that waits. */
  add(event: number, thread: number, op: number, operand: number): void {
    if (op === Op.arrive) {
      const round = this.#rounds.arrive(thread, operand);
      this.#round.set(event, round);
      const arrivals = this.#arrivals.get(round);
      if (arrivals === undefined) this.#arrivals.set(round, [event]);
      else arrivals.push(event);
    } else if (op === Op.leave) {
      const round = this.#rounds.leave(thread, operand);
      this.#round.set(event, round);
      // One list for all who leave; nobody arrives in a round that somebody has left.
      this.#before.set(event, this.#arrivals.get(round)!);
    } else if (isDispatch(op)) {
      const channel = channelOf(op, operand);
      const dispatches = this.#dispatches.get(channel);
      if (dispatches === undefined) this.#dispatches.set(channel, new Map([[thread, event]]));
      else dispatches.set(thread, event);
    } else if (isReceipt(op)) {
      const dispatches = this.#dispatches.get(channelOf(op, operand));
      if (dispatches !== undefined) this.#before.set(event, [...dispatches.values()]);
    }
  }

  /** The number of the round of an arrival or departure; -1 for any other event. */
  round(event: number): number {
    return this.#round.get(event) ?? -1;
  }

  /** The events for which an event waits, at a barrier or for a message. */
  before(event: number): readonly number[] {
    return this.#before.get(event) ?? NOTHING;
  }
}
