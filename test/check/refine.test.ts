import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { velodrome } from '../../src/analyses/velodrome/index.ts';
import { type Refinement, refine, specificationFile } from '../../src/check/refine.ts';
import { Specification } from '../../src/spec/specification.ts';
import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { MNEMONICS } from '../../src/trace/operation.ts';
import { violatedBlocksOf } from '../oracle/oracle.ts';
import { events } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trackside-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function refined(
  traces: readonly NamedEvent[][],
  options: { onePass?: boolean; analysis?: typeof regiontrack; specification?: Specification } = {},
): Promise<Refinement> {
  const inputs = [];
  for (const [i, trace] of traces.entries()) {
    const path = join(folder, `${i}.std`);
    const lines = trace.map(({ thread, op, operand }) => `${thread}|${MNEMONICS[op]}(${operand})\n`);
    await writeFile(path, lines.join(''));
    inputs.push({ path, copy: null });
  }
  return refine(inputs, {
    analysis: options.analysis ?? regiontrack,
    forkJoin: 'edge',
    onePass: options.onePass ?? false,
    specification: options.specification ?? new Specification(),
  });
}

const NESTED = 't1: begin outer, begin inner, r x; t2: w x; t1: w x, end, end';

describe('refinement', () => {
  it('leaves out one layer of blocks a round', async () => {
    expect(await refined([events(NESTED)])).toMatchObject({
      rounds: [
        { violations: 1, excluded: ['outer'] },
        { violations: 1, excluded: ['inner'] },
        { violations: 0, excluded: [] },
      ],
      excluded: ['outer', 'inner'],
      serializable: true,
    });
  });

  it('finds all layers in one pass', async () => {
    expect(await refined([events(NESTED)], { onePass: true })).toMatchObject({
      rounds: [{ violations: 2, excluded: ['outer', 'inner'] }],
      serializable: null,
    });
  });

  it('is done at once when nothing is violated', async () => {
    expect(await refined([events('t1: begin A, r x, end; t2: w x')])).toMatchObject({
      rounds: [{ violations: 0, excluded: [] }],
      excluded: [],
      serializable: true,
    });
  });

  it('says when traces stay non-serializable with no one to blame', async () => {
    const crossed = 't1: begin A; t2: begin B; t1: w x; t2: w y; t1: r y; t2: r x; t1: end; t2: end';
    expect(await refined([events(crossed)])).toMatchObject({ excluded: [], serializable: false });
  });

  it('starts from what is left out already', async () => {
    const specification = new Specification().exclude('outer');
    expect(await refined([events(NESTED)], { specification })).toMatchObject({ excluded: ['inner'] });
  });

  it('takes labels from all traces', async () => {
    const other = 't1: begin pay, r x; t2: w x; t1: w x, end';
    expect((await refined([events(NESTED), events(other)])).excluded).toEqual(['outer', 'pay', 'inner']);
  });

  it('gives the same answer by rounds, in one pass and by definition', async () => {
    for (let seed = 0; seed < 150; seed++) {
      const trace = randomTrace(seed);
      const labels = new Set(violatedBlocksOf(trace, 'edge').map(({ begin }) => trace[begin - 1].operand));
      const byRounds = await refined([trace]);
      const inOnePass = await refined([trace], { onePass: true });
      expect(new Set(byRounds.excluded)).toEqual(labels);
      expect(new Set(inOnePass.excluded)).toEqual(labels);
    }
  });

  it('works with a checker that misses some, in more rounds or with less', async () => {
    for (let seed = 0; seed < 50; seed++) {
      const trace = randomTrace(seed);
      const exact = new Set((await refined([trace])).excluded);
      for (const label of (await refined([trace], { analysis: velodrome })).excluded)
        expect(exact).toContain(label);
    }
  });

  it('writes a file that leaves out what was found', async () => {
    const refinement = await refined([events(NESTED)]);
    const text = specificationFile(refinement, ['made by a test']);
    expect(text).toBe('# made by a test\nouter\ninner\n');
    const specification = new Specification().addFile(text);
    expect((await refined([events(NESTED)], { specification })).rounds).toHaveLength(1);
  });
});
