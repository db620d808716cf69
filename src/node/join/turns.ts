import type { Step } from './steps.ts';
import type { StoreOrder } from './store-order.ts';

/** Which steps have had their turn, and which calls of other processes were made and answered. */
export class Turns {
  readonly #order: StoreOrder;
  readonly #done: Set<number>[] = [];
  readonly #upTo: number[] = [];

  /** Calls by their ids. */
  readonly asked = new Set<string>();
  readonly answered = new Set<string>();

  constructor(order: StoreOrder) {
    this.#order = order;
  }

  isNext(step: Step): boolean {
    const node = this.#order.nodes.get(step);
    if (node === undefined) return true;
    const { precedence } = this.#order;
    const own = precedence.chainOf(node);
    return precedence.clock(node).every((place, chain) => {
      const needed = chain === own ? place - 1 : place;
      return (this.#upTo[chain] ?? 0) >= needed;
    });
  }

  pass(step: Step): void {
    const node = this.#order.nodes.get(step);
    if (node === undefined) return;
    const chain = this.#order.precedence.chainOf(node);
    this.#done[chain] ??= new Set();
    const done = this.#done[chain].add(this.#order.precedence.placeOf(node));
    let upTo = this.#upTo[chain] ?? 0;
    while (done.delete(upTo + 1)) upTo++;
    this.#upTo[chain] = upTo;
  }
}
