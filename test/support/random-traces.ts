import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { violatedBlocksOf } from '../oracle/oracle.ts';
import {
  type Shape,
  TraceBuilder,
  type TraceConstraints,
  usualShape,
  usualWeights,
  type Weights,
} from './choices.ts';

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

/**
 * Mixtures of operations that bring out different parts of an algorithm. As blocks nest no deeper than the
 * shape says, many begins only mean that few events are outside every block.
 */
const mixtures: readonly Weights[] = [
  usualWeights,
  { ...usualWeights, begin: 5, end: 10 },
  { ...usualWeights, fork: 20, join: 5 },
  { ...usualWeights, acquire: 20, release: 40 },
  { ...usualWeights, update: 0, acquire: 60, release: 120, fork: 0, join: 0, begin: 40 },
  { ...usualWeights, update: 24, write: 4 },
  { ...usualWeights, acquire: 0, release: 0, fork: 0, join: 0 },
  { ...usualWeights, update: 0, acquire: 0, release: 0, fork: 0, join: 0, begin: 40 },
  { ...usualWeights, update: 0, acquire: 0, release: 0, fork: 2, join: 0, begin: 40, end: 12 },
  { ...usualWeights, arrive: 20, leave: 40 },
  { ...usualWeights, send: 15, receive: 30, notify: 5, wait: 10 },
  { ...usualWeights, acquire: 0, release: 0, send: 20, receive: 40, begin: 40, end: 12 },
  { ...usualWeights, volatileRead: 12, volatileWrite: 12, volatileUpdate: 6 },
  { ...usualWeights, acquire: 0, release: 0, update: 0, arrive: 30, leave: 20, begin: 40, end: 12 },
];

/**
 * In one trace of so many, no access is taken that would violate a transaction. What is left are serializable
 * traces with much going on, and cycles with no violated transaction: those an algorithm most easily misses.
 */
const CAREFUL = 4;

function hasNoViolation(events: readonly NamedEvent[]): boolean {
  return violatedBlocksOf(events, 'edge').length === 0;
}

/**
 * The well-formed trace with this seed: 2 to 8 threads, up to 40 events. The same traces as those of the
 * arbitraries, made without fast-check, for runs over hundreds of thousands of them.
 */
export function randomTrace(seed: number, constraints: TraceConstraints = {}): NamedEvent[] {
  const { maxEvents = 40, ...fixed } = constraints;
  const random = new Random(seed);
  const threads = random.oneIn(2) ? random.between(2, 3) : random.between(2, 8);
  const shape: Shape = {
    ...usualShape,
    threads,
    roots: random.oneIn(2) ? threads : random.between(1, threads),
    variables: random.between(1, 6),
    locks: random.below(4),
    barriers: random.oneIn(2) ? 0 : random.between(1, 2),
    messages: random.oneIn(2) ? 0 : random.between(1, 3),
    volatiles: random.oneIn(2) ? 0 : random.between(1, 3),
    depth: random.oneIn(2) ? 1 : random.between(1, 3),
    weights: mixtures[random.below(mixtures.length)],
    closed: random.oneIn(2),
    ...fixed,
  };
  const length = Math.max(random.between(3, maxEvents), random.between(3, maxEvents));
  /** How long a thread keeps its turn, on average. */
  const patience = random.between(1, 3);
  const builder = random.oneIn(CAREFUL) ? new TraceBuilder(shape, hasNoViolation) : new TraceBuilder(shape);
  let thread = 0;
  // Some choices are passed over; a trace in which every thread was joined takes no more.
  for (let tries = 0; builder.events.length < length && tries < 8 * length; tries++) {
    if (random.oneIn(patience)) thread = random.below(shape.threads);
    builder.choose({ thread, op: random.below(1 << 16), operand: random.below(1 << 16) });
  }
  return builder.finish();
}
