/** How much is kept and done at most. What lies beyond is left out, and the statistics say so. */
export interface Limits {
  /** Integers kept of what units do, and when. */
  recorded: number;
  /** Steps of looking for edges and cycles. */
  steps: number;
}

/** 800 megabytes, and a minute or less. */
export const USUAL_LIMITS: Limits = { recorded: 200_000_000, steps: 150_000_000 };

/** Counts steps, so that there is an end however much there is to look at. */
export class Effort {
  steps = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** There is more than can be looked at. */
  giveUp(): void {
    this.steps = this.#limit + 1;
  }

  get isExhausted(): boolean {
    return this.steps > this.#limit;
  }
}

/** Lists of locks, or places in them, that are told apart at most: some hundred megabytes. */
export const MOST_CONTEXTS = 8_000_000;
