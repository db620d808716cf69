import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AnalysisDescription } from '../../src/analyses/analysis.ts';
import { analysesNamed } from '../../src/analyses/registry.ts';
import { type CheckOptions, checkTrace } from '../../src/check/check.ts';
import { resultsOf } from '../../src/check/results.ts';
import { explainViolations } from '../../src/check/second-look.ts';
import { TrkEncoder } from '../../src/formats/trk/writer.ts';
import { Specification } from '../../src/spec/specification.ts';
import { BATCH_CAPACITY, type EventBatch } from '../../src/trace/batch.ts';
import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import type { TraceNames } from '../../src/trace/names.ts';
import { Op } from '../../src/trace/operation.ts';

const folder = mkdtempSync(join(tmpdir(), 'trackside-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

function parsed(std: string): { names: TraceNames; batches: EventBatch[] } {
  const memory = MemoryTrace.of(
    std
      .trim()
      .split('\n')
      .map((line) => {
        const [, thread, name, operand] = /^(\w+)\|(\w+)\((\w+)\)$/.exec(line)!;
        const op = { begin: Op.begin, end: Op.end, r: Op.read, w: Op.write }[name]!;
        return { thread, op, operand };
      }),
  );
  return { names: memory.names, batches: [...memory.batches()] };
}

function options(changes: Partial<CheckOptions> = {}): CheckOptions {
  return {
    analyses: analysesNamed('regiontrack'),
    forkJoin: 'edge',
    first: false,
    specification: new Specification(),
    ...changes,
  };
}

const LOST_UPDATE = 'T0|begin(pay)\nT0|r(x)\nT1|w(x)\nT0|w(x)\nT0|end(pay)\n';
const FILLER = 'T2|w(y)\n';

describe('more violations than are kept', () => {
  it('are counted, and the verdict stands', async () => {
    const path = file('many.std', LOST_UPDATE.repeat(12));
    const check = await checkTrace(path, options({ most: 5 }));
    const explanations = await explainViolations(path, check, options());
    const [result] = await resultsOf(path, check, explanations, null, 0);
    expect(result).toMatchObject({
      verdict: 'violation',
      serializable: false,
      firstEvent: 4,
      notes: ['only the first 5 violations are listed: there are 7 more'],
    });
    expect(result.violations.map(({ event }) => event)).toEqual([4, 9, 14, 19, 24]);
  });
});

describe('a check that stops at the first violation', () => {
  it.each([0, BATCH_CAPACITY - 3, BATCH_CAPACITY])(
    'stops there, wherever batches end (%i events before)',
    async (before) => {
      const path = file(`first-${before}.std`, FILLER.repeat(before) + LOST_UPDATE.repeat(5000));
      const check = await checkTrace(path, options({ first: true }));
      expect(check).toMatchObject({ events: before + 4, complete: false, problem: null });
      expect(check.runs[0].violations).toMatchObject([{ event: before + 4 }]);
    },
  );

  it('waits until every analysis has found one', async () => {
    // RegionTrack sees the cycle when it closes; AeroDrome may have to wait for an end.
    const path = file('each.std', LOST_UPDATE + FILLER.repeat(2 * BATCH_CAPACITY) + LOST_UPDATE);
    const check = await checkTrace(
      path,
      options({ first: true, analyses: analysesNamed('regiontrack,aerodrome-basic,fasttrack') }),
    );
    expect(check.runs.map(({ violations }) => violations.length)).toEqual(check.runs.map(() => 1));
  });
});

describe('a problem in the middle of a trace', () => {
  it.each([0, BATCH_CAPACITY - 5, BATCH_CAPACITY])(
    'does not take away what came before it, wherever batches end (%i events before)',
    async (before) => {
      const path = file(
        `problem-${before}.std`,
        `${FILLER.repeat(before)}${LOST_UPDATE}T0|end(pay)\n${LOST_UPDATE}`,
      );
      const check = await checkTrace(path, options());
      expect(check).toMatchObject({ events: before + 5, complete: false });
      expect(check.problem).toMatchObject({ file: path, position: { line: before + 6, event: before + 6 } });
      expect(check.runs[0].violations).toHaveLength(1);
      expect(check.trace?.blocks).toEqual({ begun: 1, leftOut: 0 });
    },
  );
});

describe('the second look', () => {
  it('looks no further than the check did', async () => {
    const path = file('open.std', LOST_UPDATE);
    const first = options({ first: true });
    const check = await checkTrace(path, first);
    const [explanation] = (await explainViolations(path, check, first)).values();
    expect(explanation.witness?.pattern).toBe('lost-update');
    expect(explanation.blockEnd).toBeNull();
    const whole = await checkTrace(path, options());
    const [closed] = (await explainViolations(path, whole, options())).values();
    expect(closed.blockEnd).toBe(5);
  });

  it('sees the blocks that the specification left to the check', async () => {
    const path = file('nested.std', `T0|begin(outer)\n${LOST_UPDATE}T0|end(outer)\n`);
    const only = options({ specification: new Specification().exclude('outer') });
    const check = await checkTrace(path, only);
    expect(check.trace?.blocks).toEqual({ begun: 2, leftOut: 1 });
    const [explanation] = (await explainViolations(path, check, only)).values();
    expect(explanation.witness).toMatchObject({ block: { begin: 2 }, enclosing: [] });
  });
});

describe('an analysis that fails', () => {
  const failing: AnalysisDescription = {
    ...analysesNamed('empty')[0],
    name: 'failing',
    create: (context) =>
      Object.assign(analysesNamed('count')[0].create(context), {
        read: () => {
          throw new RangeError('too much');
        },
      }),
  };

  it('does not take the others along', async () => {
    const path = file('fails.std', LOST_UPDATE);
    const found = await checkTrace(path, options({ analyses: [failing, ...analysesNamed('regiontrack')] }));
    expect(found.runs.map(({ failure }) => failure)).toEqual([new RangeError('too much'), null]);
    const results = await resultsOf(path, found, new Map(), null, 0);
    expect(results).toMatchObject([
      {
        verdict: 'error',
        serializable: null,
        error: { message: expect.stringContaining('the analysis failing failed') },
      },
      { verdict: 'violation', violations: [{ event: 4 }] },
    ]);
  });
});

it('a trace is checked in this thread when the other one has given up', async () => {
  const path = file('given-up.std', FILLER.repeat(BATCH_CAPACITY) + LOST_UPDATE);
  let shown = 0;
  const thread = async () => ({
    show: async () => ++shown < 1,
    finish: async () => null,
    stop: () => undefined,
  });
  const check = await checkTrace(path, options({ thread }));
  expect(shown).toBe(1);
  expect(check).toMatchObject({ events: BATCH_CAPACITY + 5, complete: true, problem: null });
  expect(check.runs[0].violations).toHaveLength(1);
});

describe('analyses whose own thread fails', () => {
  /** A section, an event, another section and the events of a lost update. */
  function withSections(name: string): string {
    const { names, batches } = parsed(LOST_UPDATE);
    const encoder = new TrkEncoder(names);
    const pieces = [...encoder.section('first', 1, new Uint8Array([1]))];
    for (const batch of batches) pieces.push(...encoder.encode(batch));
    pieces.push(...encoder.section('second', 1, new Uint8Array([2])), ...encoder.finish());
    writeFileSync(join(folder, name), Buffer.concat(pieces));
    return join(folder, name);
  }

  it.each([true, false])(
    'show each section of the trace once (read to its end before that: %s)',
    async (goesOn) => {
      const sections: string[] = [];
      const thread = { show: async () => goesOn, finish: async () => null, stop: () => {} };
      const check = await checkTrace(
        withSections(`sections-${goesOn}.trk`),
        options({ thread: async () => thread, onSection: ({ name }) => sections.push(name) }),
      );
      expect(sections).toEqual(['first', 'second']);
      expect(check.runs[0].violations).toHaveLength(1);
    },
  );
});
