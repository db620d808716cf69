import type { Activation } from '../../core/activation.ts';
import { isCalledBy } from '../../core/ancestry.ts';
import type { AloneOptions } from './options.ts';

/**
 * Lets one call run by itself: what it waits for comes before all that others wait for, or after all of that. Unlike turns, this
 * needs nobody else to be a function that can wait; but it is for a schedule to do, which has the say over timers and files only.
 */
export class Alone {
  readonly #options: AloneOptions;
  /** Names the function of a site. */
  readonly #labelOf: (site: number) => string;
  #count = 0;
  #call: Activation | null = null;

  constructor(options: AloneOptions, labelOf: (site: number) => string) {
    this.#options = options;
    this.#labelOf = labelOf;
  }

  /** A block has begun. */
  begun(activation: Activation): void {
    const { label, nth } = this.#options.call;
    if (this.#call === null && this.#labelOf(activation.site) === label && ++this.#count === nth)
      this.#call = activation;
  }

  /** Whether the call has begun, so that it matters whose turn it is: also for what it has left running. */
  get isRunning(): boolean {
    return this.#call !== null;
  }

  /** Whether what this one waits for comes before what others wait for. */
  isPreferred(by: Activation | null): boolean {
    return isCalledBy(by, this.#call) === (this.#options.when === 'first');
  }
}
