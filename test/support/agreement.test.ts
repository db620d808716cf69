import { describe, expect, it } from 'vitest';
import { aerodromeBasic } from '../../src/analyses/aerodrome-basic/index.ts';
import type { Analysis, AnalysisDescription, ViolationFact } from '../../src/analyses/analysis.ts';
import { empty } from '../../src/analyses/empty/index.ts';
import { agreesOn, disagreement, type Promised, randomTraces, tracesIn } from './agreement.ts';
import { events } from './notation.ts';

const exact: Promised = { verdict: 'exact', firstEvent: 'exact', violated: 'exact' };
const broken = events('t1: begin A, r x; t2: w x; t1: w x, end');
const fine = events('t1: begin A, r x, w x, end; t2: w x');
/** The violation of `broken`, in ids. */
const rightly: ViolationFact = {
  kind: 'transaction',
  event: 4,
  thread: 0,
  block: { label: 0, begin: 1, depth: 0 },
};

/** An analysis that says what it is told to, whatever the trace. */
function saying(
  serializable: boolean,
  firstEvent: number | null,
  ...violations: ViolationFact[]
): AnalysisDescription {
  return {
    ...empty,
    create: (context) => {
      const analysis: Analysis = empty.create(context);
      analysis.finish = () => violations.forEach(context.report);
      analysis.outcome = () => ({ serializable, firstEvent, statistics: {} });
      return analysis;
    },
  };
}

const complaint = (analysis: AnalysisDescription, promised: Promised, list = broken) =>
  disagreement(analysis, promised, list)?.split('\n')[0] ?? null;

describe('holding an analysis against the definitions', () => {
  it('has nothing to say when it keeps its promise', () => {
    expect(complaint(saying(false, 4, rightly), exact)).toBeNull();
    expect(complaint(saying(true, null), exact, fine)).toBeNull();
  });

  it('tells a wrong verdict', () => {
    expect(complaint(saying(true, null), exact)).toBe('serializable should be false and is true');
    expect(complaint(saying(false, 5, rightly), exact, fine)).toBe(
      'serializable should be true and is false',
    );
  });

  it('tells a verdict that does not go with what is reported', () => {
    expect(complaint(saying(false, 4), exact)).toBe('it reports no violation of a trace that has one');
    expect(complaint(saying(true, null, rightly), exact, fine)).toBe(
      'it reports violations of a serializable trace',
    );
  });

  it('tells a wrong event, and one that is too early or too late', () => {
    expect(complaint(saying(false, 5, rightly), exact)).toBe('firstEvent should be 4 and is 5');
    const orLater: Promised = { ...exact, firstEvent: 'or-later' };
    expect(complaint(saying(false, 5, rightly), orLater)).toBeNull();
    expect(complaint(saying(false, 3, rightly), orLater)).toBe('firstEvent should be from 4 to 5 and is 3');
    expect(complaint(saying(false, 6, rightly), orLater)).toBe('firstEvent should be from 4 to 5 and is 6');
    expect(complaint(saying(false, 4, { ...rightly, event: 3 }), exact)).toContain('a violation at 3');
  });

  it('tells blocks that are blamed wrongly, and blocks that are missed', () => {
    const nested = events('t1: begin A, r x; t2: w x; t1: begin B, w x, end, end');
    const onA: ViolationFact = { ...rightly, event: 5 };
    const onB: ViolationFact = { ...onA, block: { label: 1, begin: 4, depth: 1 } };
    expect(complaint(saying(false, 5, onA), exact, nested)).toBeNull();
    expect(complaint(saying(false, 5, onA, onB), exact, nested)).toContain(
      'begins at 4 within 1 others, which is serializable',
    );
    const onNone: ViolationFact = { ...onA, kind: 'trace', block: null };
    expect(complaint(saying(false, 5, onNone), exact, nested)).toContain('does not blame');
    expect(complaint(saying(false, 5, onNone), { ...exact, violated: 'subset' }, nested)).toBeNull();
  });

  it('tells a block that is not there, and a label that is not its own', () => {
    expect(
      complaint(saying(false, 4, { ...rightly, block: { label: 0, begin: 2, depth: 0 } }), exact),
    ).toContain('which is not there');
    const labels = events('t1: begin A, r x; t2: w x; t1: w x, end, begin B');
    const wrong: ViolationFact = { ...rightly, block: { label: 1, begin: 1, depth: 0 } };
    expect(complaint(saying(false, 4, wrong), exact, labels)).toContain('a label that is not its own');
  });

  it('tells that it throws', () => {
    const throwing: AnalysisDescription = {
      ...empty,
      create: () => {
        throw new Error('out of clocks');
      },
    };
    expect(complaint(throwing, exact)).toBe('it throws: Error: out of clocks');
  });
});

describe('looking for a broken promise', () => {
  it('prints the smallest trace that shows it, and where it came from', () => {
    const look = () => agreesOn(randomTraces(1000, 7), saying(true, null), exact);
    expect(look).toThrow(
      /breaks its promise \(--fork-join edge, randomTrace\(\d+\)\):\n {2}t\d: begin .+\nserializable should be false/,
    );
  });

  it('finds what the smallest traces show', () => {
    const scope = { events: 4, threads: 2, variables: 1 };
    const look = () => agreesOn(tracesIn(scope), saying(true, null), exact);
    expect(look).toThrow('t1: begin B1, r x1; t2: w x1; t1: r x1\nserializable should be false and is true');
  });

  it('finds that a child without events may not order anything', () => {
    /** Algorithm 1 as it is printed: as if every child had an event. */
    const asPrinted: AnalysisDescription = {
      ...aerodromeBasic,
      create: (context) => {
        const analysis = aerodromeBasic.create(context);
        const fork = analysis.fork.bind(analysis);
        analysis.fork = (thread, child, event) => {
          fork(thread, child, event);
          analysis.read(child, 1000 + child, event);
        };
        return analysis;
      },
    };
    const promised: Promised = { verdict: 'exact', firstEvent: 'or-later', violated: 'none' };
    expect(() => agreesOn(randomTraces(20_000, 1), asPrinted, promised)).toThrow(
      /begin B\d+, fork (t\d), join \1\nserializable should be true and is false/,
    );
  });
});
