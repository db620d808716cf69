import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { firstRaces } from '../oracle/races.ts';
import { type Shape, TraceBuilder, usualShape, usualWeights, type Weights } from './choices.ts';
import { Random } from './random-traces.ts';

/** Many forks and joins let threads come and go; many lock operations order those that stay. */
const mixtures: readonly Weights[] = [
  { ...usualWeights, begin: 2, fork: 12, join: 6 },
  { ...usualWeights, begin: 0, fork: 30, join: 20, acquire: 4, release: 8 },
  { ...usualWeights, begin: 2, acquire: 20, release: 30 },
  { ...usualWeights, begin: 0, update: 0, acquire: 20, release: 30, fork: 10, join: 6 },
  { ...usualWeights, begin: 0, write: 3, fork: 10, join: 6, acquire: 8, release: 12 },
  { ...usualWeights, begin: 0, acquire: 4, release: 8, arrive: 20, leave: 40 },
  { ...usualWeights, begin: 0, acquire: 4, release: 8, send: 15, receive: 30, notify: 8, wait: 16 },
  { ...usualWeights, begin: 0, volatileRead: 24, volatileWrite: 20, volatileUpdate: 8 },
];

/**
 * A trace whose threads mostly stay out of each other's way: an access that would race is passed over, up to
 * some event. So races, if there are any, come late, when there is much that orders events. Up to 16 threads,
 * of which few act unless they are forked.
 */
export function synchronisedTrace(seed: number): NamedEvent[] {
  const random = new Random(seed);
  const threads = random.between(2, random.oneIn(2) ? 5 : 16);
  const shape: Shape = {
    ...usualShape,
    threads,
    roots: random.oneIn(3) ? threads : random.between(1, 2),
    variables: random.between(1, 3),
    locks: random.between(0, 3),
    barriers: random.between(0, 2),
    messages: random.between(0, 3),
    volatiles: random.between(0, 3),
    depth: 1,
    weights: mixtures[random.below(mixtures.length)],
  };
  const length = random.between(4, 60);
  const careful = random.oneIn(4) ? length : random.below(length);
  const builder = new TraceBuilder(
    shape,
    (events) => events.length > careful || firstRaces(events).length === 0,
  );
  const patience = random.between(1, 3);
  let thread = 0;
  for (let tries = 0; builder.events.length < length && tries < 8 * length; tries++) {
    if (random.oneIn(patience)) thread = random.below(threads);
    builder.choose({ thread, op: random.below(1 << 16), operand: random.below(1 << 16) });
  }
  return builder.finish();
}
