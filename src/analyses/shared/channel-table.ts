import { AccessGroups } from './access-groups.ts';
import type { ConflictOrder } from './conflict-order.ts';

/**
 * Turns what passes through channels into conflicts: a receipt conflicts with all earlier dispatches, and nothing
 * else conflicts. Dispatches are updates of a variable, which commute; a receipt leaves nothing behind there.
 */
export class ChannelTable {
  readonly #dispatches: AccessGroups;

  constructor(order: ConflictOrder) {
    this.#dispatches = new AccessGroups(order);
  }

  send(thread: number, channel: number, event: number): void {
    this.#dispatches.update(thread, channel, event);
  }

  receive(thread: number, channel: number, event: number): void {
    this.#dispatches.follow(thread, channel, event);
  }

  /** As if nothing had ever been sent through it. */
  forget(channel: number): void {
    this.#dispatches.forget(channel);
  }
}
