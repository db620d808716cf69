import { grownInt32 } from './growable.ts';

/** Nobody has arrived for a next round. */
const NONE = -1;

/**
 * Which arrivals at a barrier and which departures from it belong together. Threads arrive for the round that
 * the barrier is at; the first of them to leave closes it, because by then everybody has come who was waited
 * for, and who arrives later arrives for the next one. So nobody need be told how many threads take part, and
 * they may be others from round to round.
 *
 * Rounds are numbered from 0. A number is given to another round only after it was given back.
 */
export class BarrierRounds {
  /** Per barrier: the round that is being filled. */
  #filling = new Int32Array(16).fill(NONE);
  /** Per barrier: the round of each thread that arrived and has not left. */
  readonly #arrived = new Map<number, Map<number, number>>();
  /** Per round: how many threads have yet to leave. */
  #inside = new Int32Array(16);
  #count = 0;
  readonly #free: number[] = [];

  /** Whether the thread has arrived at the barrier and not left it. */
  isInside(thread: number, barrier: number): boolean {
    return this.#arrived.get(barrier)?.has(thread) ?? false;
  }

  /** The round for which a thread arrives that is not inside. */
  arrive(thread: number, barrier: number): number {
    this.#filling = grownInt32(this.#filling, barrier + 1, NONE);
    if (this.#filling[barrier] === NONE) this.#filling[barrier] = this.#create();
    const round = this.#filling[barrier];
    this.#inside[round]++;
    let arrived = this.#arrived.get(barrier);
    if (arrived === undefined) {
      arrived = new Map();
      this.#arrived.set(barrier, arrived);
    }
    arrived.set(thread, round);
    return round;
  }

  /** The round in which a thread is that is inside. */
  roundOf(thread: number, barrier: number): number {
    return this.#arrived.get(barrier)!.get(thread)!;
  }

  /** The round that a thread leaves which is inside. */
  leave(thread: number, barrier: number): number {
    const round = this.roundOf(thread, barrier);
    if (this.#filling[barrier] === round) this.#filling[barrier] = NONE;
    this.#arrived.get(barrier)!.delete(thread);
    this.#inside[round]--;
    return round;
  }

  /** Whether everybody has left, so that nothing more happens in the round. */
  isOver(round: number): boolean {
    return this.#inside[round] === 0;
  }

  /** Nothing is kept about the round, which is over. */
  giveBack(round: number): void {
    this.#free.push(round);
  }

  #create(): number {
    const round = this.#free.pop() ?? this.#count++;
    this.#inside = grownInt32(this.#inside, round + 1);
    this.#inside[round] = 0;
    return round;
  }
}
