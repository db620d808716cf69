import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { TraceBuilder, usualWeights, type Weights } from '../support/choices.ts';
import { Random } from '../support/random-traces.ts';

/*
 * Traces too long for the oracle, with more threads, deeper nesting and more forks: long enough that rows of
 * knowledge are moved, cleared and collected, chains of forks are shortened, and every number is used again.
 */

const mixtures: readonly Weights[] = [
  usualWeights,
  { ...usualWeights, fork: 20, join: 5 },
  { ...usualWeights, fork: 10, join: 2, send: 10, receive: 20, notify: 4, wait: 8 },
  { ...usualWeights, fork: 20, join: 0, end: 15 },
  { ...usualWeights, acquire: 0, release: 0, fork: 2, join: 0, begin: 40 },
  { ...usualWeights, write: 1, update: 12, send: 6, receive: 12, arrive: 12, leave: 12 },
  { ...usualWeights, read: 3, write: 3, update: 3, acquire: 0, release: 0, end: 15, fork: 10 },
];

/** A trace in which anything goes. */
export function wildTrace(seed: number): NamedEvent[] {
  const random = new Random(seed);
  const threads = random.between(3, 60);
  const builder = new TraceBuilder({
    threads,
    roots: random.oneIn(2) ? 1 : random.between(1, threads),
    variables: random.oneIn(3) ? random.between(3, 20) : random.between(20, 400),
    locks: random.below(4),
    barriers: random.below(3),
    messages: random.below(4),
    volatiles: random.below(4),
    depth: random.between(1, 12),
    weights: mixtures[random.below(mixtures.length)],
    closed: random.oneIn(2),
  });
  return fill(builder, random, threads, (thread, op, operand) => builder.choose({ thread, op, operand }));
}

/** How many variables each thread has to write in a one-way trace. */
const OWN = 60;

/**
 * A trace in which each thread writes variables of its own, each once, and reads those of threads before it, but
 * for a few stray reads. So blocks stay unrefuted for long, and much is known about them.
 */
export function oneWayTrace(seed: number): NamedEvent[] {
  const random = new Random(seed);
  const threads = random.between(3, 60);
  const weights = { ...mixtures[random.below(mixtures.length)], update: 0, acquire: 0, release: 0 };
  const builder = new TraceBuilder({
    threads,
    roots: random.oneIn(2) ? 1 : random.between(1, threads),
    variables: threads * OWN,
    locks: 0,
    barriers: 0,
    messages: 0,
    volatiles: 0,
    depth: random.between(1, 12),
    weights,
    closed: random.oneIn(2),
  });
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  const strays = random.oneIn(3) ? 0 : random.between(20, 300);
  const written = new Array<number>(threads).fill(0);
  return fill(builder, random, threads, (thread, choice, pick) => {
    const op = choice % total;
    let operand = pick;
    if (op < weights.read) {
      const owner = random.below(strays > 0 && random.oneIn(strays) ? threads : thread + 1);
      if (written[owner] === 0) return;
      operand = owner * OWN + (pick % written[owner]);
    } else if (op < weights.read + weights.write) {
      if (written[thread] === OWN) return;
      operand = thread * OWN + written[thread];
    }
    const before = builder.events.length;
    builder.choose({ thread, op, operand });
    const isWrite = op >= weights.read && op < weights.read + weights.write;
    if (isWrite && builder.events.length > before) written[thread]++;
  });
}

function fill(
  builder: TraceBuilder,
  random: Random,
  threads: number,
  choose: (thread: number, op: number, operand: number) => void,
): NamedEvent[] {
  const length = random.between(50, 600);
  /** How long a thread keeps its turn, on average. */
  const patience = random.between(1, 10);
  let thread = 0;
  for (let tries = 0; builder.events.length < length && tries < 20 * length; tries++) {
    if (random.oneIn(patience)) thread = random.below(threads);
    choose(thread, random.below(1 << 16), random.below(1 << 16));
  }
  return builder.finish();
}
