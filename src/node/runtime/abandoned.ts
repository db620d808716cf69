import type { Activation } from '../core/activation.ts';

/** From so many on those are looked for that are over. */
const FEW_YOUNG = 64;
const MOST_YOUNG = 1024;

/**
 * Activations that last until somebody waits for their promise, of which the garbage collector tells if nobody can. To ask it about
 * each promise would make it keep them all until it looks at everything there is, so only those are asked about that are not over
 * after a while.
 */
export class AbandonedActivations {
  readonly #registry: FinalizationRegistry<Activation>;
  #young: { promise: object; activation: Activation }[] = [];
  /** Those that were young a while ago. */
  #grown: { promise: object; activation: Activation }[] = [];
  #many = FEW_YOUNG;

  constructor(abandon: (activation: Activation) => void) {
    this.#registry = new FinalizationRegistry(abandon);
  }

  add(promise: object, activation: Activation): void {
    if (this.#young.push({ promise, activation }) < this.#many) return;
    this.#young = this.#young.filter(({ activation }) => !activation.isOver);
    if (this.#young.length >= MOST_YOUNG / 2) this.grow();
    this.#many = Math.max(FEW_YOUNG, 2 * this.#young.length);
  }

  /** A while has passed. */
  grow(): void {
    for (const { promise, activation } of this.#grown)
      if (!activation.isOver) this.#registry.register(promise, activation);
    this.#grown = this.#young;
    if (this.#young.length > 0) this.#young = [];
  }
}
