import { BarrierRounds } from '../../trace/barrier-rounds.ts';
import { AccessGroups } from './access-groups.ts';
import type { ConflictOrder } from './conflict-order.ts';

/**
 * Turns arrivals and departures into conflicts: each departure conflicts with all arrivals of its round, and
 * neither arrivals nor departures conflict among themselves. That is how updates and reads of a variable behave,
 * if every round has a variable of its own.
 */
export class BarrierTable {
  readonly #rounds = new BarrierRounds();
  readonly #accesses: AccessGroups;

  constructor(order: ConflictOrder) {
    this.#accesses = new AccessGroups(order);
  }

  arrive(thread: number, barrier: number, event: number): void {
    this.#accesses.update(thread, this.#rounds.arrive(thread, barrier), event);
  }

  leave(thread: number, barrier: number, event: number): void {
    const round = this.#rounds.leave(thread, barrier);
    this.#accesses.read(thread, round, event);
    if (!this.#rounds.isOver(round)) return;
    this.#accesses.forget(round);
    this.#rounds.giveBack(round);
  }
}
