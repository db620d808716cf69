import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { type Shape, TraceBuilder, usualShape, usualWeights, type Weights } from './choices.ts';

/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  }

  /** An integer from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  /** True in one of `chances` cases. */
  oneIn(chances: number): boolean {
    return this.below(chances) === 0;
  }
}

/** Mixtures of operations that bring out different parts of an algorithm. */
const mixtures: readonly Weights[] = [
  usualWeights,
  { ...usualWeights, update: 0, acquire: 0, release: 0, fork: 0, join: 0 },
  { ...usualWeights, acquire: 0, release: 0, fork: 0, join: 0, end: 12 },
  { ...usualWeights, fork: 20, join: 4 },
  { ...usualWeights, acquire: 20, release: 30 },
  { ...usualWeights, update: 24, write: 4 },
  { ...usualWeights, begin: 3 },
  { ...usualWeights, begin: 60, end: 20, acquire: 0, release: 0, fork: 1, join: 0 },
  { ...usualWeights, begin: 60, end: 8, acquire: 0, release: 0, fork: 1, join: 0 },
  { ...usualWeights, begin: 60, end: 10 },
];

/**
 * The well-formed trace with this seed: 2 to 8 threads, up to 40 events. The same traces as those of the
 * arbitraries, made without fast-check, for runs over hundreds of thousands of them.
 */
export function randomTrace(seed: number, fixed: Partial<Shape> & { maxEvents?: number } = {}): NamedEvent[] {
  const random = new Random(seed);
  const shape: Shape = {
    ...usualShape,
    threads: random.oneIn(2) ? random.between(2, 3) : random.between(2, 8),
    variables: random.between(1, 4),
    locks: random.below(3),
    depth: random.between(1, 3),
    weights: mixtures[random.below(mixtures.length)],
    closed: random.oneIn(2),
    ...fixed,
  };
  const length = random.between(3, fixed.maxEvents ?? 40);
  /** How long a thread keeps its turn, on average. */
  const patience = random.between(1, 4);
  const builder = new TraceBuilder(shape);
  let thread = 0;
  // Some choices are passed over; a trace in which every thread was joined takes no more.
  for (let tries = 0; builder.events.length < length && tries < 5 * length; tries++) {
    if (random.oneIn(patience)) thread = random.below(shape.threads);
    builder.choose({ thread, op: random.below(1 << 16), operand: random.below(1 << 16) });
  }
  return builder.finish();
}
