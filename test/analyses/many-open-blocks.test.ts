import { describe, expect, it } from 'vitest';
import { atomsanitizer } from '../../src/analyses/atomsanitizer/index.ts';
import { doublechecker } from '../../src/analyses/doublechecker/index.ts';
import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { velodrome } from '../../src/analyses/velodrome/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { Random } from '../support/random-traces.ts';
import { run } from '../support/run.ts';

/** Open blocks, which come one after the other for the most part; some end; others look at what they did from outside. */
function manyOpenBlocks(seed: number): NamedEvent[] {
  const random = new Random(seed);
  const blocks = 150;
  const events: NamedEvent[] = [];
  const step = (thread: string, op: Op, operand: string) =>
    events.push({ thread, op, operand, location: '' });
  const open = Array.from({ length: blocks }, (_, i) => `t${i}`);
  for (const thread of open) step(thread, Op.begin, 'b');
  for (let i = 0; i < 400; i++) {
    const at = random.below(open.length);
    const outside = `n${random.below(8)}`;
    step(open[at], Op.write, `a${at}`);
    if (random.oneIn(3) && at > 0) step(open[at], Op.read, `a${random.below(at)}`);
    step(outside, Op.read, `a${random.below(open.length)}`);
    step(outside, Op.write, `z${random.below(4)}`);
    step(`n${random.below(8)}`, Op.read, `z${random.below(4)}`);
    if (random.oneIn(60) && open.length > 100) step(open.splice(at, 1)[0], Op.end, 'b');
    if (random.oneIn(400)) step(open[0], Op.read, `z${random.below(4)}`);
  }
  return events;
}

describe('with more than a hundred blocks open at once, the first event of a violation', () => {
  it('is the same to algorithms that have nothing in common', () => {
    const found = new Set<boolean>();
    for (let seed = 1; seed <= 4; seed++) {
      const trace = MemoryTrace.of(manyOpenBlocks(seed));
      const { firstEvent, serializable } = run(velodrome, trace).outcome;
      found.add(serializable!);
      expect(run(atomsanitizer, trace).outcome).toMatchObject({ firstEvent, serializable });
      expect(run(regiontrack, trace).outcome).toMatchObject({ firstEvent, serializable });
      expect(run(doublechecker, trace).outcome).toMatchObject({ serializable });
    }
    expect(found).toContain(false);
  });
});
